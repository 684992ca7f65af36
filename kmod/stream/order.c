// SPDX-License-Identifier: GPL-2.0-only
/*
 * order.c - finds the next record for a reader of all rings: the oldest, once no older one can
 * come.
 *
 * A CPU without a record enters the tournament with the time before which it has promised to
 * write none (struct rcr_ring). If it wins, the reader has to wait for it. A record therefore
 * costs the games of one path and a check of the CPUs that have won without a record, not of
 * every ring.
 */
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "ring/ring_protocol.h"
#include "stream.h"

/* Allocate for all possible CPUs. May sleep. Return: 0 or -ENOMEM. */
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

/* Time of the record at @position; if it is lost, of the oldest one left. */
static u64 next_time(const struct rcr_stream *s, int cpu)
{
	const struct rcr_ring *ring = rcr_stream_ring(s, cpu);
	u64 position, time;

	do {
		position = max(s->cursor[cpu].position, rcr_ring_oldest(ring));
		time = rcr_ring_time(ring, position);
		smp_rmb();	/* (A) with the smp_wmb() of rcr_ring_begin() */
	} while (position < rcr_ring_oldest(ring));
	return time;
}

/**
 * rcr_order_moved() - updates the order after a CPU's cursor has moved
 * @s: the reader; its lock is held
 * @cpu: the CPU, which has a record there, or a time before which it will write none
 */
void rcr_order_moved(struct rcr_stream *s, int cpu)
{
	struct rcr_order *o = &s->order;
	/* Before the head: a record that is missing then is not older than these. */
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
 * rcr_order_begin() - starts again after all cursors have moved
 * @s: the reader; its lock is held, or it is not published yet
 */
void rcr_order_begin(struct rcr_stream *s)
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
 * Has a silent CPU been started again? Called after another CPU's record was read: a CPU that
 * has not been started by then will write no older record.
 */
static bool has_returned(struct rcr_stream *s)
{
	struct rcr_order *o = &s->order;
	/* Pairs with rcr_sampler_start(): its promise is visible. */
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
		rcr_order_moved(s, cpu);
		any = true;
	}
	return any;
}

/* A silent CPU that has not been reported to the reader, or -1. */
static int find_untold(const struct rcr_stream *s)
{
	int cpu;

	for_each_cpu(cpu, &s->order.silent)
		if (!s->cursor[cpu].gap)
			return cpu;
	return -1;
}

/**
 * rcr_order_look() - finds what to deliver next
 * @s: the reader; its lock is held
 * @l: filled in; empty for a reader that does not follow the rings
 */
void rcr_order_look(struct rcr_stream *s, struct rcr_next *l)
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
		rcr_order_moved(s, cpu);
		/* It has no record yet, and may write the oldest one. */
		if (!cpumask_test_cpu(cpu, &s->order.ready) && m->time[cpu] == l->oldest)
			return;
	}
	if (l->oldest == RCR_MERGE_NONE)
		return;
	l->next = cpu;
	l->silent = find_untold(s);
}
