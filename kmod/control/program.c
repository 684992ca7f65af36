// SPDX-License-Identifier: GPL-2.0-only
/*
 * program.c - programs a set: allocates a run for it, and switches from the present run to that
 * one, on all CPUs or on none.
 *
 * Callers are serialized by control.c.
 */
#include <linux/bits.h>
#include <linux/math64.h>
#include <linux/perf_event.h>
#include <linux/string.h>

#include "cpu/cpus.h"
#include "params.h"
#include "hw/hw.h"
#include "program.h"
#include "source/source.h"

static struct rcr_machine detected;
static const struct rcr_machine *machine;	/* NULL: unknown CPU */
static bool hidden;			/* the family is known, but its counters are hidden */
static struct rcr_run *paused;		/* the run before a suspend, a reference */

/*
 * The run that follows the present one, allocated together with it: a set must end without
 * memory, as its holder may have been killed for lack of it.
 */
static struct rcr_run *idle;

static int no_pmu(struct rcr_failure *f)
{
	if (hidden)
		return rcr_fail(f, -ENODEV, RCR_REASON_HIDDEN);
	return rcr_fail_with(f, -ENODEV, RCR_REASON_UNKNOWN_CPU, "%s", RCR_VERSION);
}

/*
 * auto: perf for events that only the kernel counts, and for those of a core if the kernel has a
 * driver, so that its other users keep their counters; msr for all others.
 */
static enum rcr_source_id choose_source(const struct rcr_event *e)
{
	if (rcr_params.source != RCR_SOURCES)
		return rcr_params.source;
	if (!rcr_event_is_hardware(e))
		return RCR_SOURCE_PERF;
	return rcr_event_is_core(e) && rcr_source_perf_serves_core() ?
	       RCR_SOURCE_PERF : RCR_SOURCE_MSR;
}

static void set_events(struct rcr_counter_set *set, const struct rcr_plan *plan)
{
	unsigned int i;

	set->count = plan->count;
	memcpy(set->event, plan->event, plan->count * sizeof(*plan->event));
	if (plan->only != RCR_ALL_NEW)
		set->event[plan->only] = *plan->instead;
	for (i = 0; i < plan->count; i++) {
		set->by[choose_source(&set->event[i])] |= BIT(i);
		if (set->event[i].slow)
			set->slow |= BIT(i);
	}
}

/* Free a run that has no reader yet, and for which nothing is programmed. */
static void begin_run(struct rcr_run *run, const struct rcr_plan *plan)
{
	run->set.machine = machine;
	run->set.generation = plan->generation;
	run->set.spare = plan->spare ?: rcr_params.spare;
	run->set.restores = plan->restores;
	run->set.is_default = plan->is_default;
	rcr_timing_init(&run->timing, plan->period,
			(u64)rcr_params.slow_period_us * NSEC_PER_USEC,
			(u64)rcr_params.offset_us * NSEC_PER_USEC, rcr_params.budget_ppm,
			rcr_params.idle_skip);
}

static struct rcr_run *make_run(const struct rcr_plan *plan)
{
	struct rcr_run *run = rcr_run_alloc();

	if (run)
		begin_run(run, plan);
	return run;
}

static bool have_idle(void)
{
	if (!idle)
		idle = rcr_run_alloc();
	return idle;
}

static int no_memory(struct rcr_failure *f)
{
	return rcr_fail_with(f, -ENOMEM, RCR_REASON_NO_MEMORY_RINGS, "%u",
			     cpumask_weight(&rcr_params.cpus));
}

/* The present set, some of whose counters may continue untouched; or NULL. */
static const struct rcr_counter_set *set_before(void)
{
	return rcr_cpus.run ? &rcr_cpus.run->set : NULL;
}

/* One event is replaced by another of the same CPUs: no other may move. */
static int check_moves(const struct rcr_run *run, const struct rcr_plan *plan,
		       struct rcr_failure *f)
{
	unsigned int i = plan->only;

	if (run->set.counter[i].scope != rcr_cpus.run->set.counter[i].scope)
		return rcr_fail_with(f, -EINVAL, RCR_REASON_OTHER_SCOPE, "%s%s",
				     plan->instead->name, rcr_cpus.run->set.event[i].name);
	for (i = 0; i < plan->count; i++)
		if (i != plan->only && run->set.from[i] == RCR_FROM_NONE)
			return rcr_fail_with(f, -ENOSPC, RCR_REASON_OTHERS_MOVE, "%s%s",
					     plan->instead->name, plan->event[i].name);
	return 0;
}

/* A default set may have found fewer spare counters: a set that is no larger may keep as few. */
static void keep_spare(struct rcr_counter_set *set, const struct rcr_counter_set *before)
{
	if (before && before->spare < set->spare && before->interrupted &&
	    hweight32(set->interrupted) <= hweight32(before->interrupted))
		set->spare = before->spare;
}

/*
 * Frequent readings of energy reveal what a program computes (PLATYPUS, Lipp et al., 2021), so it
 * is read outside of the tick, as rarely as the administrator wants.
 */
static void limit_energy(struct rcr_run *run)
{
	u64 least = (u64)rcr_params.energy_period_us * NSEC_PER_USEC;
	struct rcr_counter_set *set = &run->set;
	u32 energy = 0;
	unsigned int i;

	for (i = 0; i < set->count; i++)
		if (set->counter[i].unit == RCR_UNIT_NANOJOULE)
			energy |= BIT(i);
	if (run->timing.period < least)
		set->slow |= energy;
	if (set->slow & energy)
		rcr_timing_limit_slow(&run->timing, least);
}

static int fill_run(struct rcr_run *run, const struct rcr_plan *plan,
		    struct rcr_failure *f)
{
	const struct rcr_counter_set *before = set_before();
	int err;

	set_events(&run->set, plan);
	if (!plan->count || (!machine && run->set.by[RCR_SOURCE_MSR]))
		return no_pmu(f);
	err = rcr_sources_build(&run->set, before, f);
	if (err)
		return err;
	limit_energy(run);
	rcr_counter_set_inherit(&run->set, before);
	keep_spare(&run->set, before);
	if (plan->only != RCR_ALL_NEW)
		err = check_moves(run, plan, f);
	if (!err && rcr_run_alloc_rings(run, &rcr_params.cpus, rcr_params.ring_records))
		err = no_memory(f);
	return err;
}

static void announce(const struct rcr_run *run)
{
	const char *note = rcr_sources_note(&run->set);

	pr_info("%u events on CPUs %*pbl every %llu us, source=%s%s%s\n",
		run->set.count, cpumask_pr_args(&rcr_cpus.running),
		div_u64(run->timing.period, NSEC_PER_USEC),
		rcr_sources_name(&run->set), note ? ": " : "", note ?: "");
}

/*
 * Replace the present run by @run. On failure the present one continues: a counter that is in
 * both was not touched, any other one reports a gap.
 */
static int change_run(struct rcr_run *run, bool ask, struct rcr_failure *f)
{
	const struct rcr_counter_set *before = set_before();
	int err;

	err = rcr_sources_reserve(&run->set, before, f);
	if (err)
		return err;
	err = rcr_cpus_change(run, ask, f);
	if (err) {
		rcr_msr_release(&run->set, before);
		return err;
	}
	if (before)
		rcr_msr_release(before, &run->set);
	rcr_run_publish(run);
	announce(run);
	return 0;
}

/* Detect the counters of this machine. */
void rcr_program_init(void)
{
	rcr_source_perf_init();
	machine = rcr_machine_detect(&detected, &hidden) ? &detected : NULL;
}

/* Stop the present run, and restore all registers. */
static void stop_run(struct rcr_run *run)
{
	if (!run)
		return;
	rcr_cpus_stop();
	rcr_msr_release(&run->set, NULL);
}

/* Free all runs. Context: no reader is left; may sleep. */
void rcr_program_exit(void)
{
	stop_run(rcr_cpus.run);
	rcr_run_put(paused);
	paused = NULL;
	rcr_run_publish(NULL);
	rcr_run_put(idle);
	idle = NULL;
	rcr_machine_release();
}

/* The source that the administrator has selected. */
const char *rcr_program_policy(void)
{
	return rcr_params.source == RCR_SOURCES ? "auto" : rcr_source_name(rcr_params.source);
}

/* The default set of a machine that hides its counters, as virtual machines do. */
static const struct rcr_event software_default[] = {
	{ .name = "CPU_CLOCK", .kind = RCR_EVENT_SOFTWARE,
	  .event = PERF_COUNT_SW_CPU_CLOCK },
	{ .name = "CONTEXT_SWITCHES", .kind = RCR_EVENT_SOFTWARE,
	  .event = PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ .name = "PAGE_FAULTS", .kind = RCR_EVENT_SOFTWARE,
	  .event = PERF_COUNT_SW_PAGE_FAULTS },
};

/**
 * rcr_program_default() - the default set of this machine
 * @event: filled in, RCR_MAX_COUNTERS entries
 *
 * Return: number of events; 0 for an unknown CPU, which is inert until a set is finalized.
 */
unsigned int rcr_program_default(struct rcr_event *event)
{
	if (machine) {
		const struct rcr_family *family = machine->family;

		memcpy(event, family->default_event, sizeof(family->default_event));
		return rcr_family_defaults(family);
	}
	if (!hidden || rcr_params.source == RCR_SOURCE_MSR)
		return 0;
	memcpy(event, software_default, sizeof(software_default));
	return ARRAY_SIZE(software_default);
}

/**
 * rcr_program_running() - the present set
 * @event: set to its events, valid until the next change
 *
 * Return: number of events.
 */
unsigned int rcr_program_running(const struct rcr_event **event)
{
	const struct rcr_run *run = rcr_cpus.run;

	*event = run ? run->set.event : NULL;
	return run ? run->set.count : 0;
}

/**
 * rcr_program_find() - finds a counter of the present set
 * @name: its name
 *
 * Return: its number, or -ENOENT.
 */
int rcr_program_find(const char *name)
{
	const struct rcr_event *event;
	unsigned int i, count = rcr_program_running(&event);

	for (i = 0; i < count; i++)
		if (!strcmp(event[i].name, name))
			return i;
	return -ENOENT;
}

/* Is this event in the present set, under the same name? */
bool rcr_program_counts(const struct rcr_event *e)
{
	return rcr_counter_set_find(set_before(), e) != RCR_FROM_NONE;
}

/**
 * rcr_program_knows() - checks whether this machine has the unit of an event
 * @e: the event
 * @f: filled in on failure
 *
 * Return: 0, also on an unknown machine; -EINVAL: it has not, or the event is a meter of our own
 * PMU.
 */
int rcr_program_knows(const struct rcr_event *e, struct rcr_failure *f)
{
	if (!rcr_event_is_hardware(e))
		return rcr_source_perf_check(e, f);
	if (!machine || rcr_machine_box(machine, e))
		return 0;
	return rcr_counter_set_no_unit(machine, e, f);
}

/**
 * rcr_program_where() - finds the counters of this machine that can count an event
 * @e: the event
 * @counters: bit n for counter n, bit 32 + n for fixed counter n; 0 for an event that the kernel
 *	counts
 * @f: filled in on failure
 *
 * Return: 0; -ENODEV without known counters, -EINVAL: there is none.
 */
int rcr_program_where(const struct rcr_event *e, u64 *counters,
		      struct rcr_failure *f)
{
	struct rcr_demand demand = { };
	int err;

	*counters = 0;
	if (!rcr_event_is_hardware(e))
		return 0;
	if (!machine)
		return no_pmu(f);
	err = rcr_counter_set_demand(machine, e, &demand, f);
	*counters = (demand.allowed & (BIT(RCR_FIXED_FIRST) - 1)) |
		    (u64)(demand.allowed >> RCR_FIXED_FIRST) << 32;
	return err;
}

/**
 * rcr_program_fits() - checks whether events could be counted together
 * @plan: the events
 * @f: filled in on failure
 *
 * Nothing is programmed, so limits that the kernel applies only to real events are not checked.
 *
 * Context: may sleep.
 * Return: 0, or -errno.
 */
int rcr_program_fits(const struct rcr_plan *plan, struct rcr_failure *f)
{
	struct rcr_run *run = make_run(plan);
	int err;

	if (!run)
		return rcr_fail(f, -ENOMEM, RCR_REASON_NO_MEMORY);
	set_events(&run->set, plan);
	err = rcr_sources_build(&run->set, set_before(), f);
	rcr_run_put(run);
	return err;
}

/**
 * rcr_program_set() - programs a set
 * @plan: the events; those that are counted already continue, all others begin at 0
 * @f: filled in on failure
 *
 * On failure the present set continues.
 *
 * Context: may sleep.
 * Return: 0, or -errno.
 */
int rcr_program_set(const struct rcr_plan *plan, struct rcr_failure *f)
{
	struct rcr_run *run = have_idle() ? make_run(plan) : NULL;
	int err;

	if (!run)
		return no_memory(f);
	err = fill_run(run, plan, f);
	if (!err)
		err = change_run(run, !plan->restores, f);
	if (err)
		rcr_run_put(run);
	return err;
}

/**
 * rcr_program_nothing() - stops counting, and restores all registers
 * @plan: generation and period
 * @why: the reason, for readers
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM, only if nothing was counted before.
 */
int rcr_program_nothing(const struct rcr_plan *plan,
			const struct rcr_failure *why)
{
	struct rcr_run *run;

	if (!have_idle())
		return -ENOMEM;
	run = idle;
	idle = NULL;
	begin_run(run, plan);
	stop_run(rcr_cpus.run);
	run->set.failure = *why;
	rcr_run_publish(run);
	return 0;
}

/**
 * rcr_program_halt() - halts or continues counters
 * @which: bit n for the set's counter n
 * @halted: true: halt
 *
 * Takes effect with the next tick of each CPU; no register is touched.
 */
void rcr_program_halt(u32 which, bool halted)
{
	struct rcr_counter_set *set = &rcr_cpus.run->set;

	WRITE_ONCE(set->halted, halted ? set->halted | which :
					 set->halted & ~which);
	rcr_cpus_halt(set->halted);
}

/**
 * rcr_program_may_run() - checks whether the present set could still be programmed
 * @f: filled in on failure
 *
 * Context: may sleep.
 */
bool rcr_program_may_run(struct rcr_failure *f)
{
	const struct rcr_counter_set *set = set_before();

	/* Its counters are reserved already: only the kernel's lockdown may prevent it. */
	return !set || !rcr_sources_reserve(set, set, f);
}

/**
 * rcr_program_mark() - writes a mark into the stream
 * @kind: enum rcr_mark_kind
 * @flags: flags of its item
 * @text: shorter than RCR_MARK_LEN
 *
 * Context: may sleep.
 */
void rcr_program_mark(u32 kind, u16 flags, const char *text)
{
	struct rcr_run *run = rcr_run_get_current();

	rcr_marks_add(&run->marks, kind, flags, text);
	rcr_run_put(run);
	rcr_ring_wake_all();
}

/**
 * rcr_program_pause() - stops sampling until rcr_program_resume()
 *
 * All registers are restored; the set and its totals are kept.
 *
 * Context: may sleep; the caller refuses changes of the set until the resume.
 */
void rcr_program_pause(void)
{
	if (!rcr_cpus.run)
		return;
	paused = rcr_run_get(rcr_cpus.run);
	stop_run(paused);
}

/**
 * rcr_program_resume() - resumes the paused set; its totals continue
 * @f: filled in on failure
 *
 * Context: may sleep.
 * Return: 0; -errno: its counters cannot be reserved any more, and nothing is sampled.
 */
int rcr_program_resume(struct rcr_failure *f)
{
	struct rcr_run *run = paused;
	int err;

	if (!run)
		return 0;
	paused = NULL;
	err = rcr_sources_reserve(&run->set, NULL, f);
	if (!err)
		rcr_cpus_resume(run);
	rcr_run_put(run);
	return err;
}
