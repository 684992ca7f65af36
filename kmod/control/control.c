// SPDX-License-Identifier: GPL-2.0-only
/*
 * control.c - verbs that change which set is counted: add, remove, finalize, reset and
 * period. adjust.c has the verbs for the running set.
 *
 * add and remove change the staged set, which initially equals the running one. finalize
 * programs it, on all CPUs or on none; on failure it stays staged, so that the caller can
 * correct it. A request may carry the generation that its caller has read, and is refused
 * with ESTALE if another request has changed the state since.
 */
#include <linux/bits.h>
#include <linux/delay.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "control_state.h"
#include "cpu/cpus.h"
#include "params.h"
#include "program.h"
#include "sampler/sampler.h"

/* Protects rcr_control, the holds, and the running set. */
DEFINE_MUTEX(rcr_control_lock);
struct rcr_control rcr_control;
BLOCKING_NOTIFIER_HEAD(rcr_control_chain);

/* Maximum time that a reboot waits for rcr_control_lock. */
#define SHUTDOWN_LIMIT_MS	1000

/* Nothing is programmed while @asleep or @shutting_down is set. */
static bool asleep;		/* between the PM notifiers PREPARE and POST; under the lock */
static bool shutting_down;	/* set by the reboot notifier, without the lock */

static bool hold_ended;		/* while paused: resume must restore the set; under the lock */

static int check_paused(struct rcr_failure *f)
{
	if (READ_ONCE(shutting_down))
		return rcr_fail(f, -EAGAIN, RCR_REASON_SHUTTING_DOWN);
	if (asleep)
		return rcr_fail(f, -EAGAIN, RCR_REASON_SUSPENDING);
	return 0;
}

static bool is_paused(void)
{
	return asleep || READ_ONCE(shutting_down);
}

static int check_generation(u32 generation, struct rcr_failure *f)
{
	if (generation == RCR_ANY_GENERATION || generation == rcr_control.generation)
		return 0;
	return rcr_fail_with(f, -ESTALE, RCR_REASON_STALE, "%u%u", rcr_control.generation,
			     generation);
}

/**
 * rcr_control_begin() - lock the state for one change
 * @generation: generation that the caller has read, or RCR_ANY_GENERATION
 * @f: filled in on failure
 *
 * Context: may sleep. On success the caller calls one verb and then rcr_control_end().
 * Return: 0; -ESTALE; -EAGAIN between suspend and resume, and during shutdown.
 */
int rcr_control_begin(u32 generation, struct rcr_failure *f)
{
	int err;

	mutex_lock(&rcr_control_lock);
	err = check_paused(f) ?: check_generation(generation, f);
	if (err)
		mutex_unlock(&rcr_control_lock);
	return err;
}

/* Notify of a change. Context: under rcr_control_lock, so that notifications are in order. */
static void publish_generation(void)
{
	rcr_control.generation++;
	blocking_notifier_call_chain(&rcr_control_chain, rcr_control.generation, NULL);
}

/**
 * rcr_control_end() - unlock the state after a change
 * @generation: set to the new generation if @err is 0
 * @err: result of the verb
 *
 * Return: @err.
 */
int rcr_control_end(u32 *generation, int err)
{
	if (!err) {
		publish_generation();
		*generation = rcr_control.generation;
	}
	mutex_unlock(&rcr_control_lock);
	return err;
}

/* Initialize a plan for a set with the next generation and the current period. */
struct rcr_plan rcr_control_plan(const struct rcr_staged *set)
{
	return (struct rcr_plan){
		.event = set->event,
		.count = set->count,
		.generation = rcr_control.generation + 1,
		.period = rcr_control.period,
		.only = RCR_ALL_NEW,
	};
}

/**
 * rcr_control_read() - copy the state
 * @copy: output buffer
 *
 * Context: may sleep.
 */
void rcr_control_read(struct rcr_control *copy)
{
	mutex_lock(&rcr_control_lock);
	*copy = rcr_control;
	rcr_hold_names(copy->holders);
	mutex_unlock(&rcr_control_lock);
}

/**
 * rcr_control_enter() - prevent changes of the set until rcr_control_leave()
 * @generation: generation that the caller has read, or RCR_ANY_GENERATION
 * @f: filled in on failure
 *
 * Context: may sleep. On success rcr_control_lock is held.
 * Return: 0 or -ESTALE.
 */
int rcr_control_enter(u32 generation, struct rcr_failure *f)
{
	int err;

	mutex_lock(&rcr_control_lock);
	err = check_generation(generation, f);
	if (err)
		mutex_unlock(&rcr_control_lock);
	return err;
}

void rcr_control_leave(void)
{
	mutex_unlock(&rcr_control_lock);
}

/* The current generation. May sleep. */
u32 rcr_control_generation(void)
{
	u32 generation;

	mutex_lock(&rcr_control_lock);
	generation = rcr_control.generation;
	mutex_unlock(&rcr_control_lock);
	return generation;
}

/* Find an event by name, or NULL. The caller may change it only if @s is not constant. */
struct rcr_event *rcr_staged_find(const struct rcr_staged *s, const char *name)
{
	unsigned int i;

	for (i = 0; i < s->count; i++)
		if (!strcmp(s->event[i].name, name))
			return (struct rcr_event *)&s->event[i];
	return NULL;
}

/**
 * rcr_control_add() - add events to the staged set, all or none
 * @event: the events, with distinct names
 * @count: number of events
 * @f: filled in on failure
 *
 * Context: like all verbs, between rcr_control_begin() and rcr_control_end().
 * Return: 0; -EINVAL, -EEXIST, -ENOSPC.
 */
int rcr_control_add(const struct rcr_event *event, unsigned int count, struct rcr_failure *f)
{
	struct rcr_staged *s = &rcr_control.staged;
	unsigned int i;
	int err = 0;

	for (i = 0; i < count && !err; i++)
		err = rcr_staged_find(s, event[i].name) ?
		      rcr_fail_with(f, -EEXIST, RCR_REASON_IN_SET, "%s", event[i].name) :
		      rcr_program_knows(&event[i], f);
	if (err)
		return err;
	if (s->count + count > RCR_MAX_COUNTERS)
		return rcr_fail_with(f, -ENOSPC, RCR_REASON_SET_FULL, "%u", RCR_MAX_COUNTERS);
	memcpy(&s->event[s->count], event, count * sizeof(*event));
	s->count += count;
	return 0;
}

/**
 * rcr_control_remove() - remove an event from the staged set
 * @name: name of the event; NULL: all events
 * @f: filled in on failure
 *
 * Return: 0 or -ENOENT.
 */
int rcr_control_remove(const char *name, struct rcr_failure *f)
{
	struct rcr_staged *s = &rcr_control.staged;
	struct rcr_event *e;

	if (!name) {
		s->count = 0;
		return 0;
	}
	e = rcr_staged_find(s, name);
	if (!e)
		return rcr_fail_with(f, -ENOENT, RCR_REASON_NOT_IN_SET, "%s", name);
	s->count--;
	memmove(e, e + 1, (&s->event[s->count] - e) * sizeof(*e));
	return 0;
}

static int change_base(struct rcr_failure *f)
{
	struct rcr_base *next = kzalloc(sizeof(*next), GFP_KERNEL);
	int err;

	if (!next)
		return rcr_fail(f, -ENOMEM, RCR_REASON_NO_MEMORY);
	next->set = rcr_control.staged;
	err = rcr_hold_change_base(next, f);
	kfree(next);
	return err;
}

/* Begin a hold with the staged changes, and reset the staged set to the base set. */
static int begin_hold(const void *holder, struct rcr_failure *f)
{
	int err = rcr_hold_begin(holder, &rcr_control.staged, f);

	if (!err)
		rcr_control.staged = rcr_control.base.set;
	return err;
}

/**
 * rcr_control_finalize() - program the staged set, on all CPUs or on none
 * @holder: holder of the differences from the base set until rcr_control_release(); NULL:
 *	the staged set becomes the base set
 * @f: filled in on failure
 *
 * Return: 0; -ENODATA, -EINVAL, -EEXIST, -ENOSPC, -EBUSY, -ENODEV, -EPERM, -EIO, -ENOMEM. On
 * failure the running set continues.
 */
int rcr_control_finalize(const void *holder, struct rcr_failure *f)
{
	if (!rcr_control.staged.count)
		return rcr_fail(f, -ENODATA, RCR_REASON_SET_EMPTY);
	return holder ? begin_hold(holder, f) : change_base(f);
}

static int count_nothing(const struct rcr_failure *why)
{
	struct rcr_plan p = rcr_control_plan(&rcr_control.staged);
	int err = rcr_program_nothing(&p, why);

	if (err)
		return err;
	rcr_control.staged.count = 0;
	rcr_hold_end_all();
	return 0;
}

/*
 * Program the base set and the remaining holds after a hold has ended. If that fails, count
 * nothing; the base set, other holds and the staged set are kept for the next change.
 */
static int restore_set(void)
{
	struct rcr_failure f = { };
	struct rcr_plan p;

	if (!rcr_hold_restore(&f))
		return 0;
	pr_info("a hold has ended, but the set without it cannot be counted: %s\n",
		rcr_failure_text(&f));
	p = rcr_control_plan(&rcr_control.staged);
	return rcr_program_nothing(&p, &f);
}

/**
 * rcr_control_release() - end the hold of a holder, if it has one
 * @holder: as passed to rcr_control_finalize()
 *
 * While suspended, nothing is programmed: rcr_control_resume() restores the set later.
 *
 * Context: may sleep.
 */
void rcr_control_release(const void *holder)
{
	mutex_lock(&rcr_control_lock);
	if (rcr_hold_end(holder)) {
		if (is_paused())
			hold_ended = true;
		else if (!restore_set())
			publish_generation();
	}
	mutex_unlock(&rcr_control_lock);
}

/**
 * rcr_control_reset() - stop counting and restore all registers
 * @f: filled in on failure
 *
 * Return: 0; -ENOMEM, only if nothing was counted before.
 */
int rcr_control_reset(struct rcr_failure *f)
{
	struct rcr_failure idle = { };

	rcr_fail(&idle, -ENODATA, RCR_REASON_NOTHING_TO_COUNT);
	if (count_nothing(&idle))
		return rcr_fail(f, -ENOMEM, RCR_REASON_NO_MEMORY);
	return 0;
}

/**
 * rcr_control_period() - change the sampling period; totals continue
 * @period: ns, from RCR_PERIOD_MIN_US to RCR_PERIOD_MAX_US
 * @f: filled in on failure
 *
 * Return: 0; -ENOMEM, -EBUSY.
 */
int rcr_control_period(u64 period, struct rcr_failure *f)
{
	struct rcr_plan p = rcr_control_plan(&rcr_control.staged);
	int err = 0;

	p.count = rcr_program_running(&p.event);
	p.period = period;
	if (p.count)
		err = rcr_program_set(&p, f);
	if (!err)
		rcr_control.period = period;
	return err;
}

/* Each default set begins with cycles and instructions. */
#define LEAST_OF_DEFAULT 2

/*
 * Program as many events of the default set as fit next to other users of the counters. Lower
 * the number of spare counters before dropping cycles or instructions.
 */
static int program_default(struct rcr_failure *f)
{
	struct rcr_plan p = rcr_control_plan(&rcr_control.staged);
	int err;

	p.is_default = true;
	p.spare = rcr_params.spare;
	for (;;) {
		err = rcr_program_set(&p, f);
		if (!err && p.spare < rcr_params.spare)
			pr_notice("lowered spare to %u so that cycles and instructions can be counted\n",
				  p.spare);
		if ((err != -ENOSPC && err != -ERANGE) || p.count < LEAST_OF_DEFAULT)
			return err;
		if (err == -ENOSPC && p.count == LEAST_OF_DEFAULT &&
		    p.spare > max(RCR_SPARE_MIN, 1u)) {
			p.spare--;
		} else {
			if (p.count == LEAST_OF_DEFAULT)
				pr_notice("only %s is counted by default: %s\n",
					  p.event[0].name, rcr_failure_text(f));
			p.spare = rcr_params.spare;
			rcr_control.staged.count = --p.count;
		}
		memset(f, 0, sizeof(*f));
	}
}

/* EINVAL and ENOMEM fail module init; any other error leaves the module inert. */
static int start_default(void)
{
	struct rcr_failure f = { };
	struct rcr_plan p;
	int err;

	err = program_default(&f);
	if (!err) {
		rcr_control.base.set = rcr_control.staged;
		rcr_control.base.defaults = GENMASK(rcr_control.staged.count - 1, 0);
		return 0;
	}
	if (err == -EINVAL || err == -ENOMEM) {
		pr_err("%s\n", rcr_failure_text(&f));
		return err;
	}
	pr_warn("inert, nothing is counted: %s\n", rcr_failure_text(&f));
	p = rcr_control_plan(&rcr_control.staged);
	return rcr_program_nothing(&p, &f);
}

/**
 * rcr_control_init() - program the default set
 *
 * The module is inert if the set cannot be counted on this machine now.
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, -ENOMEM, -EAGAIN.
 */
int rcr_control_init(void)
{
	u32 generation = RCR_ANY_GENERATION;
	struct rcr_failure f = { };
	int err;

	rcr_program_init();
	rcr_control.generation = 0;
	rcr_control.period = (u64)rcr_params.period_us * NSEC_PER_USEC;
	rcr_control.staged.count = rcr_program_default(rcr_control.staged.event);
	err = rcr_control_begin(generation, &f);
	if (err)
		pr_err("%s\n", rcr_failure_text(&f));
	else
		err = rcr_control_end(&generation, start_default());
	if (err)
		rcr_program_exit();
	return err;
}

/**
 * rcr_control_pause() - pause counting before a suspend
 *
 * Tasks still run before they are frozen and after they are thawed: changes are refused with
 * -EAGAIN until rcr_control_resume().
 *
 * Context: may sleep.
 */
void rcr_control_pause(void)
{
	mutex_lock(&rcr_control_lock);
	if (!is_paused()) {
		rcr_program_pause();
		asleep = true;
	}
	mutex_unlock(&rcr_control_lock);
}

/* Resume the paused set or log the failure; restore the set if a hold has ended meanwhile. */
static void resume_run(void)
{
	struct rcr_failure f = { };
	int err = rcr_program_resume(&f);

	if (hold_ended) {
		hold_ended = false;
		if (!restore_set())
			publish_generation();
	} else if (err) {
		pr_err("inert, nothing is counted after the resume: %s\n", rcr_failure_text(&f));
		if (!count_nothing(&f))
			publish_generation();
	}
}

/* Continue after a suspend. May sleep. */
void rcr_control_resume(void)
{
	mutex_lock(&rcr_control_lock);
	if (asleep && !READ_ONCE(shutting_down)) {
		asleep = false;
		resume_run();
	}
	mutex_unlock(&rcr_control_lock);
}

static bool lock_with_limit(void)
{
	unsigned int ms;

	for (ms = 0; ms < SHUTDOWN_LIMIT_MS; ms += 20) {
		if (mutex_trylock(&rcr_control_lock))
			return true;
		msleep(20);
	}
	return false;
}

/**
 * rcr_control_shutdown() - restore all registers before a reboot, and refuse further changes
 *
 * Does not wait for a CPU that is occupied by a real-time task, and at most SHUTDOWN_LIMIT_MS
 * for a change that does: that change fails after rcr_cpus_shutdown().
 *
 * Context: may sleep, for about SHUTDOWN_LIMIT_MS.
 */
void rcr_control_shutdown(void)
{
	bool locked;

	WRITE_ONCE(shutting_down, true);
	locked = lock_with_limit();
	rcr_cpus_shutdown();
	if (locked)
		mutex_unlock(&rcr_control_lock);
}

/**
 * rcr_control_check_lockdown() - stop counting if the running set is not allowed any more
 *
 * Context: may sleep.
 */
void rcr_control_check_lockdown(void)
{
	struct rcr_failure f = { };

	mutex_lock(&rcr_control_lock);
	if (!is_paused() && !rcr_program_may_run(&f) && !count_nothing(&f)) {
		pr_warn("inert, counting was stopped: %s\n", rcr_failure_text(&f));
		publish_generation();
	}
	mutex_unlock(&rcr_control_lock);
}

/* Restore all registers. Called after the user interfaces are closed; may sleep. */
void rcr_control_exit(void)
{
	mutex_lock(&rcr_control_lock);
	rcr_hold_end_all();
	rcr_program_exit();
	mutex_unlock(&rcr_control_lock);
}
