// SPDX-License-Identifier: GPL-2.0-only
/*
 * interval.c - cuts the stream of records into intervals.
 *
 * An interval ends at the same point of the grid on every CPU, so the cells of
 * a line belong together. A rate is the difference of two totals over the TSC
 * time between their reads: records lost in between cost nothing.
 *
 * Pure: no input, no output, no clock. Compiled into the unit tests as well.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "interval.h"
#include "lint.h"

/**
 * intervals_init() - begins with the first record that comes
 * @v: the intervals
 * @set: what is counted; must outlive @v
 * @length: of an interval, ns
 * @wanted: by CPU number, set->ncpus entries; NULL: all that are sampled
 *
 * Returns 0, or -1 with errno ENOMEM.
 */
int intervals_init(struct intervals *v, const struct rcr_set *set, uint64_t length,
		   const bool *wanted)
{
	unsigned int cpu;

	*v = (struct intervals){
		.set = set,
		.length = length,
		.offset = set->clock_realtime - set->clock_monotonic,
	};
	v->cpu = calloc(set->ncpus ? set->ncpus : 1, sizeof(*v->cpu));
	if (!v->cpu)
		return -1;
	for (cpu = 0; cpu < set->ncpus; cpu++)
		if (rcr_set_has_cpu(set, cpu) && (!wanted || wanted[cpu]))
			v->cpu[v->cpus++].cpu = cpu;
	return 0;
}

void intervals_free(struct intervals *v)
{
	free(v->cpu);
	v->cpu = NULL;
}

static struct cpu_interval *find_cpu(const struct intervals *v, unsigned int cpu)
{
	unsigned int low = 0, high = v->cpus, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (v->cpu[middle].cpu == cpu)
			return &v->cpu[middle];
		if (v->cpu[middle].cpu < cpu)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static const struct rcr_record *as_sample(const struct rcr_item *item)
{
	return item->type == RCR_ITEM_SAMPLE ?
	       (const struct rcr_record *)item : NULL;
}

/**
 * intervals_must_close() - would this item end the next interval, too?
 * @v: the intervals
 * @item: what comes next
 *
 * Then the present one has to be closed with what there is: some CPU is silent.
 */
bool intervals_must_close(const struct intervals *v, const struct rcr_item *item)
{
	const struct rcr_record *r = as_sample(item);

	return r && v->end && find_cpu(v, item->cpu) &&
	       r->time > v->end + v->length;
}

/**
 * status_worse() - which of two statuses is that of a time with both in it?
 * @seen: the earlier one
 * @status: the later one
 *
 * A gap gives way to all but ok. A shared counter that was another CPU's for a
 * part of the time was interrupted.
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

static void set_point(const struct rcr_set *set, struct point *p,
		      const struct rcr_record *r)
{
	const struct rcr_slow *slow = rcr_record_slow(set, r);
	bool fresh = !p->valid;
	unsigned int i;

	p->valid = true;
	p->time = r->time;
	p->reading = r->tsc_end - r->tsc;
	p->tsc = r->tsc + p->reading / 2;
	p->slow_reading = slow ? slow->tsc_end - slow->tsc : p->reading;
	p->slow_tsc = slow ? slow->tsc + p->slow_reading / 2 : p->tsc;
	for (i = 0; i < set->ncounters; i++) {
		p->total[i] = r->value[i];
		p->status[i] = rcr_record_status(set, r, i);
		p->worst[i] = fresh ? p->status[i] :
				      status_worse(p->worst[i], p->status[i]);
	}
}

/* The newest sample of a CPU, unless others came behind it and were lost. */
static const struct point *find_newest(const struct cpu_interval *c)
{
	if (c->torn || !c->from.valid)
		return NULL;
	if (c->beyond.valid)
		return &c->beyond;
	return c->to.valid ? &c->to : &c->from;
}

/* Where a sample has its place. */
static struct point *find_place(const struct intervals *v, struct cpu_interval *c,
				const struct rcr_record *r)
{
	if (!c->from.valid)
		return &c->from;
	return r->time <= v->end ? &c->to : &c->beyond;
}

static void take_suspects(struct point *p, const uint8_t broken[RCR_MAX_COUNTERS])
{
	unsigned int i;

	for (i = 0; i < RCR_MAX_COUNTERS; i++)
		if (!p->valid || !p->suspect[i])
			p->suspect[i] = broken[i];
}

static void add_sample(struct intervals *v, struct cpu_interval *c,
		       const struct rcr_record *r)
{
	const struct point *newest = find_newest(c);
	uint8_t broken[RCR_MAX_COUNTERS] = { };

	if (!v->end)
		v->end = r->time + v->length;
	if (r->time > v->latest)
		v->latest = r->time;
	c->overruns += r->overruns;
	if (!c->from.valid && v->begun)
		memcpy(c->missed, r->value, v->set->ncounters * sizeof(*c->missed));
	if (v->lint && newest)
		lint_record(v->lint, newest, r, broken);
	take_suspects(find_place(v, c, r), broken);
	set_point(v->set, find_place(v, c, r), r);
	c->torn = false;
}

static void add_lost(struct cpu_interval *c, const struct rcr_lost *lost)
{
	c->lost += lost->count;
	c->torn = true;
}

/* Takes an item into the present interval. Other CPUs' items are passed over. */
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

/* Has every CPU gone beyond the end of the present interval? */
bool intervals_complete(const struct intervals *v)
{
	unsigned int i;

	for (i = 0; i < v->cpus; i++)
		if (!v->cpu[i].beyond.valid)
			return false;
	return v->cpus > 0;
}

static bool has_ended(const struct intervals *v, const struct cpu_interval *c)
{
	return c->beyond.valid || (c->to.valid && c->to.time == v->end);
}

/**
 * intervals_over() - is the present interval complete, if nothing comes after?
 * @v: the intervals
 * @patience: ns behind its end; a CPU that is silent for so long while others
 *	are not will stay silent
 *
 * For the end of a stream. What is not over there was cut off.
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

/* Records that this reader lost in the present interval, on all CPUs. */
uint64_t intervals_lost(const struct intervals *v)
{
	uint64_t lost = 0;
	unsigned int i;

	for (i = 0; i < v->cpus; i++)
		lost += v->cpu[i].lost;
	return lost;
}

/* Ticks that the sampler missed in the present interval, on all CPUs. */
uint64_t intervals_overruns(const struct intervals *v)
{
	uint64_t overruns = 0;
	unsigned int i;

	for (i = 0; i < v->cpus; i++)
		overruns += v->cpu[i].overruns;
	return overruns;
}

/* The end of the present interval, ns since 1970. */
uint64_t intervals_wall_time(const struct intervals *v)
{
	return v->end + v->offset;
}

/* The next interval begins where this one ended. */
void intervals_next(struct intervals *v)
{
	unsigned int i;

	v->end += v->length;
	v->begun = true;
	for (i = 0; i < v->cpus; i++) {
		struct cpu_interval *c = &v->cpu[i];

		if (c->to.valid)
			c->from = c->to;
		c->to.valid = false;
		c->lost = 0;
		c->overruns = 0;
		if (c->beyond.valid && c->beyond.time <= v->end) {
			c->to = c->beyond;
			c->beyond.valid = false;
		}
	}
}

/* Did the CPU give no two records that a rate lies between? */
bool cpu_is_silent(const struct cpu_interval *c)
{
	return !c->from.valid || !c->to.valid || c->to.tsc <= c->from.tsc;
}

/* What a sample of the present interval broke first with that counter, or 0. */
unsigned int cpu_suspect(const struct cpu_interval *c, unsigned int counter)
{
	return c->to.valid ? c->to.suspect[counter] : 0;
}

/* TSC time between the two readings of a counter that the interval lies between. */
static uint64_t elapsed_of(const struct rcr_set *set, const struct cpu_interval *c,
			   unsigned int counter)
{
	if (rcr_set_is_slow(set, counter))
		return c->to.slow_tsc - c->from.slow_tsc;
	return c->to.tsc - c->from.tsc;
}

/**
 * intervals_rate() - what one counter of one CPU did in the present interval
 * @v: the intervals
 * @c: the CPU
 * @counter: which counter
 * @rate: counts per second, or the value of a gauge, when the answer is
 *	RCR_STATUS_OK
 *
 * A total stands still from a sample that is not ok to the next one that is, and
 * what was counted meanwhile is nowhere. So a rate over a time with such a sample
 * in it, or at its beginning, would be too low: there is none then.
 *
 * Returns RCR_STATUS_OK, RCR_STATUS_GAP when the CPU is silent, or has not read a
 * slow counter again meanwhile, or the status that the counter had. Of a shared
 * counter it is what this CPU has read; see shared_rate().
 */
enum rcr_status intervals_rate(const struct intervals *v,
			       const struct cpu_interval *c,
			       unsigned int counter, double *rate)
{
	enum rcr_status status;
	uint64_t elapsed;

	if (cpu_is_silent(c))
		return RCR_STATUS_GAP;
	status = status_worse(c->from.status[counter], c->to.worst[counter]);
	if (status != RCR_STATUS_OK)
		return status;
	if (rcr_set_is_gauge(v->set, counter)) {
		*rate = c->to.total[counter];
		return RCR_STATUS_OK;
	}
	elapsed = elapsed_of(v->set, c, counter);
	if (!elapsed)
		return RCR_STATUS_GAP;
	*rate = (double)(c->to.total[counter] - c->from.total[counter]) *
		(v->set->tsc_khz * 1e3) / (double)elapsed;
	return *rate < RATE_LIMIT ? RCR_STATUS_OK : RCR_STATUS_FAULT;
}
