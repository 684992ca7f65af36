// SPDX-License-Identifier: GPL-2.0-only
/*
 * scale.c - mark rings: what every CPU had counted at the sixteenths of a time scale.
 *
 * The tick writes them, whether there is a reader or not, so that whoever comes finds what
 * a window needs; psi_group_change() in kernel/sched/psi.c is the model. A mark is a copy
 * of the record of the first sample at or after a multiple of the sixteenth on
 * CLOCK_MONOTONIC.
 *
 * The time scales are the machine's; each CPU takes a change over with its next sample.
 *
 * Pure but for the list of CPUs: compiled into the unit tests as well.
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
 * @ns: how long it is; 0: a free place
 * @users: who needs it
 */
struct scale {
	u64 ns;
	unsigned int users;
};

static struct scale scales[RCR_SCALES];
static DEFINE_MUTEX(scales_lock);	/* users, and who writes ns */

/* Those that ticks write marks by, whose @due a change has to reset. */
static DEFINE_PER_CPU(struct rcr_scales *, running);

/* Bytes of a mark ring: it begins at a cache line. */
u32 rcr_scale_ring_bytes(u32 record_size)
{
	return ALIGN(sizeof(struct rcr_ring) + RCR_SCALE_MARKS * record_size, 64);
}

/* All are as large as the first one. */
static struct rcr_ring *ring_at(const void *rings, unsigned int i)
{
	u32 record_size = ((const struct rcr_ring *)rings)->record_size;

	return (struct rcr_ring *)((char *)rings + (size_t)i * rcr_scale_ring_bytes(record_size));
}

/* Bytes of all mark rings of a CPU. */
size_t rcr_scale_bytes(u32 record_size)
{
	return PAGE_ALIGN(RCR_SCALES * (size_t)rcr_scale_ring_bytes(record_size));
}

/**
 * rcr_scale_init() - makes the mark rings of a CPU
 * @rings: rcr_scale_bytes(), all 0
 * @cpu: who will write them
 * @generation: of the set
 * @record_size: bytes of a record
 */
void rcr_scale_init(void *rings, int cpu, u32 generation, u32 record_size)
{
	unsigned int i;

	/* The first one says where the next ones are. */
	for (i = 0; i < RCR_SCALES; i++)
		*ring_at(rings, i) = (struct rcr_ring){
			.magic = RCR_RING_MAGIC, .version = RCR_ABI_VERSION,
			.compat_version = RCR_ABI_COMPAT_VERSION,
			.size = sizeof(struct rcr_ring),
			.data_offset = sizeof(struct rcr_ring),
			.record_size = record_size, .capacity = RCR_SCALE_MARKS,
			.cpu = cpu, .generation = generation,
		};
}

/* No mark will come any more. */
void rcr_scale_end(void *rings)
{
	unsigned int i;

	for (i = 0; i < RCR_SCALES; i++)
		WRITE_ONCE(ring_at(rings, i)->ended, 1);
}

/* @r is the writer's own record: nobody else writes it. */
static void write_mark(struct rcr_ring *ring, const struct rcr_record *r)
{
	u64 *to = (u64 *)rcr_ring_begin(ring);
	const u64 *from = (const u64 *)r;
	u32 words = ring->record_size / sizeof(u64), i;

	for (i = 0; i < words; i++)
		WRITE_ONCE(to[i], from[i]);
	rcr_ring_commit(ring);
}

/* Marks of another time scale than before: a reader that sees it sees where they begin. */
static void begin_scale(struct rcr_ring *ring, u64 ns)
{
	WRITE_ONCE(ring->first, ring->head);
	/* Pairs with the load-acquire of @scale by readers. */
	smp_store_release(&ring->scale, ns);
}

/* When the next mark of a time scale is due. */
static u64 mark_one(struct rcr_scales *s, unsigned int i, const struct rcr_record *r)
{
	struct rcr_ring *ring = ring_at(s->rings, i);
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
 * rcr_scales_mark() - writes the marks that are due
 * @s: this CPU's
 * @r: the record of its latest sample
 *
 * Context: hard interrupt.
 */
void rcr_scales_mark(struct rcr_scales *s, const struct rcr_record *r)
{
	u64 next = RCR_RING_NEVER;
	unsigned int i;

	/* Full barrier: what is changed after this resets @due after this, too. */
	xchg(&s->due, RCR_RING_NEVER);
	for (i = 0; i < RCR_SCALES; i++)
		next = min(next, mark_one(s, i, r));
	cmpxchg(&s->due, RCR_RING_NEVER, next);
}

/**
 * rcr_scales_begin() - a CPU's ticks write their marks into these rings from now on
 * @s: the CPU's
 * @cpu: its number
 * @rings: of the run that it samples
 * @anew: a counter begins there: where the rings are others than before the next sample is
 *	a mark of each time scale, so that it has one
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

/* The CPU's struct rcr_scales goes. Time scales do not change any more, or later. */
void rcr_scales_forget(int cpu)
{
	mutex_lock(&scales_lock);
	WRITE_ONCE(per_cpu(running, cpu), NULL);
	mutex_unlock(&scales_lock);
}

/* Has every CPU look at the time scales with its next sample. */
static void tell_cpus(void)
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
 * rcr_scale_use() - has marks written for a time scale
 * @ns: the time scale
 *
 * Context: may sleep.
 * Return: 0; -EINVAL for none, -ENOSPC: there are RCR_SCALES others.
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
		tell_cpus();
	}
	mutex_unlock(&scales_lock);
	return err;
}

/* Undoes rcr_scale_use(). May sleep. */
void rcr_scale_drop(u64 ns)
{
	struct scale *scale;

	mutex_lock(&scales_lock);
	scale = find_scale(ns);
	if (scale && !--scale->users) {
		WRITE_ONCE(scale->ns, 0);
		tell_cpus();
	}
	mutex_unlock(&scales_lock);
}

static u8 *statuses(struct rcr_record *r, u32 count)
{
	return (u8 *)&r->value[count];
}

/* A counter that is slow in one of the runs only has no time in the other one's records. */
static bool goes_on(const struct rcr_carry *how, u32 i)
{
	u32 from = how->from[i];

	return from < how->from_count && (how->slow >> i & 1) == (how->from_slow >> from & 1);
}

/* What the next set has, too, is there; all else has no status. */
static void carry_mark(struct rcr_record *to, const struct rcr_record *from, u32 size,
		       const struct rcr_carry *how)
{
	u32 i;

	memset(to, 0, size);
	*to = *from;
	to->item.size = size;
	for (i = 0; i < how->count; i++) {
		if (!goes_on(how, i))
			continue;
		to->value[i] = from->value[how->from[i]];
		statuses(to, how->count)[i] =
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
 * rcr_scale_carry() - takes the marks of a CPU's run over into the next one
 * @to: the mark rings of the next run, empty
 * @from: those of the run, which is not sampled on that CPU now
 * @how: which counters go on
 *
 * Context: any.
 */
void rcr_scale_carry(void *to, const void *from, const struct rcr_carry *how)
{
	unsigned int i;

	for (i = 0; i < RCR_SCALES; i++)
		carry_ring(ring_at(to, i), ring_at(from, i), how);
}
