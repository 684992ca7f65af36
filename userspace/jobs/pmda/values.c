// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * values.c - fetches the values of metrics from memory. A fetch never reads the device, because
 * pmcd drops a slow agent.
 */
#include <math.h>

#include "pmda/names.h"

static int set_double(pmAtomValue *atom, double value)
{
	atom->d = value;
	return isfinite(value) ? PMDA_FETCH_STATIC : PMDA_FETCH_NOVALUES;
}

static int set_u64(pmAtomValue *atom, uint64_t value)
{
	atom->ull = value;
	return PMDA_FETCH_STATIC;
}

static int set_u32(pmAtomValue *atom, uint32_t value)
{
	atom->ul = value;
	return PMDA_FETCH_STATIC;
}

static int set_text(pmAtomValue *atom, const char *text)
{
	atom->cp = (char *)text;
	return PMDA_FETCH_STATIC;
}

/* Fetches a value of the agent; before the first grid tick only its state is known. */
static int agent_value(const struct agent *a, enum agent_value value, pmAtomValue *atom)
{
	if (value == VALUE_SET_STATE)
		return set_text(atom, a->state);
	if (value == VALUE_BOARD_STATE && *a->board_state)
		return set_text(atom, a->board_state);
	if (value == VALUE_SET_GRID)
		return set_u64(atom, a->align.grid);
	if (!a->align.now.valid)
		return PMDA_FETCH_NOVALUES;
	switch (value) {
	case VALUE_TICK_TIME:
		return set_u64(atom, a->align.now.time);
	case VALUE_TICK_NUMBER:
		return set_u64(atom, a->align.now.tick);
	case VALUE_TICK_LATE:
		return set_u32(atom, a->late);
	case VALUE_SLOW_TIME:
		return a->slow_time ? set_u64(atom, a->slow_time) : PMDA_FETCH_NOVALUES;
	case VALUE_SET_GENERATION:
		return set_u32(atom, a->set->item.generation);
	case VALUE_SET_PERIOD:
		return set_u64(atom, a->set->period_ns);
	case VALUE_SET_EVENTS:
		return set_u32(atom, a->events);
	case VALUE_SET_FAMILY:
		return set_text(atom, a->set->family);
	case VALUE_SET_SOURCE:
		return set_text(atom, a->set->source);
	case VALUE_LOST_RECORDS:
		return set_u64(atom, a->lost);
	case VALUE_LOST_MARKS:
		return set_u64(atom, a->jobs.runs.lost_marks);
	case VALUE_LOST_OVERRUNS:
		return set_u64(atom, a->overruns);
	case VALUE_LOST_SKIPPED:
		return set_u64(atom, a->skipped);
	case VALUE_COST_TIME:
		return set_u64(atom, a->spent_ns);
	default:
		return PMDA_FETCH_NOVALUES;
	}
}

static int sum_value(const struct agent *a, unsigned int kind, unsigned int event,
		     unsigned int inst, pmAtomValue *atom)
{
	int part = kind == RCR_PLACE_MACHINE ? 0 : parts_find(&a->parts[kind], inst);
	const struct agent_sum *sum;

	if (part < 0)
		return PM_ERR_INST;
	sum = &a->sum[kind][part * RCR_MAX_COUNTERS + event];
	return sum->known ? set_u64(atom, sum->value) : PMDA_FETCH_NOVALUES;
}

static int rates_value(const struct agent_rates *r, enum agent_value value, pmAtomValue *atom)
{
	if (value == VALUE_WITHIN_COUNT)
		return set_u32(atom, r->count);
	if (!r->count)
		return PMDA_FETCH_NOVALUES;
	return set_double(atom, value == VALUE_WITHIN_MIN ? r->min :
				value == VALUE_WITHIN_MAX ? r->max : r->sumsq);
}

static int event_value(const struct agent *a, const struct agent_metric *m, unsigned int inst,
		       pmAtomValue *atom)
{
	const struct agent_event *e = &a->event[m->index];

	switch (m->row->value) {
	case VALUE_SUM:
		return sum_value(a, m->row->indom == INDOM_NONE ? RCR_PLACE_MACHINE : m->row->indom,
				 m->index, inst, atom);
	case VALUE_NOTOK:
		return inst < AGENT_STATUSES ? set_u32(atom, e->notok[inst]) : PM_ERR_INST;
	case VALUE_SPREAD_CV:
		return set_double(atom, e->spread.cv);
	case VALUE_SPREAD_MIN:
		return e->spread.cpus ? set_double(atom, e->spread.min) : PMDA_FETCH_NOVALUES;
	case VALUE_SPREAD_MAX:
		return e->spread.cpus ? set_double(atom, e->spread.max) : PMDA_FETCH_NOVALUES;
	default:
		return inst < 2 ? rates_value(&e->rates[inst], m->row->value, atom) : PM_ERR_INST;
	}
}

static int meter_value(const struct agent *a, unsigned int description, unsigned int inst,
		       pmAtomValue *atom)
{
	unsigned int i;

	for (i = 0; i < a->meters; i++)
		if (a->meter[i].board == description && (unsigned int)a->meter[i].inst == inst)
			return set_double(atom, a->meter[i].value);
	return PMDA_FETCH_NOVALUES;
}

static int job_total_value(const struct agent *a, const struct agent_metric *m,
			   const struct run *run, pmAtomValue *atom)
{
	const struct run_total *total = jobs_total(run, &a->jobs.event[m->index]);

	if (!total)
		return PMDA_FETCH_NOVALUES;
	if (m->row->value == VALUE_JOB_COMPLETENESS)
		return set_double(atom, total->completeness);
	if (m->row->value == VALUE_JOB_TOTAL)
		return total->known ? set_u64(atom, total->count) : PMDA_FETCH_NOVALUES;
	if (!total->has_estimate)
		return PMDA_FETCH_NOVALUES;
	return set_u64(atom, m->row->value == VALUE_JOB_ESTIMATE ? total->estimate : total->error);
}

static int job_value(const struct agent *a, const struct agent_metric *m, unsigned int inst,
		     pmAtomValue *atom)
{
	const struct run *run = runs_find(&a->jobs.runs, inst);

	if (!run)
		return PM_ERR_INST;
	switch (m->row->value) {
	case VALUE_JOB_BEGIN:
		return set_u64(atom, run->begin_wall);
	case VALUE_JOB_END:
		return run->end == UINT64_MAX ? PMDA_FETCH_NOVALUES : set_u64(atom, run->end_wall);
	case VALUE_JOB_STATE:
		return set_text(atom, run_state_name(run));
	case VALUE_JOB_UID:
		return run->has_uid ? set_u32(atom, run->uid) : PMDA_FETCH_NOVALUES;
	case VALUE_JOB_CPUS:
		return run->cpus ? set_u32(atom, run->cpus) : PMDA_FETCH_NOVALUES;
	case VALUE_JOB_SHARED:
		return set_u32(atom, run->shared);
	case VALUE_JOB_COMPLETE:
		return set_double(atom, run_completeness(run));
	default:
		return job_total_value(a, m, run, atom);
	}
}

int value_of_metric(const struct agent *a, const struct agent_metric *m, unsigned int inst,
		    pmAtomValue *atom)
{
	if (m->row->value < VALUE_SUM)
		return agent_value(a, m->row->value, atom);
	if (m->row->value >= VALUE_JOB_BEGIN)
		return job_value(a, m, inst, atom);
	if (!a->align.now.valid)
		return PMDA_FETCH_NOVALUES;
	if (m->row->value < VALUE_METER)
		return event_value(a, m, inst, atom);
	return meter_value(a, m->index, inst, atom);
}
