/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * explain.h - finds what an evaluation knew of each CPU, so that all values of a snapshot
 * follow from it by the rules.
 *
 * A CPU writes its samples while others are evaluated: which one was its newest is not
 * known. The obvious choice is the last one up to the time of the snapshot; the others are
 * tried in the order of how far they are from it. Only a choice that explains all values,
 * to the last digit, is an explanation.
 */
#ifndef RCR_GUEST_EXPLAIN_H
#define RCR_GUEST_EXPLAIN_H

#include "choices.h"
#include "snapshot.h"

#define MOST_COST	12
#define MOST_TRIES	20000

/**
 * struct past - what is known of a meter at a place from the previous snapshot
 * @known: the other members are valid
 * @run: run that was evaluated
 * @period: sampling period of that run
 * @version: version of the entry
 * @least: the latest evaluated part is this one or a later one
 * @most: the latest evaluated part is this one or an earlier one; the exact one depends on
 *	promises of the CPUs, which are not recorded
 * @unseen: parts that were not evaluated
 * @current_value: latest current value
 * @valued: some part had a value
 * @highest: highest value of the evaluated parts
 */
struct past {
	bool known;
	unsigned int run;
	uint64_t period;
	uint64_t version;
	uint64_t least;
	uint64_t most;
	uint64_t unseen;
	int64_t current_value;
	bool valued;
	int64_t highest;
};

/* Why a snapshot is not explained: the first value that does not match. */
enum mismatch {
	MATCHES,
	NO_SAMPLE,	/* no CPU of the place has a sample at the time of the snapshot */
	WRONG_BEGIN,
	WRONG_CURRENT,
	WRONG_AVERAGE,
	WRONG_SUM,
	WRONG_COUNTED,
	WRONG_STATUS,
	WRONG_CURRENT_STATUS,
	WRONG_PEAK,
	WRONG_HIGHEST,
	WRONG_UNSEEN,
	MISMATCHES
};

static const char *const mismatch_names[] = {
	"all", "time", "begin", "current", "average", "sum", "counted_ns", "status",
	"current_status", "peak", "highest", "unseen",
};

/**
 * struct explanation - the choice of samples that explains a snapshot, or the closest one
 * @why: MATCHES, or the first value that no choice explains
 * @cost: cost of the choice; 0: the obvious one
 * @outside: the window begins before the log
 * @overdue: highest and unseen are not determined, as an evaluation that was missed may not have
 *	waited for a CPU
 * @place: the choice
 * @value: values that follow from the choice
 * @peak: peak that follows from it
 * @valued: some part has a value, so @highest is valid
 * @highest: highest value that follows from it, or its lower bound
 * @unseen: number of unseen parts that follows from it, or its lower bound
 * @tries: number of choices tried
 */
struct explanation {
	enum mismatch why;
	unsigned int cost;
	bool outside;
	bool overdue;
	struct place place;
	struct place_value value;
	int64_t peak;
	bool valued;
	int64_t highest;
	uint64_t unseen;
	unsigned int tries;
};

static inline int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Find the peak if the complete parts are those up to @place.complete. */
static inline void find_peak(struct explanation *e, const struct bound_form *b,
			     const struct snapshot *s)
{
	struct place_value *v = &e->value;
	const struct place *p = &e->place;

	judge_running(p, b, v);
	v->has_highest_part = highest_part(p, b, p->begin_id, p->complete, &v->highest_part);
	e->peak = s->value.current_value;
	if (v->has_highest_part)
		e->peak = v->has_running ? larger(v->highest_part, v->running) : v->highest_part;
	else if (v->has_running)
		e->peak = v->running;
}

/* Return whether the count of a form per sampling period restarts, as the period has changed. */
static inline bool begins_anew(const struct past *past, const struct place *p,
			       const struct bound_form *b)
{
	return is_count_form(b->form) && past->period != p->period;
}

/* Return whether no evaluation was missed between two snapshots. */
static inline bool follows(const struct snapshot *s, const struct past *past)
{
	return past->known && s->version && s->version == past->version + 1;
}

/* Return the number of parts that were missed since @seen. */
static inline uint64_t parts_missed(const struct place *p, uint64_t seen)
{
	uint64_t missed = p->gone < p->complete ? p->gone : p->complete;
	uint64_t longest = p->scale->part > p->period ? p->scale->part : p->period;

	return missed > seen ? (__uint128_t)(missed - seen) * p->scale->part / longest : 0;
}

/*
 * Find the highest part if @seen was the latest part seen. Without a known past, only the running
 * part is included.
 */
static inline void find_highest(struct explanation *e, const struct bound_form *b,
				const struct snapshot *s, const struct past *past, bool anew,
				uint64_t seen)
{
	const struct place *p = &e->place;
	bool found = e->value.has_running;
	int64_t highest = e->value.running, parts;

	if (past->known && highest_part(p, b, anew ? p->begin_id : seen, p->complete, &parts)) {
		highest = found ? larger(highest, parts) : parts;
		found = true;
	}
	e->valued = found;
	e->highest = found ? highest : 0;
	if (!past->known || anew)
		return;
	e->valued |= past->valued;
	if (!found)
		e->highest = past->highest;
	else if (past->valued || (follows(s, past) && s->value.highest != highest))
		e->highest = larger(past->highest, highest);
}

/* Match highest and unseen if no evaluation was missed. @anew: the count restarts here. */
static inline enum mismatch follow_past(struct explanation *e, const struct bound_form *b,
					const struct snapshot *s, const struct past *past,
					bool anew)
{
	const struct place *p = &e->place;
	uint64_t id = past->most, most = anew ? 0 : past->unseen + parts_missed(p, past->least);

	e->unseen = anew ? 0 : past->unseen + parts_missed(p, past->most);
	find_highest(e, b, s, past, anew, id);
	while (!is_same_value(s->value.highest, e->highest)) {
		id = part_before(p, id);
		if (anew || !id || id < past->least)
			return WRONG_HIGHEST;
		find_highest(e, b, s, past, anew, id);
	}
	return s->value.unseen < e->unseen || s->value.unseen > most ? WRONG_UNSEEN : MATCHES;
}

/* Return the latest part that may have been gone in a missed evaluation. */
static inline uint64_t gone_at_most(const struct place *p)
{
	struct place other = *p;
	unsigned int i;

	for (i = 0; i < p->lanes; i++)
		other.lane[i].away = false;
	find_gone(&other);
	return other.gone;
}

/* Match highest and unseen: exactly if no evaluation was missed, else by a lower bound. */
static inline enum mismatch match_past(struct explanation *e, const struct bound_form *b,
				       const struct snapshot *s, const struct past *past)
{
	bool anew = begins_anew(past, &e->place, b);
	uint64_t gone = e->place.gone;

	/* If the previous snapshot is of this run before its first sample, nothing restarts. */
	if (follows(s, past))
		return anew && follow_past(e, b, s, past, true) == MATCHES ?
		       MATCHES : follow_past(e, b, s, past, false);
	e->unseen = anew ? 0 : past->unseen;
	e->place.gone = gone_at_most(&e->place);
	find_highest(e, b, s, past, anew, past->most);
	e->place.gone = gone;
	if (e->valued && s->value.highest < e->highest &&
	    !is_same_value(s->value.highest, e->highest))
		return WRONG_HIGHEST;
	return past->known && s->value.unseen < e->unseen ? WRONG_UNSEEN : MATCHES;
}

/* Compare statuses. A file has a word instead of a number, where only "ok" is certain. */
static inline bool is_same_status(const struct snapshot *s, uint32_t got, uint32_t expected)
{
	bool ok = got == RCR_STATUS_OK, expects_ok = expected == RCR_STATUS_OK;

	return s->has & HAS_STATUS ? got == expected : ok == expects_ok;
}

/* Match the values that do not depend on complete parts. */
static inline enum mismatch match_window(struct explanation *e, const struct bound_form *b,
					 const struct snapshot *s, const struct past *past)
{
	const struct rcr_board_value *v = &s->value;
	struct place_value *j = &e->value;
	bool adds = is_count_form(b->form) || is_rate_form(b->form);

	if (s->has & HAS_TIME && e->place.time != v->time)
		return NO_SAMPLE;
	if (s->has & HAS_TSC && e->place.tsc != v->tsc)
		return NO_SAMPLE;
	if (s->has & HAS_BEGIN && e->place.begin != v->begin)
		return WRONG_BEGIN;
	judge_current(&e->place, b, j);
	if (j->has_current ? !is_same_value(v->current_value, j->current_value) :
	    follows(s, past) && v->current_value != past->current_value)
		return WRONG_CURRENT;
	judge_window(&e->place, b, j);
	/* Without an average the entry has the current value in its place. */
	if (!is_same_value(v->average, j->has_average ? j->average : v->current_value))
		return WRONG_AVERAGE;
	if (!is_same_value(v->sum, adds || j->has_average ? j->sum : v->average))
		return WRONG_SUM;
	if (s->has & HAS_COUNTED && v->counted_ns != j->counted_ns)
		return WRONG_COUNTED;
	if (!is_same_status(s, v->status, j->status))
		return WRONG_STATUS;
	if (s->has & HAS_CURRENT_STATUS && v->current_status != j->current_status)
		return WRONG_CURRENT_STATUS;
	return MATCHES;
}

static inline enum mismatch match_parts(struct explanation *e, const struct bound_form *b,
					const struct snapshot *s, const struct past *past)
{
	find_peak(e, b, s);
	if (!is_same_value(s->value.peak, e->peak))
		return WRONG_PEAK;
	return s->has & HAS_PAST ? match_past(e, b, s, past) : MATCHES;
}

/* Match all values with each possible latest complete part: promises of CPUs are not recorded. */
static inline enum mismatch match_all_parts(struct explanation *e, const struct bound_form *b,
					    const struct snapshot *s, const struct past *past)
{
	uint64_t obvious = e->place.complete, least, most, id;
	enum mismatch why = match_parts(e, b, s, past);

	if (why == MATCHES)
		return why;
	bound_complete(&e->place, &least, &most);
	for (id = most; id && id >= least; id = part_before(&e->place, id)) {
		e->place.complete = id;
		find_gone(&e->place);
		if (id != obvious && match_parts(e, b, s, past) == MATCHES)
			return MATCHES;
	}
	e->place.complete = obvious;
	find_gone(&e->place);
	return match_parts(e, b, s, past);
}

/**
 * struct search - search for the explanation of a snapshot
 * @m: the meter at the place
 * @s: the snapshot
 * @past: what is known from the previous snapshot
 * @option: options of each lane
 * @options: number of options of each lane
 * @place: current choice
 * @best: output: the explanation, or the closest attempt
 */
struct search {
	const struct meter_place *m;
	const struct snapshot *s;
	const struct past *past;
	struct option option[LOG_CPUS][OPTIONS];
	unsigned int options[LOG_CPUS];
	struct place place;
	struct explanation *best;
};

static inline bool try_choice(struct search *x, unsigned int cost)
{
	const struct bound_form *b = &x->m->bound[x->place.run];
	static struct explanation e;

	doubt_count = 0;
	e = (struct explanation){ .cost = cost, .place = x->place };
	x->best->tries++;
	if (!find_window(&e.place)) {
		x->best->outside = true;
		return false;
	}
	e.why = match_window(&e, b, x->s, x->past);
	if (e.why == MATCHES)
		e.why = match_all_parts(&e, b, x->s, x->past);
	e.tries = x->best->tries;
	e.outside = x->best->outside;
	if (e.why == MATCHES || (x->best->why != MATCHES && e.why > x->best->why))
		*x->best = e;
	return e.why == MATCHES;
}

/* Try all choices for the lanes from @lane on whose costs add up to @cost. */
static inline bool try_lanes(struct search *x, unsigned int lane, unsigned int cost,
			     unsigned int all)
{
	unsigned int i;

	if (x->best->tries > MOST_TRIES)
		return false;
	if (lane == x->m->lanes)
		return !cost && try_choice(x, all);
	for (i = 0; i < x->options[lane]; i++) {
		if (x->option[lane][i].cost > cost)
			continue;
		x->place.lane[lane] = x->option[lane][i].lane;
		if (try_lanes(x, lane + 1, cost - x->option[lane][i].cost, all))
			return true;
	}
	return false;
}

static inline uint64_t option_time(const struct option *o)
{
	const struct log_sample *s = lane_sample(&o->lane, o->lane.newest);

	return s ? s->time : 0;
}

/*
 * Remove impossible options, and let the costs of the others begin at 0. The newest sample is that
 * of the first lane with a sample at that time.
 */
static inline bool narrow_options(struct search *x)
{
	unsigned int lane, i, n, least, newest = x->m->lanes;

	for (lane = 0; lane < x->m->lanes && x->s->has & HAS_TSC; lane++)
		for (i = 0; i < x->options[lane]; i++) {
			struct lane *l = &x->option[lane][i].lane;

			if (option_time(&x->option[lane][i]) == x->s->value.time &&
			    lane_sample(l, l->newest)->tsc == x->s->value.tsc &&
			    newest == x->m->lanes)
				newest = lane;
		}
	if (x->s->has & HAS_TSC && newest == x->m->lanes)
		return false;
	for (lane = 0; lane < x->m->lanes; lane++) {
		for (n = 0, least = ~0u, i = 0; i < x->options[lane]; i++) {
			bool is_last = option_time(&x->option[lane][i]) == x->s->value.time;

			if (x->s->has & HAS_TSC && ((lane == newest && !is_last) ||
						    (lane < newest && is_last)))
				continue;
			if (x->option[lane][i].cost < least)
				least = x->option[lane][i].cost;
			x->option[lane][n++] = x->option[lane][i];
		}
		x->options[lane] = n;
		for (i = 0; i < n; i++)
			x->option[lane][i].cost -= least;
		if (!n)
			return false;
	}
	return true;
}

/* Return whether all counters of the meter continue from the previous run. */
static inline bool has_gone_on(const struct meter_place *m, unsigned int run)
{
	unsigned int k;

	if (!m->live[run] || !m->live[run - 1])
		return false;
	for (k = 0; k < m->form->operands; k++) {
		int column = m->bound[run].column[k];

		if (column != SPENT_COLUMN && samples.run[run].from[column] == LOG_NONE)
			return false;
	}
	return true;
}

/* Return whether the meter continues; it restarts if its counters do not continue. */
static inline bool goes_on(const struct meter_place *m, const struct past *past, unsigned int run)
{
	unsigned int r;

	for (r = past->run + 1; r <= run; r++)
		if (!has_gone_on(m, r))
			return false;
	return past->known && past->run <= run;
}

static inline bool search_run(struct search *x, const struct past *past, unsigned int run)
{
	static const struct past none;
	unsigned int lane, cost;

	x->past = goes_on(x->m, past, run) ? past : &none;
	x->place = (struct place){
		.scale = x->m->scale, .run = run, .period = run_period(run),
		.hz = samples.run[run].set->tsc_khz * 1000ull, .lanes = x->m->lanes,
	};
	for (lane = 0; lane < x->m->lanes; lane++)
		x->options[lane] = list_options(x->m, x->option[lane], x->m->cpu[lane], run,
						x->s->value.time);
	if (!narrow_options(x))
		return false;
	for (cost = 0; cost <= MOST_COST; cost++)
		if (try_lanes(x, 0, cost, cost))
			return true;
	return false;
}

/* Return the last run in which a CPU of the place has a sample up to a time. */
static inline int run_until(const struct meter_place *m, uint64_t time)
{
	int run = LOG_NONE, i;
	unsigned int lane;

	for (lane = 0; lane < m->lanes; lane++) {
		const struct log_cpu *c = &samples.cpu[m->cpu[lane]];

		i = sample_until(c, time, c->count);
		if (i != LOG_NONE && (int)c->sample[i].run > run)
			run = c->sample[i].run;
	}
	return run;
}

/*
 * Bound the latest evaluated part. Other choices, with earlier samples or without a silent CPU, may
 * explain the snapshot as well.
 */
static inline void bound_seen(const struct place *p, struct past *past)
{
	struct place other = *p;
	uint64_t least;
	unsigned int i;

	bound_complete(p, &past->least, &past->most);
	for (i = 0; i < p->lanes; i++)
		other.lane[i].away = false;
	bound_complete(&other, &least, &past->most);
	if (least < past->least)
		past->least = least;
	for (i = 0; i < EARLIER && past->least; i++)
		past->least = part_before(p, past->least);
	past->most = latest_part(p);
}

/* Save what is known for the next snapshot. */
static inline void remember_snapshot(struct past *past, const struct snapshot *s,
				     const struct explanation *e)
{
	const struct place *p = &e->place;

	past->known = true;
	past->run = p->run;
	past->current_value = s->value.current_value;
	if (s->version)
		past->version = s->version;
	if (!(s->has & HAS_PAST))
		return;
	bound_seen(p, past);
	past->period = p->period;
	past->unseen = s->value.unseen;
	past->valued = e->valued || s->value.highest;
	past->highest = s->value.highest;
}

/*
 * Return whether a CPU was silent for so long that a missed evaluation may have evaluated parts
 * without it since the previous snapshot.
 */
static inline bool was_overdue(const struct place *p, const struct past *past)
{
	uint64_t last = past->least * p->scale->part, since = last < p->since ? last : p->since;
	unsigned int i;
	int k;

	for (i = 0; i < p->lanes; i++) {
		const struct log_cpu *c = &samples.cpu[p->lane[i].cpu];

		/* The silence may have begun before the previous snapshot. */
		for (k = p->lane[i].newest; k >= 0; k--) {
			if (k + 1 < c->count && c->sample[k + 1].time < since)
				break;
			if (k + 1 < c->count && is_silent_after(p, c, k))
				return true;
		}
	}
	return false;
}

/* Return whether the newest sample used in a run may be a mark from before the run. */
static inline bool may_be_unsampled(const struct meter_place *m, int run, uint64_t time)
{
	unsigned int lane;
	int k;

	for (lane = 0; lane < m->lanes; lane++) {
		const struct log_cpu *c = &samples.cpu[m->cpu[lane]];
		const struct log_marks *marks = &m->scale->marks[m->cpu[lane]];

		k = marks_until(marks, c->of_run[run] - 1);
		if (k && c->sample[marks->sample[k - 1]].time > time)
			return false;
	}
	return true;
}

/**
 * explain_snapshot() - find the samples that explain all values of a snapshot
 * @m: the meter at the place
 * @s: the snapshot
 * @past: what is known from the previous snapshot; updated
 * @e: filled in
 *
 * Before the first sample of a run the values are those of the marks from before the run.
 */
static inline bool explain_snapshot(const struct meter_place *m, const struct snapshot *s,
				    struct past *past, struct explanation *e)
{
	int last = run_until(m, s->value.time), run;
	static struct search x;
	bool found;

	*e = (struct explanation){ .why = NO_SAMPLE };
	if (last == LOG_NONE)
		return false;
	x.m = m;
	x.s = s;
	x.best = e;
	found = m->live[last] && search_run(&x, past, last);
	for (run = last + 1; !found && run < (int)samples.runs; run++) {
		if (!may_be_unsampled(m, run, s->value.time))
			break;
		found = m->live[run] && search_run(&x, past, run);
	}
	if (!found && last && m->live[last - 1])
		found = search_run(&x, past, last - 1);
	e->overdue = !found && e->why >= WRONG_HIGHEST && was_overdue(&e->place, past);
	/* If only the past does not match, go on from this snapshot: the error is reported once. */
	if (!found && e->why < WRONG_HIGHEST)
		return false;
	if (!goes_on(m, past, e->place.run))
		*past = (struct past){ };
	remember_snapshot(past, s, e);
	return found;
}

/**
 * explain_part() - like explain_snapshot(), for a place that was evaluated with a larger one
 * @m: the meter at the place
 * @s: the snapshot, without a time
 * @past: what is known from the previous snapshot
 * @whole: explanation of the larger place
 * @e: filled in
 */
static inline bool explain_part(const struct meter_place *m, const struct snapshot *s,
				const struct past *past, const struct explanation *whole,
				struct explanation *e)
{
	static struct explanation first;
	struct snapshot timed = *s;
	static struct search x;
	struct past other;
	unsigned int i, k;

	first = (struct explanation){ .why = NO_SAMPLE };
	x.m = m;
	x.s = s;
	x.past = past;
	x.best = &first;
	x.place = whole->place;
	x.place.lanes = m->lanes;
	for (i = 0; i < m->lanes; i++)
		for (k = 0; k < whole->place.lanes; k++)
			if (whole->place.lane[k].cpu == m->cpu[i])
				x.place.lane[i] = whole->place.lane[k];
	if (try_choice(&x, whole->cost)) {
		*e = first;
		return true;
	}
	first.overdue = first.why >= WRONG_HIGHEST && was_overdue(&first.place, past);
	/* Other choices may explain the values of the larger place as well. */
	timed.has |= HAS_TIME;
	timed.value.time = first.place.time;
	other = *past;
	if (explain_snapshot(m, &timed, &other, e))
		return true;
	for (i = 0; i < m->lanes; i++)
		for (k = 0; k < EARLIER; k++) {
			const struct log_cpu *c = &samples.cpu[m->cpu[i]];
			int at = sample_until(c, whole->place.time, c->count) - k;

			if (at < 0)
				break;
			other = *past;
			timed.value.time = c->sample[at].time;
			if (explain_snapshot(m, &timed, &other, e))
				return true;
		}
	*e = first;
	return false;
}

#endif
