// SPDX-License-Identifier: GPL-2.0-only
/*
 * program.c - programs a set of events: creates a run for it and switches from the current run
 * to it, on all sampled CPUs or on none.
 *
 * control.c serializes callers.
 */
#include <linux/bits.h>
#include <linux/math64.h>
#include <linux/perf_event.h>
#include <linux/string.h>

#include "cpu/cpus.h"
#include "params.h"
#include "hw/hw.h"
#include "program.h"
#include "sampler/trace.h"
#include "source/source.h"

static struct rcr_machine detected;
static const struct rcr_machine *machine;	/* NULL: unknown CPU */
static bool hidden;			/* known CPU whose counters a hypervisor hides */
static struct rcr_run *paused;		/* the run before a suspend, with a reference */

/*
 * An empty run, preallocated while any set runs: rcr_program_nothing() must not fail if a
 * holder was killed because the machine is out of memory.
 */
static struct rcr_run *idle;

static int report_no_pmu(struct rcr_failure *f)
{
	if (hidden)
		return rcr_fail(f, -ENODEV, RCR_REASON_HIDDEN);
	return rcr_fail_with(f, -ENODEV, RCR_REASON_UNKNOWN_CPU, "%s", RCR_VERSION);
}

/*
 * source=auto: perf for the kernel's events, and for core events if the kernel has a driver, so
 * that other users share the counters; msr for all other events.
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

static void fill_events(struct rcr_counter_set *set, const struct rcr_plan *plan)
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

/* Initialize a run that is not published and for which nothing is programmed yet. */
static void init_run(struct rcr_run *run, const struct rcr_plan *plan)
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
		init_run(run, plan);
	return run;
}

static bool prepare_idle(void)
{
	if (!idle)
		idle = rcr_run_alloc();
	return idle;
}

static int report_no_memory(struct rcr_failure *f)
{
	return rcr_fail_with(f, -ENOMEM, RCR_REASON_NO_MEMORY_RINGS, "%u",
			     cpumask_weight(&rcr_params.cpus));
}

/* The set that is counted now, or NULL. */
static const struct rcr_counter_set *current_set(void)
{
	return rcr_cpus.run ? &rcr_cpus.run->set : NULL;
}

/* reassign: the new event must have the same scope, and all other counters must continue. */
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

/* Keep a spare count that the default set has lowered, if the new set is not larger. */
static void keep_spare(struct rcr_counter_set *set, const struct rcr_counter_set *before)
{
	if (before && before->spare < set->spare && before->interrupted &&
	    hweight32(set->interrupted) <= hweight32(before->interrupted))
		set->spare = before->spare;
}

/*
 * Frequent readings of energy leak data of other programs (PLATYPUS, Lipp et al., 2021). With a
 * period shorter than energy_period_us, read energy as a slow counter at that period.
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
	const struct rcr_counter_set *before = current_set();
	int err;

	fill_events(&run->set, plan);
	if (!plan->count || (!machine && run->set.by[RCR_SOURCE_MSR]))
		return report_no_pmu(f);
	err = rcr_sources_build(&run->set, before, f);
	if (err)
		return err;
	limit_energy(run);
	rcr_counter_set_inherit(&run->set, before);
	keep_spare(&run->set, before);
	if (plan->only != RCR_ALL_NEW)
		err = check_moves(run, plan, f);
	if (!err && rcr_run_alloc_rings(run, &rcr_params.cpus, rcr_params.ring_records))
		err = report_no_memory(f);
	return err;
}

static void log_set(const struct rcr_run *run)
{
	const char *note = rcr_sources_note(&run->set);

	pr_info("%u events on CPUs %*pbl every %llu us, source=%s%s%s\n",
		run->set.count, cpumask_pr_args(&rcr_cpus.running),
		div_u64(run->timing.period, NSEC_PER_USEC),
		rcr_sources_name(&run->set), note ? ": " : "", note ?: "");
}

/*
 * Switch from the current run to @run. On failure the current run continues: counters that are
 * in both sets were not touched, and others are marked with a gap.
 */
static int replace_run(struct rcr_run *run, bool ask, struct rcr_failure *f)
{
	const struct rcr_counter_set *before = current_set();
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
	log_set(run);
	return 0;
}

/* Detect the PMUs of the machine. */
void rcr_program_init(void)
{
	rcr_source_perf_init();
	machine = rcr_machine_detect(&detected, &hidden) ? &detected : NULL;
}

/* Stop sampling and restore all registers. */
static void stop_run(struct rcr_run *run)
{
	if (!run)
		return;
	rcr_cpus_stop();
	rcr_msr_release(&run->set, NULL);
}

/* Stop counting and free all runs. No readers are left. May sleep. */
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

/* The parameter source=, or "auto". */
const char *rcr_program_policy(void)
{
	return rcr_params.source == RCR_SOURCES ? "auto" : rcr_source_name(rcr_params.source);
}

/* Default set if a hypervisor hides the counters of a known CPU. */
static const struct rcr_event software_default[] = {
	{ .name = "CPU_CLOCK", .kind = RCR_EVENT_SOFTWARE,
	  .event = PERF_COUNT_SW_CPU_CLOCK },
	{ .name = "CONTEXT_SWITCHES", .kind = RCR_EVENT_SOFTWARE,
	  .event = PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ .name = "PAGE_FAULTS", .kind = RCR_EVENT_SOFTWARE,
	  .event = PERF_COUNT_SW_PAGE_FAULTS },
};

/**
 * rcr_program_default() - get the default set of this machine
 * @event: output array of RCR_MAX_COUNTERS events
 *
 * Return: number of events; 0 for an unknown CPU, which stays inert until a set is finalized.
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
 * rcr_program_running() - get the events that are counted now
 * @event: set to the events, which are valid until the next change
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
 * rcr_program_find() - find a counter of the current set
 * @name: name of its event
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

/* True if this event is counted now, under the same name. */
bool rcr_program_counts(const struct rcr_event *e)
{
	return rcr_counter_set_find(current_set(), e) != RCR_FROM_NONE;
}

/**
 * rcr_program_knows() - check whether this machine has the unit of an event
 * @e: the event
 * @f: filled in on failure
 *
 * Return: 0, also on an unknown CPU; -EINVAL, also for an event of the rcrtool PMU.
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
 * rcr_program_where() - get the counters of this machine that can count an event
 * @e: the event
 * @counters: set to bit n for general counter n and bit 32 + n for fixed counter n; 0 for
 *	events that the kernel counts
 * @f: filled in on failure
 *
 * Return: 0; -ENODEV on an unknown CPU; -EINVAL if no counter can.
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
		return report_no_pmu(f);
	err = rcr_counter_set_demand(machine, e, &demand, f);
	*counters = (demand.allowed & (BIT(RCR_FIXED_FIRST) - 1)) |
		    (u64)(demand.allowed >> RCR_FIXED_FIRST) << 32;
	return err;
}

/**
 * rcr_program_fits() - check whether events can be counted at once
 * @plan: the events
 * @f: filled in on failure
 *
 * Programs nothing, so it does not detect an event that perf cannot create.
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
	fill_events(&run->set, plan);
	err = rcr_sources_build(&run->set, current_set(), f);
	rcr_run_put(run);
	return err;
}

/**
 * rcr_program_set() - program a set
 * @plan: the set; counters of events that are counted already continue, others start at 0
 * @f: filled in on failure
 *
 * Context: may sleep.
 * Return: 0; -errno: the current set continues.
 */
int rcr_program_set(const struct rcr_plan *plan, struct rcr_failure *f)
{
	struct rcr_run *run = prepare_idle() ? make_run(plan) : NULL;
	int err;

	if (!run)
		return report_no_memory(f);
	err = fill_run(run, plan, f);
	if (!err)
		err = replace_run(run, !plan->restores, f);
	if (err)
		rcr_run_put(run);
	return err;
}

/**
 * rcr_program_nothing() - stop counting and restore all registers
 * @plan: generation and period of the inert set
 * @why: the reason, which readers of the inert set are given
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM, only if nothing was counted before.
 */
int rcr_program_nothing(const struct rcr_plan *plan,
			const struct rcr_failure *why)
{
	struct rcr_run *run;

	if (!prepare_idle())
		return -ENOMEM;
	run = idle;
	idle = NULL;
	init_run(run, plan);
	stop_run(rcr_cpus.run);
	run->set.failure = *why;
	rcr_run_publish(run);
	return 0;
}

/**
 * rcr_program_halt() - halt or continue counters
 * @which: bit n for the set's counter n
 * @halted: true to halt, false to continue
 *
 * Takes effect at the next tick of each CPU; no register is accessed.
 */
void rcr_program_halt(u32 which, bool halted)
{
	struct rcr_counter_set *set = &rcr_cpus.run->set;

	WRITE_ONCE(set->halted, halted ? set->halted | which :
					 set->halted & ~which);
	rcr_cpus_halt(set->halted);
}

/**
 * rcr_program_may_run() - check whether the current set is still allowed
 * @f: filled in if it is not
 *
 * Context: may sleep.
 * Return: false if kernel lockdown forbids it now.
 */
bool rcr_program_may_run(struct rcr_failure *f)
{
	const struct rcr_counter_set *set = current_set();

	/* All counters are reserved already: this only checks lockdown. */
	return !set || !rcr_sources_reserve(set, set, f);
}

/**
 * rcr_program_mark() - add a mark to the stream
 * @kind: enum rcr_mark_kind
 * @flags: flags of the item
 * @text: shorter than RCR_MARK_LEN
 *
 * Context: may sleep.
 */
void rcr_program_mark(u32 kind, u16 flags, const char *text)
{
	struct rcr_mark mark = { .item.flags = flags, .kind = kind };
	struct rcr_run *run = rcr_run_get_current();

	mark.item.generation = run->set.generation;
	strscpy(mark.text, text, sizeof(mark.text));
	rcr_marks_add(&run->marks, &mark);
	trace_mark(&mark);
	rcr_run_put(run);
	rcr_ring_wake_all();
}

/**
 * rcr_program_pause() - stop sampling until rcr_program_resume()
 *
 * Restores all registers; the set and its totals are kept.
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
 * rcr_program_resume() - resume the paused set; its totals continue
 * @f: filled in on failure
 *
 * Context: may sleep.
 * Return: 0; -errno if its counters cannot be reserved: nothing is sampled.
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
