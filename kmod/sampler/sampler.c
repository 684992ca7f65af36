// SPDX-License-Identifier: GPL-2.0-only
/*
 * sampler.c - the tick: from registers to a record, in hard interrupt.
 *
 * The timer runs on CLOCK_MONOTONIC and aims at points of the wall clock (see
 * grid.c): an absolute timer on CLOCK_REALTIME would stand still for as long as
 * the clock is stepped back. It never sleeps more than a second at a time, so
 * that a step is seen by then whatever the period.
 */
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <asm/tsc.h>

#include "compat/compat.h"
#include "sampler.h"
#include "source/sources.h"

/* Defines the tracepoints here. */
#define CREATE_TRACE_POINTS
#include "trace.h"

#define LONGEST_LEG	((u64)NSEC_PER_SEC)

/* An energy counter of 32 bits wraps in a minute at the soonest. */
#define GUARD_INTERVAL	(20ull * NSEC_PER_SEC)

static s64 clock_offset(u64 monotonic)
{
	return ktime_to_ns(ktime_mono_to_real(monotonic)) - monotonic;
}

/* Begins a record and writes its head; the caller writes the rest. */
static struct rcr_record *begin_record(struct rcr_sampler *s, u16 type, u64 tick,
				       u64 time)
{
	struct rcr_ring *ring = s->ring;
	struct rcr_record *r = rcr_ring_begin(ring);

	WRITE_ONCE(r->item.size, ring->record_size);
	WRITE_ONCE(r->item.type, type);
	WRITE_ONCE(r->item.flags, 0);
	WRITE_ONCE(r->item.cpu, s->cpu);
	WRITE_ONCE(r->item.generation, s->run->set.generation);
	WRITE_ONCE(r->position, ring->head);
	WRITE_ONCE(r->tick, tick);
	WRITE_ONCE(r->time, time);
	WRITE_ONCE(r->cgroup, rcr_current_cgroup());
	WRITE_ONCE(r->tgid, task_tgid_nr(current));
	return r;
}

/* A record of a change, and of no counters. */
static struct rcr_record *begin_change(struct rcr_sampler *s, u16 type, u64 now)
{
	struct rcr_record *r = begin_record(s, type, s->grid.last_tick, now);
	u64 tsc = rdtsc_ordered();

	WRITE_ONCE(r->tsc, tsc);
	WRITE_ONCE(r->tsc_end, tsc);
	WRITE_ONCE(r->late, 0);
	WRITE_ONCE(r->overruns, 0);
	WRITE_ONCE(r->skipped, 0);
	return r;
}

/* Energy is kept as the register counts it, exactly, and told in nanojoules. */
static u64 told(const struct rcr_counter_set *set, unsigned int i, u64 total)
{
	const struct rcr_register *reg = &set->reg[i];

	switch (set->counter[i].unit) {
	case RCR_UNIT_NANOJOULE:
		return mul_u64_u32_shr(total, NSEC_PER_SEC, reg->scale);
	case RCR_UNIT_MILLIDEGREE:
		return 1000 * (reg->scale - min_t(u64, total, reg->scale));
	default:
		return total;
	}
}

static void write_scaled(struct rcr_record *r, const struct rcr_reading *reading,
			 const struct rcr_counter_set *set)
{
	unsigned long scaled = set->scaled;
	unsigned int i;

	for_each_set_bit(i, &scaled, RCR_MAX_COUNTERS)
		WRITE_ONCE(r->value[i], told(set, i, reading[i].total));
}

static void write_totals(struct rcr_record *r, const struct rcr_reading *reading,
			 const struct rcr_counter_set *set)
{
	u8 *status = (u8 *)&r->value[set->count];
	unsigned int i, count = set->count;

	for (i = 0; i < count; i++) {
		WRITE_ONCE(r->value[i], reading[i].total);
		WRITE_ONCE(status[i], reading[i].status);
	}
	if (set->scaled)
		write_scaled(r, reading, set);
}

static void write_slow(struct rcr_record *r, const struct rcr_pass *pass,
		       const struct rcr_counter_set *set)
{
	struct rcr_slow *slow = (void *)r + rcr_ring_slow_offset(set->count);

	WRITE_ONCE(slow->tsc, pass->begin);
	WRITE_ONCE(slow->tsc_end, pass->end);
}

/* Has somebody else read what is slow, when the time has come. */
static void ask_for_slow(struct rcr_sampler *s, u64 tick)
{
	u64 now = div_u64(tick, s->run->timing.slow);

	if (!(s->run->set.slow & s->counters->mine) || now == s->slow_tick)
		return;
	s->slow_tick = now;
	queue_work_on(s->cpu, system_highpri_wq, &s->slow_work);
}

/*
 * The sampler may be stopped, and its run end, in an interrupt at any time: the set is only
 * touched with interrupts off and while no such interrupt has come. Not preempted, so that
 * no real-time task can keep an unload waiting for it.
 */
static void read_slow(struct work_struct *work)
{
	struct rcr_sampler *s = container_of(work, struct rcr_sampler, slow_work);
	const struct rcr_counter_set *set = NULL;
	struct rcr_cpu_counters *c;
	struct rcr_slow_look look;
	unsigned long flags;

	preempt_disable();
	local_irq_save(flags);
	if (READ_ONCE(s->writer->running) && s->cpu == smp_processor_id()) {
		set = &s->run->set;
		c = s->counters;
		rcr_sources_begin_slow(set, c, &look);
	}
	local_irq_restore(flags);
	if (set)
		rcr_sources_look_slow(set, c, &look);
	preempt_enable();
}

/* Events on counters that cannot count them: at most twice a second. */
static noinline void ask_for_repair(struct rcr_sampler *s)
{
	if (time_before(jiffies, s->repair_at))
		return;
	s->repair_at = jiffies + HZ / 2;
	queue_work(system_unbound_wq, s->repair);
}

static void sample(struct rcr_sampler *s, const struct rcr_tick *t, u64 now)
{
	const struct rcr_run *run = s->run;
	struct rcr_record *r;

	r = begin_record(s, RCR_ITEM_SAMPLE, t->tick, t->due);
	WRITE_ONCE(r->late, min_t(u64, now - t->due, U32_MAX));
	WRITE_ONCE(r->overruns, t->overruns);
	WRITE_ONCE(r->skipped, t->skipped);
	rcr_sources_read(&run->set, &run->fast, s->counters);
	WRITE_ONCE(r->tsc, s->counters->pass.begin);
	WRITE_ONCE(r->tsc_end, s->counters->pass.end);
	write_totals(r, s->counters->reading, &run->set);
	if (run->set.slow)
		write_slow(r, &s->counters->slow_pass, &run->set);
	s->read_at = now;
	rcr_ring_commit(s->ring);
	trace_sample(r, run->set.count);
	WRITE_ONCE(s->overruns, s->overruns + t->overruns);
	if (run->set.slow)
		ask_for_slow(s, t->tick);
	if (unlikely(s->counters->misplaced))
		ask_for_repair(s);
}

/*
 * Reads what may wrap before the next sample: nobody is told, but by a gap where
 * something was not as it should be.
 */
static void read_early(struct rcr_sampler *s, u64 now)
{
	const struct rcr_run *run = s->run;
	u32 was_ok = 0;
	unsigned int i;

	s->read_at = now;
	if (run->set.slow & s->counters->mine)
		queue_work_on(s->cpu, system_highpri_wq, &s->slow_work);
	for (i = 0; i < run->set.count; i++)
		if (s->counters->reading[i].status == RCR_STATUS_OK)
			was_ok |= BIT(i);
	rcr_sources_read(&run->set, &run->fast, s->counters);
	for (i = 0; i < run->set.count; i++)
		if (!(was_ok & BIT(i)) ||
		    s->counters->reading[i].status != RCR_STATUS_OK)
			rcr_reading_interrupt(&s->counters->reading[i]);
}

static void step_clock(struct rcr_sampler *s, u64 now, s64 offset)
{
	struct rcr_record *r;

	r = begin_change(s, RCR_ITEM_CLOCK, now);
	WRITE_ONCE(r->value[0], s->grid.offset);
	WRITE_ONCE(r->value[1], offset);
	WRITE_ONCE(r->value[2], rcr_grid_step(&s->grid, offset));
	rcr_ring_commit(s->ring);
}

static void set_stride(struct rcr_sampler *s, u64 now, u32 stride)
{
	struct rcr_record *r;

	r = begin_change(s, RCR_ITEM_STRIDE, now);
	WRITE_ONCE(r->value[0], s->grid.stride);
	WRITE_ONCE(r->value[1], stride);
	WRITE_ONCE(r->value[2], 0);
	rcr_ring_commit(s->ring);
	rcr_grid_set_stride(&s->grid, stride);
	WRITE_ONCE(s->writer->stride, stride);
}

/* Once in a while: samples less often, or more often again. */
static noinline void keep_budget(struct rcr_sampler *s, u64 tsc, u64 now)
{
	const struct rcr_timing *timing = &s->run->timing;
	u32 stride = rcr_cost_stride(&s->cost, tsc, timing->window, timing->budget_ppm,
				     s->grid.stride);

	if (stride != s->grid.stride)
		set_stride(s, now, stride);
}

/* The next tick, or the end of the longest sleep. */
static ktime_t next_leg(const struct rcr_sampler *s, u64 now)
{
	u64 to_go = s->grid.due - now;

	if ((s64)to_go < 0)
		return ns_to_ktime(s->grid.due);
	return ns_to_ktime(now + min(to_go, LONGEST_LEG));
}

static enum hrtimer_restart tick(struct hrtimer *timer)
{
	struct rcr_sampler *s = container_of(timer, struct rcr_sampler, timer);
	u64 begin = rdtsc(), end, now = ktime_get_ns();
	s64 offset = clock_offset(now);
	struct rcr_tick t;

	/* Moved here by a CPU that went down: its registers are not here. */
	if (s->cpu != smp_processor_id())
		return HRTIMER_NORESTART;

	if (rcr_grid_tick(&s->grid, now, &t)) {
		sample(s, &t, now);
		if (rcr_cost_is_due(&s->cost, begin, s->run->timing.window))
			keep_budget(s, begin, now);
		rcr_ring_wake(t.due, now);
	} else if (now - s->read_at > GUARD_INTERVAL) {
		read_early(s, now);
	}
	if (offset != s->grid.offset)
		step_clock(s, now, offset);

	hrtimer_set_expires(timer, next_leg(s, now));
	end = rdtsc();
	rcr_cost_add(&s->cost, begin, end);
	WRITE_ONCE(s->writer->spent, s->cost.sum);
	return HRTIMER_RESTART;
}

/**
 * rcr_timing_init() - sets when all CPUs sample, and where tick 0 is
 * @t: gets it
 * @period: ns
 * @slow_period: of slow counters, ns; rounded up to a multiple of @period
 * @budget_ppm: millionths of the time that ticks may take; 0: any
 */
void rcr_timing_init(struct rcr_timing *t, u64 period, u64 slow_period,
		     u32 budget_ppm)
{
	u64 now = ktime_get_ns();

	t->period = period;
	t->anchor = rcr_grid_anchor(period, now, clock_offset(now));
	t->slow = DIV64_U64_ROUND_UP(slow_period, period);
	t->window = (u64)tsc_khz * 100;		/* a tenth of a second */
	t->budget_ppm = budget_ppm;
}

void rcr_sampler_init(struct rcr_sampler *s, int cpu)
{
	s->cpu = cpu;
	s->writer = &per_cpu(rcr_ring_writer, cpu);
	s->counters = &s->side[0];
	s->spare = &s->side[1];
	INIT_WORK(&s->slow_work, read_slow);
	rcr_hrtimer_setup(&s->timer, tick, CLOCK_MONOTONIC,
			  HRTIMER_MODE_ABS_PINNED_HARD);
}

/* On the sampler's own CPU, whose counters have been started for @run. */
void rcr_sampler_start(struct rcr_sampler *s, struct rcr_run *run)
{
	u64 now = ktime_get_ns();

	s->run = run;
	s->ring = run->ring[s->cpu].ring;
	if (s->generation == run->set.generation)
		rcr_grid_resume(&s->grid, now);
	else
		rcr_grid_start(&s->grid, run->timing.period,
			       run->timing.anchor, now, clock_offset(now));
	s->generation = run->set.generation;
	s->repair_at = jiffies;
	WRITE_ONCE(s->writer->stride, s->grid.stride);
	WRITE_ONCE(s->writer->running, true);
	rcr_cost_start(&s->cost, rdtsc());
	hrtimer_start(&s->timer, next_leg(s, now), HRTIMER_MODE_ABS_PINNED_HARD);
}

/* No tick comes any more, and what is read slowly is not kept. On its CPU, interrupts off. */
void rcr_sampler_stop(struct rcr_sampler *s)
{
	hrtimer_cancel(&s->timer);
	WRITE_ONCE(s->writer->running, false);
	s->counters->slow.fresh = false;
	s->counters->slow.serial++;
}

/* A stopped sampler reads nothing slow any more. May sleep. */
void rcr_sampler_flush(struct rcr_sampler *s)
{
	cancel_work_sync(&s->slow_work);
}

/*
 * Takes the spare counters, and the place in time that belongs to them: goes on
 * to the next run, or back to the one before. No tick runs.
 */
void rcr_sampler_swap(struct rcr_sampler *s)
{
	swap(s->counters, s->spare);
	swap(s->grid, s->grid_before);
	swap(s->generation, s->generation_before);
}
