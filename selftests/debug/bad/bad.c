// SPDX-License-Identifier: GPL-2.0-only
/*
 * bad.c - a module with one error per load that a debug kernel must detect, to test that guests
 * fail then. Not part of rcrtool.
 */
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

static char *what = "";
module_param(what, charp, 0400);
MODULE_PARM_DESC(what, "the error to make");

static DEFINE_MUTEX(first);
static DEFINE_MUTEX(second);
static DEFINE_RAW_SPINLOCK(held);
static DEFINE_SPINLOCK(sleeping);
static int __rcu *guarded;
static int shared;
static int exponent = 64;

static void leak(void)
{
	void *lost = kmalloc(100, GFP_KERNEL);

	OPTIMIZER_HIDE_VAR(lost);
}

static void use_after_free(void)
{
	int *gone = kzalloc(sizeof(*gone), GFP_KERNEL);

	OPTIMIZER_HIDE_VAR(gone);
	kfree(gone);
	pr_info("%d\n", READ_ONCE(*gone));
}

static void lock_order(void)
{
	mutex_lock(&first);
	mutex_lock(&second);
	mutex_unlock(&second);
	mutex_unlock(&first);
	mutex_lock(&second);
	mutex_lock(&first);
	mutex_unlock(&first);
	mutex_unlock(&second);
}

/* Take a lock that sleeps on PREEMPT_RT under a raw spinlock. */
static void lock_nesting(void)
{
	raw_spin_lock(&held);
	spin_lock(&sleeping);
	spin_unlock(&sleeping);
	raw_spin_unlock(&held);
}

static void sleep_in_atomic(void)
{
	preempt_disable();
	might_sleep();
	msleep(20);
	preempt_enable();
}

static void unguarded(void)
{
	pr_info("%p\n", rcu_dereference(guarded));
}

static void shift_too_far(void)
{
	pr_info("%lu\n", 1UL << READ_ONCE(exponent));
}

static enum hrtimer_restart fired(struct hrtimer *timer)
{
	return HRTIMER_NORESTART;
}

static void free_a_timer(void)
{
	struct hrtimer *timer = kzalloc(sizeof(*timer), GFP_KERNEL);

	if (!timer)
		return;
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	timer->function = fired;
	hrtimer_start(timer, ns_to_ktime(NSEC_PER_SEC), HRTIMER_MODE_REL);
	kfree(timer);
}

static int racer(void *unused)
{
	int i;

	for (i = 0; i < 1000000 && !kthread_should_stop(); i++)
		shared++;
	while (!kthread_should_stop())
		msleep(20);
	return 0;
}

static void race(void)
{
	struct task_struct *one = kthread_run(racer, NULL, "racer");
	struct task_struct *other = kthread_run(racer, NULL, "racer");

	msleep(2000);
	if (!IS_ERR(one))
		kthread_stop(one);
	if (!IS_ERR(other))
		kthread_stop(other);
}

static void taint(void)
{
	add_taint(TAINT_CRAP, LOCKDEP_STILL_OK);
}

static const struct {
	const char *name;
	void (*does)(void);
} all[] = {
	{ "leak", leak },
	{ "use-after-free", use_after_free },
	{ "lock-order", lock_order },
	{ "lock-nesting", lock_nesting },
	{ "sleep-in-atomic", sleep_in_atomic },
	{ "unguarded", unguarded },
	{ "shift", shift_too_far },
	{ "timer", free_a_timer },
	{ "race", race },
	{ "taint", taint },
};

static int __init bad_init(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		if (strcmp(all[i].name, what) == 0) {
			all[i].does();
			return 0;
		}
	}
	return -EINVAL;
}

static void __exit bad_exit(void)
{
}

module_init(bad_init);
module_exit(bad_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("does what no module may do");
