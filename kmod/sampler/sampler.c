// SPDX-License-Identifier: GPL-2.0-only
/*
 * sampler.c - the tick: read counters and write a record, in hard interrupt.
 *
 * The timer runs on CLOCK_MONOTONIC and expires at points of the wall clock (see grid.c): an
 * absolute timer on CLOCK_REALTIME would not expire for as long as the clock is stepped back. The
 * timer expires at least once a second, so that a step is noticed soon at any period.
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

/* Defines the tracepoints here. */
#define CREATE_TRACE_POINTS
#include "trace.h"

#define LONGEST_SLEEP	((u64)NSEC_PER_SEC)

/* Longest interval between samples of an idle CPU. */
#define IDLE_LONGEST	(100ull * NSEC_PER_MSEC)

/* A 32-bit energy counter wraps after a minute or more. */
#define GUARD_INTERVAL	(20ull * NSEC_PER_SEC)

static s64 clock_offset(u64 monotonic)
{
	return ktime_to_ns(ktime_mono_to_real(monotonic)) - monotonic;
}

/* Begin a record and write the fields that all types share; @head: see struct rcr_head. */
static __always_inline struct rcr_record *begin_record(struct rcr_sampler *s,
						       const struct rcr_head *head, u64 tick,
						       u64 time)
{
	struct rcr_ring *ring = s->ring;
	struct rcr_record *r = rcr_ring_begin(ring);
	u64 *word = (u64 *)&r->item;

	WRITE_ONCE(word[0], head->word[0]);
	WRITE_ONCE(word[1], head->word[1]);
	WRITE_ONCE(r->position, ring->head);
	WRITE_ONCE(r->tick, tick);
	WRITE_ONCE(r->time, time);
	WRITE_ONCE(r->cgroup, rcr_current_cgroup());
	WRITE_ONCE(r->tgid, task_tgid_nr(current));
	WRITE_ONCE(r->spent, s->cost.sum);
	return r;
}

/*
 * Write a record of a change from @before to @after, without counters. Its time is the
 * promised lower bound, so it precedes the next sample.
 */
static void write_change(struct rcr_sampler *s, u16 type, u64 before, u64 after, s64 shift)
{
	u64 time = max(s->grid.last_due, s->ring->next), tsc = rdtsc_ordered();
	struct rcr_head head = s->head;
	struct rcr_record *r;

	head.item.type = type;
	r = begin_record(s, &head, s->grid.last_tick, time);
	WRITE_ONCE(r->tsc, tsc);
	WRITE_ONCE(r->tsc_end, tsc);
	WRITE_ONCE(r->late, 0);
	WRITE_ONCE(r->overruns, 0);
	WRITE_ONCE(r->skipped, 0);
	WRITE_ONCE(r->changes, s->changes);
	WRITE_ONCE(r->value[0], before);
	WRITE_ONCE(r->value[1], after);
	WRITE_ONCE(r->value[2], shift);
	rcr_ring_commit(s->ring);
}

/* Totals are kept in register units; convert energy to nJ, temperature to m°C. */
static u64 total_to_unit(const struct rcr_counter_set *set, unsigned int i, u64 total)
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

static noinline void write_scaled(struct rcr_record *r, const struct rcr_cpu_counters *c,
				  const struct rcr_counter_set *set)
{
	unsigned long scaled = set->scaled;
	unsigned int i;

	for_each_set_bit(i, &scaled, RCR_MAX_COUNTERS)
		WRITE_ONCE(r->value[i], total_to_unit(set, i, c->reading[i].total));
}

/* The statuses follow the totals. */
static __always_inline void write_statuses(struct rcr_record *r,
					   const struct rcr_cpu_counters *c, u32 count)
{
	u64 *word = &r->value[count];
	unsigned int i;

	for (i = 0; i < DIV_ROUND_UP(count, sizeof(u64)); i++)
		WRITE_ONCE(word[i], READ_ONCE(c->status_word[i]));
}

static void write_slow(struct rcr_record *r, const struct rcr_pass *pass,
		       const struct rcr_counter_set *set)
{
	struct rcr_slow *slow = (void *)r + rcr_ring_slow_offset(set->count);

	WRITE_ONCE(slow->tsc, pass->begin);
	WRITE_ONCE(slow->tsc_end, pass->end);
}

/* Queue the work item that reads the slow counters, once per slow period. */
static void queue_slow_read(struct rcr_sampler *s, u64 tick)
{
	u64 now = div_u64(tick, s->run->timing.slow);

	if (!(s->run->set.slow & s->counters->owned) || now == s->slow_tick)
		return;
	s->slow_tick = now;
	queue_work_on(s->cpu, system_highpri_wq, &s->slow_work);
}

/*
 * The sampler may be stopped, and its run end, in an interrupt at any time: the set is accessed
 * with interrupts off and only while that has not happened. Preemption is off, so that a
 * real-time task cannot delay an unload.
 */
static void read_slow(struct work_struct *work)
{
	struct rcr_sampler *s = container_of(work, struct rcr_sampler, slow_work);
	const struct rcr_counter_set *set = NULL;
	struct rcr_cpu_counters *c;
	struct rcr_slow_snapshot slow;
	unsigned long flags;

	preempt_disable();
	local_irq_save(flags);
	if (READ_ONCE(s->running) && s->cpu == smp_processor_id()) {
		set = &s->run->set;
		c = s->counters;
		rcr_sources_begin_slow(set, c, &slow);
	}
	local_irq_restore(flags);
	if (set) {
		rcr_sources_read_slow(set, c, ~0u, &slow);
		rcr_sources_end_slow(c, &slow);
	}
	preempt_enable();
}

/* Queue the work item that recreates misplaced events, at most twice a second. */
static noinline void queue_repair(struct rcr_sampler *s)
{
	if (time_before(jiffies, s->repair_at))
		return;
	s->repair_at = jiffies + HZ / 2;
	queue_work(system_unbound_wq, s->repair);
}

/* Parts of a sample that not every set has. */
static noinline void write_extra(struct rcr_sampler *s, struct rcr_record *r)
{
	const struct rcr_counter_set *set = &s->run->set;

	if (set->scaled)
		write_scaled(r, s->counters, set);
	if (set->slow) {
		write_slow(r, &s->counters->slow_pass, set);
		queue_slow_read(s, r->tick);
	}
}

/*
 * User address of the current thread. Its registers are at the top of its stack, also if the tick
 * interrupted user mode: the entry code copies them there. In a thread that never returns to user
 * mode (PF_IO_WORKER, PF_USER_WORKER) copy_thread() has made ip 0.
 */
static u64 user_pc(void)
{
	u64 pc = current->flags & PF_KTHREAD ? 0 : task_pt_regs(current)->ip;

	/* Addresses of the kernel would reveal where KASLR has put it. */
	return pc < TASK_SIZE_MAX ? pc : 0;
}

/* Write the place of the sample that is being written. */
static noinline void write_place(const struct rcr_sampler *s)
{
	/* Pairs with the cmpxchg() of rcr_ring_alloc_places(). Freed with the run only. */
	struct rcr_ring *places = READ_ONCE(s->run->ring[s->cpu].places);
	struct rcr_place *p;

	if (!places)
		return;
	/*
	 * Skip positions without a place: a reader finds another position in their slots. (B) of
	 * the protocol: a reader that sees this head also sees the places before it.
	 */
	smp_store_release(&places->head, s->ring->head);
	p = (struct rcr_place *)rcr_ring_begin(places);
	WRITE_ONCE(p->pc, user_pc());
	WRITE_ONCE(p->tid, task_pid_nr(current));
	WRITE_ONCE(p->position, places->head);
	rcr_ring_commit(places);
}

static __always_inline void write_sample(struct rcr_sampler *s, const struct rcr_tick *t, u64 now,
					 bool idle)
{
	struct rcr_cpu_counters *c = s->counters;
	struct rcr_record *r;

	r = begin_record(s, &s->head, t->tick, t->due);
	if (idle)
		WRITE_ONCE(r->item.flags, RCR_RECORD_IDLE);
	WRITE_ONCE(r->late, min_t(u64, now - t->due, U32_MAX));
	WRITE_ONCE(r->overruns, t->overruns);
	WRITE_ONCE(r->skipped, t->skipped);
	rcr_sources_read(&s->run->set, c, r->value);
	WRITE_ONCE(r->tsc, c->pass.begin);
	WRITE_ONCE(r->tsc_end, c->pass.end);
	if (unlikely(c->changed)) {
		c->changed = 0;
		s->changes++;
	}
	WRITE_ONCE(r->changes, s->changes);
	write_statuses(r, c, s->count);
	if (s->more)
		write_extra(s, r);
	if (unlikely(rcr_ring_is_asked()))
		write_place(s);
	s->read_at = now;
	rcr_ring_commit(s->ring);
	if (unlikely(t->due >= READ_ONCE(s->scales.due)))
		rcr_scales_mark(&s->scales, r);
	trace_sample(r, s->count);
	WRITE_ONCE(s->overruns, s->overruns + t->overruns);
	if (unlikely(c->misplaced))
		queue_repair(s);
}

/*
 * Read counters that may wrap before the next sample. There is no record; counters that were
 * not OK report a gap in the next sample.
 */
static void read_early(struct rcr_sampler *s, u64 now)
{
	const struct rcr_run *run = s->run;
	struct rcr_cpu_counters *c = s->counters;
	u32 were_usual = rcr_readings_ok(c);
	unsigned int i;

	s->read_at = now;
	if (run->set.slow & c->owned)
		queue_work_on(s->cpu, system_highpri_wq, &s->slow_work);
	/* The totals are not needed; they go to an array that has already been evaluated. */
	rcr_sources_read(&run->set, c, c->snapshot.now);
	for (i = 0; i < run->set.count; i++)
		if (!(were_usual & c->ok & BIT(i)))
			rcr_reading_interrupt(c, i);
}

static noinline void step_clock(struct rcr_sampler *s, s64 offset)
{
	s64 before = s->grid.offset, shift = rcr_grid_step(&s->grid, offset, s->ring->next);

	write_change(s, RCR_ITEM_CLOCK, before, offset, shift);
}

/* Change the stride once per window if the budget requires or allows it. */
static noinline void keep_budget(struct rcr_sampler *s, u64 tsc)
{
	const struct rcr_timing *timing = &s->run->timing;
	u32 stride = rcr_cost_stride(&s->cost, tsc, timing->window, timing->budget_ppm,
				     s->grid.stride);

	if (stride == s->grid.stride)
		return;
	write_change(s, RCR_ITEM_STRIDE, s->grid.stride, stride, 0);
	rcr_grid_set_stride(&s->grid, stride);
}

/* True if this CPU reads a counter that it shares with other CPUs. */
static bool reads_for_others(const struct rcr_sampler *s)
{
	const struct rcr_counter_set *set = &s->run->set;
	unsigned int i;

	for (i = 0; i < set->count; i++)
		if (set->counter[i].scope != RCR_SCOPE_CPU &&
		    s->counters->status[i] != RCR_STATUS_ELSEWHERE)
			return true;
	return false;
}

/* Double the interval of an idle CPU with each sample, up to a limit. */
static noinline void skip_idle(struct rcr_sampler *s, bool idle)
{
	if (!idle || reads_for_others(s)) {
		s->idle_stride = 1;
		return;
	}
	s->idle_stride = min(2 * s->idle_stride, s->idle_most);
	rcr_grid_skip(&s->grid, s->idle_stride);
}

/* Time of the next tick, or of the end of the longest sleep, CLOCK_MONOTONIC in ns. */
static u64 next_expiry(const struct rcr_sampler *s, u64 now)
{
	u64 due = s->grid.due, longest = now + LONGEST_SLEEP;

	return unlikely((s64)(due - longest) > 0) ? longest : due;
}

/* No record is written before the timer expires. */
static void set_expiry(struct rcr_sampler *s, u64 leg)
{
	hrtimer_set_expires(&s->timer, ns_to_ktime(leg));
	rcr_ring_promise(s->ring, leg);
}

static enum hrtimer_restart sampler_tick(struct hrtimer *timer)
{
	struct rcr_sampler *s = container_of(timer, struct rcr_sampler, timer);
	u64 begin = rdtsc(), now = ktime_get_ns();
	bool idle = is_idle_task(current);
	s64 offset = clock_offset(now);
	struct rcr_tick t;

	/* The timer migrated here from a CPU that went offline, whose registers are not here. */
	if (unlikely(s->cpu != smp_processor_id()))
		return HRTIMER_NORESTART;

	if (likely(rcr_grid_tick(&s->grid, now, &t))) {
		write_sample(s, &t, now, idle);
		if (rcr_cost_is_due(&s->cost, begin, s->window))
			keep_budget(s, begin);
		if (s->idle_most)
			skip_idle(s, idle);
		rcr_ring_wake(t.due, now);
	} else {
		if (now - s->read_at > GUARD_INTERVAL)
			read_early(s, now);
		rcr_ring_wake(now, now);
	}
	if (unlikely(offset != s->grid.offset))
		step_clock(s, offset);
	set_expiry(s, next_expiry(s, now));
	rcr_cost_add(&s->cost, begin, rdtsc());
	return HRTIMER_RESTART;
}

/**
 * rcr_timing_limit_slow() - set a lower bound of the slow period
 * @t: the timing
 * @period: ns; rounded up to a multiple of the period
 */
void rcr_timing_limit_slow(struct rcr_timing *t, u64 period)
{
	t->slow = max_t(u64, t->slow, DIV64_U64_ROUND_UP(period, t->period));
}

/**
 * rcr_timing_init() - set the sampling times of all CPUs
 * @t: filled in; tick 0 is the latest grid point
 * @period: ns
 * @slow_period: interval of slow counters, ns; rounded up to a multiple of @period
 * @phase: offset of the grid from multiples of @period on the wall clock, ns
 * @budget_ppm: limit of the time spent in ticks, millionths; 0: none
 * @idle_skip: sample idle CPUs less often
 */
void rcr_timing_init(struct rcr_timing *t, u64 period, u64 slow_period, u64 phase,
		     u32 budget_ppm, bool idle_skip)
{
	u64 now = ktime_get_ns();

	t->period = period;
	t->phase = phase;
	t->anchor = rcr_grid_anchor(period, now, clock_offset(now), phase);
	t->slow = 0;
	rcr_timing_limit_slow(t, slow_period);
	t->window = (u64)tsc_khz * 100;		/* 100 ms */
	t->budget_ppm = budget_ppm;
	t->idle_most = idle_skip && 2 * period <= IDLE_LONGEST ?
		       div64_u64(IDLE_LONGEST, period) : 0;
}

/**
 * rcr_sampler_init() - initialize a stopped sampler
 * @s: the sampler, zeroed
 * @cpu: its CPU
 * @overhead: cost of a tick's interrupt outside its callback, TSC cycles
 */
void rcr_sampler_init(struct rcr_sampler *s, int cpu, u64 overhead)
{
	s->cpu = cpu;
	s->cost.overhead = overhead;
	s->counters = &s->side[0];
	s->spare = &s->side[1];
	INIT_WORK(&s->slow_work, read_slow);
	rcr_hrtimer_setup(&s->timer, sampler_tick, CLOCK_MONOTONIC,
			  HRTIMER_MODE_ABS_PINNED_HARD);
}

/* True if a counter is new in the set; @from is valid until the set runs on all CPUs. */
static bool has_new_counter(const struct rcr_counter_set *set)
{
	unsigned int i;

	for (i = 0; i < set->count; i++)
		if (set->from[i] == RCR_FROM_NONE)
			return true;
	return false;
}

/* Copy fields of the run that a tick needs, so that it reads memory of its own node only. */
static void prepare_ticks(struct rcr_sampler *s, struct rcr_run *run)
{
	s->run = run;
	s->ring = run->ring[s->cpu].ring;
	s->head.item = (struct rcr_item){
		.size = run->record_size, .type = RCR_ITEM_SAMPLE, .cpu = s->cpu,
		.generation = run->set.generation,
	};
	s->count = run->set.count;
	s->more = run->set.scaled || run->set.slow;
	s->window = run->timing.window;
	s->idle_most = run->timing.idle_most;
	s->idle_stride = 1;
	rcr_scales_begin(&s->scales, s->cpu, run->ring[s->cpu].marks, has_new_counter(&run->set));
}

/* Start the ticks. Called on the sampler's CPU after its counters have been started for @run. */
void rcr_sampler_start(struct rcr_sampler *s, struct rcr_run *run)
{
	u64 now = ktime_get_ns(), promised;
	bool returns;

	prepare_ticks(s, run);
	returns = s->ring->next == RCR_RING_NEVER;
	/* The next record must not be earlier than the time promised to readers. */
	promised = returns ? s->promised : s->ring->next;
	if (s->generation == run->set.generation)
		rcr_grid_resume(&s->grid, max(now, promised - 1));
	else
		rcr_grid_start(&s->grid, run->timing.period,
			       run->timing.anchor, now, clock_offset(now),
			       run->timing.phase);
	s->generation = run->set.generation;
	s->repair_at = jiffies;
	WRITE_ONCE(s->running, true);
	rcr_cost_start(&s->cost, rdtsc());
	set_expiry(s, next_expiry(s, now));
	/* Pairs with has_returned() in stream/order.c. */
	if (returns)
		atomic_inc_return_release(&rcr_ring_returns);
	hrtimer_start_expires(&s->timer, HRTIMER_MODE_ABS_PINNED_HARD);
}

/*
 * Stop the ticks, and drop a slow snapshot that is in progress. Readers still wait for the next
 * record. Called on the sampler's CPU, interrupts off.
 */
void rcr_sampler_stop(struct rcr_sampler *s)
{
	hrtimer_cancel(&s->timer);
	WRITE_ONCE(s->running, false);
	s->counters->slow.fresh = false;
	s->counters->slow.serial++;
}

/**
 * rcr_sampler_end() - let readers no longer wait for a stopped sampler
 * @s: the sampler
 * @run: the run that it has sampled
 *
 * Context: may sleep.
 */
void rcr_sampler_end(struct rcr_sampler *s, struct rcr_run *run)
{
	s->run = run;
	s->ring = run->ring[s->cpu].ring;
	s->promised = s->ring->next;
	rcr_ring_promise(s->ring, RCR_RING_NEVER);
	rcr_ring_wake_all();
}

/* Wait for the slow work item of a stopped sampler. May sleep. */
void rcr_sampler_flush(struct rcr_sampler *s)
{
	cancel_work_sync(&s->slow_work);
}

/*
 * Exchange the counters and the grid with the spare ones, for the next run or back to the
 * previous one. No tick runs.
 */
void rcr_sampler_swap(struct rcr_sampler *s)
{
	swap(s->counters, s->spare);
	swap(s->grid, s->grid_before);
	swap(s->generation, s->generation_before);
}
