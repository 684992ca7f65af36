// SPDX-License-Identifier: GPL-2.0-only
/*
 * extend.c - counts more than is counted: what a meter needs is added to the
 * running set in one go, or nothing is.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "control_state.h"

/* What is counted, and behind it what shall be. */
struct extension {
	struct rcr_staged all;
	unsigned int running;
	struct rcr_staged trial;
};

static struct rcr_plan plan_of(const struct rcr_staged *s)
{
	struct rcr_plan p = rcr_control_plan();

	p.event = s->event;
	p.count = s->count;
	return p;
}

/* A name is one event, for whoever counts it. */
static int check_name(const struct extension *x, const struct rcr_event *e,
		      struct rcr_failure *f)
{
	const struct rcr_event *known = rcr_staged_find(&x->all, e->name) ?: rcr_hold_find(e->name);

	if (known && !rcr_event_same(known, e))
		return rcr_fail_with(f, -EEXIST, RCR_REASON_IN_SET, "%s", e->name);
	return 0;
}

static int collect(struct extension *x, const struct rcr_event *event, unsigned int count,
		   struct rcr_failure *f)
{
	unsigned int i;
	int err;

	x->running = rcr_program_running(x->all.event);
	x->all.count = x->running;
	for (i = 0; i < count; i++) {
		err = check_name(x, &event[i], f);
		if (!err && rcr_staged_find(&x->all, event[i].name))
			continue;
		err = err ?: rcr_program_knows(&event[i], f);
		if (err)
			return err;
		if (x->all.count == RCR_MAX_COUNTERS)
			return rcr_fail_with(f, -ENOSPC, RCR_REASON_SET_FULL, "%u",
					     RCR_MAX_COUNTERS);
		x->all.event[x->all.count++] = event[i];
	}
	return 0;
}

/*
 * Which of the new ones do not fit beside what is counted, each beside those before it
 * that do. What the kernel counts shows only when it is started: then none of the
 * new ones is known to fit.
 */
static int name_misfits(struct extension *x, struct rcr_failure *f)
{
	struct rcr_failure unused = { };
	unsigned int i, len = 0;
	char names[128] = "";
	struct rcr_plan p;

	x->trial = x->all;
	x->trial.count = x->running;
	for (i = x->running; i < x->all.count; i++) {
		x->trial.event[x->trial.count++] = x->all.event[i];
		p = plan_of(&x->trial);
		if (!rcr_program_fits(&p, &unused))
			continue;
		x->trial.count--;
		len += scnprintf(names + len, sizeof(names) - len, "%s%s",
				 len ? ", " : "", x->all.event[i].name);
	}
	for (i = x->running; !*names && i < x->all.count; i++)
		len += scnprintf(names + len, sizeof(names) - len, "%s%s",
				 i > x->running ? ", " : "", x->all.event[i].name);
	return rcr_fail_with(f, -ENOSPC, RCR_REASON_NONE_LEFT, "%s", names);
}

static void append_new(struct rcr_staged *s, const struct rcr_event *e)
{
	if (!rcr_staged_find(s, e->name) && s->count < RCR_MAX_COUNTERS)
		s->event[s->count++] = *e;
}

/* Could the base set be counted with what is wanted, when all holds have ended? */
static int check_base(struct extension *x, const struct rcr_event *event, unsigned int count,
		      struct rcr_failure *f)
{
	unsigned int i;
	struct rcr_plan p;

	x->trial = rcr_control.base.set;
	for (i = 0; i < count; i++) {
		if (x->trial.count == RCR_MAX_COUNTERS)
			return rcr_fail_with(f, -ENOSPC, RCR_REASON_SET_FULL, "%u",
					     RCR_MAX_COUNTERS);
		append_new(&x->trial, &event[i]);
	}
	p = plan_of(&x->trial);
	return rcr_program_fits(&p, f);
}

/*
 * What was asked for belongs to the base set, also what a holder happened to count, and
 * finalize would program it.
 */
static void stage_wanted(const struct extension *x, const struct rcr_event *event,
			 unsigned int count)
{
	unsigned int i, k;

	for (i = 0; i < x->all.count; i++)
		for (k = 0; k < count; k++) {
			if (strcmp(x->all.event[i].name, event[k].name))
				continue;
			rcr_hold_keep(&x->all.event[i]);
			append_new(&rcr_control.base.set, &x->all.event[i]);
			append_new(&rcr_control.staged, &x->all.event[i]);
		}
}

static int extend(struct extension *x, const struct rcr_event *event, unsigned int count,
		  struct rcr_failure *f)
{
	struct rcr_failure why = { };
	struct rcr_plan p;
	int err;

	err = collect(x, event, count, f);
	if (err)
		return err;
	p = plan_of(&x->all);
	if (x->all.count != x->running)
		err = check_base(x, event, count, &why) ?: rcr_program_set(&p, &why);
	if (err == -ENOSPC)
		return name_misfits(x, f);
	if (err)
		return rcr_fail_like(f, err, &why);
	stage_wanted(x, event, count);
	return 0;
}

/**
 * rcr_control_extend() - counts more events, besides those that are counted
 * @generation: that the caller has seen, or RCR_ANY_GENERATION; gets that of the change
 * @event: the events; those whose names are counted already are passed over
 * @count: how many
 * @f: gets the reason when it fails
 *
 * Context: may sleep.
 * Return: 0; -ENOSPC, with the names of those that do not fit; -EINVAL, -ENODEV,
 * -EBUSY, -ENOMEM, -ESTALE. What ran before goes on then.
 */
int rcr_control_extend(u32 *generation, const struct rcr_event *event, unsigned int count,
		       struct rcr_failure *f)
{
	struct extension *x = kmalloc(sizeof(*x), GFP_KERNEL);
	int err;

	if (!x)
		return rcr_fail(f, -ENOMEM, RCR_REASON_NO_MEMORY);
	err = rcr_control_begin(generation, f) ?:
	      rcr_control_end(generation, extend(x, event, count, f));
	kfree(x);
	return err;
}
