// SPDX-License-Identifier: GPL-2.0-only
/*
 * order.c - delivers the records of all rings in time order: the oldest record is next, once
 * no CPU can still write an older one.
 *
 * A CPU without a record takes part in the tournament (merge.h) with the time before which it
 * has promised to write none (struct rcr_ring). If it wins, the reader waits for it. So each
 * record costs one pass through the tournament, and a check of the CPUs that win without a
 * record, instead of a check of every ring.
 */
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "ring/ring_protocol.h"
#include "stream.h"

/* Allocate the tournament for all possible CPUs. May sleep. Return: 0 or -ENOMEM. */
int rcr_order_alloc(struct rcr_order *o)
{
	struct rcr_merge *m = &o->merge;

	m->places = rcr_merge_places(nr_cpu_ids);
	m->time = kvmalloc_array(m->places, sizeof(*m->time), GFP_KERNEL_ACCOUNT);
	m->winner = kvmalloc_array(m->places, sizeof(*m->winner), GFP_KERNEL_ACCOUNT);
	return m->time && m->winner ? 0 : -ENOMEM;
}

void rcr_order_free(struct rcr_order *o)
{
	kvfree(o->merge.time);
	kvfree(o->merge.winner);
}

/* Time of the reader's next record, or of the oldest record if that one is overwritten. */
static u64 next_time(const struct rcr_stream *s, int cpu)
{
	const struct rcr_ring *ring = rcr_stream_ring(s, cpu);
	u64 position, time;

	do {
		position = max(s->cursor[cpu].position, rcr_ring_oldest(ring));
		time = rcr_ring_time(ring, position);
		smp_rmb();	/* (A) pairs with the smp_wmb() of rcr_ring_begin() */
	} while (position < rcr_ring_oldest(ring));
	return time;
}

/**
 * rcr_order_update() - update the time of a CPU after its cursor has moved
 * @s: the reader; @s->lock is held
 * @cpu: the CPU
 */
void rcr_order_update(struct rcr_stream *s, int cpu)
{
	struct rcr_order *o = &s->order;
	/*
	 * Read both before checking for a record. If there is none, @ended means that none will
	 * follow, and @next that none before this time will.
	 */
	bool ended = smp_load_acquire(&s->run->ended);
	u64 next = rcr_ring_next(rcr_stream_ring(s, cpu));

	if (rcr_stream_has_record(s, cpu)) {
		cpumask_set_cpu(cpu, &o->ready);
		cpumask_clear_cpu(cpu, &o->silent);
		rcr_merge_set(&o->merge, cpu, next_time(s, cpu));
		return;
	}
	cpumask_clear_cpu(cpu, &o->ready);
	if (ended)
		next = RCR_RING_NEVER;
	else if (next == RCR_RING_NEVER)
		cpumask_set_cpu(cpu, &o->silent);
	rcr_merge_set(&o->merge, cpu, next);
}

/**
 * rcr_order_reset() - start over after the reader's cursors or its run have changed
 * @s: the reader; @s->lock is held, unless no other thread can use it yet
 */
void rcr_order_reset(struct rcr_stream *s)
{
	struct rcr_order *o = &s->order;
	int cpu;

	rcr_merge_clear(&o->merge);
	cpumask_clear(&o->ready);
	cpumask_clear(&o->silent);
	o->returns = atomic_read(&rcr_ring_returns);
	for_each_followed_cpu(cpu, s)
		rcr_merge_set(&o->merge, cpu, 0);
}

/*
 * Check whether silent CPUs are sampled again. Called after another CPU's record was found: a
 * CPU that returns later cannot write an older one.
 */
static bool has_returned(struct rcr_stream *s)
{
	struct rcr_order *o = &s->order;
	/* Pairs with rcr_sampler_start(): the promised time is visible. */
	int cpu, returns = atomic_read_acquire(&rcr_ring_returns);
	bool any = false;

	if (returns == o->returns)
		return false;
	o->returns = returns;
	for_each_cpu(cpu, &o->silent) {
		if (rcr_ring_next(rcr_stream_ring(s, cpu)) == RCR_RING_NEVER &&
		    !rcr_stream_has_record(s, cpu))
			continue;
		cpumask_clear_cpu(cpu, &o->silent);
		rcr_order_update(s, cpu);
		any = true;
	}
	return any;
}

/* A silent CPU whose RCR_ITEM_GAP was not delivered yet, or -1. */
static int find_unreported(const struct rcr_stream *s)
{
	int cpu;

	for_each_cpu(cpu, &s->order.silent)
		if (!s->cursor[cpu].gap)
			return cpu;
	return -1;
}

/**
 * rcr_order_next() - find the record that is next in time order
 * @s: the reader; @s->lock is held
 * @l: filled in; without a record if the reader does not read the rings
 */
void rcr_order_next(struct rcr_stream *s, struct rcr_next *l)
{
	struct rcr_merge *m = &s->order.merge;
	int cpu;

	*l = (struct rcr_next){ .next = -1, .silent = -1, .oldest = U64_MAX };
	if (!rcr_stream_reads_rings(s))
		return;
	for (;;) {
		cpu = rcr_merge_first(m);
		l->oldest = rcr_merge_oldest(m);
		if (l->oldest == RCR_MERGE_NONE || cpumask_test_cpu(cpu, &s->order.ready)) {
			if (has_returned(s))
				continue;
			break;
		}
		rcr_order_update(s, cpu);
		/* The CPU has no record yet, and may still write the oldest one. */
		if (!cpumask_test_cpu(cpu, &s->order.ready) && m->time[cpu] == l->oldest)
			return;
	}
	if (l->oldest == RCR_MERGE_NONE)
		return;
	l->next = cpu;
	l->silent = find_unreported(s);
}
