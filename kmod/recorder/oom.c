// SPDX-License-Identifier: GPL-2.0-only
/*
 * oom.c - hears of processes that are killed because memory has run out, in the
 * machine or in a cgroup.
 *
 * The kernel tells it by a tracepoint, oom:mark_victim, which is exported to
 * nobody: it is found by its name.
 */
#include <linux/errno.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "compat/oom.h"
#include "oom.h"

/* Changed by the two functions below, whose callers are serialized. */
static struct tracepoint *found;
static void (*listener)(int pid);

/* Under the victim's task lock. */
static void victim_marked(void *unused, RCR_OOM_VICTIM)
{
	listener(rcr_oom_pid(victim));
}

static void find(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, "mark_victim"))
		found = tp;
}

/**
 * rcr_oom_listen() - has somebody called whenever a process is killed so
 * @killed: gets its process id; called in atomic context
 *
 * Context: may sleep; nobody listens yet.
 * Return: 0; -EOPNOTSUPP in a kernel that does not tell, -ENOMEM.
 */
int rcr_oom_listen(void (*killed)(int pid))
{
	int err;

	for_each_kernel_tracepoint(find, NULL);
	if (!found)
		return -EOPNOTSUPP;
	listener = killed;
	err = tracepoint_probe_register(found, victim_marked, NULL);
	if (err)
		found = NULL;
	return err;
}

/* No call comes any more, nor is one under way; nobody need listen. May sleep. */
void rcr_oom_ignore(void)
{
	if (!found)
		return;
	tracepoint_probe_unregister(found, victim_marked, NULL);
	tracepoint_synchronize_unregister();
	found = NULL;
}
