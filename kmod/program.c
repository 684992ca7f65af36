// SPDX-License-Identifier: GPL-2.0-only
/*
 * program.c - puts a set of events on the machine, and takes it off: makes a
 * run of it, and goes from the run before to this one, on all CPUs or on none.
 *
 * Callers are serialized by control.c.
 */
#include <linux/math64.h>
#include <linux/perf_event.h>
#include <linux/string.h>

#include "cpus.h"
#include "params.h"
#include "pmu/detect.h"
#include "program.h"

static const struct rcr_params *params;
static const struct rcr_pmu *pmu;
static bool hidden;			/* the family is known, its counters are not there */
static struct rcr_run *paused;		/* what ran before a suspend */

static int no_pmu(struct rcr_failure *f)
{
	if (hidden)
		return rcr_fail(f, -ENODEV,
			"A hypervisor hides the performance counters of this CPU.");
	return rcr_fail(f, -ENODEV,
		"The performance counters of this CPU are not known to rcrtool %s.",
		RCR_VERSION);
}

/*
 * auto: perf for what a driver of the kernel serves, so that nobody else loses
 * the counters to us; msr only where there is none.
 */
static const struct rcr_source *choose_source(const struct rcr_plan *plan)
{
	unsigned int i;

	if (params->source)
		return params->source;
	if (rcr_source_perf_serves_core())
		return &rcr_source_perf;
	for (i = 0; i < plan->count; i++)
		if (plan->event[i].kind == RCR_EVENT_CORE)
			return &rcr_source_msr;
	return &rcr_source_perf;
}

/* A run without counters: nothing is programmed, and nobody reads it yet. */
static struct rcr_run *make_run(const struct rcr_plan *plan)
{
	struct rcr_run *run = rcr_run_alloc();

	if (!run)
		return NULL;
	run->source = choose_source(plan);
	run->set.pmu = pmu;
	run->set.generation = plan->generation;
	rcr_timing_init(&run->timing, plan->period, params->budget_ppm);
	return run;
}

static int no_memory(struct rcr_failure *f)
{
	return rcr_fail(f, -ENOMEM,
		"There is no memory for the rings of %u CPUs: load rcrtool with fewer ring_records=.",
		cpumask_weight(&params->cpus));
}

static int make_rings(struct rcr_run *run, struct rcr_failure *f)
{
	if (rcr_run_alloc_rings(run, &params->cpus, params->ring_records))
		return no_memory(f);
	return 0;
}

static int fill_run(struct rcr_run *run, const struct rcr_plan *plan,
		    struct rcr_failure *f)
{
	int err;

	if (!plan->count || (!pmu && run->source == &rcr_source_msr))
		return no_pmu(f);
	err = run->source->build(&run->set, pmu, plan->event, plan->count, f);
	return err ? err : make_rings(run, f);
}

/* What ran before is stopped, and every register as it was before that. */
static void stop_run(struct rcr_run *run)
{
	if (!run)
		return;
	rcr_cpus_stop();
	run->source->release(&run->set);
}

static int start_run(struct rcr_run *run, bool keep_totals, struct rcr_failure *f)
{
	int err;

	err = run->source->reserve(&run->set, f);
	if (err)
		return err;
	err = rcr_cpus_start(run, keep_totals, f);
	if (err)
		run->source->release(&run->set);
	return err;
}

static void announce(const struct rcr_run *run)
{
	const char *note = run->source->note;

	pr_info("%u events on CPUs %*pbl every %llu us, source=%s%s%s\n",
		run->set.count, cpumask_pr_args(&rcr_cpus.running),
		div_u64(run->timing.period, NSEC_PER_USEC), run->source->name,
		note ? ": " : "", note ?: "");
}

/* What was counted before cannot go on either: readers are told why. */
static void give_up(const struct rcr_run *old, const struct rcr_failure *why)
{
	struct rcr_run *run = rcr_run_alloc();

	pr_err("nothing is counted any more: %s\n", why->reason);
	if (!run)
		return;
	run->source = old->source;
	run->timing = old->timing;
	run->set.pmu = old->set.pmu;
	run->set.generation = old->set.generation + 1;
	run->set.failure = *why;
	rcr_run_publish(run);
}

/*
 * Goes from what runs to @run. When that fails, what ran before goes on with its
 * totals; what happened while it stood still is not in them.
 */
static int change_run(struct rcr_run *run, bool keep_totals, struct rcr_failure *f)
{
	struct rcr_run *old = rcr_cpus.run;
	struct rcr_failure again = { };
	int err;

	stop_run(old);
	err = start_run(run, keep_totals, f);
	if (!err) {
		rcr_run_publish(run);
		announce(run);
		return 0;
	}
	if (old && start_run(old, true, &again))
		give_up(old, &again);
	return err;
}

/**
 * rcr_program_init() - finds out what this machine counts with
 * @p: the module's parameters, which stay
 */
void rcr_program_init(const struct rcr_params *p)
{
	params = p;
	pmu = rcr_pmu_detect(&hidden);
}

/* Takes everything off the machine. Nobody reads any more. May sleep. */
void rcr_program_exit(void)
{
	stop_run(rcr_cpus.run);
	rcr_run_publish(NULL);
}

/* What a machine counts that hides its counters, as virtual ones do. */
static const struct rcr_event software_default[] = {
	{ .name = "CPU_CLOCK", .kind = RCR_EVENT_SOFTWARE,
	  .event = PERF_COUNT_SW_CPU_CLOCK },
	{ .name = "CONTEXT_SWITCHES", .kind = RCR_EVENT_SOFTWARE,
	  .event = PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ .name = "PAGE_FAULTS", .kind = RCR_EVENT_SOFTWARE,
	  .event = PERF_COUNT_SW_PAGE_FAULTS },
};

/**
 * rcr_program_default() - what this machine counts when nobody says what
 * @event: gets it, RCR_MAX_COUNTERS entries
 *
 * Return: how many events; 0 for an unknown CPU, which stays inert until
 * somebody says what to count.
 */
unsigned int rcr_program_default(struct rcr_event *event)
{
	if (pmu) {
		memcpy(event, pmu->default_event, pmu->defaults * sizeof(*event));
		return pmu->defaults;
	}
	if (!hidden || params->source == &rcr_source_msr)
		return 0;
	memcpy(event, software_default, sizeof(software_default));
	return ARRAY_SIZE(software_default);
}

/* Is anything counted now? */
bool rcr_program_runs(void)
{
	return rcr_cpus.run;
}

/**
 * rcr_program_set() - counts these events from now on, from 0
 * @plan: the events
 * @f: gets the reason when it fails
 *
 * Context: may sleep.
 * Return: 0, or -errno and what ran before goes on.
 */
int rcr_program_set(const struct rcr_plan *plan, struct rcr_failure *f)
{
	struct rcr_run *run = make_run(plan);
	int err;

	if (!run)
		return no_memory(f);
	err = fill_run(run, plan, f);
	if (!err)
		err = change_run(run, false, f);
	if (err)
		rcr_run_put(run);
	return err;
}

/**
 * rcr_program_again() - counts the same as now, at another period
 * @plan: generation and period; totals go on
 * @f: gets the reason when it fails
 *
 * Context: may sleep; something is counted.
 * Return: 0, or -errno and what ran before goes on.
 */
int rcr_program_again(const struct rcr_plan *plan, struct rcr_failure *f)
{
	const struct rcr_run *old = rcr_cpus.run;
	struct rcr_run *run = make_run(plan);
	int err;

	if (!run)
		return no_memory(f);
	run->source = old->source;
	run->set = old->set;
	run->set.generation = plan->generation;
	err = make_rings(run, f);
	if (!err)
		err = change_run(run, true, f);
	if (err)
		rcr_run_put(run);
	return err;
}

/**
 * rcr_program_nothing() - counts nothing; every register is as it was
 * @plan: generation and period
 * @why: what readers are told
 *
 * Context: may sleep.
 * Return: 0, or -ENOMEM and what ran before goes on.
 */
int rcr_program_nothing(const struct rcr_plan *plan,
			const struct rcr_failure *why)
{
	struct rcr_run *run = make_run(plan);

	if (!run)
		return -ENOMEM;
	stop_run(rcr_cpus.run);
	run->set.failure = *why;
	rcr_run_publish(run);
	return 0;
}

/**
 * rcr_program_pause() - samples nothing until rcr_program_resume()
 *
 * Every register is as it was; what is counted, and its totals, are kept.
 *
 * Context: may sleep; nobody changes the set meanwhile (tasks are frozen, or
 * the machine goes down).
 */
void rcr_program_pause(void)
{
	if (!rcr_cpus.run)
		return;
	paused = rcr_cpus.run;
	stop_run(paused);
}

/* Goes on with what was paused. May sleep. */
void rcr_program_resume(void)
{
	struct rcr_failure f = { };

	if (paused && !rcr_cpus.run && start_run(paused, true, &f))
		pr_err("sampling does not go on: %s\n", f.reason);
	paused = NULL;
}
