// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * job_meters.c - computes the module's meters over a run, and compares them to their maxima.
 *
 * The formula is that of the module, applied to the counts of the run instead of a window. A meter
 * has a value only if all of its counters counted all the time.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration.h"
#include "config/config.h"
#include "file.h"
#include "form_value.h"
#include "rcrjob/job.h"
#include "shares.h"

/**
 * struct job_operands - counters of a form
 * @count: entries of @event
 * @event: index of the event of each operand
 */
struct job_operands {
	unsigned int count;
	unsigned int event[RCR_MAX_COUNTERS];
};

/* Finds a counter by name in the latest set that has it; returns -1 if none does. */
static int find_job_event(const struct rate_run *r, const char *name)
{
	unsigned int i;

	for (i = r->count; i-- > 0; )
		if (!strcmp(r->event[i].counter.name, name))
			return i;
	return -1;
}

/* Finds the counters of one side of a form; returns the name of a missing one, or NULL. */
static const char *bind_job_side(const struct rate_run *r, const struct rcr_form_side *side,
				 uint8_t *operand, struct job_operands *o)
{
	const struct rcr_form_term *t;
	unsigned int i, n;
	int event;

	for (i = 0; i < side->terms; i++) {
		t = &side->term[i];
		operand[i] = OPERAND_SPENT;
		if (!*t->name)
			continue;
		event = find_job_event(r, t->name);
		for (n = 0; event >= 0 && n < o->count && o->event[n] != (unsigned int)event; n++)
			;
		if (event < 0 || n == RCR_MAX_COUNTERS)
			return t->name;
		if (n == o->count)
			o->event[o->count++] = event;
		operand[i] = n;
	}
	return NULL;
}

/* Fills in the counts of a CPU, of those events that belong to the run on it. */
static void fill_job_lane(const struct rate_run *r, unsigned int cpu,
			  const struct job_operands *o, struct form_lane *lane)
{
	const struct rate_cpu *c = &r->cpu[cpu];
	const struct rate_event *e;
	unsigned int i;

	if (r->wanted[cpu] && c->first.valid) {
		lane->delta[OPERAND_SPENT] = c->last.spent - c->first.spent;
		lane->time[OPERAND_SPENT] = c->last.tsc - c->first.tsc;
	}
	for (i = 0; i < o->count; i++) {
		e = &r->event[o->event[i]];
		if (!rate_has(r, o->event[i], cpu) || !e->cell[cpu].time)
			continue;
		lane->delta[i] = e->cell[cpu].count;
		lane->time[i] = e->gauge ? 1 : e->cell[cpu].time;
	}
}

/* Returns false and fills in the reason if a counter is not complete. */
static bool check_operands(const struct job *j, const struct job_operands *o,
			   struct job_meter *m)
{
	char why[JOB_REASON_LEN];
	struct rate_sum sum;
	unsigned int i;

	for (i = 0; i < o->count; i++) {
		rate_sum(&j->rate, o->event[i], NULL, 0, &sum);
		if (!job_sum_reason(j, o->event[i], &sum, why))
			continue;
		snprintf(m->reason, sizeof(m->reason), "%s is not complete: %.200s",
			 j->rate.event[o->event[i]].counter.name, why);
		return false;
	}
	return true;
}

/* Returns the run's length in sampling periods, for meters that are counts per period. */
static uint64_t count_run_periods(const struct rate_run *r)
{
	uint64_t longest = 0, time, period = r->set->period_ns;
	unsigned int cpu;

	for (cpu = 0; cpu < r->ncpus; cpu++) {
		time = r->wanted[cpu] ? r->cpu[cpu].last.time - r->cpu[cpu].first.time : 0;
		longest = time > longest ? time : longest;
	}
	return period && longest > period ? (longest + period / 2) / period : 1;
}

/* Returns the share of the machine's units of an event that belongs to the run. */
static double part_of_machine(const struct rate_run *r, int event)
{
	const unsigned int *first = event < 0 ? NULL : r->shares[r->event[event].scope].first;
	unsigned int cpu, all = 0, own = 0;

	for (cpu = 0; cpu < r->ncpus; cpu++) {
		if (!rcr_set_has_cpu(r->set, cpu) || (first && first[cpu] != cpu))
			continue;
		all++;
		own += event < 0 ? r->wanted[cpu] : rate_has(r, event, cpu);
	}
	return all ? (double)own / all : 1;
}

static void compute_job_value(const struct job *j, const struct bound_form *form,
			      const struct job_operands *o, struct job_meter *m)
{
	const struct rate_run *r = &j->rate;
	struct form_lane *lane = calloc(r->ncpus + 1, sizeof(*lane));
	uint64_t periods = form_is_count(&form->form) ? count_run_periods(r) : 1;
	unsigned int cpu;

	if (!lane) {
		snprintf(m->reason, sizeof(m->reason), "%s", strerror(ENOMEM));
		return;
	}
	for (cpu = 0; cpu < r->ncpus; cpu++)
		fill_job_lane(r, cpu, o, &lane[cpu]);
	m->known = form_compute(form, lane, r->ncpus, r->set->tsc_khz * 1000ull, periods,
				&m->value);
	free(lane);
	m->value /= pow(10, m->digits);
	if (!m->known)
		snprintf(m->reason, sizeof(m->reason), "its divisor was 0");
}

static void compute_job_meter(const struct job *j, const struct rcr_meter_state *state,
			      struct job_meter *m)
{
	struct bound_form form = { .form = state->form };
	struct job_operands o = { };
	const char *missing;

	m->asleep = *state->reason;
	if (m->asleep) {
		snprintf(m->reason, sizeof(m->reason), "%s", state->reason);
		return;
	}
	missing = bind_job_side(&j->rate, &form.form.above, form.above, &o);
	if (!missing)
		missing = bind_job_side(&j->rate, &form.form.below, form.below, &o);
	if (missing) {
		snprintf(m->reason, sizeof(m->reason), "%s is not counted", missing);
		return;
	}
	if (!job_has_totals(j)) {
		snprintf(m->reason, sizeof(m->reason), "there are no totals");
		return;
	}
	if (!check_operands(j, &o, m))
		return;
	m->maximum = state->maximum / pow(10, m->digits);
	if (share_adds_up(&form.form))
		m->maximum *= part_of_machine(&j->rate, o.count ? (int)o.event[0] : -1);
	compute_job_value(j, &form, &o, m);
}

/* Ignores an invalid line of the calibration file: rcrcal reports those. */
static void ignore_line(void *to, unsigned int number, const char *sentence)
{
	(void)to;
	(void)number;
	(void)sentence;
}

/* Reads the calibration file: that of rcrtool.conf, else rcrcal's; none leaves @c empty. */
static void read_known_limits(struct calibration *c)
{
	static struct config config;
	const struct config_line *line;
	struct why why;
	size_t size;
	char *text;

	*c = (struct calibration){ };
	line = config_read(CONFIG_PATH, &config, &why) ? NULL :
	       config_find(&config, CONFIG_CALIBRATION);
	text = file_read(line ? line->value : CALIBRATION_FILE, &size, &why);
	if (text)
		calibration_read(c, text, size, ignore_line, NULL);
	free(text);
	config_free(&config);
}

/* True if the line of the calibration file has the same maximum as the module. */
static bool is_maximum(const struct calibrated *line, const struct rcr_meter_state *state)
{
	struct quantity_scale scale = { .unit = state->unit, .digits = state->digits };
	struct quantity q;
	struct why why;
	int64_t value;

	return !strcmp(line->meter, state->name) && !quantity_parse(line->maximum, &q, &why) &&
	       !quantity_value(&q, &scale, &value, &why) && value == state->maximum;
}

/* Finds the origin of a meter's maximum in the calibration file. */
static void find_origin(const struct calibration *c, const struct rcr_meter_state *state,
			struct job_meter *m)
{
	unsigned int i;

	for (i = 0; i < c->count; i++) {
		if (!is_maximum(&c->line[i], state))
			continue;
		if (c->line[i].kind == CALIBRATION_MACHINE)
			strcpy(m->origin, "theoretical");
		else
			snprintf(m->origin, sizeof(m->origin), "calibrated, %s",
				 calibration_kind_name(c->line[i].kind));
		return;
	}
}

void job_compute_meters(struct job *j, const struct rcr_meters *meters)
{
	static struct calibration calibration;
	const struct rcr_meter_state *state;
	struct job_meter *m;
	unsigned int i;

	read_known_limits(&calibration);
	for (i = 0; i < meters->count; i++) {
		state = &meters->meter[i];
		if (state->flags & RCR_METER_POSTED)
			continue;
		m = &j->meter[j->meters++];
		*m = (struct job_meter){ .digits = state->digits };
		strcpy(m->name, state->name);
		strcpy(m->unit, state->unit);
		compute_job_meter(j, state, m);
		if (state->maximum)
			find_origin(&calibration, state, m);
	}
}

const struct job_meter *job_limiter(const struct job *j)
{
	const struct job_meter *found = NULL, *m;

	for (m = j->meter; m < j->meter + j->meters; m++)
		if (m->known && m->maximum > 0 &&
		    (!found || m->value / m->maximum > found->value / found->maximum))
			found = m;
	return found;
}
