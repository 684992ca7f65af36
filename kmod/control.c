// SPDX-License-Identifier: GPL-2.0-only
/*
 * control.c - the verbs: add, remove, finalize, reset, period.
 *
 * add and remove change the staged set, which starts as the one that runs;
 * finalize programs it, on all CPUs or on none, and a set that could not be
 * programmed stays staged, to be mended. Two callers do not overrun each other:
 * a request may carry the generation that its caller has seen, and is refused
 * with ESTALE when another request came in between.
 */
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "control.h"
#include "cpus.h"
#include "params.h"
#include "pmu/detect.h"

static DEFINE_MUTEX(control_lock);
static struct rcr_control control;	/* under control_lock, as all below */
static const struct rcr_params *params;
static const struct rcr_pmu *pmu;
static bool hidden;
static struct rcr_run *paused;		/* what ran before a suspend */

static int check_generation(u32 generation, struct rcr_failure *f)
{
	if (generation == RCR_ANY_GENERATION || generation == control.generation)
		return 0;
	return rcr_fail(f, -ESTALE,
		"The counter set was changed by somebody else (generation %u, not %u): look at it and try again.",
		control.generation, generation);
}

/* Takes the lock for a change; -ESTALE without it. */
static int begin(u32 generation, struct rcr_failure *f)
{
	int err;

	mutex_lock(&control_lock);
	err = check_generation(generation, f);
	if (err)
		mutex_unlock(&control_lock);
	return err;
}

static int end(int err)
{
	if (!err)
		control.generation++;
	mutex_unlock(&control_lock);
	return err;
}

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
static const struct rcr_source *choose_source(void)
{
	unsigned int i;

	if (params->source)
		return params->source;
	if (rcr_source_perf_serves_core())
		return &rcr_source_perf;
	for (i = 0; i < control.staged.count; i++)
		if (control.staged.event[i].kind == RCR_EVENT_CORE)
			return &rcr_source_msr;
	return &rcr_source_perf;
}

/* A run of the staged set: nothing is programmed, and nobody reads it yet. */
static struct rcr_run *make_run(struct rcr_failure *f)
{
	struct rcr_run *run = rcr_run_alloc();

	if (!run) {
		rcr_fail(f, -ENOMEM, "There is no memory for a counter set.");
		return NULL;
	}
	run->source = choose_source();
	run->set.pmu = pmu;
	run->set.generation = control.generation + 1;
	rcr_timing_init(&run->timing, control.period, params->budget_ppm);
	return run;
}

static int fill_run(struct rcr_run *run, struct rcr_failure *f)
{
	int err;

	if (!pmu && run->source == &rcr_source_msr)
		return no_pmu(f);
	err = run->source->build(&run->set, pmu, control.staged.event,
				 control.staged.count, f);
	if (err)
		return err;
	if (rcr_run_alloc_rings(run, &params->cpus, params->ring_records))
		return rcr_fail(f, -ENOMEM,
			"There is no memory for the rings of %u CPUs: load rcrtool with fewer ring_records=.",
			cpumask_weight(&params->cpus));
	return 0;
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

/* A run that has no counters, and the reason for that. */
static void publish_inert(struct rcr_run *run, const struct rcr_failure *f)
{
	run->set.count = 0;
	run->set.failure = *f;
	rcr_run_publish(run);
}

/*
 * Goes from what runs to @run. When that fails, what ran before goes on with its
 * totals; what happened while it stood still is not in them.
 */
static int change_run(struct rcr_run *run, bool keep_totals, struct rcr_failure *f)
{
	struct rcr_run *old = rcr_cpus.run;
	int err;

	stop_run(old);
	err = start_run(run, keep_totals, f);
	if (!err) {
		rcr_run_publish(run);
		return 0;
	}
	if (old) {
		struct rcr_failure again = { };

		if (start_run(old, true, &again))
			pr_err("what was counted before is lost: %s\n", again.reason);
	}
	return err;
}

/**
 * rcr_control_look() - a copy of the state
 * @copy: gets it
 *
 * Context: may sleep.
 */
void rcr_control_look(struct rcr_control *copy)
{
	mutex_lock(&control_lock);
	*copy = control;
	mutex_unlock(&control_lock);
}

static struct rcr_event *find_staged(const char *name)
{
	unsigned int i;

	for (i = 0; i < control.staged.count; i++)
		if (!strcmp(control.staged.event[i].name, name))
			return &control.staged.event[i];
	return NULL;
}

static int stage(const struct rcr_event *event, unsigned int count,
		 struct rcr_failure *f)
{
	struct rcr_staged *s = &control.staged;
	unsigned int i;

	for (i = 0; i < count; i++)
		if (find_staged(event[i].name))
			return rcr_fail(f, -EEXIST, "\"%s\" is in the set already.",
					event[i].name);
	if (s->count + count > RCR_MAX_COUNTERS)
		return rcr_fail(f, -ENOSPC, "A set has at most %u counters.",
				RCR_MAX_COUNTERS);
	memcpy(&s->event[s->count], event, count * sizeof(*event));
	s->count += count;
	return 0;
}

/**
 * rcr_control_add() - adds events to the staged set, all or none
 * @generation: that the caller has seen, or RCR_ANY_GENERATION
 * @events: in the raw form
 * @f: gets the reason when it fails
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, -EEXIST, -ENOSPC, -ENOMEM, -ESTALE.
 */
int rcr_control_add(u32 generation, const char *events, struct rcr_failure *f)
{
	struct rcr_event *event;
	int ret;

	event = kcalloc(RCR_MAX_COUNTERS, sizeof(*event), GFP_KERNEL);
	if (!event)
		return rcr_fail(f, -ENOMEM, "There is no memory to read the events.");
	ret = rcr_events_parse(events, event, RCR_MAX_COUNTERS, f);
	if (ret > 0) {
		unsigned int count = ret;

		ret = begin(generation, f);
		if (!ret)
			ret = end(stage(event, count, f));
	}
	kfree(event);
	return ret;
}

static int unstage(const char *name, struct rcr_failure *f)
{
	struct rcr_staged *s = &control.staged;
	struct rcr_event *e = find_staged(name);

	if (!e)
		return rcr_fail(f, -ENOENT, "\"%s\" is not in the set.", name);
	s->count--;
	memmove(e, e + 1, (&s->event[s->count] - e) * sizeof(*e));
	return 0;
}

/**
 * rcr_control_remove() - takes an event out of the staged set
 * @generation: that the caller has seen, or RCR_ANY_GENERATION
 * @name: its name; NULL: all
 * @f: gets the reason when it fails
 *
 * Context: may sleep.
 * Return: 0; -ENOENT, -ESTALE.
 */
int rcr_control_remove(u32 generation, const char *name, struct rcr_failure *f)
{
	int err = begin(generation, f);

	if (err)
		return err;
	if (name)
		return end(unstage(name, f));
	control.staged.count = 0;
	return end(0);
}

static int finalize(struct rcr_failure *f)
{
	struct rcr_run *run;
	int err;

	if (!control.staged.count)
		return rcr_fail(f, -ENODATA,
			"The set is empty: add what to count, or reset to count nothing.");
	run = make_run(f);
	if (!run)
		return f->error;
	err = fill_run(run, f);
	if (!err)
		err = change_run(run, false, f);
	if (err)
		rcr_run_put(run);
	return err;
}

/**
 * rcr_control_finalize() - programs the staged set, on all CPUs or on none
 * @generation: that the caller has seen, or RCR_ANY_GENERATION
 * @f: gets the reason when it fails
 *
 * Context: may sleep.
 * Return: 0; -ENODATA, -EINVAL, -ENOSPC, -EBUSY, -ENODEV, -EPERM, -EIO,
 * -ENOMEM, -ESTALE. What ran before goes on then.
 */
int rcr_control_finalize(u32 generation, struct rcr_failure *f)
{
	int err = begin(generation, f);

	return err ? err : end(finalize(f));
}

static int reset(struct rcr_failure *f)
{
	struct rcr_failure idle = { };
	struct rcr_run *run = make_run(f);

	if (!run)
		return f->error;
	rcr_fail(&idle, -ENODATA, "Nothing is to be counted: add events and finalize.");
	stop_run(rcr_cpus.run);
	control.staged.count = 0;
	publish_inert(run, &idle);
	return 0;
}

/**
 * rcr_control_reset() - counts nothing; every register is as it was
 * @generation: that the caller has seen, or RCR_ANY_GENERATION
 * @f: gets the reason when it fails
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM, -ESTALE.
 */
int rcr_control_reset(u32 generation, struct rcr_failure *f)
{
	int err = begin(generation, f);

	return err ? err : end(reset(f));
}

/* A run that counts the same, in rings of its own. */
static int copy_run(const struct rcr_run *old, struct rcr_run *run,
		    struct rcr_failure *f)
{
	u32 generation = run->set.generation;

	run->set = old->set;
	run->set.generation = generation;
	if (rcr_run_alloc_rings(run, &params->cpus, params->ring_records))
		return rcr_fail(f, -ENOMEM, "There is no memory for new rings.");
	return 0;
}

static int change_period(u64 period, struct rcr_failure *f)
{
	u64 before = control.period;
	struct rcr_run *run;
	int err = 0;

	control.period = period;
	if (!rcr_cpus.run)
		return 0;
	run = make_run(f);
	if (!run)
		err = f->error;
	if (!err)
		err = copy_run(rcr_cpus.run, run, f);
	if (!err)
		err = change_run(run, true, f);
	if (err) {
		rcr_run_put(run);
		control.period = before;
	}
	return err;
}

/**
 * rcr_control_period() - samples at another period; totals go on
 * @generation: that the caller has seen, or RCR_ANY_GENERATION
 * @period: ns
 * @f: gets the reason when it fails
 *
 * Context: may sleep.
 * Return: 0; -EINVAL for a period out of range, -ENOMEM, -EBUSY, -ESTALE.
 */
int rcr_control_period(u32 generation, u64 period, struct rcr_failure *f)
{
	int err;

	if (period < RCR_PERIOD_MIN_US * (u64)NSEC_PER_USEC ||
	    period > RCR_PERIOD_MAX_US * (u64)NSEC_PER_USEC)
		return rcr_fail(f, -EINVAL,
			"The period must be from %u microseconds to an hour.",
			RCR_PERIOD_MIN_US);
	err = begin(generation, f);
	return err ? err : end(change_period(period, f));
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

static void stage_default(const struct rcr_event *event, unsigned int count)
{
	control.staged.count = count;
	memcpy(control.staged.event, event, count * sizeof(*event));
}

/*
 * The set to begin with: what was asked for, or the family's. An unknown CPU
 * has none: it stays inert until somebody says what to count.
 */
static void stage_first(void)
{
	if (params->events)
		stage_default(params->event, params->events);
	else if (pmu)
		stage_default(pmu->default_event, pmu->defaults);
	else if (hidden && params->source != &rcr_source_msr)
		stage_default(software_default, ARRAY_SIZE(software_default));
}

/* Errors of the one who loads the module; all others leave it inert. */
static bool is_callers_error(int err)
{
	return err == -EINVAL || err == -ENOSPC || err == -ENOMEM;
}

static int try_first(struct rcr_run **made, struct rcr_failure *f)
{
	struct rcr_run *run = make_run(f);
	int err;

	*made = run;
	if (!run)
		return f->error;
	if (!control.staged.count)
		return no_pmu(f);
	err = fill_run(run, f);
	return err ? err : change_run(run, false, f);
}

/* Of the family's own set, as many as there is room for beside others. */
static int start_first(void)
{
	struct rcr_failure f = { };
	struct rcr_run *run;
	int err;

	err = try_first(&run, &f);
	while (err == -ENOSPC && !params->events && control.staged.count > 1) {
		pr_info("%s\n", f.reason);
		rcr_run_put(run);
		control.staged.count--;
		memset(&f, 0, sizeof(f));
		err = try_first(&run, &f);
	}
	if (err && is_callers_error(err)) {
		pr_err("%s\n", f.reason);
		rcr_run_put(run);
		return err;
	}
	if (err) {
		pr_warn("inert, nothing is counted: %s\n", f.reason);
		publish_inert(run, &f);
	}
	return 0;
}

/**
 * rcr_control_init() - finalizes the first set
 * @p: the module's parameters, which stay
 *
 * What cannot be counted on this machine leaves the module inert; what nobody
 * could count is an error.
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, -ENOSPC, -ENOMEM.
 */
int rcr_control_init(const struct rcr_params *p)
{
	params = p;
	pmu = rcr_pmu_detect(&hidden);
	control.generation = 0;
	control.period = (u64)p->period_us * NSEC_PER_USEC;
	stage_first();
	mutex_lock(&control_lock);
	return end(start_first());
}

/**
 * rcr_control_pause() - samples nothing until rcr_control_resume()
 *
 * Every register is as it was; what is counted, and its totals, are kept.
 *
 * Context: may sleep; nobody can change the set meanwhile (tasks are frozen, or
 * the machine goes down).
 */
void rcr_control_pause(void)
{
	mutex_lock(&control_lock);
	if (rcr_cpus.run) {
		paused = rcr_cpus.run;
		stop_run(paused);
	}
	mutex_unlock(&control_lock);
}

/* Goes on with what was paused. May sleep. */
void rcr_control_resume(void)
{
	struct rcr_failure f = { };

	mutex_lock(&control_lock);
	if (paused && !rcr_cpus.run && start_run(paused, true, &f))
		pr_err("sampling does not go on: %s\n", f.reason);
	paused = NULL;
	mutex_unlock(&control_lock);
}

/* The doors are closed. Every register is as it was. May sleep. */
void rcr_control_exit(void)
{
	stop_run(rcr_cpus.run);
	rcr_run_publish(NULL);
}
