// SPDX-License-Identifier: GPL-2.0-only
/*
 * lockdown.c - a kernel that is locked down while something is counted. Nobody is told of
 * that, so it is asked for once a second: what could not be programmed any more is
 * stopped then, with every register as it was. Not on a CPU of its own: one that a
 * real-time task keeps for itself would keep the worker from giving back the lock.
 */
#include <linux/jiffies.h>
#include <linux/workqueue.h>

#include "control.h"

#define INTERVAL	HZ

static void look(struct work_struct *unused);
static DECLARE_DEFERRABLE_WORK(work, look);	/* no idle CPU is woken for it */

static void look(struct work_struct *unused)
{
	rcr_control_obey();
	queue_delayed_work(system_unbound_wq, &work, INTERVAL);
}

/* What is counted now was allowed when it was programmed. */
int rcr_lockdown_init(void)
{
	queue_delayed_work(system_unbound_wq, &work, INTERVAL);
	return 0;
}

/* Nobody asks any more. May sleep. */
void rcr_lockdown_exit(void)
{
	cancel_delayed_work_sync(&work);
}
