// SPDX-License-Identifier: GPL-2.0-only
/*
 * wake.c - a meter and the counters that it needs, in one go. Where the counters do not
 * fit there is no meter; a meter that is refused after them leaves them counted.
 *
 * Counters are control's, which knows no meters: this stands above both.
 */
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "control/control.h"
#include "ring/run.h"
#include "meter.h"

/* Its number, when it has values, or wants only for memory; else -ENODATA. */
static int live_number(const char *name)
{
	const struct rcr_meter *m;
	int ret = -ENODATA;

	mutex_lock(&rcr_meters_lock);
	m = rcr_meters_find(name);
	if (m && (m->live || m->why.error == -ENOMEM))
		ret = m->number;
	mutex_unlock(&rcr_meters_lock);
	return ret;
}

/* Would it have its counters with those events? Then these are worth programming. */
static int check_form(const struct rcr_form *form, const struct rcr_event *event,
		      unsigned int count, struct rcr_failure *f)
{
	return rcr_bind_check(form, &rcr_spans_run()->set, event, count, f);
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
		err = check_form(m->spec.form, event, count, f);
	mutex_unlock(&rcr_meters_lock);
	return err;
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
 * Return: its number; -ENOENT, -EINVAL, -errno of rcr_control_extend(); -ENODATA: the set
 * was changed again meanwhile.
 */
int rcr_meters_wake(u32 *generation, const char *name, const struct rcr_event *event,
		    unsigned int count, struct rcr_failure *f)
{
	int err = check_sleeping(name, event, count, f) ?:
		  rcr_control_extend(generation, event, count, f);

	if (err)
		return err;
	err = live_number(name);
	return err < 0 ? rcr_fail(f, err, RCR_REASON_METER_REMOVED) : err;
}

static int check_new(const struct rcr_meter_spec *spec, const struct rcr_event *event,
		     unsigned int count, struct rcr_failure *f)
{
	int err;

	mutex_lock(&rcr_meters_lock);
	err = rcr_meters_vet(spec, f) ?:
	      check_form(spec->form, event, count, f);
	mutex_unlock(&rcr_meters_lock);
	return err;
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
	u32 serial;
	int err;

	/* The meter is there first: it cannot fail behind its counters for want of memory. */
	err = check_new(spec, event, count, f) ?: rcr_meters_foresee(spec, &serial, f);
	return err ?: rcr_meters_admit(serial, rcr_control_extend(generation, event, count, f), f);
}
