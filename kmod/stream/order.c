// SPDX-License-Identifier: GPL-2.0-only
/*
 * order.c - whose record a reader of all rings takes next: the oldest, unless a CPU
 * that has none yet must be waited for.
 *
 * A record costs the games of a tournament, not a look at every ring. Only CPUs that
 * had no record are looked at again, and while there is such a one that is not given
 * up the reader gets nothing.
 */
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "sampler/ring_protocol.h"
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
		position = max(READ_ONCE(s->cursor[cpu].position), rcr_ring_oldest(ring));
		time = rcr_ring_time(ring, position);
		smp_rmb();	/* (A) with the smp_wmb() of rcr_ring_begin() */
	} while (position < rcr_ring_oldest(ring));
	return time;
}

/* Need nobody wait for this CPU, which has no record, at time @now? */
static bool is_given_up(const struct rcr_stream *s, int cpu, u64 oldest, u64 now)
{
	return rcr_run_timed_out(s->run, cpu, now - oldest, rcr_run_timeout(s->run, cpu));
}

static void judge(const struct rcr_stream *s, struct rcr_next *l, int cpu, u64 now)
{
	if (is_given_up(s, cpu, l->oldest, now))
		l->silent = cpu;
	else
		l->wait = true;
}

static void wait_for(struct rcr_order *o, int cpu)
{
	cpumask_set_cpu(cpu, &o->waited);
	o->waits++;
}

static void wait_no_more_for(struct rcr_order *o, int cpu)
{
	cpumask_clear_cpu(cpu, &o->waited);
	o->waits--;
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
	cpumask_clear(&o->waited);
	cpumask_clear(&o->gone);
	o->waits = 0;
	for_each_followed_cpu(cpu, s) {
		if (s->cursor[cpu].gap)
			cpumask_set_cpu(cpu, &o->gone);
		else
			wait_for(o, cpu);
	}
}

/* Has a CPU that was given up a record after all? @s's lock is held. */
void rcr_order_look_again(struct rcr_stream *s)
{
	struct rcr_order *o = &s->order;
	int cpu;

	for_each_cpu(cpu, &o->gone) {
		if (!rcr_stream_has_record(s, cpu))
			continue;
		cpumask_clear_cpu(cpu, &o->gone);
		rcr_merge_set(&o->merge, cpu, next_time(s, cpu));
	}
}

static void look_at_waited(struct rcr_stream *s)
{
	struct rcr_order *o = &s->order;
	int cpu;

	for_each_cpu(cpu, &o->waited) {
		if (!rcr_stream_has_record(s, cpu))
			continue;
		wait_no_more_for(o, cpu);
		rcr_merge_set(&o->merge, cpu, next_time(s, cpu));
	}
}

static void see_first(const struct rcr_merge *m, struct rcr_next *l)
{
	l->oldest = rcr_merge_oldest(m);
	l->next = l->oldest == RCR_MERGE_NONE ? -1 : rcr_merge_first(m);
	l->silent = -1;
	l->wait = false;
}

/**
 * rcr_order_look() - what is to be delivered next?
 * @s: the reader; its lock is held
 * @l: set to the answer
 */
void rcr_order_look(struct rcr_stream *s, struct rcr_next *l)
{
	/* First: what a run that had ended then has not now, it never will have. */
	bool ended = smp_load_acquire(&s->run->ended);
	u64 now;
	int cpu;

	if (s->order.waits)
		look_at_waited(s);
	see_first(&s->order.merge, l);
	if (!s->order.waits || l->next < 0 || ended)
		return;
	now = ktime_get_ns();
	for_each_cpu(cpu, &s->order.waited)
		judge(s, l, cpu, now);
}

/* @cpu's cursor has moved on. @s's lock is held. */
void rcr_order_moved(struct rcr_stream *s, int cpu)
{
	struct rcr_order *o = &s->order;

	if (rcr_stream_has_record(s, cpu)) {
		rcr_merge_set(&o->merge, cpu, next_time(s, cpu));
		return;
	}
	rcr_merge_set(&o->merge, cpu, RCR_MERGE_NONE);
	wait_for(o, cpu);
}

/* The reader has been told that @cpu is silent. @s's lock is held. */
void rcr_order_give_up(struct rcr_stream *s, int cpu)
{
	s->cursor[cpu].gap = true;
	wait_no_more_for(&s->order, cpu);
	cpumask_set_cpu(cpu, &s->order.gone);
}

static void glance_at(const struct rcr_stream *s, struct rcr_next *l, int cpu)
{
	u64 time = next_time(s, cpu);

	if (time < l->oldest) {
		l->oldest = time;
		l->next = cpu;
	}
}

/* Does @cpu have no record, and has it had its latest so lately that it is waited for? */
static bool is_awaited(const struct rcr_stream *s, int cpu, u64 now)
{
	const struct rcr_ring *ring = rcr_stream_ring(s, cpu);
	u64 head = rcr_ring_head(ring);

	return head && READ_ONCE(s->cursor[cpu].position) >= head &&
	       !s->cursor[cpu].gap &&
	       !is_given_up(s, cpu, rcr_ring_time(ring, head - 1), now);
}

/**
 * rcr_order_is_early() - is there surely nothing to be delivered yet?
 * @s: the reader; its run_lock is held, its lock need not be
 *
 * Whoever has read all that there was sees that at the first CPU, and looks at no
 * other: no record is older than the latest of a CPU that has been read.
 */
bool rcr_order_is_early(const struct rcr_stream *s)
{
	u64 now = ktime_get_ns();
	int cpu;

	/* Pairs with the release of run.c: then no CPU is waited for. */
	if (smp_load_acquire(&s->run->ended))
		return false;
	for_each_followed_cpu(cpu, s)
		if (is_awaited(s, cpu, now))
			return true;
	return false;
}

/**
 * rcr_order_glance() - the same as a hint, for those who only look
 * @s: the reader; its run_lock is held, its lock need not be
 * @l: set to the answer
 */
void rcr_order_glance(const struct rcr_stream *s, struct rcr_next *l)
{
	bool ended, all = true;
	u64 now;
	int cpu;

	/* First, as above. */
	ended = smp_load_acquire(&s->run->ended);
	*l = (struct rcr_next){ .next = -1, .silent = -1, .oldest = U64_MAX };
	for_each_followed_cpu(cpu, s) {
		if (rcr_stream_has_record(s, cpu))
			glance_at(s, l, cpu);
		else
			all = false;
	}
	if (all || l->next < 0 || ended)
		return;
	now = ktime_get_ns();
	for_each_followed_cpu(cpu, s)
		if (!rcr_stream_has_record(s, cpu) && !s->cursor[cpu].gap)
			judge(s, l, cpu, now);
}
