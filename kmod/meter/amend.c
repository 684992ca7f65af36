// SPDX-License-Identifier: GPL-2.0-only
/*
 * amend.c - what may be changed of a meter that is there: its history is forgotten,
 * its resource can do more or less.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/mutex.h>

#include "engine.h"
#include "meters.h"

static void reset(struct rcr_meter *m)
{
	unsigned int i, part;

	m->window.marks = 0;
	for (i = 0; i < m->instances; i++) {
		m->instance[i].valued = false;
		for (part = 0; part < RCR_WINDOW_MARKS; part++)
			m->instance[i].peak[part] = S64_MIN;
	}
	rcr_engine_begin_meter(m->number);
}

/**
 * rcr_meters_reset() - forgets the history of a meter
 * @name: its name; NULL: of all
 * @f: gets the reason when it fails
 *
 * Context: may sleep.
 * Return: 0 or -ENOENT.
 */
int rcr_meters_reset(const char *name, struct rcr_failure *f)
{
	struct rcr_meter *m = NULL;
	unsigned int i;

	mutex_lock(&rcr_meters_lock);
	rcr_engine_refresh();	/* they begin anew now */
	if (name)
		m = rcr_meters_look_up(name, f);
	for (i = 0; i < RCR_METERS_MAX; i++)
		if (rcr_meters[i] && (rcr_meters[i] == m || !name) && rcr_meters[i]->live)
			reset(rcr_meters[i]);
	mutex_unlock(&rcr_meters_lock);
	return name && !m ? -ENOENT : 0;
}

static void set_maximum(struct rcr_maxima *to, const struct rcr_maxima *x, u32 mix,
			bool theoretical)
{
	if (theoretical) {
		to->theoretical = x->theoretical;
		return;
	}
	if (x->maximum[0] || x->contention[0]) {
		to->maximum[mix] = x->maximum[0];
		to->contention[mix] = x->contention[0];
		return;
	}
	to->mix = mix;
}

/**
 * rcr_meters_set_maximum() - says what the resource of a meter can do
 * @name: its name
 * @x: no less than 0: @theoretical; or in place 0 maximum and contention of @mix; or, where both
 *	are 0, the mix that is in use
 * @mix: an enum rcr_mix; for the one in use also RCR_MIX_MEASURED
 * @theoretical: it is the machine's limit
 * @f: gets the reason when it fails
 *
 * Context: may sleep.
 * Return: 0; -ENOENT, -EINVAL.
 */
int rcr_meters_set_maximum(const char *name, const struct rcr_maxima *x, u32 mix,
			   bool theoretical, struct rcr_failure *f)
{
	bool chooses = !theoretical && !x->maximum[0] && !x->contention[0];
	struct rcr_meter *m;

	if (mix > RCR_MIX_MEASURED || (mix == RCR_MIX_MEASURED && !chooses && !theoretical))
		return rcr_fail(f, -EINVAL, RCR_REASON_NO_MIX);
	mutex_lock(&rcr_meters_lock);
	m = rcr_meters_look_up(name, f);
	if (m)
		set_maximum(&m->maxima, x, mix, theoretical);
	mutex_unlock(&rcr_meters_lock);
	return m ? 0 : -ENOENT;
}
