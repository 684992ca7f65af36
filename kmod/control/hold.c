// SPDX-License-Identifier: GPL-2.0-only
/*
 * hold.c - temporary changes of the set by several holders. The running set is the base set,
 * without the events that holders have removed, plus the events that they have added. If it
 * does not fit, events of the family's default set that root has not finalized give way, the
 * last one first, and return when a hold ends.
 *
 * All functions are called under rcr_control_lock.
 */
#include <linux/bitops.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "control_state.h"

/**
 * struct rcr_hold - the changes of one holder
 * @list: in @holds, oldest first
 * @holder: identifies the holder
 * @pid: thread group id of the holder in the initial pid namespace
 * @comm: name of the holder's task, printable
 * @added: events counted in addition to the base set
 * @removed: events of the base set that are not counted until the hold ends
 */
struct rcr_hold {
	struct list_head list;
	const void *holder;
	pid_t pid;
	char comm[TASK_COMM_LEN];
	struct rcr_staged added;
	struct rcr_staged removed;
};

static LIST_HEAD(holds);

/* The set to program. Static: too large for the stack, and ending a hold must not allocate. */
static struct rcr_staged composed;

/**
 * rcr_staged_has() - check whether a set contains an event under the same name
 * @s: the set
 * @e: the event
 *
 * Context: any.
 */
bool rcr_staged_has(const struct rcr_staged *s, const struct rcr_event *e)
{
	const struct rcr_event *same = rcr_staged_find(s, e->name);

	return same && rcr_event_same(same, e);
}

/* Store the events of @a that are not in @b. */
static void subtract_events(const struct rcr_staged *a, const struct rcr_staged *b,
			    struct rcr_staged *difference)
{
	unsigned int i;

	difference->count = 0;
	for (i = 0; i < a->count; i++)
		if (!rcr_staged_has(b, &a->event[i]))
			difference->event[difference->count++] = a->event[i];
}

static bool is_removed(const struct rcr_event *e)
{
	const struct rcr_hold *h;

	list_for_each_entry(h, &holds, list)
		if (rcr_staged_has(&h->removed, e))
			return true;
	return false;
}

/* Holders may share an event, but may not use one name for two events. */
static int append_event(const struct rcr_event *e, struct rcr_failure *f)
{
	if (rcr_staged_has(&composed, e))
		return 0;
	if (rcr_staged_find(&composed, e->name))
		return rcr_fail_with(f, -EEXIST, RCR_REASON_HELD_NAME, "%s", e->name);
	if (composed.count == RCR_MAX_COUNTERS)
		return rcr_fail_with(f, -ENOSPC, RCR_REASON_SET_FULL, "%u", RCR_MAX_COUNTERS);
	composed.event[composed.count++] = *e;
	return 0;
}

/* Compose the set to program. @leave: bit n: without event n of @base. */
static int compose_set(const struct rcr_base *base, u32 leave, struct rcr_failure *f)
{
	const struct rcr_hold *h;
	unsigned int i;
	int err = 0;

	composed.count = 0;
	for (i = 0; i < base->set.count; i++)
		if (!(leave & BIT(i)) &&
		    (base->wanted & BIT(i) || !is_removed(&base->set.event[i])))
			composed.event[composed.count++] = base->set.event[i];
	list_for_each_entry(h, &holds, list)
		for (i = 0; i < h->added.count && !err; i++)
			err = append_event(&h->added.event[i], f);
	return err;
}

static int program_without(const struct rcr_base *base, u32 leave, bool restores,
			   struct rcr_failure *f)
{
	int err = compose_set(base, leave, f);
	struct rcr_plan p;

	if (err)
		return err;
	if (!composed.count)
		return rcr_fail(f, -ENODATA, RCR_REASON_SET_EMPTY);
	p = rcr_control_plan(&composed);
	p.restores = restores;
	err = rcr_program_set(&p, f);
	if (!err)
		rcr_control.away = leave;
	return err;
}

/*
 * Program the base set and all holds. If they do not fit, drop events of the base set that are
 * in @may_leave, the last one first.
 */
static int program_fitting(const struct rcr_base *base, u32 may_leave, struct rcr_failure *f)
{
	u32 leave = 0;
	int err;

	for (;;) {
		memset(f, 0, sizeof(*f));
		err = program_without(base, leave, false, f);
		if (err != -ENOSPC || leave == may_leave)
			return err;
		leave |= BIT(fls(may_leave & ~leave) - 1);
	}
}

/**
 * rcr_hold_names() - list the holders
 * @text: output buffer: "rcrctl (1234), rcrjob (99)", truncated if too long
 */
void rcr_hold_names(char text[RCR_HOLDERS_LEN])
{
	const struct rcr_hold *h;
	size_t len = 0;

	*text = 0;
	list_for_each_entry(h, &holds, list)
		len += scnprintf(text + len, RCR_HOLDERS_LEN - len, "%s%s (%d)",
				 len ? ", " : "", h->comm, h->pid);
}

/* True if the base set without its default events, and @h, would fit without other holders. */
static bool fits_alone(const struct rcr_base *base, const struct rcr_hold *h)
{
	struct rcr_failure unused = { };
	struct rcr_plan p;
	unsigned int i;

	composed.count = 0;
	for (i = 0; i < base->set.count; i++)
		if (!(base->defaults & BIT(i)) &&
		    !(h && rcr_staged_has(&h->removed, &base->set.event[i])))
			composed.event[composed.count++] = base->set.event[i];
	for (i = 0; h && i < h->added.count; i++)
		composed.event[composed.count++] = h->added.event[i];
	p = rcr_control_plan(&composed);
	return !rcr_program_fits(&p, &unused);
}

/*
 * If @base or @h would fit without the other holders, replace the failure by -EBUSY with the
 * names of the holders. Return: the errno.
 */
static int name_holders(const struct rcr_base *base, const struct rcr_hold *h,
			struct rcr_failure *f)
{
	char names[RCR_HOLDERS_LEN];
	struct rcr_failure why = *f;

	if (list_empty(&holds) || (f->error != -ENOSPC && f->error != -EINVAL) ||
	    !fits_alone(base, h))
		return f->error;
	rcr_hold_names(names);
	memset(f, 0, sizeof(*f));
	return rcr_fail_within(f, -EBUSY, RCR_REASON_HOLDERS, names, &why);
}

/**
 * rcr_hold_change_base() - program another base set with the existing holds
 * @next: the base set
 * @f: filled in on failure
 *
 * Context: may sleep.
 * Return: 0; -EBUSY if it does not fit next to the holds; others as rcr_control_finalize().
 * On failure the running set continues.
 */
int rcr_hold_change_base(const struct rcr_base *next, struct rcr_failure *f)
{
	int err = program_fitting(next, list_empty(&holds) ? 0 : next->defaults, f);

	if (err)
		return name_holders(next, NULL, f);
	rcr_control.base = *next;
	return 0;
}

/* Cancel the removal of an event by any holder. */
static void keep_event(const struct rcr_event *e)
{
	struct rcr_event *removed;
	struct rcr_hold *h;

	list_for_each_entry(h, &holds, list) {
		removed = rcr_staged_find(&h->removed, e->name);
		if (removed && rcr_event_same(removed, e))
			*removed = h->removed.event[--h->removed.count];
	}
}

/*
 * Add an event to a base set, to be counted even if a holder has removed it. Append its name to
 * @names if it is not counted yet.
 */
static int add_to_base(struct rcr_base *next, const struct rcr_event *e,
		       char names[RCR_HOLDERS_LEN], struct rcr_failure *f)
{
	const struct rcr_event *known = rcr_hold_find(e->name);
	struct rcr_event *there = rcr_staged_find(&next->set, e->name);
	size_t len = strlen(names);
	int err;

	if (known && !rcr_event_same(known, e))
		return rcr_fail_with(f, -EEXIST, RCR_REASON_IN_SET, "%s", e->name);
	if (!there) {
		err = rcr_program_knows(e, f);
		if (err)
			return err;
		if (next->set.count == RCR_MAX_COUNTERS)
			return rcr_fail_with(f, -ENOSPC, RCR_REASON_SET_FULL, "%u",
					     RCR_MAX_COUNTERS);
		there = &next->set.event[next->set.count++];
		*there = *e;
	}
	next->wanted |= BIT(there - next->set.event);
	if (rcr_program_find(e->name) < 0)
		scnprintf(names + len, RCR_HOLDERS_LEN - len, "%s%s", len ? ", " : "", e->name);
	return 0;
}

/* Program an extended base set, but only if it fits without the holds, too. */
static int program_extended(const struct rcr_base *next, const char *names,
			    struct rcr_failure *f)
{
	struct rcr_plan p = rcr_control_plan(&next->set);
	struct rcr_failure why = { };
	int err;

	err = rcr_program_fits(&p, &why) ?: program_fitting(next, rcr_control.away, &why);
	if (err == -ENOSPC)
		return rcr_fail_within(f, -ENOSPC, RCR_REASON_CANNOT_ADD, names, &why);
	return err ? rcr_fail_like(f, err, &why) : 0;
}

/* Commit an extended base set, and add its new events to the staged set. */
static void take_extended(struct rcr_base *next)
{
	struct rcr_staged *staged = &rcr_control.staged;
	unsigned long wanted = next->wanted;
	unsigned int i;

	for_each_set_bit(i, &wanted, RCR_MAX_COUNTERS) {
		const struct rcr_event *e = &next->set.event[i];

		keep_event(e);
		if (!rcr_staged_find(staged, e->name) && staged->count < RCR_MAX_COUNTERS)
			staged->event[staged->count++] = *e;
	}
	next->wanted = 0;
	rcr_control.base = *next;
}

static int extend_base(const struct rcr_event *event, unsigned int count,
		       struct rcr_failure *f)
{
	struct rcr_base *next = kmemdup(&rcr_control.base, sizeof(*next), GFP_KERNEL);
	char names[RCR_HOLDERS_LEN] = "";
	unsigned int i;
	int err = 0;

	if (!next)
		return rcr_fail(f, -ENOMEM, RCR_REASON_NO_MEMORY);
	for (i = 0; i < count && !err; i++)
		err = add_to_base(next, &event[i], names, f);
	if (!err && *names)
		err = program_extended(next, names, f);
	if (!err)
		take_extended(next);
	kfree(next);
	return err;
}

/**
 * rcr_control_extend() - add events to the base set without finalizing the staged set
 * @generation: generation that the caller has read, or RCR_ANY_GENERATION; set to the new one
 * @event: the events; those that are counted already continue
 * @count: number of events
 * @f: filled in on failure
 *
 * Context: may sleep.
 * Return: 0; -ENOSPC, with the names of events that do not fit; -EEXIST for the name of
 * another event; -EINVAL, -ENODEV, -EBUSY, -ENOMEM, -ESTALE. On failure the running set
 * continues.
 */
int rcr_control_extend(u32 *generation, const struct rcr_event *event, unsigned int count,
		       struct rcr_failure *f)
{
	int err = rcr_control_begin(*generation, f);

	return err ?: rcr_control_end(generation, extend_base(event, count, f));
}

static struct rcr_hold *find_hold(const void *holder)
{
	struct rcr_hold *h;

	list_for_each_entry(h, &holds, list)
		if (h->holder == holder)
			return h;
	return NULL;
}

/* The task chooses its name, which is printed on terminals: replace unprintable characters. */
static void name_holder(struct rcr_hold *h)
{
	char *c;

	h->pid = task_tgid_nr(current);
	get_task_comm(h->comm, current);
	for (c = h->comm; *c; c++)
		if (!isascii(*c) || !isprint(*c))
			*c = '?';
}

static struct rcr_hold *make_hold(const void *holder, const struct rcr_staged *staged)
{
	struct rcr_hold *h = kzalloc(sizeof(*h), GFP_KERNEL);

	if (!h)
		return NULL;
	h->holder = holder;
	name_holder(h);
	subtract_events(staged, &rcr_control.base.set, &h->added);
	subtract_events(&rcr_control.base.set, staged, &h->removed);
	return h;
}

/**
 * rcr_hold_begin() - count a holder's staged set until the hold ends
 * @holder: identifies the holder; on success its previous hold is replaced
 * @staged: the base set with the changes of the holder
 * @f: filled in on failure
 *
 * Context: may sleep.
 * Return: 0; -EBUSY if it does not fit next to other holds, with the names of their holders;
 * -EEXIST if another holder uses a name for another event; -ENOMEM; others as
 * rcr_control_finalize(). On failure the running set continues.
 */
int rcr_hold_begin(const void *holder, const struct rcr_staged *staged,
		   struct rcr_failure *f)
{
	struct rcr_hold *before = find_hold(holder), *h = make_hold(holder, staged);
	int err;

	if (!h)
		return rcr_fail(f, -ENOMEM, RCR_REASON_NO_MEMORY);
	if (before)
		list_del(&before->list);
	list_add_tail(&h->list, &holds);
	err = program_fitting(&rcr_control.base, rcr_control.base.defaults | rcr_control.away, f);
	if (!err) {
		kfree(before);
		return 0;
	}
	list_del(&h->list);
	err = name_holders(&rcr_control.base, h, f);
	kfree(h);
	if (before)
		list_add_tail(&before->list, &holds);
	return err;
}

static void free_hold(struct rcr_hold *h)
{
	list_del(&h->list);
	kfree(h);
}

/* Remove a hold without changing the running set. Return: true if there was one. */
bool rcr_hold_end(const void *holder)
{
	struct rcr_hold *h = find_hold(holder);

	if (h)
		free_hold(h);
	return h;
}

void rcr_hold_end_all(void)
{
	struct rcr_hold *h, *next;

	list_for_each_entry_safe(h, next, &holds, list)
		free_hold(h);
	rcr_control.base.set.count = 0;
	rcr_control.base.defaults = 0;
	rcr_control.away = 0;
}

/* Events of the base set that are not counted now, bit n for event n. */
static u32 base_not_running(void)
{
	const struct rcr_base *base = &rcr_control.base;
	u32 absent = 0;
	unsigned int i;

	for (i = 0; i < base->set.count; i++)
		if (!rcr_program_counts(&base->set.event[i]))
			absent |= BIT(i);
	return absent;
}

/**
 * rcr_hold_restore() - program the base set and the remaining holds after a hold has ended
 * @f: filled in on failure
 *
 * With other holds, only those events of the base set return that fit next to them. Without,
 * all return, and those that find no counter are RCR_STATUS_BUSY. If that fails, only the
 * events of the base set that are counted now continue.
 *
 * Context: may sleep; does not wait for a CPU that runs no work items.
 * Return: 0; -errno if none of these sets could be programmed.
 */
int rcr_hold_restore(struct rcr_failure *f)
{
	const struct rcr_base *base = &rcr_control.base;
	u32 absent = base_not_running(), first = list_empty(&holds) ? 0 : absent;
	int err;

	if (first && !program_fitting(base, base->defaults | absent, f))
		return 0;
	memset(f, 0, sizeof(*f));
	err = program_without(base, first, true, f);
	if (!err || !absent)
		return err;
	memset(f, 0, sizeof(*f));
	return program_without(base, first ? 0 : absent, true, f);
}

/**
 * rcr_hold_find() - find an event by name in the base set and in all holds
 * @name: name of the event
 *
 * Return: the event, or NULL.
 */
const struct rcr_event *rcr_hold_find(const char *name)
{
	const struct rcr_event *e = rcr_staged_find(&rcr_control.base.set, name);
	const struct rcr_hold *h;

	list_for_each_entry(h, &holds, list)
		e = e ?: rcr_staged_find(&h->added, name);
	return e;
}

/* The event of the base set that the counter @name counts; NULL if it is an event of a hold. */
static struct rcr_event *find_base_event(const char *name)
{
	struct rcr_event *e = rcr_staged_find(&rcr_control.base.set, name);

	return e && !is_removed(e) ? e : NULL;
}

/**
 * rcr_hold_check_reassign() - check that the base set would still fit after a reassign
 * @name: name of the counter
 * @event: the new event
 * @f: filled in on failure
 *
 * Needed with holders only: they can keep events of the base set from being counted, so that
 * programming the running set does not show whether the base set fits.
 *
 * Context: may sleep.
 * Return: 0, or -errno.
 */
int rcr_hold_check_reassign(const char *name, const struct rcr_event *event,
			    struct rcr_failure *f)
{
	const struct rcr_base *base = &rcr_control.base;
	struct rcr_event *e = find_base_event(name);
	struct rcr_plan p;

	if (!e || list_empty(&holds))
		return 0;
	composed = base->set;
	composed.event[e - base->set.event] = *event;
	p = rcr_control_plan(&composed);
	return rcr_program_fits(&p, f);
}

/* Replace the event @name in the base set and in all holds. */
void rcr_hold_reassign(const char *name, const struct rcr_event *event)
{
	struct rcr_base *base = &rcr_control.base;
	struct rcr_event *e = find_base_event(name);
	struct rcr_hold *h;

	if (e) {
		base->defaults &= ~BIT(e - base->set.event);
		*e = *event;
	}
	list_for_each_entry(h, &holds, list) {
		e = rcr_staged_find(&h->added, name);
		if (e)
			*e = *event;
	}
}
