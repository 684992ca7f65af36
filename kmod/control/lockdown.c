// SPDX-License-Identifier: GPL-2.0-only
/*
 * lockdown.c - detects that the kernel is locked down while a set is counted. There is no
 * notification, so it is checked once a second: a set that could not be programmed any more is
 * stopped then, and all registers are restored. The work item is not bound to a CPU: a real-time
 * task could keep it from releasing the lock.
 */
#include <linux/jiffies.h>
#include <linux/workqueue.h>

#include "control.h"

#define INTERVAL	HZ

static void look(struct work_struct *unused);
static DECLARE_DEFERRABLE_WORK(work, look);	/* deferrable: it wakes no idle CPU */

static void look(struct work_struct *unused)
{
	rcr_control_obey();
	queue_delayed_work(system_unbound_wq, &work, INTERVAL);
}

/* The present set was allowed when it was programmed. */
int rcr_lockdown_init(void)
{
	queue_delayed_work(system_unbound_wq, &work, INTERVAL);
	return 0;
}

/* Stop the checks. May sleep. */
void rcr_lockdown_exit(void)
{
	cancel_delayed_work_sync(&work);
}
