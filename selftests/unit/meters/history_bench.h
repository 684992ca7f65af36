/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * history_bench.h - a simulated machine: rings of its CPUs as the sampler and scale.c write them,
 * and a log of all samples for tests that check histories and values.
 */
#ifndef HISTORY_BENCH_H
#define HISTORY_BENCH_H

#include <string.h>

#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "meter/history.h"
#include "ring/ring_protocol.h"
#include "ring/scale.h"

#ifndef LANES
#define LANES		4
#endif
#define HZ		2000000000ull
#define RECORDS		16		/* of a ring */
#define LOG		60000

/*
 * The counters: two of each CPU, one of each pair of CPUs, a slow one, a gauge of each CPU, and a
 * gauge of the machine.
 */
enum { A, B, NODE, SLOW, TEMP, PTEMP, COUNTERS, SPENT = COUNTERS, ALL };

static const char *const names[] = { "A", "B", "NODE", "SLOW", "TEMP", "PTEMP" };

/* A sample, with room for every counter. */
struct raw {
	u64 time;
	u64 tsc;
	u64 tsc_end;
	u64 slow_tsc;
	u64 changes;
	u64 value[ALL];
	u8 status[ALL];		/* 0: not in the set */
	unsigned int run;
	bool is_mark;
};

struct cpu {
	u64 ring[RECORDS * 64 + 64];
	u64 *marks;
	struct rcr_scales scales;
	struct raw *log;
	unsigned int samples;		/* in @log */
	unsigned int first;		/* index of the first sample of the run */
	unsigned int ring_marks;	/* marks of the time scale written to the ring so far */
	u64 mark_id;			/* of the newest mark; U64_MAX: the next sample is a mark */
	u64 value[ALL];
	u8 status[COUNTERS];
	u64 slow_total;
	u64 slow_tsc;
	u64 changes;
	u64 tick_wanted;		/* no samples before this tick */
	u64 late_until;			/* tick that writes the late sample; 0: none is late */
	u64 late_tick;			/* due tick of the late sample */
	u32 overruns;			/* to report in the next sample */
	u64 next;
	bool away;
};

struct machine {
	struct cpu cpu[LANES];
	struct rcr_record_layout layout;
	u8 counter[COUNTERS];		/* counter by its index in the set */
	u8 number[COUNTERS];		/* index in the set by counter; 0xff: not in the set */
	unsigned int since[COUNTERS];	/* first run since which the counter has been in the set */
	unsigned int run;
	u32 record_size;
	u64 period;
	u64 scale;
	u64 part;
	u64 tick;
	u64 base;
	unsigned int owner[LANES];	/* CPU that reads NODE for the pair of each CPU */
	unsigned int machine_owner;
};

static u64 bench_seed = 1;

static inline u32 chance(u32 below)
{
	bench_seed = bench_seed * 6364136223846793005ull + 1442695040888963407ull;
	return (bench_seed >> 33) % below;
}

static inline bool is_shared(unsigned int u)
{
	return u == NODE || u == PTEMP;
}

static inline bool is_gauge(unsigned int u)
{
	return u == TEMP || u == PTEMP;
}

static inline u64 time_of_tick(const struct machine *m)
{
	return m->base + m->tick * m->period;
}

static inline struct rcr_ring *ring_of(struct cpu *c)
{
	return (struct rcr_ring *)c->ring;
}

static inline void make_rings(struct machine *m, struct cpu *c, unsigned int cpu)
{
	struct rcr_ring *r = ring_of(c);
	u64 *marks = calloc(1, rcr_scale_bytes(m->record_size));
	u64 *old = c->marks;

	memset(c->ring, 0, sizeof(c->ring));
	*r = (struct rcr_ring){
		.magic = RCR_RING_MAGIC, .data_offset = sizeof(*r), .capacity = RECORDS,
		.record_size = m->record_size, .cpu = cpu, .next = RCR_RING_NEVER,
	};
	if (r->data_offset + RECORDS * m->record_size > sizeof(c->ring))
		abort();
	rcr_scale_init(marks, cpu, m->run, m->record_size);
	c->marks = marks;
	free(old);
}

/* Make a set of the counters in @mask, in an order that depends on @turn. */
static inline void set_layout(struct machine *m, unsigned int mask, unsigned int turn)
{
	struct rcr_record_layout *l = &m->layout;
	unsigned int i, u;

	memset(l, 0, sizeof(*l));
	for (i = 0; i < COUNTERS; i++) {
		u = (i + turn) % COUNTERS;
		if (!(mask & 1 << u)) {
			m->number[u] = 0xff;
			m->since[u] = m->run + 1;
			continue;
		}
		m->number[u] = l->count;
		m->counter[l->count] = u;
		if (is_gauge(u))
			l->gauges |= 1 << l->count;
		if (u == SLOW)
			l->slow |= 1 << l->count;
		l->count++;
	}
	m->record_size = sizeof(struct rcr_record) + l->count * 8 + (l->count + 7) / 8 * 8;
	if (l->slow) {
		l->slow_offset = m->record_size;
		m->record_size += sizeof(struct rcr_slow);
	}
}

static inline void begin_machine(struct machine *m, u64 period, u64 scale, unsigned int mask)
{
	struct raw *log[LANES];
	unsigned int i;

	for (i = 0; i < LANES; i++) {
		log[i] = m->cpu[i].log ?: calloc(LOG, sizeof(struct raw));
		free(m->cpu[i].marks);
	}
	memset(m, 0, sizeof(*m));
	m->period = period;
	m->scale = scale;
	m->part = max_t(u64, scale / 16, 1);
	m->base = 1000000000 + chance(1000000000);
	set_layout(m, mask, chance(COUNTERS));
	for (i = 0; i < LANES; i++) {
		struct cpu *c = &m->cpu[i];

		c->log = log[i];
		c->mark_id = U64_MAX;
		c->next = RCR_RING_NEVER;
		c->away = true;
		c->changes = chance(100);
		m->owner[i] = i & ~1u;
		make_rings(m, c, i);
		rcr_scales_begin(&c->scales, i % 4, c->marks, true);
	}
	if (scale)
		rcr_scale_use(scale);
}

static inline void end_machine(struct machine *m)
{
	if (m->scale)
		rcr_scale_drop(m->scale);
}

/* Change the set: marks are kept for counters in both sets; new counters begin with a new part. */
static inline void change_set(struct machine *m, unsigned int mask)
{
	struct rcr_carry how = {
		.from_count = m->layout.count, .from_slow = m->layout.slow,
		.from_slow_offset = m->layout.slow_offset,
	};
	u8 number[COUNTERS], from[COUNTERS];
	bool anew = false;
	unsigned int i;

	memcpy(number, m->number, sizeof(number));
	m->run++;
	set_layout(m, mask, chance(COUNTERS));
	for (i = 0; i < m->layout.count; i++) {
		from[i] = number[m->counter[i]];
		anew |= from[i] == 0xff;
	}
	how.count = m->layout.count;
	how.slow = m->layout.slow;
	how.slow_offset = m->layout.slow_offset;
	how.from = from;
	for (i = 0; i < LANES; i++) {
		struct cpu *c = &m->cpu[i];
		u64 *old = c->marks;

		c->marks = NULL;
		make_rings(m, c, i);
		rcr_scale_carry(c->marks, old, &how);
		rcr_scales_begin(&c->scales, i % 4, c->marks, anew);
		free(old);
		c->ring_marks = min_t(u32, c->ring_marks, RCR_SCALE_MARKS);
		c->first = c->samples;
		if (anew)
			c->mark_id = U64_MAX;
		c->next = RCR_RING_NEVER;
		c->away = true;
		c->changes += chance(2);
		c->late_until = 0;
		c->overruns = 0;
	}
}

static inline unsigned int mask_of_set(const struct machine *m)
{
	unsigned int u, mask = 0;

	for (u = 0; u < COUNTERS; u++)
		mask |= (m->number[u] != 0xff) << u;
	return mask;
}

/* Change the period from the next tick on. */
static inline void change_period(struct machine *m, u64 period)
{
	u64 now = time_of_tick(m);

	change_set(m, mask_of_set(m));
	m->base = now - m->tick * period;
	m->period = period;
}

static inline void write_record(struct machine *m, struct cpu *c, const struct raw *r)
{
	struct rcr_ring *ring = ring_of(c);
	struct rcr_record *to = rcr_ring_begin(ring);
	struct rcr_slow *slow = (void *)to + m->layout.slow_offset;
	unsigned int i;

	memset(to, 0, m->record_size);
	to->item.type = RCR_ITEM_SAMPLE;
	to->item.size = m->record_size;
	to->position = ring->head;
	to->time = r->time;
	to->tsc = r->tsc;
	to->tsc_end = r->tsc_end;
	to->changes = r->changes;
	to->spent = r->value[SPENT];
	to->overruns = c->overruns;
	for (i = 0; i < m->layout.count; i++) {
		to->value[i] = r->value[m->counter[i]];
		((u8 *)&to->value[m->layout.count])[i] = r->status[m->counter[i]];
	}
	if (m->layout.slow) {
		slow->tsc = r->slow_tsc - 5;
		slow->tsc_end = r->slow_tsc + 5;
	}
	rcr_ring_commit(ring);
	if (r->time >= READ_ONCE(c->scales.due))
		rcr_scales_mark(&c->scales, to);
}

/* Write a record that is not a sample. */
static inline void write_clock(struct machine *m, struct cpu *c)
{
	struct rcr_ring *ring = ring_of(c);
	struct rcr_record *to = rcr_ring_begin(ring);

	memset(to, 0xee, m->record_size);
	to->item.type = RCR_ITEM_CLOCK;
	rcr_ring_commit(ring);
}

static inline void set_status(struct cpu *c, unsigned int u, u8 status)
{
	c->status[u] = status;
}

/* Take the sample of a CPU: count until @time, and write the record at @now. */
static inline void take_sample_late(struct machine *m, unsigned int cpu, u64 time, u64 now)
{
	struct cpu *c = &m->cpu[cpu];
	struct raw *r = &c->log[c->samples], *last = c->samples ? r - 1 : NULL;
	unsigned int u;
	bool differs = false;

	if (c->samples == LOG)
		abort();
	*r = (struct raw){ .time = time, .run = m->run };
	r->tsc = now * 2 + chance(400);
	r->tsc_end = r->tsc + 100 + chance(1000);
	for (u = 0; u < COUNTERS; u++) {
		u8 status = c->status[u] ?: RCR_STATUS_OK;

		if (u == NODE && m->owner[cpu] != cpu)
			status = RCR_STATUS_ELSEWHERE;
		if (u == PTEMP && m->machine_owner != cpu)
			status = RCR_STATUS_ELSEWHERE;
		if (is_gauge(u))
			c->value[u] = 20000 + chance(60000);
		else if (status == RCR_STATUS_OK && u != SLOW)
			c->value[u] += chance(1000000) * (u + 1);
		if (u == SLOW && (!c->slow_tsc || !chance(3))) {
			c->value[SLOW] += chance(1 << 30);
			c->slow_tsc = r->tsc - 1 - chance(50);
		}
		if (m->number[u] == 0xff)
			status = 0;
		r->status[u] = status;
		r->value[u] = c->value[u];
		differs |= last && last->status[u] != status;
	}
	c->value[SPENT] += chance(5000);
	r->value[SPENT] = c->value[SPENT];
	r->slow_tsc = c->slow_tsc;
	c->changes += differs || !chance(200);
	r->changes = c->changes;
	if (m->scale && (c->mark_id == U64_MAX || time / m->part > c->mark_id)) {
		r->is_mark = true;
		c->mark_id = time / m->part;
		c->ring_marks++;
	}
	c->samples++;
	write_record(m, c, r);
	c->overruns = 0;
	if (!chance(30))
		write_clock(m, c);
}

static inline void take_sample_at(struct machine *m, unsigned int cpu, u64 time)
{
	take_sample_late(m, cpu, time, time);
}

static inline void promise(struct cpu *c, u64 time)
{
	c->next = time;
	c->away = time == RCR_RING_NEVER;
	rcr_ring_promise(ring_of(c), time);
}

/* Return a sampled CPU that reads the shared counters. */
static inline unsigned int find_owner(const struct machine *m, unsigned int from, unsigned int n)
{
	unsigned int i, at = from + chance(n);

	for (i = 0; i < n; i++, at = from + (at - from + 1) % n)
		if (!m->cpu[at].away)
			return at;
	return LANES;
}

static inline void choose_owners(struct machine *m)
{
	unsigned int i, owner;

	for (i = 0; i < LANES; i += 2) {
		owner = find_owner(m, i, 2);
		m->owner[i] = owner;
		m->owner[i + 1] = owner;
	}
	m->machine_owner = find_owner(m, 0, LANES);
}

/* Generate random events on a CPU, on average @events per thousand ticks. */
static inline void disturb(struct machine *m, struct cpu *c, unsigned int events)
{
	static const u8 bad[] = {
		RCR_STATUS_FOREIGN, RCR_STATUS_HALTED, RCR_STATUS_BUSY, RCR_STATUS_FAULT,
		RCR_STATUS_MISPLACED,
	};
	unsigned int u = chance(COUNTERS);

	if (chance(1000) >= events)
		return;
	switch (chance(7)) {
	case 0:
		set_status(c, u, bad[chance(ARRAY_SIZE(bad))]);
		break;
	case 1:
		if (!chance(8)) {
			promise(c, RCR_RING_NEVER);
			c->tick_wanted = m->tick + 1 + chance(400);
			choose_owners(m);
		}
		break;
	case 2:
		c->tick_wanted = m->tick + 1 + chance(60);	/* idle */
		break;
	case 3:
		choose_owners(m);
		break;
	case 4:
		if (!chance(8)) {
			c->late_tick = m->tick + 1;
			c->late_until = m->tick + 2 + chance(300);
		}
		break;
	default:
		memset(c->status, 0, sizeof(c->status));
		break;
	}
}

/* Write the late sample of a CPU, which then continues with the next tick. */
static inline void write_late(struct machine *m, unsigned int cpu)
{
	struct cpu *c = &m->cpu[cpu];

	take_sample_late(m, cpu, m->base + c->late_tick * m->period,
			 time_of_tick(m));
	promise(c, m->base + (m->tick + 1) * m->period);
	c->overruns = m->tick - c->late_tick;
	c->late_until = 0;
}

/* Advance a CPU to the machine's tick. */
static inline void tick_cpu(struct machine *m, unsigned int cpu, unsigned int events)
{
	struct cpu *c = &m->cpu[cpu];
	u64 time = time_of_tick(m);
	bool was_away = c->away;

	if (m->tick < c->tick_wanted || m->tick < c->late_until)
		return;
	if (c->late_until) {
		write_late(m, cpu);
		return;
	}
	take_sample_at(m, cpu, time);
	promise(c, time + m->period);
	if (was_away && (m->owner[cpu] == LANES || m->machine_owner == LANES))
		choose_owners(m);
	disturb(m, c, events);
	if (!c->away && c->tick_wanted > m->tick + 1)
		promise(c, m->base + c->tick_wanted * m->period);
}

static inline void free_machine(struct machine *m)
{
	unsigned int i;

	for (i = 0; i < LANES; i++) {
		free(m->cpu[i].marks);
		free(m->cpu[i].log);
	}
	memset(m, 0, sizeof(*m));
}

/* Return whether a counter was in the set and ok in a sample. */
static inline bool is_ok(const struct machine *m, const struct raw *r, unsigned int u)
{
	if (u == SPENT)
		return true;
	return r->run >= m->since[u] && r->status[u] == RCR_STATUS_OK;
}

static inline bool part_counts(const struct machine *m, const struct raw *a, const struct raw *b,
			       unsigned int u)
{
	return u == SPENT || (a->changes == b->changes && is_ok(m, a, u) && is_ok(m, b, u));
}

static inline u64 time_of_count(const struct raw *r, unsigned int u)
{
	return u == SLOW ? r->slow_tsc : r->tsc + (r->tsc_end - r->tsc) / 2;
}

#endif
