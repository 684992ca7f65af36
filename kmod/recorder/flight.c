// SPDX-License-Identifier: GPL-2.0-only
/*
 * flight.c - keeps the last seconds before something happened: waits for a trigger,
 * has a window copied from the rings, and holds it until somebody has fetched it.
 *
 * There are at most two windows: one that is empty, taken when the recorder is
 * armed, so that a trigger needs no memory, and one that is kept. The next empty
 * one is taken when the kept one has been fetched, which only CAP_SYS_RAWIO can, and
 * no descriptor holds a window any more. Readers without that capability hold none.
 */
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/spinlock.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>
#include <asm/tsc.h>

#include "caller.h"
#include "excerpt.h"
#include "flight.h"
#include "oom.h"
#include "ring/run.h"

/* Held while it is armed, disarmed or fetched, and while a set changes. */
static DEFINE_MUTEX(lock);
static unsigned int holders;		/* descriptors that hold a window */
static struct rcr_failure failure;	/* why there is no empty window */
static bool hears_oom;

/* A trigger comes from any context. */
static DEFINE_RAW_SPINLOCK(trigger_lock);	/* all below */
static u64 armed_length;		/* of a window, ns; 0: off */
static u32 armed_causes;
static bool ready;			/* the next trigger's window is kept */
static u64 missed;
static u64 windows;			/* that were filled ever */
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
	empty->number = ++windows;
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

/* Does the kept window keep another one from being taken? Under the mutex. */
static bool is_waited_for(void)
{
	return kept && (!kept->fetched || holders);
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
		pr_warn("the flight recorder records nothing: %s\n", rcr_failure_text(&failure));
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
		return rcr_fail(f, err, RCR_REASON_NO_OOM);
	if (err)
		return rcr_fail_with(f, err, RCR_REASON_OOM_UNHEARD, "%u", -err);
	hears_oom = true;
	return 0;
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
 * @causes: mask of enum rcr_flight_cause, not 0
 * @f: gets the reason when it fails
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, -EOPNOTSUPP, -ENODATA, -ENOMEM, and nothing has changed.
 */
int rcr_flight_arm(u64 length, u32 causes, struct rcr_failure *f)
{
	int err;

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

/* A reference to what is kept now, or NULL. */
static struct rcr_excerpt *get_kept(void)
{
	struct rcr_excerpt *e;

	raw_spin_lock_irq(&trigger_lock);
	e = kept;
	if (e)
		kref_get(&e->ref);
	raw_spin_unlock_irq(&trigger_lock);
	return e;
}

/* Waits for the next trigger, once the kept window is not waited for. Under the mutex. */
static void wait_again(void)
{
	bool wanted;

	raw_spin_lock_irq(&trigger_lock);
	wanted = armed_length && kept && !empty && !is_waited_for();
	raw_spin_unlock_irq(&trigger_lock);
	if (wanted)
		renew();
}

/**
 * rcr_flight_open() - a reader, for the calling task
 * @r: the reader; all 0
 *
 * Does not wait for a window that is being copied: that is for the first read, as a
 * device is opened under a lock that all of them share.
 */
void rcr_flight_open(struct rcr_flight_reader *r)
{
	r->admin = rcr_caller_is_admin();
}

/* Takes the window that is kept now, unless it has one. Under the mutex. */
static void bind_window(struct rcr_flight_reader *r)
{
	struct rcr_excerpt *e;

	if (r->window)
		return;
	flush_work(&work);
	e = get_kept();
	if (!e)
		return;
	r->size = e->size;
	r->window = e->number;
	if (r->admin) {
		r->held = e;
		holders++;
	} else {
		rcr_excerpt_put(e);
	}
}

/**
 * rcr_flight_size() - bytes of the window that a reader reads
 * @r: the reader
 *
 * Context: may sleep; waits until a trigger that has come is done.
 * Return: bytes; 0 when nothing is kept.
 */
size_t rcr_flight_size(struct rcr_flight_reader *r)
{
	size_t size;

	mutex_lock(&lock);
	bind_window(r);
	size = r->size;
	mutex_unlock(&lock);
	return size;
}

/**
 * rcr_flight_close() - gives back the window that a reader holds
 * @r: the reader
 *
 * Context: may sleep.
 */
void rcr_flight_close(struct rcr_flight_reader *r)
{
	if (!r->held)
		return;
	mutex_lock(&lock);
	rcr_excerpt_put(r->held);
	holders--;
	wait_again();
	mutex_unlock(&lock);
}

static ssize_t read_held(const struct rcr_flight_reader *r, char __user *buf,
			 size_t count, loff_t *pos)
{
	struct rcr_excerpt *e = r->held;
	ssize_t ret = simple_read_from_buffer(buf, count, pos, e->data, e->size);

	if (ret > 0 && *pos == e->size) {
		mutex_lock(&lock);
		e->fetched = true;
		wait_again();
		mutex_unlock(&lock);
	}
	return ret;
}

/* Copies from the window of that number, if it is still kept. */
static int copy_kept(u64 window, void *to, size_t count, loff_t pos)
{
	struct rcr_excerpt *e = get_kept();
	int err = -ESTALE;

	if (e && e->number == window) {
		memcpy(to, e->data + pos, count);
		err = 0;
	}
	rcr_excerpt_put(e);
	return err;
}

/*
 * By a buffer that is charged to the reader: a fault on its memory, which may take any
 * time, must not hold the window.
 */
static ssize_t read_kept(const struct rcr_flight_reader *r, char __user *buf,
			 size_t count, loff_t *pos)
{
	ssize_t ret = min3(count, (size_t)(r->size - *pos), (size_t)SZ_64K);
	void *copy = kvmalloc(ret, GFP_KERNEL_ACCOUNT);
	int err;

	if (!copy)
		return -ENOMEM;
	err = copy_kept(r->window, copy, ret, *pos);
	if (!err && copy_to_user(buf, copy, ret))
		err = -EFAULT;
	kvfree(copy);
	if (err)
		return err;
	*pos += ret;
	return ret;
}

/**
 * rcr_flight_read() - reads the window that was kept at the first read
 * @r: the reader
 * @buf: where to
 * @count: bytes there
 * @pos: offset in the window, moved on
 *
 * Context: may sleep; waits until a trigger that has come is done.
 * Return: bytes, 0 at the end and when nothing is kept, -ESTALE when the window is not
 * kept any more (never for a reader with CAP_SYS_RAWIO), -EFAULT, -ENOMEM.
 */
ssize_t rcr_flight_read(struct rcr_flight_reader *r, char __user *buf, size_t count,
			loff_t *pos)
{
	if (*pos < 0)
		return -EINVAL;
	if (!count || *pos >= rcr_flight_size(r))
		return 0;
	return r->held ? read_held(r, buf, count, pos) : read_kept(r, buf, count, pos);
}

/* Of what is kept. Under the mutex, no copying under way. */
static void look_at_kept(struct rcr_flight_state *state)
{
	state->kept = kept;
	if (!kept)
		return;
	state->fetched = !is_waited_for();
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
