// SPDX-License-Identifier: GPL-2.0-only
/*
 * cpu.c - one CPU: starts and stops sampling there, and goes from one run to the
 * next. All of it runs on that CPU, but for what is said of an offline one.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/topology.h>
#include <asm/tsc.h>

#include "cpu.h"
#include "cpus.h"
#include "sources.h"

/* What this CPU's side has to know of the CPU, whichever set it is for. */
static void introduce(const struct rcr_sampler *s, const struct rcr_counter_set *set,
		      struct rcr_cpu_counters *c)
{
	/* A look at slow counters may be under way, which this comes in between of. */
	WRITE_ONCE(c->mine, rcr_counter_set_owned(set, s->owns));
	c->node = s->node;
	c->package = topology_physical_package_id(s->cpu);
}

/* All that is slow has one time, and something of it has just been started. */
static void begin_slow(struct rcr_sampler *s, const struct rcr_counter_set *set)
{
	if (set->slow & s->counters->mine)
		rcr_sources_look_slow(set, s->counters);
}

/* The counters are programmed for @run: starts the timer. */
static void resume(struct rcr_sampler *s, struct rcr_run *run)
{
	begin_slow(s, &run->set);
	rcr_sampler_start(s, run);
	cpumask_set_cpu(s->cpu, &rcr_cpus.running);
}

/* No tick comes any more. Whether any came. */
static bool pause(struct rcr_sampler *s)
{
	if (!cpumask_test_and_clear_cpu(s->cpu, &rcr_cpus.running))
		return false;
	rcr_sampler_stop(s);
	/* What was read and not told is read again, or by another CPU. */
	s->counters->slow.fresh = false;
	return true;
}

/**
 * rcr_cpu_start() - programs the counters and starts the timer
 * @s: the CPU's sampler
 * @run: what to sample
 * @f: gets the reason when it fails
 *
 * A counter that cannot count yet is busy.
 *
 * Context: may sleep; also in a hotplug callback.
 * Return: 0, or -errno and nothing of ours is left there.
 */
int rcr_cpu_start(struct rcr_sampler *s, struct rcr_run *run, struct rcr_failure *f)
{
	int err;

	introduce(s, &run->set, s->counters);
	s->counters->pass.begin = rdtsc_ordered();
	err = rcr_sources_start(&run->set, s->counters, ~0u, false, f);
	if (err)
		rcr_sources_stop(&run->set, s->counters);
	else
		resume(s, run);
	return err;
}

/* Nothing of ours is left there. Context: may sleep; also in a hotplug callback. */
void rcr_cpu_stop(struct rcr_sampler *s)
{
	if (pause(s))
		rcr_sources_stop(&s->run->set, s->counters);
}

/* The units of a CPU that goes are others' now: it reads none of them. */
void rcr_cpu_let_go(struct rcr_sampler *s)
{
	s->owns = 0;
	if (rcr_cpus.run)
		introduce(s, &rcr_cpus.run->set, s->counters);
}

/**
 * rcr_cpu_take_over() - begins to read what another CPU has read that goes
 * @s: the sampler
 *
 * Context: an interrupt on that CPU: no tick comes between.
 */
void rcr_cpu_take_over(struct rcr_sampler *s)
{
	const struct rcr_counter_set *set;
	struct rcr_failure f = { };
	u32 before;

	if (!cpumask_test_cpu(s->cpu, &rcr_cpus.running))
		return;
	set = &s->run->set;
	before = s->counters->mine;
	introduce(s, set, s->counters);
	if (rcr_sources_start(set, s->counters, ~before, false, &f))
		pr_warn("CPU %d does not take over: %s\n", s->cpu, f.reason);
	begin_slow(s, set);
}

/**
 * rcr_cpu_rewrite() - programs again what is not as it should be
 * @s: the sampler, which runs
 * @which: the counters, bit n for counter n
 * @f: gets the reason when it fails
 *
 * Where that stops other counters no tick comes before they can tell the gap.
 *
 * Context: may sleep.
 * Return: 0, or -errno.
 */
int rcr_cpu_rewrite(struct rcr_sampler *s, u32 which, struct rcr_failure *f)
{
	struct rcr_run *run = s->run;
	bool paused = (run->set.interrupted & which) && pause(s);
	int err;

	err = rcr_sources_rewrite(&run->set, s->counters, which, f);
	if (paused)
		resume(s, run);
	return err;
}

/* What goes on in the next set moves there, or back, as it is: untouched. */
static void move_counter(struct rcr_cpu_counters *to, unsigned int i,
			 struct rcr_cpu_counters *from, unsigned int k)
{
	to->reading[i] = from->reading[k];
	to->saved[i] = from->saved[k];
	to->saved_upper[i] = from->saved_upper[k];
	to->event[i] = from->event[k];
	if (from->elsewhere & BIT(k))
		to->elsewhere |= BIT(i);
	from->saved[k].taken = false;
	from->saved_upper[k].taken = false;
	from->event[k] = NULL;
}

static void inherit(const struct rcr_sampler *s, const struct rcr_counter_set *next)
{
	struct rcr_cpu_counters *to = s->spare, *from = s->counters;
	unsigned int i;

	for (i = 0; i < next->count; i++)
		if (next->from[i] != RCR_FROM_NONE)
			move_counter(to, i, from, next->from[i]);
	introduce(s, next, to);
	to->disturbed = next->driven;
	to->pass = from->pass;
	to->slow_pass = from->slow_pass;
	to->faults = from->faults;
}

static void give_back(const struct rcr_counter_set *next,
		      struct rcr_cpu_counters *from, struct rcr_cpu_counters *to)
{
	unsigned int i;

	for (i = 0; i < next->count; i++)
		if (next->from[i] != RCR_FROM_NONE)
			move_counter(to, next->from[i], from, i);
	to->faults = from->faults;
}

/* Does nothing come and nothing go? */
static bool is_same(const struct rcr_run *old, const struct rcr_run *next)
{
	unsigned int i, same = 0;

	for (i = 0; i < next->set.count; i++)
		same += next->set.from[i] != RCR_FROM_NONE;
	return old && same == next->set.count && same == old->set.count;
}

static void tell_gaps(const struct rcr_run *run, struct rcr_cpu_counters *c)
{
	unsigned long which = run->set.interrupted;
	unsigned int i;

	for_each_set_bit(i, &which, RCR_MAX_COUNTERS)
		rcr_reading_interrupt(&c->reading[i]);
}

/* Takes the next set off, and goes on with the old one. */
static void go_back(struct rcr_sampler *s, struct rcr_run *old, struct rcr_run *next)
{
	struct rcr_failure f = { };

	give_back(&next->set, s->spare, s->counters);
	rcr_sources_stop(&next->set, s->spare);
	if (old && rcr_cpu_start(s, old, &f))
		pr_warn("CPU %d is not sampled any more: %s\n", s->cpu, f.reason);
	if (old && !is_same(old, next))
		tell_gaps(old, s->counters);
}

/**
 * rcr_cpu_change() - goes from the run that is sampled to the next one
 * @s: the CPU's sampler, its spare counters prepared for @next
 * @old: what is sampled, or NULL
 * @next: what is to be
 * @f: gets the reason when it fails
 *
 * Context: may sleep.
 * Return: 0, or -errno and @old goes on.
 */
int rcr_cpu_change(struct rcr_sampler *s, struct rcr_run *old, struct rcr_run *next,
		   struct rcr_failure *f)
{
	int err;

	pause(s);
	inherit(s, &next->set);
	if (old)
		rcr_sources_stop(&old->set, s->counters);
	else
		s->spare->pass.begin = rdtsc_ordered();
	err = rcr_sources_start(&next->set, s->spare, ~0u, true, f);
	if (err) {
		go_back(s, old, next);
		return err;
	}
	rcr_sampler_swap(s);
	if (!is_same(old, next))
		tell_gaps(next, s->counters);
	resume(s, next);
	return 0;
}

/* Undoes rcr_cpu_change(): another CPU could not. May sleep. */
void rcr_cpu_change_back(struct rcr_sampler *s, struct rcr_run *old,
			 struct rcr_run *next)
{
	pause(s);
	rcr_sampler_swap(s);
	go_back(s, old, next);
}

/* The same for an offline CPU, from another one: it has totals, and no more. */
void rcr_cpu_change_absent(struct rcr_sampler *s, const struct rcr_run *next)
{
	inherit(s, &next->set);
	rcr_sampler_swap(s);
}

void rcr_cpu_change_back_absent(struct rcr_sampler *s, const struct rcr_run *next)
{
	rcr_sampler_swap(s);
	give_back(&next->set, s->spare, s->counters);
}
