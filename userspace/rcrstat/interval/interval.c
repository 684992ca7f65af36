// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * interval.c - divides the stream of records into intervals.
 *
 * An interval ends at the same tick on every CPU, so the cells of a line cover the same time. A
 * rate is the difference of two totals over the TSC time between their reads: records lost in
 * between do not affect it.
 *
 * Pure: no input, no output, no clock. Also compiled into the unit tests.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "interval/interval.h"
#include "parse/cpulist.h"
#include "problems/lint.h"
#include "task/tasks.h"

static bool is_chosen(const struct rcr_set *set, const bool *wanted, unsigned int cpu)
{
	return rcr_set_has_cpu(set, cpu) && (!wanted || (cpu < CPU_LIMIT && wanted[cpu]));
}

static void choose_cpus(struct intervals *v, const bool *wanted)
{
	unsigned int cpu, next = 0;

	for (cpu = 0; cpu < v->set->ncpus; cpu++)
		if (is_chosen(v->set, wanted, cpu))
			v->cpu[v->cpus++].cpu = cpu;
	for (cpu = 0; cpu < v->set->ncpus; cpu++)
		v->place[cpu] = is_chosen(v->set, wanted, cpu) ? next++ : v->cpus;
}

static void find_kinds(struct intervals *v)
{
	unsigned int i;

	for (i = 0; i < v->set->ncounters; i++) {
		v->gauges |= (uint32_t)rcr_set_is_gauge(v->set, i) << i;
		v->slow |= (uint32_t)rcr_set_is_slow(v->set, i) << i;
	}
}

/**
 * intervals_init() - prepare intervals; the first one begins at the first record
 * @v: the intervals
 * @set: the counter set; must outlive @v
 * @length: of an interval, ns
 * @wanted: selected CPUs, set->ncpus entries indexed by CPU number; NULL: all sampled CPUs
 *
 * Returns 0, or -1 with errno ENOMEM.
 */
int intervals_init(struct intervals *v, const struct rcr_set *set, uint64_t length,
		   const bool *wanted)
{
	*v = (struct intervals){
		.set = set,
		.chosen = ~0u,
		.length = length,
		.offset = set->clock_realtime - set->clock_monotonic,
	};
	v->cpu = calloc(set->ncpus ? set->ncpus : 1, sizeof(*v->cpu));
	v->place = calloc(set->ncpus ? set->ncpus : 1, sizeof(*v->place));
	if (!v->cpu || !v->place) {
		intervals_free(v);
		return -1;
	}
	choose_cpus(v, wanted);
	find_kinds(v);
	return 0;
}

void intervals_free(struct intervals *v)
{
	free(v->cpu);
	free(v->place);
	v->cpu = NULL;
	v->place = NULL;
}

static struct cpu_interval *find_cpu(const struct intervals *v, unsigned int cpu)
{
	if (cpu >= v->set->ncpus || v->place[cpu] == v->cpus)
		return NULL;
	return &v->cpu[v->place[cpu]];
}

static const struct rcr_record *as_sample(const struct rcr_item *item)
{
	return item->type == RCR_ITEM_SAMPLE ?
	       (const struct rcr_record *)item : NULL;
}

/**
 * intervals_must_close() - check whether an item is past the end of the next interval as well
 * @v: the intervals
 * @item: the next item
 *
 * If so, the current interval must be closed with the samples at hand: some CPU is silent.
 */
bool intervals_must_close(const struct intervals *v, const struct rcr_item *item)
{
	const struct rcr_record *r = as_sample(item);

	return r && v->end && find_cpu(v, item->cpu) &&
	       r->time > v->end + v->length;
}

/**
 * status_worse() - combine two statuses of consecutive times
 * @seen: the earlier status
 * @status: the later status
 *
 * A gap is overridden by any status but ok. If only one of the two is "elsewhere", it counts as a
 * gap: another CPU read the shared counter for part of the time.
 */
enum rcr_status status_worse(enum rcr_status seen, enum rcr_status status)
{
	if (seen == status)
		return seen;
	if (seen == RCR_STATUS_ELSEWHERE)
		seen = RCR_STATUS_GAP;
	if (status == RCR_STATUS_ELSEWHERE)
		status = RCR_STATUS_GAP;
	if (seen == RCR_STATUS_OK ||
	    (seen == RCR_STATUS_GAP && status != RCR_STATUS_OK))
		return status;
	return seen;
}

/* The statuses of a point of which all counters are ok, for memcmp(). */
static const uint8_t all_ok[RCR_MAX_COUNTERS] = {
	[0 ... RCR_MAX_COUNTERS - 1] = RCR_STATUS_OK,
};

/* Fills a point from a record; the worst status is the record's own. */
static void read_sample(const struct rcr_set *set, struct point *p,
			const struct rcr_record *r)
{
	const struct rcr_slow *slow = rcr_record_slow(set, r);

	rcr_record_copy(set, r, p->total, p->status);
	memcpy(p->worst, p->status, set->ncounters);
	memset(p->suspect, 0, set->ncounters);
	p->valid = true;
	p->time = r->time;
	p->reading = r->tsc_end - r->tsc;
	p->tsc = r->tsc + p->reading / 2;
	p->slow_reading = slow ? slow->tsc_end - slow->tsc : p->reading;
	p->slow_tsc = slow ? slow->tsc + p->slow_reading / 2 : p->tsc;
	p->spent = r->spent;
}

/* Copies a point up to the last counter of the set. */
static void copy_point(const struct rcr_set *set, struct point *to, const struct point *from)
{
	memcpy(to, from, offsetof(struct point, total) + set->ncounters * sizeof(*to->total));
}

/* Merges into sample @p the worst status and the suspects of the point that it replaces. */
static void keep_worst(struct point *p, const struct point *before, unsigned int n)
{
	unsigned int i;

	if (memcmp(p->worst, before->worst, n))
		for (i = 0; i < n; i++)
			p->worst[i] = status_worse(before->worst[i], p->status[i]);
	if (memcmp(p->suspect, before->suspect, n))
		for (i = 0; i < n; i++)
			p->suspect[i] = before->suspect[i] ? before->suspect[i] : p->suspect[i];
}

/* Returns the newest sample of a CPU; NULL if there is none or later records were lost. */
static const struct point *find_newest(const struct cpu_interval *c)
{
	if (c->torn || !c->from.valid)
		return NULL;
	if (c->beyond.valid)
		return &c->beyond;
	return c->to.valid ? &c->to : &c->from;
}

/* Returns the point of the interval that a sample replaces. */
static struct point *find_replaced_point(const struct intervals *v, struct cpu_interval *c,
					 const struct rcr_record *r)
{
	if (!c->from.valid)
		return &c->from;
	return r->time <= v->end ? &c->to : &c->beyond;
}

/* Keeps the newest sample, before another one takes its place or follows it. */
static void keep_before(const struct intervals *v, struct cpu_interval *c, const struct point *p)
{
	const struct point *newest = c->beyond.valid ? &c->beyond : c->to.valid ? &c->to : &c->from;

	if (v->keeps_before && newest->valid)
		copy_point(v->set, p == &c->beyond ? &c->before_beyond : &c->before, newest);
}

/* Most samples of a CPU that are skipped at the beginning. */
#define SKIPS_MOST 3

/* True to skip a sample at which no rate can begin, before the first interval of its CPU. */
static bool skip_sample(const struct intervals *v, struct cpu_interval *c, const struct point *p)
{
	if (!v->skips_gaps || c->from.valid || v->begun || c->skipped == SKIPS_MOST ||
	    !memchr(p->status, RCR_STATUS_GAP, v->set->ncounters))
		return false;
	c->skipped++;
	return true;
}

static void add_sample(struct intervals *v, struct cpu_interval *c,
		       const struct rcr_record *r)
{
	const struct point *newest = v->lint ? find_newest(c) : NULL;
	struct point *p, sample;

	read_sample(v->set, &sample, r);
	if (skip_sample(v, c, &sample))
		return;
	if (!v->end)
		v->end = r->time + v->length;
	if (r->time > v->latest)
		v->latest = r->time;
	c->overruns += r->overruns;
	if (!c->from.valid && v->begun)
		memcpy(c->missed, sample.total, v->set->ncounters * sizeof(*c->missed));
	if (newest)
		lint_point(v->lint, newest, &sample);
	p = find_replaced_point(v, c, r);
	keep_before(v, c, p);
	if (v->tasks)
		tasks_add(v->tasks, c - v->cpu, r, p == &c->beyond);
	if (p->valid)
		keep_worst(&sample, p, v->set->ncounters);
	v->ahead += p == &c->beyond && !p->valid;
	copy_point(v->set, p, &sample);
	c->torn = false;
}

static void add_lost(struct cpu_interval *c, const struct rcr_lost *lost)
{
	c->lost += lost->count;
	c->torn = true;
}

/* Adds an item to the current interval. Items of CPUs that are not selected are ignored. */
void intervals_add(struct intervals *v, const struct rcr_item *item)
{
	const struct rcr_record *r = as_sample(item);
	struct cpu_interval *c = find_cpu(v, item->cpu);

	if (!c)
		return;
	if (r)
		add_sample(v, c, r);
	else if (item->type == RCR_ITEM_LOST)
		add_lost(c, (const struct rcr_lost *)item);
	else if (item->type == RCR_ITEM_CLOCK)
		v->offset = ((const struct rcr_record *)item)->value[1];
}

/**
 * intervals_watch() - handle an item in a run without intervals
 * @v: the intervals
 * @item: the next item
 *
 * Counts lost records and checks each sample against the previous one of its CPU.
 */
void intervals_watch(struct intervals *v, const struct rcr_item *item)
{
	const struct rcr_record *r = as_sample(item);
	struct cpu_interval *c = find_cpu(v, item->cpu);
	struct point sample;

	if (c && item->type == RCR_ITEM_LOST)
		add_lost(c, (const struct rcr_lost *)item);
	if (!c || !r || !v->lint)
		return;
	read_sample(v->set, &sample, r);
	if (c->from.valid && !c->torn)
		lint_point(v->lint, &c->from, &sample);
	copy_point(v->set, &c->from, &sample);
	c->torn = false;
}

/* True if every CPU has a sample past the end of the current interval. */
bool intervals_complete(const struct intervals *v)
{
	return v->cpus > 0 && v->ahead == v->cpus;
}

static bool has_ended(const struct intervals *v, const struct cpu_interval *c)
{
	return c->beyond.valid || (c->to.valid && c->to.time == v->end);
}

/**
 * intervals_over() - check whether the current interval is complete at the end of a stream
 * @v: the intervals
 * @patience: ns after the end of the interval; a CPU that has been silent for that long
 *	while others were not is not waited for
 *
 * An interval for which this is false was cut off.
 */
bool intervals_over(const struct intervals *v, uint64_t patience)
{
	unsigned int i;

	if (!v->end || v->latest < v->end)
		return false;
	if (v->latest - v->end > patience)
		return true;
	for (i = 0; i < v->cpus; i++)
		if (!has_ended(v, &v->cpu[i]))
			return false;
	return true;
}

/* Returns the records that this reader lost in the current interval, on all selected CPUs. */
uint64_t intervals_lost(const struct intervals *v)
{
	uint64_t lost = 0;
	unsigned int i;

	for (i = 0; i < v->cpus; i++)
		lost += v->cpu[i].lost;
	return lost;
}

/* Returns the ticks that the sampler missed in the current interval, on all selected CPUs. */
uint64_t intervals_overruns(const struct intervals *v)
{
	uint64_t overruns = 0;
	unsigned int i;

	for (i = 0; i < v->cpus; i++)
		overruns += v->cpu[i].overruns;
	return overruns;
}

/* Returns the end of the current interval, ns since 1970. */
uint64_t intervals_wall_time(const struct intervals *v)
{
	return v->end + v->offset;
}

/* Advances to the next interval, which begins where the current one ended. */
void intervals_next(struct intervals *v)
{
	unsigned int i;

	v->end += v->length;
	v->begun = true;
	if (v->tasks)
		tasks_next(v->tasks);
	for (i = 0; i < v->cpus; i++) {
		struct cpu_interval *c = &v->cpu[i];

		if (c->to.valid)
			copy_point(v->set, &c->from, &c->to);
		c->to.valid = false;
		c->before.valid = false;
		c->lost = 0;
		c->overruns = 0;
		if (c->beyond.valid && c->beyond.time <= v->end) {
			copy_point(v->set, &c->to, &c->beyond);
			if (v->keeps_before)
				copy_point(v->set, &c->before, &c->before_beyond);
			c->beyond.valid = false;
			v->ahead--;
		}
	}
}

/* Begins an interval of the same end anew, at the newest sample of each CPU. */
void intervals_restart(struct intervals *v)
{
	unsigned int i;

	for (i = 0; i < v->cpus; i++) {
		struct cpu_interval *c = &v->cpu[i];

		if (c->to.valid)
			copy_point(v->set, &c->from, &c->to);
		c->to.valid = false;
		c->lost = 0;
		c->overruns = 0;
	}
}

/* True if the CPU has no two samples to derive a rate from. */
bool cpu_is_silent(const struct cpu_interval *c)
{
	return !c->from.valid || !c->to.valid || c->to.tsc <= c->from.tsc;
}

/* True if no total grew by more than half of RATE_LIMIT allows. */
static bool is_slow_enough(const struct intervals *v, const struct cpu_interval *c)
{
	double most = RATE_LIMIT / 2 * (c->to.tsc - c->from.tsc) / (v->set->tsc_khz * 1e3);
	uint64_t step, largest = 0;
	unsigned int i;

	for (i = 0; i < v->set->ncounters; i++) {
		step = c->to.total[i] - c->from.total[i];
		largest = step > largest ? step : largest;
	}
	return largest < most;
}

/**
 * cpu_is_plain() - check whether every counter has a rate and none needs a status entry
 * @v: the intervals
 * @c: the CPU
 *
 * This is the common case. If false is returned, every counter may still have a rate.
 */
bool cpu_is_plain(const struct intervals *v, const struct cpu_interval *c)
{
	static const uint8_t none[RCR_MAX_COUNTERS];
	unsigned int n = v->set->ncounters;

	return !cpu_is_silent(c) && !v->slow &&
	       !memcmp(c->from.status, all_ok, n) && !memcmp(c->to.worst, all_ok, n) &&
	       !memcmp(c->to.suspect, none, n) && is_slow_enough(v, c);
}

/* Returns the number of the first check that @counter failed in the current interval, or 0. */
unsigned int cpu_suspect(const struct cpu_interval *c, unsigned int counter)
{
	return c->to.valid ? c->to.suspect[counter] : 0;
}

/* Returns the TSC cycles between the two reads of a counter that delimit the interval. */
uint64_t intervals_elapsed(const struct intervals *v, const struct cpu_interval *c,
			   unsigned int counter)
{
	if (v->slow >> counter & 1)
		return c->to.slow_tsc - c->from.slow_tsc;
	return c->to.tsc - c->from.tsc;
}

/* Implements intervals_rate() for a CPU that is not silent. */
static enum rcr_status find_rate(const struct intervals *v, const struct cpu_interval *c,
				 unsigned int counter, double *rate)
{
	enum rcr_status status;
	uint64_t elapsed;

	status = status_worse(c->from.status[counter], c->to.worst[counter]);
	if (status != RCR_STATUS_OK)
		return status;
	if (v->gauges >> counter & 1) {
		*rate = c->to.total[counter];
		return RCR_STATUS_OK;
	}
	elapsed = intervals_elapsed(v, c, counter);
	if (!elapsed)
		return RCR_STATUS_GAP;
	*rate = (double)(c->to.total[counter] - c->from.total[counter]) *
		(v->set->tsc_khz * 1e3) / (double)elapsed;
	return *rate < RATE_LIMIT ? RCR_STATUS_OK : RCR_STATUS_FAULT;
}

/**
 * intervals_rate() - rate of one counter of one CPU in the current interval
 * @v: the intervals
 * @c: the CPU
 * @counter: index of the counter
 * @rate: counts per second, or the value of a gauge; set if RCR_STATUS_OK is returned
 *
 * A total does not grow from a sample that is not ok until the next one that is, and counts in
 * between are lost. A rate over such a sample, or beginning at one, would be too low, so there is
 * none.
 *
 * Returns RCR_STATUS_OK; RCR_STATUS_GAP if the CPU is silent or has not read a slow counter again
 * since; RCR_STATUS_FAULT if the rate reaches RATE_LIMIT; else the status of the counter. For a
 * shared counter this is the part that this CPU has read; see shared_rate().
 */
enum rcr_status intervals_rate(const struct intervals *v,
			       const struct cpu_interval *c,
			       unsigned int counter, double *rate)
{
	return cpu_is_silent(c) ? RCR_STATUS_GAP : find_rate(v, c, counter, rate);
}

/**
 * intervals_rates() - rates of all counters of a CPU in the current interval
 * @v: the intervals
 * @c: the CPU
 * @rate: as in intervals_rate(), indexed by counter; set for the counters in the returned
 *	mask
 *
 * Returns a mask: bit n is set if counter n has a rate.
 */
uint32_t intervals_rates(const struct intervals *v, const struct cpu_interval *c,
			 double rate[RCR_MAX_COUNTERS])
{
	unsigned int i, n = cpu_is_silent(c) ? 0 : v->set->ncounters;
	uint32_t known = 0;

	for (i = 0; i < n; i++)
		known |= (uint32_t)(find_rate(v, c, i, &rate[i]) == RCR_STATUS_OK) << i;
	return known;
}
