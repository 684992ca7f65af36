// SPDX-License-Identifier: GPL-2.0-only
/*
 * lockdown.c - stops counting when the kernel is locked down. There is no notification of
 * lockdown, so check once a second whether the current set is still allowed. Uses an unbound
 * worker: a bound one could be starved by a real-time task while it holds rcr_control_lock.
 */
#include <linux/jiffies.h>
#include <linux/workqueue.h>

#include "control.h"

#define CHECK_INTERVAL	HZ

static void poll_lockdown(struct work_struct *unused);
static DECLARE_DEFERRABLE_WORK(work, poll_lockdown);	/* does not wake an idle CPU */

static void poll_lockdown(struct work_struct *unused)
{
	rcr_control_check_lockdown();
	queue_delayed_work(system_unbound_wq, &work, CHECK_INTERVAL);
}

/* Start the checks with a delay: the current set was checked when it was programmed. */
int rcr_lockdown_init(void)
{
	queue_delayed_work(system_unbound_wq, &work, CHECK_INTERVAL);
	return 0;
}

/* Stop the checks. May sleep. */
void rcr_lockdown_exit(void)
{
	cancel_delayed_work_sync(&work);
}
