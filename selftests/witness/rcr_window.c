// SPDX-License-Identifier: GPL-2.0-only
/*
 * rcr_window.c - pauses a suspend twice while tasks run: after all other PM notifiers have been
 * called and before tasks are frozen, and after tasks are thawed and before other PM notifiers.
 *
 * "stage" is 1 or 2 meanwhile. The suspend continues when a program writes that number, or a
 * greater one, to "go". Only for selftests/suspend.sh.
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/suspend.h>

#define LIMIT_MS	60000

static int stage;
module_param(stage, int, 0444);
MODULE_PARM_DESC(stage, "1: before tasks are frozen; 2: after they are thawed; 0: neither");

static int go;
module_param(go, int, 0644);
MODULE_PARM_DESC(go, "The last stage that may end");

static void hold_open(int which)
{
	unsigned int ms;

	WRITE_ONCE(stage, which);
	for (ms = 0; READ_ONCE(go) < which && ms < LIMIT_MS; ms += 20)
		msleep(20);
}

/* Called after all other notifiers, for the beginning of a suspend. */
static int last_event(struct notifier_block *block, unsigned long event, void *unused)
{
	if (event == PM_SUSPEND_PREPARE)
		hold_open(1);
	else if (event == PM_POST_SUSPEND)
		WRITE_ONCE(stage, 0);
	return NOTIFY_DONE;
}

/* Called before all other notifiers, for the end of a suspend. */
static int first_event(struct notifier_block *block, unsigned long event, void *unused)
{
	if (event == PM_POST_SUSPEND)
		hold_open(2);
	return NOTIFY_DONE;
}

static struct notifier_block last = { .notifier_call = last_event, .priority = INT_MIN };
static struct notifier_block first = { .notifier_call = first_event, .priority = INT_MAX };

static int __init window_init(void)
{
	int err = register_pm_notifier(&last);

	if (err)
		return err;
	err = register_pm_notifier(&first);
	if (err)
		unregister_pm_notifier(&last);
	return err;
}

static void __exit window_exit(void)
{
	unregister_pm_notifier(&first);
	unregister_pm_notifier(&last);
}

module_init(window_init);
module_exit(window_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Holds a suspend open around the time when tasks are frozen");
