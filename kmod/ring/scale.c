// SPDX-License-Identifier: GPL-2.0-only
/*
 * scale.c - mark rings: records at each sixteenth of a time scale.
 *
 * The tick writes them whether there is a reader or not, so that a new reader immediately has
 * what a window needs; compare psi_group_change() in kernel/sched/psi.c. A mark is a copy of
 * the record of the first sample at or after a multiple of the sixteenth on CLOCK_MONOTONIC.
 *
 * Time scales are machine-wide; each CPU notices a change in its next sample.
 *
 * Its only kernel state is the list of CPUs: also compiled into the unit tests.
 */
#include <linux/align.h>
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/string.h>

#include "ring_protocol.h"
#include "scale.h"

/**
 * struct scale - a time scale
 * @ns: length, ns; 0: unused
 * @users: number of users
 */
struct scale {
	u64 ns;
	unsigned int users;
};

static struct scale scales[RCR_SCALES];
static DEFINE_MUTEX(scales_lock);	/* protects users, and writes of ns */

/* State in use by each CPU's ticks; its @due is reset by a change. */
static DEFINE_PER_CPU(struct rcr_scales *, running);

/* Size of a mark ring in bytes; each begins at a cache line. */
u32 rcr_scale_ring_bytes(u32 record_size)
{
	return ALIGN(sizeof(struct rcr_ring) + RCR_SCALE_MARKS * record_size, 64);
}

/* All rings have the size of the first one. */
static struct rcr_ring *scale_ring(const void *rings, unsigned int i)
{
	u32 record_size = ((const struct rcr_ring *)rings)->record_size;

	return (struct rcr_ring *)((char *)rings + (size_t)i * rcr_scale_ring_bytes(record_size));
}

/* Size of all mark rings of a CPU in bytes. */
size_t rcr_scale_bytes(u32 record_size)
{
	return PAGE_ALIGN(RCR_SCALES * (size_t)rcr_scale_ring_bytes(record_size));
}

/**
 * rcr_scale_init() - initialize the mark rings of a CPU
 * @rings: zeroed memory of rcr_scale_bytes()
 * @cpu: the CPU that writes them
 * @generation: generation of the set
 * @record_size: bytes of a record
 */
void rcr_scale_init(void *rings, int cpu, u32 generation, u32 record_size)
{
	unsigned int i;

	/* Begin with ring 0: scale_ring() reads its record_size to find the others. */
	for (i = 0; i < RCR_SCALES; i++)
		*scale_ring(rings, i) = (struct rcr_ring){
			.magic = RCR_RING_MAGIC, .version = RCR_ABI_VERSION,
			.compat_version = RCR_ABI_COMPAT_VERSION,
			.size = sizeof(struct rcr_ring),
			.data_offset = sizeof(struct rcr_ring),
			.record_size = record_size, .capacity = RCR_SCALE_MARKS,
			.cpu = cpu, .generation = generation,
		};
}

/* Set @ended of the mark rings of a CPU: no mark follows. */
void rcr_scale_end(void *rings)
{
	unsigned int i;

	for (i = 0; i < RCR_SCALES; i++)
		WRITE_ONCE(scale_ring(rings, i)->ended, 1);
}

/* @r is the writer's own record, so it cannot change. */
static void write_mark(struct rcr_ring *ring, const struct rcr_record *r)
{
	u64 *to = (u64 *)rcr_ring_begin(ring);
	const u64 *from = (const u64 *)r;
	u32 words = ring->record_size / sizeof(u64), i;

	for (i = 0; i < words; i++)
		WRITE_ONCE(to[i], from[i]);
	rcr_ring_commit(ring);
}

/* Begin another time scale: a reader that sees it also sees the first position. */
static void begin_scale(struct rcr_ring *ring, u64 ns)
{
	WRITE_ONCE(ring->first, ring->head);
	/* Pairs with the load-acquire of @scale by readers. */
	smp_store_release(&ring->scale, ns);
}

/* Write the mark of a time scale if it is due. Return: time when the next one is due. */
static u64 mark_scale(struct rcr_scales *s, unsigned int i, const struct rcr_record *r)
{
	struct rcr_ring *ring = scale_ring(s->rings, i);
	u64 ns = READ_ONCE(scales[i].ns), part = max_t(u64, ns / RCR_SCALE_PARTS, 1), into;

	if (ns != ring->scale) {
		begin_scale(ring, ns);
		s->part_due[i] = 0;
	}
	if (!ns)
		return RCR_RING_NEVER;
	if (r->time < s->part_due[i])
		return s->part_due[i];
	write_mark(ring, r);
	div64_u64_rem(r->time, part, &into);
	s->part_due[i] = r->time - into + part;
	return s->part_due[i];
}

/**
 * rcr_scales_mark() - write the marks that are due
 * @s: state of this CPU
 * @r: record of its latest sample
 *
 * Context: hard interrupt.
 */
void rcr_scales_mark(struct rcr_scales *s, const struct rcr_record *r)
{
	u64 next = RCR_RING_NEVER;
	unsigned int i;

	/* Full barrier: a change of the time scales that is missed below resets @due after this. */
	xchg(&s->due, RCR_RING_NEVER);
	for (i = 0; i < RCR_SCALES; i++)
		next = min(next, mark_scale(s, i, r));
	cmpxchg(&s->due, RCR_RING_NEVER, next);
}

/**
 * rcr_scales_begin() - let a CPU's ticks write marks to these rings
 * @s: state of the CPU
 * @cpu: the CPU
 * @rings: mark rings of the run
 * @anew: the run has a new counter: unless @rings are in use already, write a mark of each time
 *	scale with the next sample, so that there is one with the counter
 *
 * Context: that CPU, interrupts off; no tick runs.
 */
void rcr_scales_begin(struct rcr_scales *s, int cpu, void *rings, bool anew)
{
	if (anew && rings != s->rings)
		memset(s->part_due, 0, sizeof(s->part_due));
	s->rings = rings;
	WRITE_ONCE(s->due, 0);
	WRITE_ONCE(per_cpu(running, cpu), s);
}

/* Forget a CPU's state before it is freed. Waits for a concurrent change of the time scales. */
void rcr_scales_forget(int cpu)
{
	mutex_lock(&scales_lock);
	WRITE_ONCE(per_cpu(running, cpu), NULL);
	mutex_unlock(&scales_lock);
}

/* Make each CPU evaluate the time scales in its next sample. */
static void reset_cpus(void)
{
	struct rcr_scales *s;
	int cpu;

	smp_wmb();	/* Pairs with the xchg() of rcr_scales_mark(). */
	for_each_possible_cpu(cpu) {
		s = READ_ONCE(per_cpu(running, cpu));
		if (s)
			WRITE_ONCE(s->due, 0);
	}
}

static struct scale *find_scale(u64 ns)
{
	unsigned int i;

	for (i = 0; i < RCR_SCALES; i++)
		if (scales[i].ns == ns)
			return &scales[i];
	return NULL;
}

/**
 * rcr_scale_use() - start to write marks for a time scale
 * @ns: the time scale, ns
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if @ns is 0, -ENOSPC if there are RCR_SCALES others.
 */
int rcr_scale_use(u64 ns)
{
	struct scale *scale;
	int err = 0;

	if (!ns)
		return -EINVAL;
	mutex_lock(&scales_lock);
	scale = find_scale(ns) ?: find_scale(0);
	if (!scale) {
		err = -ENOSPC;
	} else if (!scale->users++) {
		WRITE_ONCE(scale->ns, ns);
		reset_cpus();
	}
	mutex_unlock(&scales_lock);
	return err;
}

/* Undo rcr_scale_use(). May sleep. */
void rcr_scale_drop(u64 ns)
{
	struct scale *scale;

	mutex_lock(&scales_lock);
	scale = find_scale(ns);
	if (scale && !--scale->users) {
		WRITE_ONCE(scale->ns, 0);
		reset_cpus();
	}
	mutex_unlock(&scales_lock);
}

static u8 *status_bytes(struct rcr_record *r, u32 count)
{
	return (u8 *)&r->value[count];
}

/* A counter that is slow in only one of the runs has no time in the other's records. */
static bool is_carried(const struct rcr_carry *how, u32 i)
{
	u32 from = how->from[i];

	return from < how->from_count && (how->slow >> i & 1) == (how->from_slow >> from & 1);
}

/* Copy a mark; counters that are new in the next set have no status. */
static void carry_mark(struct rcr_record *to, const struct rcr_record *from, u32 size,
		       const struct rcr_carry *how)
{
	u32 i;

	memset(to, 0, size);
	*to = *from;
	to->item.size = size;
	for (i = 0; i < how->count; i++) {
		if (!is_carried(how, i))
			continue;
		to->value[i] = from->value[how->from[i]];
		status_bytes(to, how->count)[i] =
			((const u8 *)&from->value[how->from_count])[how->from[i]];
	}
	if (how->slow && how->from_slow)
		memcpy((char *)to + how->slow_offset, (const char *)from + how->from_slow_offset,
		       sizeof(struct rcr_slow));
}

static void carry_ring(struct rcr_ring *to, const struct rcr_ring *from,
		       const struct rcr_carry *how)
{
	u64 position = max_t(u64, from->first, rcr_ring_oldest(from));

	to->scale = from->scale;
	for (; position < from->head; position++) {
		carry_mark(rcr_ring_begin(to), rcr_ring_slot(from, position), to->record_size,
			   how);
		rcr_ring_commit(to);
	}
}

/**
 * rcr_scale_carry() - copy a CPU's marks to the rings of the next run
 * @to: mark rings of the next run, empty
 * @from: mark rings of the run, which is not sampled on that CPU now
 * @how: mapping of the counters
 *
 * Context: any.
 */
void rcr_scale_carry(void *to, const void *from, const struct rcr_carry *how)
{
	unsigned int i;

	for (i = 0; i < RCR_SCALES; i++)
		carry_ring(scale_ring(to, i), scale_ring(from, i), how);
}
