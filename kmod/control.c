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
#include <linux/slab.h>
#include <linux/string.h>

#include "control.h"
#include "params.h"
#include "program.h"
#include "sampler.h"

static DEFINE_MUTEX(control_lock);
static struct rcr_control control;	/* under control_lock */

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

/* What finalize would program. */
static struct rcr_plan plan(void)
{
	return (struct rcr_plan){
		.event = control.staged.event,
		.count = control.staged.count,
		.generation = control.generation + 1,
		.period = control.period,
	};
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
	struct rcr_plan p = plan();

	if (!p.count)
		return rcr_fail(f, -ENODATA,
			"The set is empty: add what to count, or reset to count nothing.");
	return rcr_program_set(&p, f);
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
	struct rcr_plan p = plan();

	rcr_fail(&idle, -ENODATA, "Nothing is to be counted: add events and finalize.");
	if (rcr_program_nothing(&p, &idle))
		return rcr_fail(f, -ENOMEM, "There is no memory to say that nothing is counted.");
	control.staged.count = 0;
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

static int change_period(u64 period, struct rcr_failure *f)
{
	struct rcr_plan p = plan();
	int err = 0;

	p.period = period;
	if (rcr_program_runs())
		err = rcr_program_again(&p, f);
	if (!err)
		control.period = period;
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

/* The set to begin with: what was asked for, or the machine's own. */
static void stage_first(const struct rcr_params *params)
{
	struct rcr_staged *s = &control.staged;

	s->count = params->events;
	if (s->count)
		memcpy(s->event, params->event, s->count * sizeof(s->event[0]));
	else
		s->count = rcr_program_default(s->event);
}

/* Errors of the one who loads the module; all others leave it inert. */
static bool is_callers_error(int err)
{
	return err == -EINVAL || err == -ENOSPC || err == -ENOMEM;
}

/* Of the machine's own set, as many as there is room for beside others. */
static int program_first(bool own, struct rcr_failure *f)
{
	struct rcr_plan p = plan();
	int err;

	for (;;) {
		err = rcr_program_set(&p, f);
		if (err != -ENOSPC || !own || p.count < 2)
			return err;
		pr_info("%s\n", f->reason);
		memset(f, 0, sizeof(*f));
		control.staged.count = --p.count;
	}
}

static int start_first(const struct rcr_params *params)
{
	struct rcr_failure f = { };
	struct rcr_plan p;
	int err;

	err = program_first(!params->events, &f);
	if (!err)
		return 0;
	if (is_callers_error(err)) {
		pr_err("%s\n", f.reason);
		return err;
	}
	pr_warn("inert, nothing is counted: %s\n", f.reason);
	p = plan();
	return rcr_program_nothing(&p, &f);
}

/**
 * rcr_control_init() - finalizes the first set
 * @params: the module's parameters, which stay
 *
 * What cannot be counted on this machine leaves the module inert; what nobody
 * could count is an error.
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, -ENOSPC, -ENOMEM.
 */
int rcr_control_init(const struct rcr_params *params)
{
	rcr_program_init(params);
	control.generation = 0;
	control.period = (u64)params->period_us * NSEC_PER_USEC;
	stage_first(params);
	mutex_lock(&control_lock);
	return end(start_first(params));
}

/* Before the machine sleeps, or goes down: see rcr_program_pause(). May sleep. */
void rcr_control_pause(void)
{
	mutex_lock(&control_lock);
	rcr_program_pause();
	mutex_unlock(&control_lock);
}

/* When it has woken. May sleep. */
void rcr_control_resume(void)
{
	mutex_lock(&control_lock);
	rcr_program_resume();
	mutex_unlock(&control_lock);
}

/* The doors are closed. Every register is as it was. May sleep. */
void rcr_control_exit(void)
{
	rcr_program_exit();
}
