/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * choices.h - what an evaluation may have known of each CPU of a place: which of its samples
 * was the newest, whether that one's mark was written already, and whether the CPU was sampled.
 */
#ifndef RCR_GUEST_CHOICES_H
#define RCR_GUEST_CHOICES_H

#include "place_value.h"

#define OPTIONS		64	/* per CPU */
#define EARLIER		8	/* samples before the obvious one to try */
#define LONGEST_IDLE_NS	110000000ull

/**
 * struct meter_place - a meter at a place
 * @form: form of the meter
 * @scale: time scale of the meter
 * @lanes: number of CPUs of the place
 * @cpu: these CPUs, in ascending order
 * @unit: number of the shared unit, by enum rcr_scope and CPU
 * @bound: the form bound to the counters of each run
 * @live: whether all of its counters are in the set, by run
 */
struct meter_place {
	const struct meter_form *form;
	const struct log_scale *scale;
	unsigned int lanes;
	unsigned int cpu[LOG_CPUS];
	struct bound_form bound[LOG_RUNS];
	bool live[LOG_RUNS];
};

/**
 * struct option - a state of a CPU that an evaluation may have seen
 * @lane: the state
 * @cost: distance from the obvious one, the latest sample
 */
struct option {
	struct lane lane;
	unsigned int cost;
};

/* Number of the shared unit by enum rcr_scope and CPU. Filled in by the caller. */
static int shared_unit[RCR_SCOPE_CORE + 1][LOG_CPUS];

static inline bool bind_form(struct meter_place *m, unsigned int run)
{
	const struct rcr_set *set = samples.run[run].set;
	struct bound_form *b = &m->bound[run];
	unsigned int side, t;

	memset(b, 0, sizeof(*b));
	b->form = m->form;
	for (side = 0; side < 2; side++)
		for (t = 0; t < m->form->side[side].terms; t++) {
			const struct form_term *term = &m->form->side[side].term[t];
			unsigned int k = term->operand;

			b->column[k] = SPENT_COLUMN;
			if (!*term->name)
				continue;
			b->column[k] = find_counter(run, term->name);
			if (b->column[k] == LOG_NONE)
				return false;
			b->gauge[k] = term->kind == RCR_TERM_GAUGE;
			b->slow[k] = is_slow_in(set, b->column[k]);
			if (set_counter(set, b->column[k])->scope != RCR_SCOPE_CPU)
				b->unit[k] = shared_unit[set_counter(set, b->column[k])->scope];
		}
	return true;
}

/* Bind a meter to the sets of all runs. */
static inline void bind_meter(struct meter_place *m)
{
	unsigned int run;

	for (run = 0; run < samples.runs; run++)
		m->live[run] = bind_form(m, run);
}

/* Return the number of the last sample up to @time, less than @end; LOG_NONE if there is none. */
static inline int sample_until(const struct log_cpu *c, uint64_t time, int end)
{
	int low = 0, high = end, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (c->sample[middle].time <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : LOG_NONE;
}

/* Return the number of marks up to a sample. */
static inline int marks_until(const struct log_marks *m, int sample)
{
	int low = 0, high = m->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (m->sample[middle] <= sample)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static inline uint64_t run_period(unsigned int run)
{
	return samples.run[run].set->period_ns;
}

static inline bool is_last_of_run(const struct log_cpu *c, int i)
{
	return i + 1 >= c->count || c->sample[i + 1].run != c->sample[i].run;
}

/* Return the earliest possible time of the sample after @i, as far as that sample shows it. */
static inline uint64_t promise_after(const struct log_cpu *c, int i)
{
	uint64_t period = run_period(c->sample[i].run), stride;
	const struct rcr_record *r;

	if (is_last_of_run(c, i))
		return c->sample[i].time + period;
	/* The sampler counts overruns in strides. */
	r = c->sample[i + 1].record;
	stride = r->overruns ? (1 + r->skipped + r->overruns) / (1 + r->overruns) : 1;
	if (r->time - c->sample[i].time <= r->overruns * stride * period)
		return c->sample[i].time + period;
	return r->time - r->overruns * stride * period;
}

/* Return the time from sample @i to the next one of its run, ns; UINT64_MAX if it is the last. */
static inline uint64_t silence_after(const struct log_cpu *c, int i)
{
	return is_last_of_run(c, i) ? UINT64_MAX : c->sample[i + 1].time - c->sample[i].time;
}

static inline void add_option(struct option *o, unsigned int *n, struct lane l, unsigned int cost)
{
	if (*n < OPTIONS)
		o[(*n)++] = (struct option){ l, cost };
}

/* Add the options in which sample @i of the run was the newest one. */
static inline void add_sample_options(const struct meter_place *m, struct option *o,
				      unsigned int *n, unsigned int cpu, unsigned int run, int i,
				      uint64_t time, unsigned int cost)
{
	const struct log_cpu *c = &samples.cpu[cpu];
	const struct log_marks *marks = &m->scale->marks[cpu];
	struct lane l = { .cpu = cpu, .newest = i, .before = LOG_NONE };
	/* A CPU that was offline counts the ticks that it missed as overruns, too. */
	bool away = silence_after(c, i) > 2 * run_period(run);
	bool late = time - c->sample[i].time > 2 * run_period(run);

	if (i && c->sample[i - 1].run == run)
		l.before = i - 1;
	l.head = marks_until(marks, i);
	l.next = promise_after(c, i);
	l.next_most = is_last_of_run(c, i) ? UINT64_MAX - 1 : c->sample[i + 1].time;
	l.away = late && silence_after(c, i) > LONGEST_IDLE_NS;
	add_option(o, n, l, cost);
	if (away) {
		l.away = !l.away;
		add_option(o, n, l, cost + 1);
		l.away = false;
	}
	/*
	 * The mark of the newest sample may not be written yet, as marks are written after samples.
	 */
	if (l.head && marks->sample[l.head - 1] == i) {
		l.head--;
		add_option(o, n, l, cost + 2);
	}
}

/* Add the options in which the run has no sample yet, and the newest mark is used instead. */
static inline void add_mark_options(const struct meter_place *m, struct option *o,
				    unsigned int *n, unsigned int cpu, unsigned int run,
				    unsigned int cost)
{
	const struct log_marks *marks = &m->scale->marks[cpu];
	struct lane l = {
		.cpu = cpu, .newest = LOG_NONE, .before = LOG_NONE, .away = true,
	};

	l.head = marks_until(marks, samples.cpu[cpu].of_run[run] - 1);
	if (l.head && marks->before + l.head > marks->dropped[run])
		l.newest = marks->sample[l.head - 1];
	l.next = UINT64_MAX;
	l.next_most = UINT64_MAX;
	add_option(o, n, l, cost);
	l.away = false;
	l.next = 0;
	if (samples.cpu[cpu].of_run[run] < samples.cpu[cpu].count)
		l.next = samples.cpu[cpu].sample[samples.cpu[cpu].of_run[run]].time;
	l.next_most = l.next ? l.next : UINT64_MAX - 1;
	add_option(o, n, l, cost + 1);
}

/**
 * list_options() - list the states of a CPU that an evaluation may have seen
 * @m: the meter
 * @o: output array, the obvious one first
 * @cpu: the CPU
 * @run: run that was evaluated
 * @time: time of the newest sample of the place
 *
 * Return: the number of options.
 */
static inline unsigned int list_options(const struct meter_place *m, struct option *o,
					unsigned int cpu, unsigned int run, uint64_t time)
{
	const struct log_cpu *c = &samples.cpu[cpu];
	int end = run + 1 < samples.runs ? c->of_run[run + 1] : c->count;
	int i = sample_until(c, time, end), k;
	unsigned int n = 0;

	for (k = 0; k < EARLIER && i - k >= c->of_run[run] && i - k >= 0; k++)
		add_sample_options(m, o, &n, cpu, run, i - k, time, k);
	if (i - k < c->of_run[run])
		add_mark_options(m, o, &n, cpu, run, k);
	return n;
}

#endif
