// SPDX-License-Identifier: GPL-2.0-only
/*
 * wake.c - a meter and the counters that it needs, in one go. It is there first, asleep:
 * where the counters do not fit it is removed. A meter that is refused after them leaves
 * them counted.
 *
 * Counters are control's, which knows no meters: this stands above both.
 */
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "control/control.h"
#include "ring/run.h"
#include "meter.h"

/* Would it have its counters with those events? Then these are worth programming. */
static int check_form(const struct rcr_form *form, const struct rcr_event *event,
		      unsigned int count, struct rcr_failure *f)
{
	int err;

	mutex_lock(&rcr_meters_lock);
	err = rcr_bind_check(form, &rcr_spans_run()->set, event, count, f);
	mutex_unlock(&rcr_meters_lock);
	return err;
}

static int check_sleeping(const char *name, const struct rcr_event *event, unsigned int count,
			  struct rcr_failure *f)
{
	const struct rcr_meter *m;
	int err;

	mutex_lock(&rcr_meters_lock);
	m = rcr_meters_look_up(name, f);
	if (!m)
		err = -ENOENT;
	else if (rcr_meter_is_posted(m))
		err = rcr_fail_with(f, -EINVAL, RCR_REASON_IS_POSTED, "%s", name);
	else
		err = rcr_bind_check(m->spec.form, &rcr_spans_run()->set, event, count, f);
	mutex_unlock(&rcr_meters_lock);
	return err;
}

/*
 * Counts what a meter that sleeps needs. Return: its number, when it has values, or wants
 * only for memory, which it has in a moment: see rcr_meters_catch_up().
 */
static int wake_meter(u32 *generation, const char *name, const struct rcr_event *event,
		      unsigned int count, struct rcr_failure *f)
{
	int ret = rcr_control_extend(generation, event, count, f);
	const struct rcr_meter *m;

	if (ret)
		return ret;
	mutex_lock(&rcr_meters_lock);
	m = rcr_meters_find(name);
	if (!m)
		ret = rcr_fail(f, -ENOENT, RCR_REASON_METER_REMOVED);
	else if (m->live || m->why.error == -ENOMEM)
		ret = m->number;
	else
		ret = rcr_fail_like(f, m->why.error, &m->why);
	mutex_unlock(&rcr_meters_lock);
	return ret;
}

/**
 * rcr_meters_wake() - counts what a meter that sleeps needs
 * @generation: that the caller has seen, or RCR_ANY_GENERATION; gets that of the change
 * @name: the meter
 * @event: events with the names that it lacks
 * @count: how many
 * @f: filled in on failure
 *
 * Context: may sleep.
 * Return: its number; -ENOENT, -EINVAL, -errno of rcr_control_extend(), or why it still
 * has no values.
 */
int rcr_meters_wake(u32 *generation, const char *name, const struct rcr_event *event,
		    unsigned int count, struct rcr_failure *f)
{
	return check_sleeping(name, event, count, f) ?:
	       wake_meter(generation, name, event, count, f);
}

/**
 * rcr_meters_add_with() - makes a meter, and counts what it needs
 * @generation: that the caller has seen, or RCR_ANY_GENERATION; gets that of the change
 * @spec: the meter
 * @event: events that are not counted yet, with names that differ
 * @count: how many
 * @f: filled in on failure
 *
 * Context: may sleep.
 * Return: the meter's number, or -errno of rcr_control_extend() or rcr_meters_add().
 */
int rcr_meters_add_with(u32 *generation, const struct rcr_meter_spec *spec,
			const struct rcr_event *event, unsigned int count,
			struct rcr_failure *f)
{
	int ret = check_form(spec->form, event, count, f);

	if (!ret)
		ret = rcr_meters_add(spec, f);
	if (ret < 0)
		return ret;
	ret = wake_meter(generation, spec->name, event, count, f);
	if (ret < 0)
		rcr_meters_remove(spec->name, f);
	return ret;
}
