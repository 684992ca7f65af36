// SPDX-License-Identifier: GPL-2.0-only
/*
 * flight.c - keeps the last seconds before something happened: waits for a trigger,
 * has a window copied from the rings, and holds it until somebody has fetched it.
 *
 * There are at most two windows: one that is empty, taken when the recorder is
 * armed, so that a trigger needs no memory, and one that is kept. The next empty
 * one is taken when the kept one has been fetched.
 */
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/spinlock.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>
#include <asm/tsc.h>

#include "excerpt.h"
#include "flight.h"
#include "oom.h"
#include "run.h"

#define ALL_CAUSES (RCR_FLIGHT_MARK | RCR_FLIGHT_OOM | RCR_FLIGHT_CROSSING)

/* Held while it is armed or disarmed, and while a set changes. */
static DEFINE_MUTEX(lock);
static struct rcr_failure failure;	/* why there is no empty window */
static bool hears_oom;

/* A trigger comes from any context. */
static DEFINE_RAW_SPINLOCK(trigger_lock);	/* all below */
static u64 armed_length;		/* of a window, ns; 0: off */
static u32 armed_causes;
static bool ready;			/* the next trigger's window is kept */
static u64 missed;
static struct rcr_excerpt *empty;
static struct rcr_excerpt *kept;
static struct rcr_mark trigger;

/* Its own, with a thread in reserve: a trigger may be that memory has run out. */
static struct workqueue_struct *workqueue;

/* The trigger that was taken has filled the empty window: it is what is kept. */
static void keep(struct work_struct *unused)
{
	struct rcr_excerpt *before;

	rcr_excerpt_fill(empty, &trigger);
	raw_spin_lock_irq(&trigger_lock);
	before = kept;
	kept = empty;
	empty = NULL;
	raw_spin_unlock_irq(&trigger_lock);
	rcr_excerpt_put(before);
	pr_info("%s: the last %llu ms are kept for /dev/rcrflight\n", kept->cause,
		div_u64(kept->length, NSEC_PER_MSEC));
}

static DECLARE_WORK(work, keep);

/* Under the lock of triggers. */
static void take_trigger(const char *text)
{
	trigger.time = ktime_get_ns();
	trigger.tsc = rdtsc_ordered();
	trigger.kind = RCR_MARK_TEXT;
	snprintf(trigger.text, sizeof(trigger.text), "trigger: %s", text);
	ready = false;
	missed = 0;
	queue_work(workqueue, &work);
}

/**
 * rcr_flight_trigger() - something happened
 * @cause: what
 * @text: the same for people, "mark hello"
 *
 * When the recorder is armed for it the last seconds before this moment are kept,
 * soon.
 *
 * Context: any but NMI.
 */
void rcr_flight_trigger(enum rcr_flight_cause cause, const char *text)
{
	unsigned long flags;

	if (!(READ_ONCE(armed_causes) & cause))
		return;
	raw_spin_lock_irqsave(&trigger_lock, flags);
	if (!ready)
		missed++;
	else if (armed_causes & cause)
		take_trigger(text);
	raw_spin_unlock_irqrestore(&trigger_lock, flags);
}

static void hear_kill(int pid)
{
	char text[64];

	snprintf(text, sizeof(text), "out of memory, killed %d", pid);
	rcr_flight_trigger(RCR_FLIGHT_OOM, text);
}

/* No trigger is taken any more, and what was taken is done. */
static void pause(void)
{
	raw_spin_lock_irq(&trigger_lock);
	ready = false;
	raw_spin_unlock_irq(&trigger_lock);
	flush_work(&work);
}

/* Is what is kept still to be fetched? Under the mutex, no copying under way. */
static bool is_waited_for(void)
{
	return kept && !kept->fetched;
}

/* Goes on with this empty window, if there is one. While paused. */
static void go_on(struct rcr_excerpt *e)
{
	struct rcr_excerpt *before;

	raw_spin_lock_irq(&trigger_lock);
	before = empty;
	empty = e;
	ready = e;
	raw_spin_unlock_irq(&trigger_lock);
	rcr_excerpt_put(before);
}

/* Takes an empty window of the present run, unless one would have to wait. */
static void renew(void)
{
	struct rcr_run *run;

	memset(&failure, 0, sizeof(failure));
	go_on(NULL);
	if (!armed_length || is_waited_for())
		return;
	run = rcr_run_get_current();
	go_on(rcr_excerpt_alloc(run, armed_length, &failure));
	rcr_run_put(run);
	if (failure.error)
		pr_warn("the flight recorder records nothing: %s\n", failure.reason);
}

/* Another set: what was taken of the one before is kept, and it begins anew. */
static int run_changed(struct notifier_block *block, unsigned long unused, void *run)
{
	mutex_lock(&lock);
	if (armed_length && run) {
		pause();
		renew();
	}
	mutex_unlock(&lock);
	return NOTIFY_DONE;
}

static struct notifier_block run_listener = { .notifier_call = run_changed };

static void hear_oom(bool wanted)
{
	if (hears_oom && !wanted)
		rcr_oom_ignore();
	hears_oom = wanted;
}

/* Before anything is changed: can it be heard of? */
static int prepare_oom(struct rcr_failure *f)
{
	int err;

	if (hears_oom)
		return 0;
	err = rcr_oom_listen(hear_kill);
	if (err == -EOPNOTSUPP)
		return rcr_fail(f, err,
			"This kernel does not tell when memory runs out (it has no tracepoint oom:mark_victim): arm the recorder for other triggers.");
	if (err)
		return rcr_fail(f, err,
			"The tracepoint oom:mark_victim cannot be listened to (error %d).",
			-err);
	hears_oom = true;
	return 0;
}

static int check_causes(u32 mask, struct rcr_failure *f)
{
	if (mask && !(mask & ~ALL_CAUSES))
		return 0;
	return rcr_fail(f, -EINVAL,
		"Triggers %#x are unknown: mark (1), oom (2) and crossing (4) are known, and one has to be named.",
		mask);
}

/* Forgets what is kept, and waits with another empty window, or with none. */
static void change(struct rcr_excerpt *e, u64 length, u32 causes)
{
	struct rcr_excerpt *before;

	pause();
	memset(&failure, 0, sizeof(failure));
	raw_spin_lock_irq(&trigger_lock);
	armed_length = length;
	WRITE_ONCE(armed_causes, causes);
	missed = 0;
	before = kept;
	kept = NULL;
	raw_spin_unlock_irq(&trigger_lock);
	rcr_excerpt_put(before);
	go_on(e);
	hear_oom(causes & RCR_FLIGHT_OOM);
}

static int arm(u64 length, u32 causes, struct rcr_failure *f)
{
	struct rcr_run *run = rcr_run_get_current();
	struct rcr_excerpt *e = rcr_excerpt_alloc(run, length, f);
	int err = 0;

	rcr_run_put(run);
	if (!e)
		return f->error;
	if (causes & RCR_FLIGHT_OOM)
		err = prepare_oom(f);
	if (err)
		rcr_excerpt_put(e);
	else
		change(e, length, causes);
	return err;
}

/**
 * rcr_flight_arm() - waits for a trigger from now on, and forgets what is kept
 * @length: of a window, ns
 * @causes: mask of enum rcr_flight_cause
 * @f: gets the reason when it fails
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, -EOPNOTSUPP, -ENODATA, -ENOMEM, and nothing has changed.
 */
int rcr_flight_arm(u64 length, u32 causes, struct rcr_failure *f)
{
	int err = check_causes(causes, f);

	if (err)
		return err;
	mutex_lock(&lock);
	err = arm(length, causes, f);
	mutex_unlock(&lock);
	return err;
}

/* Waits for nothing, and forgets what is kept; its memory is given back. May sleep. */
void rcr_flight_disarm(void)
{
	mutex_lock(&lock);
	change(NULL, 0, 0);
	mutex_unlock(&lock);
}

/**
 * rcr_flight_open() - a reference to what is kept
 *
 * Context: may sleep; waits until a trigger that has come is done.
 * Return: the window, or NULL.
 */
struct rcr_excerpt *rcr_flight_open(void)
{
	struct rcr_excerpt *e;

	flush_work(&work);
	raw_spin_lock_irq(&trigger_lock);
	e = kept;
	if (e)
		kref_get(&e->ref);
	raw_spin_unlock_irq(&trigger_lock);
	return e;
}

/**
 * rcr_flight_fetched() - somebody has read a window to its end
 * @e: the window; the first time the recorder waits for the next trigger
 *
 * Context: may sleep.
 */
void rcr_flight_fetched(struct rcr_excerpt *e)
{
	if (READ_ONCE(e->fetched))
		return;
	mutex_lock(&lock);
	if (!e->fetched) {
		WRITE_ONCE(e->fetched, true);
		if (e == kept)
			renew();
	}
	mutex_unlock(&lock);
}

/* Of what is kept. Under the mutex, no copying under way. */
static void look_at_kept(struct rcr_flight_state *state)
{
	state->kept = kept;
	if (!kept)
		return;
	state->fetched = kept->fetched;
	state->kept_bytes = kept->size;
	strscpy(state->cause, kept->cause, sizeof(state->cause));
}

/**
 * rcr_flight_look() - how the recorder fares
 * @state: gets it
 *
 * Context: may sleep.
 */
void rcr_flight_look(struct rcr_flight_state *state)
{
	memset(state, 0, sizeof(*state));
	mutex_lock(&lock);
	flush_work(&work);
	state->length = armed_length;
	state->causes = armed_causes;
	state->bytes = empty ? empty->room : kept ? kept->room : 0;
	state->missed = READ_ONCE(missed);
	state->failure = failure;
	look_at_kept(state);
	mutex_unlock(&lock);
}

/* Off. The rings are there. May sleep. */
int rcr_flight_init(void)
{
	workqueue = alloc_workqueue("rcr_flight", WQ_UNBOUND | WQ_HIGHPRI | WQ_MEM_RECLAIM, 1);
	if (!workqueue)
		return -ENOMEM;
	rcr_run_listen(&run_listener);
	return 0;
}

/* Nobody calls any more. May sleep. */
void rcr_flight_exit(void)
{
	rcr_run_ignore(&run_listener);
	rcr_flight_disarm();
	destroy_workqueue(workqueue);
}
