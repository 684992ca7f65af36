/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * meter_bench.h - a machine that never was: its CPUs, what they counted in each
 * tick, and the records that tell of it. Followed as engine.c follows rings, for
 * tests of meters.
 */
#ifndef METER_BENCH_H
#define METER_BENCH_H

#include <math.h>
#include <string.h>

#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "error.h"
#include "meter/evaluate.h"
#include "meter/groups.h"

#define LANES		4
#define TSC_HZ		2000000000ull
#define CPU_BITS	((1u << LANES) - 1)

/*
 * Two of each CPU, one of each pair of CPUs, one that is read seldom, a gauge. Behind them
 * is what the sampler has spent.
 */
enum { A, B, NODE, SLOW, TEMP, COUNTERS, SPENT = COUNTERS, OPERANDS };

/* What the second run calls its first tick. */
#define SECOND_FIRST	39

/* Every so many ticks what is slow is read. */
#define SLOW_TICKS	7

/* What a CPU did in a tick. */
struct truth {
	bool sampled;
	u8 status[COUNTERS];		/* at the sample */
	u32 count[COUNTERS];		/* of a gauge: what it shows at the sample */
	u32 cycles;
	u32 spent;			/* of those by the sampler */
};

/* A CPU as its records are written: totals. */
struct writer {
	u64 tick;
	u64 tsc;
	u64 spent;
	u64 total[COUNTERS];
	u64 slow_total;
	u64 slow_tsc;
};

struct bench {
	unsigned int ticks;		/* there are ticks 1 to that */
	u64 period;
	u64 *time;			/* of each tick, ns */
	struct truth *truth[LANES];
	struct writer writer[LANES];
	struct rcr_feed feed[LANES];
	struct rcr_feed_layout layout;
	bool present[LANES];
	struct rcr_span span;
	unsigned int now;		/* tick up to which records can be read */
	unsigned int patience;		/* ticks for which a CPU is waited for */
	unsigned int restart;		/* the tick with which the second run begins, or 0 */
	u64 period_before;		/* in the first run */
	u64 offset;			/* what the present run calls 0 */
};

static inline struct rcr_feed_layout bench_layout(void)
{
	return (struct rcr_feed_layout){
		.count = COUNTERS,
		.slow = BIT(SLOW),
		.gauges = BIT(TEMP),
		.slow_offset = sizeof(struct rcr_record) + COUNTERS * sizeof(u64) + 8,
	};
}

/* There are two runs: the second begins with @tick, @pause ns late. */
static inline void bench_restart(struct bench *b, unsigned int tick, u64 period, u64 pause)
{
	unsigned int t, lane;

	b->restart = tick;
	b->period = period;
	for (t = tick; t <= b->ticks; t++) {
		b->time[t] = b->time[tick - 1] + pause + (t + 1 - tick) * period;
		for (lane = 0; lane < LANES; lane++)
			b->truth[lane][t].cycles = period * (TSC_HZ / 1000000) / 1000;
	}
}

/* Everything went well in all ticks; the tests change that. */
static inline void bench_init(struct bench *b, unsigned int ticks, u64 period, u64 start)
{
	unsigned int lane, t, i;

	memset(b, 0, sizeof(*b));
	b->ticks = ticks;
	b->period = period;
	b->period_before = period;
	b->patience = 5;
	b->layout = bench_layout();
	b->time = calloc(ticks + 1, sizeof(*b->time));
	for (t = 0; t <= ticks; t++)
		b->time[t] = start + t * period;
	for (lane = 0; lane < LANES; lane++) {
		b->truth[lane] = calloc(ticks + 1, sizeof(struct truth));
		for (t = 0; t <= ticks; t++) {
			struct truth *at = &b->truth[lane][t];

			at->sampled = true;
			at->cycles = period * (TSC_HZ / 1000000) / 1000;
			for (i = 0; i < COUNTERS; i++)
				at->status[i] = RCR_STATUS_OK;
			if (lane % 2)
				at->status[NODE] = RCR_STATUS_ELSEWHERE;
			if (lane)
				at->status[SLOW] = RCR_STATUS_ELSEWHERE;
		}
		b->writer[lane].tsc = 1ull << 40 | lane << 10;
	}
	b->span.present = b->present;
	b->span.feed = b->feed;
	b->span.period = period;
	b->span.tsc_hz = TSC_HZ;
}

static inline void bench_free(struct bench *b)
{
	unsigned int lane;

	for (lane = 0; lane < LANES; lane++)
		free(b->truth[lane]);
	free(b->time);
}

/* The CPU goes through its next tick. */
static inline void bench_live(struct bench *b, unsigned int lane)
{
	struct writer *w = &b->writer[lane];
	const struct truth *t = &b->truth[lane][++w->tick];
	unsigned int i;

	w->tsc += t->cycles;
	w->spent += t->spent;
	for (i = 0; i < COUNTERS; i++)
		w->total[i] = i == TEMP ? t->count[i] : w->total[i] + t->count[i];
}

/* Behind a tick, so that the next sample tells it. */
static inline void bench_read_slow(struct bench *b, unsigned int lane)
{
	struct writer *w = &b->writer[lane];

	if (lane || w->tick % SLOW_TICKS)
		return;
	w->slow_total = w->total[SLOW];
	w->slow_tsc = w->tsc + 31;
}

/* Up to the CPU's next sample, which is written. False: it cannot be read yet. */
static inline bool bench_sample(struct bench *b, unsigned int lane, struct rcr_record *r)
{
	struct writer *w = &b->writer[lane];
	struct rcr_slow *slow = (void *)r + b->layout.slow_offset;
	const struct truth *t;
	unsigned int i, next = w->tick + 1, last = b->now;

	if (b->restart && !b->offset)
		last = min(last, b->restart - 1);
	while (next <= last && !b->truth[lane][next].sampled)
		next++;
	if (next > last)
		return false;
	do {
		bench_read_slow(b, lane);
		bench_live(b, lane);
	} while (w->tick < next);
	t = &b->truth[lane][w->tick];
	memset(r, 0, sizeof(*r));
	r->item.type = RCR_ITEM_SAMPLE;
	r->tick = w->tick - b->offset;
	r->time = b->time[w->tick];
	r->tsc = w->tsc - 400;
	r->tsc_end = w->tsc + 400;
	r->spent = w->spent;
	for (i = 0; i < COUNTERS; i++) {
		r->value[i] = i == SLOW ? w->slow_total : w->total[i];
		((u8 *)&r->value[COUNTERS])[i] = t->status[i];
	}
	slow->tsc = w->slow_tsc;
	slow->tsc_end = w->slow_tsc;
	return true;
}

static inline bool bench_reaches(struct bench *b, unsigned int lane, u64 tick)
{
	struct rcr_feed *f = &b->feed[lane];
	u64 memory[64];
	struct rcr_record *r = (void *)memory;

	while (!f->stepped || f->step.to < tick) {
		do {
			if (!bench_sample(b, lane, r))
				return false;
		} while (!rcr_feed_take(f, &b->layout, r));
	}
	return true;
}

static inline void bench_include(struct bench *b, const struct rcr_step *s)
{
	b->span.to = min(b->span.to, s->from < b->span.from ? s->to : s->from);
	b->span.tsc = max(b->span.tsc, s->tsc);
}

/* The present run's first tick: there is a sample of it, and what it counted is not known. */
static inline u64 bench_first(const struct bench *b)
{
	return b->offset ? SECOND_FIRST : 1;
}

/* The first run is over, and not all of it accounted. */
static inline bool bench_drains(const struct bench *b)
{
	return b->restart && !b->offset && b->now >= b->restart;
}

/* All that can be accounted is: does the second run begin? */
static inline bool bench_begins_again(struct bench *b)
{
	unsigned int lane;

	if (!bench_drains(b))
		return false;
	memset(b->feed, 0, sizeof(b->feed));
	for (lane = 0; lane < LANES; lane++)
		while (b->writer[lane].tick < b->restart - 1) {
			bench_read_slow(b, lane);
			bench_live(b, lane);
		}
	b->offset = b->restart - SECOND_FIRST;
	b->span.period = b->period;
	b->span.tsc = 0;
	return true;
}

/* The next ticks that can be accounted, in b->span. False: later. */
static inline bool bench_next(struct bench *b)
{
	unsigned int lane, reached = 0;

	b->span.from = b->span.to + 1;
	if (!b->feed[0].begun)
		b->span.from = bench_first(b) + 1;
	b->span.to = U64_MAX;
	for (lane = 0; lane < LANES; lane++) {
		b->present[lane] = bench_reaches(b, lane, b->span.from);
		if (!b->present[lane])
			continue;
		reached++;
		bench_include(b, &b->feed[lane].step);
		b->present[lane] = b->feed[lane].step.from < b->span.from;
	}
	if (!reached || (reached < LANES && !bench_drains(b) &&
			 b->now < b->offset + b->span.from + b->patience)) {
		b->span.to = b->span.from - 1;
		return false;
	}
	b->span.time = b->time[b->offset + b->span.to];
	return true;
}

/* They have been. */
static inline void bench_done(struct bench *b)
{
	unsigned int lane;

	for (lane = 0; lane < LANES; lane++)
		if (b->present[lane])
			b->feed[lane].accounted = b->span.to;
}

#endif
