// SPDX-License-Identifier: GPL-2.0-only
/*
 * order.c - whose record a reader of all rings takes next: the oldest, and none before it
 * is certain that no older one comes.
 *
 * A CPU without a record plays the tournament with the time before which it has promised
 * to write none (struct rcr_ring). If it wins, the reader has to wait for it. So a record
 * costs the games of a tournament and at most a look at the CPUs that have won it without
 * one, not a look at every ring.
 */
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "ring/ring_protocol.h"
#include "stream.h"

/* Memory for every CPU there may be. May sleep. Return: 0 or -ENOMEM. */
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

/* Of the next record; where it is lost, of the oldest that is not. */
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
 * rcr_order_moved() - a CPU's cursor has moved on
 * @s: the reader; its lock is held
 * @cpu: which has a record there, or at least a time before which it will have none
 */
void rcr_order_moved(struct rcr_stream *s, int cpu)
{
	struct rcr_order *o = &s->order;
	/* These first: what is not there then never comes, or not before that. */
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
 * rcr_order_begin() - begins anew: the cursors are somewhere else
 * @s: the reader; its lock is held, or nobody else has it
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
 * Is a CPU sampled after all that was silent? To be asked when another one's record has been
 * seen: a CPU that has not come back by then will have none that is older.
 */
static bool has_returned(struct rcr_stream *s)
{
	struct rcr_order *o = &s->order;
	/* Pairs with rcr_sampler_start(): what it has promised is seen. */
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

/* A silent CPU of which the reader has not been told, or -1. */
static int find_untold(const struct rcr_stream *s)
{
	int cpu;

	for_each_cpu(cpu, &s->order.silent)
		if (!s->cursor[cpu].gap)
			return cpu;
	return -1;
}

/**
 * rcr_order_look() - what is to be delivered next?
 * @s: the reader; its lock is held
 * @l: set to the answer; of a reader that does not follow the rings: nothing
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
		/* It has none yet, and may have the oldest one. */
		if (!cpumask_test_cpu(cpu, &s->order.ready) && m->time[cpu] == l->oldest)
			return;
	}
	if (l->oldest == RCR_MERGE_NONE)
		return;
	l->next = cpu;
	l->silent = find_untold(s);
}
