// SPDX-License-Identifier: GPL-2.0-only
/*
 * wake.c - a meter and the counters that it needs, in one go: both, or neither.
 *
 * Counters are control's, which knows no meters: this stands above both.
 */
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "control/control.h"
#include "event_text.h"
#include "ring/run.h"
#include "catalogue.h"
#include "compile.h"
#include "engine.h"
#include "meters.h"
#include "wake.h"

/* Does it come with the module? */
bool rcr_meters_is_own(const char *name)
{
	const struct rcr_meter *m;
	bool own;

	mutex_lock(&rcr_meters_lock);
	m = rcr_meters_find(name);
	own = m && (m->spec.flags & RCR_METER_OWN);
	mutex_unlock(&rcr_meters_lock);
	return own;
}

/* Its number, when it has values, or wants only for memory; else -ENODATA. */
static int live_number(const char *name)
{
	const struct rcr_meter *m;
	int ret = -ENODATA;

	mutex_lock(&rcr_meters_lock);
	rcr_engine_run();
	m = rcr_meters_find(name);
	if (m && (m->live || m->why.error == -ENOMEM))
		ret = m->number;
	mutex_unlock(&rcr_meters_lock);
	return ret;
}

static int extend_by_text(u32 *generation, const char *text, struct rcr_failure *f)
{
	struct rcr_event *event;
	int ret;

	event = kcalloc(RCR_MAX_COUNTERS, sizeof(*event), GFP_KERNEL);
	if (!event)
		return rcr_failf(f, -ENOMEM, "There is no memory to read the events.");
	ret = rcr_events_parse(text, event, RCR_MAX_COUNTERS, f);
	if (ret > 0)
		ret = rcr_control_extend(generation, event, ret, f);
	kfree(event);
	return ret;
}

/**
 * rcr_meters_wake() - counts what one of the module's own meters needs
 * @generation: that the caller has seen, or RCR_ANY_GENERATION; gets that of the change
 * @name: the meter
 * @f: gets the reason when it fails: of the best way to tell it
 *
 * Context: may sleep.
 * Return: its number; -errno of rcr_control_extend().
 */
int rcr_meters_wake(u32 *generation, const char *name, struct rcr_failure *f)
{
	struct rcr_run *run = rcr_run_get_current();
	const char *family = run->set.machine ? run->set.machine->family->name : "";
	const struct rcr_catalogued *c;
	int err = live_number(name);

	for (c = rcr_catalogue_next(NULL, family); c && err < 0;
	     c = rcr_catalogue_next(c, family)) {
		if (strcmp(c->name, name) || !c->events)
			continue;
		err = extend_by_text(generation, c->events, f);
		if (!err)
			err = live_number(name);
	}
	rcr_run_put(run);
	return err >= 0 ? err : rcr_failf(f, err, "\"%s\" has no values while nothing is counted.",
					  name);
}

/* What would be counted: enough to read a formula by, not to run it. */
static struct rcr_counter_set *imagine(const struct rcr_counter_set *set,
				       const struct rcr_event *event, unsigned int count)
{
	struct rcr_counter_set *s = kmemdup(set, sizeof(*set), GFP_KERNEL);
	unsigned int i;

	for (i = 0; s && i < count && s->count < RCR_MAX_COUNTERS; i++, s->count++) {
		memset(&s->counter[s->count], 0, sizeof(s->counter[0]));
		strscpy(s->counter[s->count].name, event[i].name,
			sizeof(s->counter[0].name));
	}
	return s;
}

/* Could the formula be read with those events? Then it is worth programming them. */
static int check_formula(const struct rcr_meter_spec *spec, const struct rcr_event *event,
			 unsigned int count, struct rcr_failure *f)
{
	struct rcr_formula *formula = kzalloc(sizeof(*formula), GFP_KERNEL);
	struct rcr_binding b = { .meters = rcr_meters };
	struct rcr_counter_set *set = NULL;
	int err = -ENOMEM;
	u64 inside;

	mutex_lock(&rcr_meters_lock);
	if (formula)
		set = imagine(&rcr_engine_run()->set, event, count);
	if (set) {
		b.set = set;
		err = rcr_compile(&b, spec->formula, formula, &inside, f);
	} else {
		err = rcr_failf(f, -ENOMEM, "There is no memory to read the formula.");
	}
	mutex_unlock(&rcr_meters_lock);
	kfree(set);
	kfree(formula);
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
	err = rcr_meters_check(spec, f) ?: check_formula(spec, event, count, f) ?:
	      rcr_meters_foresee(spec, &serial, f);
	return err ?: rcr_meters_admit(serial, rcr_control_extend(generation, event, count, f), f);
}
