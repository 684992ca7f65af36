// SPDX-License-Identifier: GPL-2.0-only
/*
 * adjust.c - the verbs for the set that is counted now: halt, continue, rewrite,
 * reassign, mark; and the questions about it.
 */
#include <linux/bits.h>
#include <linux/ctype.h>
#include <linux/string.h>

#include "control_state.h"
#include "cpu/cpus.h"

/* The number of a counter that is counted now. */
static int find_counter(const char *name, struct rcr_failure *f)
{
	int i = rcr_program_find(name);

	if (i < 0)
		return rcr_fail_with(f, i, RCR_REASON_NOT_COUNTED, "%s", name);
	return i;
}

/* The counters that @name is for. */
static int find_which(const char *name, u32 *which, struct rcr_failure *f)
{
	int i;

	if (!rcr_cpus.run)
		return rcr_fail(f, -ENODATA, RCR_REASON_NOTHING_COUNTED);
	*which = ~0u;
	if (name == RCR_ALL_COUNTERS)
		return 0;
	i = find_counter(name, f);
	if (i < 0)
		return i;
	*which = BIT(i);
	return 0;
}

static int halt_counters(const char *name, bool halted, struct rcr_failure *f)
{
	u32 which;
	int err = find_which(name, &which, f);

	if (!err)
		rcr_program_halt(which, halted);
	return err;
}

/**
 * rcr_control_halt() - a counter is not read, nor looked at, until continue
 * @name: the counter, or RCR_ALL_COUNTERS
 * @f: filled in on failure
 *
 * Its register counts on. What it counts meanwhile is in no total.
 *
 * Return: 0; -ENOENT, -ENODATA.
 */
int rcr_control_halt(const char *name, struct rcr_failure *f)
{
	return halt_counters(name, true, f);
}

/**
 * rcr_control_continue() - what was halted is read again
 * @name: the counter, or RCR_ALL_COUNTERS
 * @f: filled in on failure
 *
 * A register that somebody else has programmed meanwhile is foreign, as it
 * would be without the halt.
 *
 * Return: 0; -ENOENT, -ENODATA.
 */
int rcr_control_continue(const char *name, struct rcr_failure *f)
{
	return halt_counters(name, false, f);
}

/**
 * rcr_control_rewrite() - programs a counter again where it is not ours any more
 * @name: the counter, or RCR_ALL_COUNTERS
 * @f: filled in on failure
 *
 * Totals go on, and what is halted stays halted. A register that is as it should
 * be is not written. One that faulted is tried again.
 *
 * Return: 0; -ENOENT, -ENODATA; -EIO, -ENODEV when it cannot be on some
 * CPU, where nothing has changed.
 */
int rcr_control_rewrite(const char *name, struct rcr_failure *f)
{
	u32 which;
	int err = find_which(name, &which, f);

	return err ?: rcr_cpus_rewrite(which, f);
}

/**
 * rcr_control_reassign() - counts another event instead of one that is counted
 * @name: the counter
 * @event: what to count; begins at 0
 * @f: filled in on failure
 *
 * All other counters go on untouched; the register of the old event is as it
 * was before, unless the new one needs it.
 *
 * Return: 0; -ENOENT, -EEXIST, -EINVAL also for an event of another scope, -ENOSPC when
 * others would have to move,
 * -EBUSY, -EIO, -ENODEV, -ENOMEM. What ran before goes on then.
 */
int rcr_control_reassign(const char *name, const struct rcr_event *event,
			 struct rcr_failure *f)
{
	struct rcr_event *staged = rcr_staged_find(&rcr_control.staged, name);
	struct rcr_plan p = rcr_control_plan(&rcr_control.staged);
	int i = find_counter(name, f), err;

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

/* UTF-8 or not: U+0080 to U+009F are controls of terminals, too. */
static bool is_printable(const char *text)
{
	for (; *text; text++)
		if (iscntrl(*text) ||
		    (text[0] == '\xc2' && text[1] >= '\x80' && text[1] <= '\x9f'))
			return false;
	return true;
}

/**
 * rcr_control_mark() - marks this moment in the stream
 * @kind: enum rcr_mark_kind
 * @flags: of its item: RCR_MARK_ADMIN or 0
 * @text: what to say, or the id of the job
 * @f: filled in on failure
 *
 * Context: may sleep.
 * Return: 0; -EINVAL for a text that cannot be.
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
 * rcr_control_status() - how a counter fares
 * @generation: of its set
 * @counter: its number
 * @not_ok: gets the CPUs where it is not RCR_STATUS_OK
 *
 * Context: may sleep.
 * Return: the status of the CPU that fares worst; 0 when the set has gone.
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
