// SPDX-License-Identifier: GPL-2.0-only
/*
 * percpu.c - start, change and stop sampling on one CPU. Called on any CPU; code that must run
 * on that CPU runs there in an interrupt.
 */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/smp.h>
#include <linux/topology.h>
#include <asm/tsc.h>

#include "percpu.h"
#include "cpus.h"
#include "source/source.h"

/* Set the fields of a CPU's state that depend on the set and on the CPU. */
static void prepare_counters(const struct rcr_sampler *s, const struct rcr_counter_set *set,
			     struct rcr_cpu_counters *c)
{
	rcr_sources_prepare(set, c, rcr_counter_set_owned(set, s->owns));
	c->node = s->node;
	c->package = topology_physical_package_id(s->cpu);
}

/**
 * struct request - work for a CPU in an interrupt
 * @s: its sampler
 * @old: the sampled run, or NULL
 * @next: the next run
 * @set: the set whose counters are programmed or restored
 * @side: state of that set
 * @which: the counters, bit n for counter n
 * @slow: snapshot of the slow counters
 * @failure: filled in on failure
 * @err: 0, or -errno
 *
 * Work items are not used: a CPU that a real-time task keeps busy runs none. Interrupts are off
 * for one counter at a time, or while the counters of one unit are restored.
 */
struct request {
	struct rcr_sampler *s;
	struct rcr_run *old;
	struct rcr_run *next;
	const struct rcr_counter_set *set;
	struct rcr_cpu_counters *side;
	u32 which;
	struct rcr_slow_snapshot slow;
	struct rcr_failure *failure;
	int err;
};

static int call_on_cpu(smp_call_func_t what, struct request *r)
{
	int err = smp_call_function_single(r->s->cpu, what, r, true);

	return err ?: r->err;
}

/* Call @what for each counter of @mask in turn. Return: 0, or the latest error. */
static int call_for_each(smp_call_func_t what, struct request *r, unsigned long mask)
{
	unsigned int i;
	int err = 0;

	for_each_set_bit(i, &mask, RCR_MAX_COUNTERS) {
		r->which = BIT(i);
		r->err = 0;
		err = call_on_cpu(what, r) ?: err;
	}
	return err;
}

/*
 * Program counters that do not run yet, unless a reboot is in progress. Runs in an interrupt,
 * like the restoration in rcr_cpu_shutdown(), which serializes the two.
 */
static void program_here(void *arg)
{
	struct request *r = arg;

	r->err = READ_ONCE(rcr_cpus.down) ?
		 rcr_fail(r->failure, -EAGAIN, RCR_REASON_SHUTTING_DOWN) :
		 rcr_sources_start(r->set, r->side, r->which, r->failure);
}

static int program_counters(struct rcr_sampler *s, const struct rcr_counter_set *set,
			    struct rcr_cpu_counters *c, struct rcr_failure *f)
{
	struct request r = { .s = s, .set = set, .side = c, .failure = f };

	return call_for_each(program_here, &r, c->owned);
}

static void restore_here(void *arg)
{
	struct request *r = arg;

	rcr_msr_stop(r->set, r->side, r->which);
}

/* Counters that are programmed, bit n for counter n. */
static u32 programmed_counters(const struct rcr_cpu_counters *c)
{
	unsigned int i;
	u32 which = 0;

	for (i = 0; i < RCR_MAX_COUNTERS; i++)
		if (READ_ONCE(c->saved[i].taken))
			which |= BIT(i);
	return which;
}

/*
 * Restore the programmed counters, one unit at a time: the source needs to know all counters of
 * the unit, as some may continue. The set may be NULL if no counter is programmed.
 */
static void restore_registers(struct rcr_sampler *s, struct rcr_cpu_counters *c)
{
	struct request r = { .s = s, .side = c };
	u32 rest = programmed_counters(c);
	unsigned int first, i;

	smp_rmb();	/* Pairs with inherit_counters(): a programmed counter has a set. */
	while (rest) {
		r.set = READ_ONCE(c->set);
		r.which = 0;
		first = __ffs(rest);
		for (i = 0; i < r.set->count; i++)
			if (r.set->box_of[i] == r.set->box_of[first])
				r.which |= BIT(i);
		call_on_cpu(restore_here, &r);
		rest &= ~(r.which | BIT(first));
	}
}

/* Forget counters that could not be restored, because their set is about to be freed. */
static void drop_saved(struct rcr_cpu_counters *c)
{
	unsigned int i;

	for (i = 0; i < RCR_MAX_COUNTERS; i++) {
		WRITE_ONCE(c->saved[i].taken, false);
		c->saved_upper[i].taken = false;
	}
}

/* Give up the saved registers of a run that ends. */
void rcr_cpu_drop_saved(struct rcr_sampler *s)
{
	drop_saved(s->counters);
	drop_saved(s->spare);
}

static void begin_slow_here(void *arg)
{
	struct request *r = arg;

	r->side->slow.serial++;
	rcr_sources_begin_slow(r->set, r->side, &r->slow);
}

static void read_slow_here(void *arg)
{
	struct request *r = arg;

	rcr_sources_read_slow(r->set, r->side, r->which, &r->slow);
}

static void end_slow_here(void *arg)
{
	struct request *r = arg;

	rcr_sources_end_slow(r->side, &r->slow);
}

/* All slow counters share one time, and some of them have just been started. */
static void read_slow_counters(struct rcr_sampler *s, const struct rcr_counter_set *set,
			       struct rcr_cpu_counters *c)
{
	struct request r = { .s = s, .set = set, .side = c };
	u32 slow = set->slow & c->owned;

	if (!slow)
		return;
	call_on_cpu(begin_slow_here, &r);
	call_for_each(read_slow_here, &r, slow);
	call_on_cpu(end_slow_here, &r);
}

/* The counters are programmed for @run: start the timer. */
static void resume_ticks(struct rcr_sampler *s, struct rcr_run *run)
{
	rcr_sampler_start(s, run);
	cpumask_set_cpu(s->cpu, &rcr_cpus.running);
}

/* Stop the ticks. Return: true if they were running. */
static bool pause_ticks(struct rcr_sampler *s)
{
	if (!cpumask_test_and_clear_cpu(s->cpu, &rcr_cpus.running))
		return false;
	rcr_sampler_stop(s);
	return true;
}

static void pause_here(void *arg)
{
	struct request *r = arg;

	r->which = pause_ticks(r->s);
}

/* Fails during a reboot, when no counter is programmed. */
static void resume_here(void *arg)
{
	struct request *r = arg;

	if (READ_ONCE(rcr_cpus.down))
		r->err = -EAGAIN;
	else
		resume_ticks(r->s, r->next);
}

/* Program the missing counters of the run and continue its ticks. */
static int continue_run(struct rcr_sampler *s, struct rcr_run *run, struct rcr_failure *f)
{
	struct request r = { .s = s, .next = run, .failure = f };
	int err = program_counters(s, &run->set, s->counters, f);

	read_slow_counters(s, &run->set, s->counters);
	return call_on_cpu(resume_here, &r) ?: err;
}

/* @old: a run for which some counters of @run are still programmed; or NULL. */
static int start_run(struct rcr_sampler *s, struct rcr_run *old, struct rcr_run *run,
		     struct rcr_failure *f)
{
	struct request r = { .s = s, .next = run, .failure = f };
	int err;

	prepare_counters(s, &run->set, s->counters);
	err = rcr_perf_events_create(&run->set, s->counters, s->cpu, false, f);
	/* Returned counters continue from their last value, so their time span does, too. */
	if (!old)
		s->counters->pass.begin = rdtsc_ordered();
	if (!err)
		err = program_counters(s, &run->set, s->counters, f);
	if (!err) {
		read_slow_counters(s, &run->set, s->counters);
		err = call_on_cpu(resume_here, &r);
	}
	if (err) {
		restore_registers(s, s->counters);
		rcr_perf_events_destroy(&run->set, s->counters);
	}
	return err;
}

/**
 * rcr_cpu_start() - program the counters and start the timer
 * @s: sampler of the CPU
 * @run: the run to sample
 * @f: filled in on failure
 *
 * A counter that another tool holds is busy.
 *
 * Context: may sleep; also in a hotplug callback of that CPU.
 * Return: 0, or -errno and no register is programmed.
 */
int rcr_cpu_start(struct rcr_sampler *s, struct rcr_run *run, struct rcr_failure *f)
{
	return start_run(s, NULL, run, f);
}

/* Stop the ticks and restore all registers. May sleep; also in a hotplug callback. */
void rcr_cpu_stop(struct rcr_sampler *s)
{
	struct request r = { .s = s };

	call_on_cpu(pause_here, &r);
	if (!r.which)
		return;
	restore_registers(s, s->counters);
	rcr_perf_events_destroy(&s->run->set, s->counters);
	rcr_sampler_end(s, s->run);
}

/**
 * rcr_cpu_shutdown() - restore all registers of a CPU for a reboot
 * @s: sampler of the CPU
 *
 * Includes registers that a change in progress has programmed. Events of perf remain.
 *
 * Context: may sleep.
 */
void rcr_cpu_shutdown(struct rcr_sampler *s)
{
	struct request r = { .s = s };

	call_on_cpu(pause_here, &r);
	restore_registers(s, s->counters);
	restore_registers(s, s->spare);
}

/* Stop reading the shared units of a CPU that goes offline: other CPUs become their owners. */
void rcr_cpu_release_units(struct rcr_sampler *s)
{
	s->owns = 0;
	if (rcr_cpus.run)
		prepare_counters(s, &rcr_cpus.run->set, s->counters);
}

/* Program a counter and add it to those that are read, without a tick in between. */
static void take_over_here(void *arg)
{
	struct request *r = arg;
	struct rcr_cpu_counters *c = r->side;

	if (!cpumask_test_cpu(r->s->cpu, &rcr_cpus.running) || READ_ONCE(rcr_cpus.down))
		return;
	/* A snapshot of the slow counters that is in progress lacks this counter. */
	c->slow.serial++;
	c->slow.fresh = false;
	rcr_sources_prepare(r->set, c, c->owned | r->which);
	r->err = rcr_sources_start(r->set, c, r->which, r->failure);
}

/**
 * rcr_cpu_take_over() - read the shared counters of a CPU that goes offline
 * @s: sampler of the new owner
 *
 * Context: may sleep; in a hotplug callback of the CPU that goes offline.
 */
void rcr_cpu_take_over(struct rcr_sampler *s)
{
	const struct rcr_counter_set *set = &rcr_cpus.run->set;
	struct rcr_cpu_counters *c = s->counters;
	struct rcr_failure f = { };
	struct request r = { .s = s, .set = set, .side = c, .failure = &f };

	if (call_for_each(take_over_here, &r, rcr_counter_set_owned(set, s->owns) & ~c->owned))
		pr_warn("CPU %d cannot take over shared counters: %s\n", s->cpu,
			rcr_failure_text(&f));
}

static void mark_gaps(const struct rcr_run *run, struct rcr_cpu_counters *c)
{
	unsigned long which = run->set.interrupted;
	unsigned int i;

	for_each_set_bit(i, &which, RCR_MAX_COUNTERS)
		rcr_reading_interrupt(c, i);
}

/* A changed filter of a unit causes a gap: no difference of totals spans both filters. */
static void mark_changed_filters(const struct rcr_counter_set *old,
				 const struct rcr_counter_set *next, struct rcr_cpu_counters *c)
{
	unsigned int i;

	for (i = 0; i < next->count; i++)
		if (next->from[i] != RCR_FROM_NONE &&
		    rcr_filter_differs(&old->reg[next->from[i]], &next->reg[i]))
			rcr_reading_interrupt(c, i);
}

static void rewrite_here(void *arg)
{
	struct request *r = arg;

	if (!READ_ONCE(rcr_cpus.down))
		r->err = rcr_msr_rewrite(r->set, r->side, r->which, r->failure);
}

/**
 * rcr_cpu_rewrite() - reprogram overwritten counters
 * @s: sampler of the CPU, which runs
 * @which: the counters, bit n for counter n
 * @f: filled in on failure
 *
 * If that stops other counters, ticks are paused until the gap of those is recorded.
 *
 * Context: may sleep.
 * Return: 0, or -errno.
 */
int rcr_cpu_rewrite(struct rcr_sampler *s, u32 which, struct rcr_failure *f)
{
	struct rcr_run *run = s->run;
	struct request r = { .s = s, .set = &run->set, .side = s->counters, .failure = f };
	bool paused = run->set.interrupted & which;
	int err;

	if (paused)
		call_on_cpu(pause_here, &r);
	err = rcr_perf_rewrite(r.set, s->counters, s->cpu, which, f);
	err = call_for_each(rewrite_here, &r, which & run->set.by[RCR_SOURCE_MSR]) ?: err;
	if (paused)
		err = continue_run(s, run, f) ?: err;
	return err;
}

/**
 * rcr_cpu_repair() - recreate core events that are on counters that cannot count them
 * @s: sampler of the CPU
 *
 * Context: may sleep.
 */
void rcr_cpu_repair(struct rcr_sampler *s)
{
	struct rcr_run *run = s->run;
	struct request r = { .s = s };
	struct rcr_failure f = { };

	if (!cpumask_test_cpu(s->cpu, &rcr_cpus.running) || !READ_ONCE(s->counters->misplaced))
		return;
	call_on_cpu(pause_here, &r);
	s->counters->misplaced = 0;
	rcr_perf_events_create(&run->set, s->counters, s->cpu, false, &f);
	mark_gaps(run, s->counters);
	continue_run(s, run, &f);
}

/* Move a counter that continues in the next set, or back, without touching its registers. */
static void move_counter(struct rcr_cpu_counters *to, unsigned int i,
			 struct rcr_cpu_counters *from, unsigned int k)
{
	to->reading[i] = from->reading[k];
	to->status[i] = from->status[k];
	atomic_andnot(BIT(i), &to->gaps);
	if (atomic_read(&from->gaps) & BIT(k))
		atomic_or(BIT(i), &to->gaps);
	if (from->broken & BIT(k))
		to->broken |= BIT(i);
	to->saved[i] = from->saved[k];
	to->saved_upper[i] = from->saved_upper[k];
	to->event[i] = from->event[k];
	to->tag[i] = from->tag[k];
	if (from->created & BIT(k))
		to->created |= BIT(i);
	if (from->elsewhere & BIT(k))
		to->elsewhere |= BIT(i);
	from->saved[k].taken = false;
	from->saved_upper[k].taken = false;
	from->created &= ~BIT(k);
	from->event[k] = NULL;
}

static void inherit_counters(const struct rcr_sampler *s, const struct rcr_counter_set *next)
{
	struct rcr_cpu_counters *to = s->spare, *from = s->counters;
	unsigned int i;

	to->set = next;
	smp_wmb();	/* Pairs with restore_registers(). */

	for (i = 0; i < next->count; i++)
		if (next->from[i] != RCR_FROM_NONE) {
			move_counter(to, i, from, next->from[i]);
			rcr_filter_forget(&next->reg[i], &to->saved[i]);
		}
	prepare_counters(s, next, to);
	to->paused = next->driven;
	to->pass = from->pass;
	to->changed = from->changed;
	to->slow_pass = from->slow_pass;
	to->faults = from->faults;
}

static void return_counters(const struct rcr_counter_set *next,
			    struct rcr_cpu_counters *from, struct rcr_cpu_counters *to)
{
	unsigned int i;

	for (i = 0; i < next->count; i++)
		if (next->from[i] != RCR_FROM_NONE)
			move_counter(to, next->from[i], from, i);
	to->ok = 0;
	to->changed = from->changed;
	to->faults = from->faults;
}

/* True if the next run has the same counters. */
static bool has_same_counters(const struct rcr_run *old, const struct rcr_run *next)
{
	return old && old->set.count == next->set.count &&
	       hweight32(next->set.kept) == next->set.count;
}

/* Remove the next set and continue the old one. */
static void revert_run(struct rcr_sampler *s, struct rcr_run *old, struct rcr_run *next)
{
	struct rcr_failure f = { };

	return_counters(&next->set, s->spare, s->counters);
	restore_registers(s, s->spare);
	drop_saved(s->spare);
	rcr_perf_events_destroy(&next->set, s->spare);
	if (old && start_run(s, old, old, &f)) {
		pr_warn("CPU %d is no longer sampled: %s\n", s->cpu, rcr_failure_text(&f));
		rcr_sampler_end(s, old);
	}
	if (old && !has_same_counters(old, next))
		mark_gaps(old, s->counters);
}

static void leave_here(void *arg)
{
	struct request *r = arg;

	pause_ticks(r->s);
	inherit_counters(r->s, &r->next->set);
	if (r->old)
		mark_changed_filters(&r->old->set, &r->next->set, r->s->spare);
	else
		r->s->spare->pass.begin = rdtsc_ordered();
}

static void enter_here(void *arg)
{
	struct request *r = arg;

	if (READ_ONCE(rcr_cpus.down)) {
		r->err = rcr_fail(r->failure, -EAGAIN, RCR_REASON_SHUTTING_DOWN);
		return;
	}
	rcr_sampler_swap(r->s);
	if (!has_same_counters(r->old, r->next))
		mark_gaps(r->next, r->s->counters);
	resume_ticks(r->s, r->next);
}

/* An offline CPU only keeps its totals. */
static void change_offline(struct rcr_sampler *s, const struct rcr_run *old,
			   struct rcr_run *next)
{
	inherit_counters(s, &next->set);
	if (old)
		rcr_run_carry_marks(old, next, s->cpu);
	rcr_sampler_swap(s);
	drop_saved(s->spare);
}

/**
 * rcr_cpu_change() - replace the sampled run on a CPU
 * @s: sampler of the CPU, its spare counters prepared for @next
 * @old: the sampled run, or NULL
 * @next: the next run
 * @f: filled in on failure
 *
 * Context: may sleep; under the hotplug lock.
 * Return: 0, or -errno and @old continues.
 */
int rcr_cpu_change(struct rcr_sampler *s, struct rcr_run *old, struct rcr_run *next,
		   struct rcr_failure *f)
{
	struct request r = { .s = s, .old = old, .next = next, .failure = f };
	int err;

	if (!cpu_online(s->cpu)) {
		change_offline(s, old, next);
		return 0;
	}
	call_on_cpu(leave_here, &r);
	if (old) {
		restore_registers(s, s->counters);
		rcr_perf_events_destroy(&old->set, s->counters);
		rcr_run_carry_marks(old, next, s->cpu);
	}
	err = rcr_perf_events_create(&next->set, s->spare, s->cpu, true, f);
	if (!err)
		err = program_counters(s, &next->set, s->spare, f);
	if (!err) {
		read_slow_counters(s, &next->set, s->spare);
		err = call_on_cpu(enter_here, &r);
	}
	if (err)
		revert_run(s, old, next);
	else
		drop_saved(s->spare);
	return err;
}

/* Undo rcr_cpu_change() because another CPU has failed. May sleep. */
void rcr_cpu_change_back(struct rcr_sampler *s, struct rcr_run *old,
			 struct rcr_run *next)
{
	struct request r = { .s = s };

	if (cpu_online(s->cpu)) {
		call_on_cpu(pause_here, &r);
		rcr_sampler_swap(s);
		revert_run(s, old, next);
	} else {
		rcr_sampler_swap(s);
		return_counters(&next->set, s->spare, s->counters);
	}
}
