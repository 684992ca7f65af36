// SPDX-License-Identifier: GPL-2.0-only
/*
 * posted.c - meters whose values somebody posts, as the models of the paper's daemon
 * do: RCRTool Design Document, section 5.2.
 *
 * Their windows are in parts of the time scale: there are no ticks. The delta of a
 * window is the sum of what was posted, its cycles how often something was.
 */
#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <asm/tsc.h>

#include "board.h"
#include "alarm.h"
#include "maxima.h"
#include "meters.h"
#include "watch.h"

static u64 part_ns(const struct rcr_meter *m)
{
	return max_t(u64, div_u64(rcr_meter_scale(&m->spec), RCR_WINDOW_PARTS), 1);
}

/* Begins the part that it is time for. Returns which it is. */
static s64 begin_part(struct rcr_meter *m, u64 now)
{
	struct rcr_window *w = &m->window;
	s64 part = div64_u64(now, part_ns(m));
	unsigned int i, at;

	w->scale = RCR_WINDOW_PARTS;
	if (w->marks && part <= w->tick[w->newest])
		return part;
	at = rcr_window_mark(w, part, now);
	for (i = 0; i < m->instances; i++)
		m->instance[i].peak[at] = S64_MIN;
	return part;
}

static void take(struct rcr_meter *m, unsigned int place, s64 value)
{
	struct rcr_instance *i = &m->instance[place];
	struct rcr_window *w = &m->window;

	w->total.delta[place] += value;
	w->total.cycles[place]++;
	i->highest = i->valued ? max(i->highest, value) : value;
	i->valued = true;
	i->current_value = value;
	i->peak[w->newest] = max(i->peak[w->newest], value);
}

static void values(const struct rcr_meter *m, unsigned int place, s64 part, u64 now,
		   struct rcr_board_value *v)
{
	const struct rcr_instance *i = &m->instance[place];
	const struct rcr_window *w = &m->window;
	unsigned int begin = rcr_window_begin(w, part), at = begin;
	u64 count = w->total.cycles[place] - w->mark[begin].cycles[place];

	memset(v, 0, sizeof(*v));
	v->current_value = i->current_value;
	v->sum = w->total.delta[place] - w->mark[begin].delta[place];
	v->average = div64_s64(v->sum, max_t(s64, count, 1));
	v->highest = i->highest;
	v->peak = i->peak[begin];
	while (at != w->newest) {
		at = (at + 1) % RCR_WINDOW_MARKS;
		v->peak = max(v->peak, i->peak[at]);
	}
	v->time = now;
	v->begin = w->time[begin];
	v->tsc = rdtsc();
	v->status = RCR_STATUS_OK;
}

static int post(struct rcr_meter *m, unsigned int place, s64 value, struct rcr_failure *f)
{
	unsigned int entry = rcr_board_first_entry(m->number) + place;
	u64 now = ktime_get_ns();
	struct rcr_board_value v;

	if (!rcr_meter_is_posted(m))
		return rcr_fail_with(f, -EPERM, RCR_REASON_IS_COMPUTED, "%s", m->spec.name);
	if (place >= m->instances)
		return rcr_fail_with(f, -ENXIO, RCR_REASON_NO_PLACE, "%s%u%u", m->spec.name,
				     m->instances, place);
	begin_part(m, now);
	take(m, place, value);
	values(m, place, div64_u64(now, part_ns(m)), now, &v);
	rcr_maxima_judge(&m->maxima, RCR_SHARE_UNKNOWN, &v);
	rcr_board_write(entry, &v);
	if (rcr_watch_is_on(entry))
		rcr_alarm(m, place, &v);
	return 0;
}

/**
 * rcr_meters_post() - the latest value of a posted meter
 * @name: its name
 * @place: which of its entries, from 0
 * @value: in its unit x 10^-digits
 * @f: gets the reason when it fails
 *
 * Context: may sleep.
 * Return: 0; -ENOENT, -EPERM it is computed, -ENXIO no such place.
 */
int rcr_meters_post(const char *name, unsigned int place, s64 value,
		    struct rcr_failure *f)
{
	struct rcr_meter *m;
	int err;

	mutex_lock(&rcr_meters_lock);
	m = rcr_meters_look_up(name, f);
	err = m ? post(m, place, value, f) : -ENOENT;
	mutex_unlock(&rcr_meters_lock);
	return err;
}
