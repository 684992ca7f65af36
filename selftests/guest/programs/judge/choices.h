/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * choices.h - what an evaluation may have known of each CPU of a place: which of its samples
 * was the newest, whether that one's mark was written already, and whether the CPU was sampled.
 */
#ifndef RCR_GUEST_CHOICES_H
#define RCR_GUEST_CHOICES_H

#include "place_value.h"

#define OPTIONS		64	/* of a CPU */
#define EARLIER		8	/* samples before the obvious one that are tried */
#define LONGEST_IDLE_NS	110000000ull

/**
 * struct meter_place - a meter at a place, as it is judged
 * @form: the meter's
 * @scale: its time scale
 * @lanes: CPUs of the place, in the order of their numbers
 * @cpu: these
 * @unit: by enum rcr_scope and CPU: the number of the unit that it shares
 * @bound: by run: the form bound to its counters
 * @live: by run: all its counters are in the set
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
 * struct option - what an evaluation may have known of a CPU
 * @lane: that
 * @cost: how far it is from the obvious
 */
struct option {
	struct lane lane;
	unsigned int cost;
};

/* By enum rcr_scope and CPU: its shared unit. Filled in by the caller. */
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

/* Binds a meter to the sets of all runs. */
static inline void bind_meter(struct meter_place *m)
{
	unsigned int run;

	for (run = 0; run < samples.runs; run++)
		m->live[run] = bind_form(m, run);
}

/* Number of the last sample up to a time, of those before @end; LOG_NONE. */
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

/* Marks up to a sample. */
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

/* The time before which no sample was to come after @i, as near as the next one shows. */
static inline uint64_t promise_after(const struct log_cpu *c, int i)
{
	uint64_t period = run_period(c->sample[i].run), stride;
	const struct rcr_record *r;

	if (is_last_of_run(c, i))
		return c->sample[i].time + period;
	/* Overruns are counted in strides. */
	r = c->sample[i + 1].record;
	stride = r->overruns ? (1 + r->skipped + r->overruns) / (1 + r->overruns) : 1;
	if (r->time - c->sample[i].time <= r->overruns * stride * period)
		return c->sample[i].time + period;
	return r->time - r->overruns * stride * period;
}

/* How long it was silent after @i, ns. */
static inline uint64_t silence_after(const struct log_cpu *c, int i)
{
	return is_last_of_run(c, i) ? UINT64_MAX : c->sample[i + 1].time - c->sample[i].time;
}

static inline void add_option(struct option *o, unsigned int *n, struct lane l, unsigned int cost)
{
	if (*n < OPTIONS)
		o[(*n)++] = (struct option){ l, cost };
}

/* The CPU has a sample in the run, and @i was its newest. */
static inline void add_sample_options(const struct meter_place *m, struct option *o,
				      unsigned int *n, unsigned int cpu, unsigned int run, int i,
				      uint64_t time, unsigned int cost)
{
	const struct log_cpu *c = &samples.cpu[cpu];
	const struct log_marks *marks = &m->scale->marks[cpu];
	struct lane l = { .cpu = cpu, .newest = i, .before = LOG_NONE };
	/* When it is back the ticks that it missed are overruns, as others are. */
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
	/* A mark is written after its sample: that of the newest one may not be there yet. */
	if (l.head && marks->sample[l.head - 1] == i) {
		l.head--;
		add_option(o, n, l, cost + 2);
	}
}

/* It has none in the run: its newest mark stands for it. */
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
 * list_options() - what an evaluation may have known of a CPU
 * @m: the meter
 * @o: output array, the obvious first
 * @cpu: the CPU
 * @run: that was evaluated
 * @time: of the newest sample of the place
 *
 * Return: how many.
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
