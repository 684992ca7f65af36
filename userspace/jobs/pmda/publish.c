// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * publish.c - computes the values of a grid tick: sums over the parts of the machine,
 * statuses, and rates since the previous grid tick.
 *
 * A sum adds the totals in the CPUs' latest records. Totals do not change while a counter is not
 * ok, and an offline CPU keeps its total, so sums only grow by events that were counted.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "pmda/agent.h"

#define SECOND 1000000000ull

static void take_agent_event(struct agent *a, unsigned int i)
{
	struct agent_event *e = &a->event[i];

	*e = (struct agent_event){
		.counter = *rcr_set_counter(a->set, i),
		.gauge = rcr_set_is_gauge(a->set, i),
	};
	e->energy = e->counter.unit == RCR_UNIT_NANOJOULE;
	e->has_rates = !e->gauge && !e->energy && !rcr_set_is_slow(a->set, i);
}

/* Reads the parts of the machine, with room for a sum of each event over each of them. */
static int publish_parts(struct agent *a)
{
	struct agent_event *e;
	unsigned int kind;

	a->energy_second = 0;
	a->renamed = true;
	if (parts_read(a->parts, &a->places, a->set->ncpus, a->sysfs))
		return -1;
	for (kind = 0; kind < PART_KINDS; kind++) {
		free(a->sum[kind]);
		a->sum[kind] = calloc(a->parts[kind].count + 1,
				      RCR_MAX_COUNTERS * sizeof(struct agent_sum));
		if (!a->sum[kind])
			return -1;
		for (e = a->event; e < a->event + a->events; e++)
			e->whole[kind] = parts_hold_scope(a->parts, kind, e->counter.scope,
							  a->set->ncpus);
	}
	return 0;
}

/* Re-reads the topology if a CPU that had none, because it was offline, now writes records. */
static void place_new_cpus(struct agent *a)
{
	const int *of = a->parts[RCR_PLACE_PACKAGE].of;
	unsigned int cpu, unplaced = 0;

	for (cpu = 0; cpu < a->align.ncpus; cpu++)
		unplaced += of[cpu] < 0 && align_has_tick(&a->align.now, cpu);
	if (unplaced > a->unplaced && publish_parts(a)) {
		note("no memory for the parts of the machine");
		exit(EXIT_FAILURE);
	}
	a->unplaced = unplaced;
}

/**
 * publish_set() - begin to publish a set
 * @a: with the set
 *
 * Returns 0, or -1 with errno ENOMEM.
 */
int publish_set(struct agent *a)
{
	unsigned int i;

	a->events = 0;
	a->unplaced = 0;
	if (align_set(&a->align, a->set))
		return -1;
	for (i = 0; i < a->set->ncounters && i < RCR_MAX_COUNTERS; i++)
		take_agent_event(a, i);
	a->events = i;
	return publish_parts(a);
}

/* Adds a CPU's total. */
static void add_total(struct agent_sum *sum, const struct agent_event *e,
		      const struct align_sample *s, unsigned int i)
{
	if (!e->gauge) {
		sum->value += s->total[i];
		sum->known = true;
	} else if (s->status[i] == RCR_STATUS_OK && (!sum->known || s->total[i] > sum->value)) {
		sum->value = s->total[i];
		sum->known = true;
	}
}

static void sum_kind(struct agent *a, unsigned int kind, unsigned int i)
{
	const struct parts *p = &a->parts[kind];
	const struct align_sample *s;
	unsigned int n, cpu;

	for (n = 0; n < p->count; n++)
		a->sum[kind][n * RCR_MAX_COUNTERS + i] = (struct agent_sum){ };
	for (cpu = 0; cpu < a->align.ncpus; cpu++) {
		s = &a->align.now.cpu[cpu];
		if (s->valid && p->of[cpu] >= 0)
			add_total(&a->sum[kind][p->of[cpu] * RCR_MAX_COUNTERS + i], &a->event[i],
				  s, i);
	}
}

static void count_statuses(struct agent *a, unsigned int i)
{
	struct agent_event *e = &a->event[i];
	unsigned int cpu, status;

	memset(e->notok, 0, sizeof(e->notok));
	for (cpu = 0; cpu < a->align.ncpus; cpu++) {
		if (!rcr_set_has_cpu(a->set, cpu))
			continue;
		status = align_has_tick(&a->align.now, cpu) ? a->align.now.cpu[cpu].status[i] :
							      RCR_STATUS_GAP;
		e->notok[status < AGENT_STATUSES ? status : AGENT_STATUSES - 1]++;
	}
}

/*
 * True if a CPU without a rate makes the machine's rate incomplete: not if another CPU reads the
 * counter, or if the CPU is offline.
 */
static bool is_rate_missing(const struct agent *a, unsigned int cpu, unsigned int i)
{
	bool has_now = align_has_tick(&a->align.now, cpu);

	if (has_now && a->align.now.cpu[cpu].status[i] == RCR_STATUS_ELSEWHERE)
		return false;
	return has_now || align_has_tick(&a->align.before, cpu);
}

/* Computes the spread over the CPUs; returns the machine's rate, NAN if a CPU's is missing. */
static double spread_rates(struct agent *a, unsigned int i)
{
	struct agent_spread *spread = &a->event[i].spread;
	double sum = 0, sumsq = 0, mean, rate;
	struct align_step step;
	unsigned int cpu, bad = 0;

	*spread = (struct agent_spread){ .cv = NAN, .min = INFINITY };
	for (cpu = 0; cpu < a->align.ncpus; cpu++) {
		if (!rcr_set_has_cpu(a->set, cpu))
			continue;
		if (!align_step(&a->align, cpu, i, &step)) {
			bad += is_rate_missing(a, cpu, i);
			continue;
		}
		rate = step.count / step.seconds;
		spread->cpus++;
		sum += rate;
		sumsq += rate * rate;
		spread->min = fmin(spread->min, rate);
		spread->max = fmax(spread->max, rate);
	}
	mean = spread->cpus ? sum / spread->cpus : 0;
	if (spread->cpus > 1 && mean > 0)
		spread->cv = sqrt(fmax(0, sumsq - sum * mean) / (spread->cpus - 1)) / mean;
	return spread->cpus && !bad ? sum : NAN;
}

/* Adds a rate to its minute; @rates[0] is the current minute, @rates[1] the previous one. */
static void add_to_minute(struct agent_rates rates[2], uint64_t minute, double rate)
{
	if (rates[0].minute != minute) {
		rates[1] = rates[0].minute + 1 == minute ? rates[0] : (struct agent_rates){ };
		rates[0] = (struct agent_rates){ .minute = minute };
	}
	if (isnan(rate))
		return;
	rates->min = rates->count ? fmin(rates->min, rate) : rate;
	rates->max = rates->count ? fmax(rates->max, rate) : rate;
	rates->sumsq += rate * rate;
	rates->count++;
}

static void publish_tick_times(struct agent *a)
{
	const struct align_sample *s;
	unsigned int cpu;
	double cycles = 0;

	a->late = 0;
	for (cpu = 0; cpu < a->align.ncpus; cpu++) {
		s = &a->align.now.cpu[cpu];
		/* A CPU that is offline since before the set keeps its earlier value. */
		if (s->valid)
			a->spent[cpu] = s->spent;
		cycles += a->spent[cpu];
		if (align_has_tick(&a->align.now, cpu) && s->late > a->late)
			a->late = s->late;
	}
	a->spent_ns = cycles / a->set->tsc_khz * 1e6;
	a->slow_time = align_slow_time(&a->align);
	a->lost = a->align.lost;
	a->overruns = a->align.overruns;
	a->skipped = a->align.skipped;
}

/* Publishes the latest grid tick. */
void publish_tick(struct agent *a)
{
	uint64_t second = a->align.now.time / SECOND;
	/* A step that ends exactly on the minute belongs to the minute before. */
	uint64_t minute = (a->align.now.time - 1) / (60 * SECOND);
	unsigned int i, kind;
	double rate;

	place_new_cpus(a);
	for (i = 0; i < a->events; i++) {
		for (kind = 0; kind < PART_KINDS; kind++)
			if (!a->event[i].energy || second != a->energy_second)
				sum_kind(a, kind, i);
		count_statuses(a, i);
		if (!a->event[i].has_rates)
			continue;
		rate = spread_rates(a, i);
		add_to_minute(a->event[i].rates, minute, rate);
	}
	a->energy_second = second;
	publish_tick_times(a);
	meters_read(a);
}
