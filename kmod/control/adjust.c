// SPDX-License-Identifier: GPL-2.0-only
/*
 * adjust.c - verbs that apply to the running set: halt, continue, rewrite, reassign and mark;
 * and queries of its status.
 */
#include <linux/bits.h>
#include <linux/ctype.h>
#include <linux/string.h>

#include "control_state.h"
#include "cpu/cpus.h"

/* Number of a counter of the running set, or -errno. */
static int find_running(const char *name, struct rcr_failure *f)
{
	int i = rcr_program_find(name);

	if (i < 0)
		return rcr_fail_with(f, i, RCR_REASON_NOT_COUNTED, "%s", name);
	return i;
}

/* Set @which to the counters that @name selects. */
static int select_counters(const char *name, u32 *which, struct rcr_failure *f)
{
	int i;

	if (!rcr_cpus.run)
		return rcr_fail(f, -ENODATA, RCR_REASON_NOTHING_COUNTED);
	*which = ~0u;
	if (name == RCR_ALL_COUNTERS)
		return 0;
	i = find_running(name, f);
	if (i < 0)
		return i;
	*which = BIT(i);
	return 0;
}

static int halt_counters(const char *name, bool halted, struct rcr_failure *f)
{
	u32 which;
	int err = select_counters(name, &which, f);

	if (!err)
		rcr_program_halt(which, halted);
	return err;
}

/**
 * rcr_control_halt() - stop reading and checking a counter until continue
 * @name: the counter, or RCR_ALL_COUNTERS
 * @f: filled in on failure
 *
 * The register continues to count, but the total does not include these counts.
 *
 * Return: 0; -ENOENT, -ENODATA.
 */
int rcr_control_halt(const char *name, struct rcr_failure *f)
{
	return halt_counters(name, true, f);
}

/**
 * rcr_control_continue() - read a halted counter again
 * @name: the counter, or RCR_ALL_COUNTERS
 * @f: filled in on failure
 *
 * A register that another program has changed meanwhile is RCR_STATUS_FOREIGN, as without
 * the halt.
 *
 * Return: 0; -ENOENT, -ENODATA.
 */
int rcr_control_continue(const char *name, struct rcr_failure *f)
{
	return halt_counters(name, false, f);
}

/**
 * rcr_control_rewrite() - reprogram a counter on CPUs where another program has changed it
 * @name: the counter, or RCR_ALL_COUNTERS
 * @f: filled in on failure
 *
 * Totals continue, and halted counters stay halted. Registers with the expected value are not
 * written. Registers whose access has faulted are tried again.
 *
 * Return: 0; -ENOENT, -ENODATA; -EIO or -ENODEV if it fails on a CPU; the registers of that
 * CPU are then unchanged.
 */
int rcr_control_rewrite(const char *name, struct rcr_failure *f)
{
	u32 which;
	int err = select_counters(name, &which, f);

	return err ?: rcr_cpus_rewrite(which, f);
}

/**
 * rcr_control_reassign() - replace the event of one counter
 * @name: the counter
 * @event: the new event, whose total starts at 0
 * @f: filled in on failure
 *
 * All other counters continue without being touched. The register of the old event is
 * restored, unless the new event uses it.
 *
 * Return: 0; -ENOENT, -EEXIST; -EINVAL, also for an event of another scope; -ENOSPC if other
 * counters would have to move; -EBUSY, -EIO, -ENODEV, -ENOMEM. On failure the running set
 * continues.
 */
int rcr_control_reassign(const char *name, const struct rcr_event *event,
			 struct rcr_failure *f)
{
	struct rcr_event *staged = rcr_staged_find(&rcr_control.staged, name);
	struct rcr_plan p = rcr_control_plan(&rcr_control.staged);
	int i = find_running(name, f), err;

	if (i < 0)
		return i;
	if (strcmp(name, event->name) &&
	    (rcr_program_find(event->name) >= 0 || rcr_hold_find(event->name) ||
	     rcr_staged_find(&rcr_control.staged, event->name)))
		return rcr_fail_with(f, -EEXIST, RCR_REASON_IN_SET, "%s", event->name);
	p.count = rcr_program_running(&p.event);
	p.only = i;
	p.instead = event;
	err = rcr_hold_check_reassign(name, event, f) ?: rcr_program_set(&p, f);
	if (err)
		return err;
	rcr_hold_reassign(name, event);
	if (staged)
		*staged = *event;
	return 0;
}

/* Reject control characters of terminals, including U+0080 to U+009F in UTF-8. */
static bool is_printable(const char *text)
{
	for (; *text; text++)
		if (iscntrl(*text) ||
		    (text[0] == '\xc2' && text[1] >= '\x80' && text[1] <= '\x9f'))
			return false;
	return true;
}

/**
 * rcr_control_mark() - add a mark to the stream
 * @kind: enum rcr_mark_kind
 * @flags: flags of the item: RCR_MARK_ADMIN or 0
 * @text: text of the mark, or the id of the job
 * @f: filled in on failure
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if @text is empty, too long or not printable.
 */
int rcr_control_mark(u32 kind, u16 flags, const char *text, struct rcr_failure *f)
{
	if (!*text || strlen(text) >= RCR_MARK_LEN || !is_printable(text))
		return rcr_fail_with(f, -EINVAL, RCR_REASON_BAD_MARK, "%u", RCR_MARK_LEN - 1);
	mutex_lock(&rcr_control_lock);
	rcr_program_mark(kind, flags, text);
	mutex_unlock(&rcr_control_lock);
	return 0;
}

/**
 * rcr_control_status() - get the worst status of a counter
 * @generation: generation of its set
 * @counter: number of the counter
 * @not_ok: set to the CPUs where it is not RCR_STATUS_OK
 *
 * Context: may sleep.
 * Return: the worst status of all CPUs; 0 if the set is not running any more.
 */
u8 rcr_control_status(u32 generation, unsigned int counter,
		      struct cpumask *not_ok)
{
	u8 status;

	mutex_lock(&rcr_control_lock);
	status = rcr_cpus.run && rcr_cpus.run->set.generation == generation ?
		 rcr_cpus_status(counter, not_ok) : 0;
	mutex_unlock(&rcr_control_lock);
	return status;
}
