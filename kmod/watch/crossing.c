// SPDX-License-Identifier: GPL-2.0-only
/*
 * crossing.c - detects that a value crosses a bound, with hysteresis and a hold time, and
 * queues crossings that have not been read yet.
 */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "crossing.h"

/* Is @a farther than @b, in the direction in which the bound is crossed? */
static bool is_farther(const struct rcr_watch *w, s64 a, s64 b)
{
	return w->flags & RCR_WATCH_BELOW ? a < b : a > b;
}

/**
 * rcr_crossing_check() - checks a request to watch a bound
 * @w: the request
 *
 * Return: 0, or -EINVAL: an unknown flag, a window longer than any time scale, or a return
 * level beyond the bound.
 */
int rcr_crossing_check(const struct rcr_watch *w)
{
	if (w->flags & ~RCR_WATCH_BELOW || w->window_ns > RCR_SCALE_MAX_NS)
		return -EINVAL;
	return is_farther(w, w->back, w->bound) ? -EINVAL : 0;
}

/* Without a return level the value is back as soon as it is not beyond the bound. */
static bool is_back(const struct rcr_watch *w, s64 value)
{
	if (w->back == w->bound)
		return !is_farther(w, value, w->bound);
	return is_farther(w, w->back, value);
}

/**
 * rcr_crossing_see() - processes a value
 * @s: state of the watch
 * @w: the bound
 * @value: the value
 * @time: its time, ns; later than that of the previous call
 *
 * Return: whether the bound is crossed now.
 */
bool rcr_crossing_see(struct rcr_crossing_state *s, const struct rcr_watch *w,
		      s64 value, u64 time)
{
	bool beyond = is_farther(w, value, w->bound);

	if (beyond && !s->beyond)
		s->since = time;
	s->beyond = beyond;
	if (is_back(w, value))
		s->fired = false;
	if (!beyond || s->fired || time - s->since < w->hold_ns)
		return false;
	s->fired = true;
	s->count++;
	return true;
}

/* No value: the hold time begins anew, but the value is not back either. */
void rcr_crossing_absent(struct rcr_crossing_state *s)
{
	s->beyond = false;
}

/* Overwrites the oldest one if all slots are full. */
void rcr_crossing_push(struct rcr_crossing_queue *q, const struct rcr_crossing *c)
{
	q->slot[q->written++ % RCR_CROSSINGS] = *c;
}

/**
 * rcr_crossing_peek() - copies the next crossing, which remains in the queue
 * @q: the queue
 * @c: filled in, with the number of lost crossings before it
 * @number: its number, for rcr_crossing_drop()
 *
 * Return: whether there is one.
 */
bool rcr_crossing_peek(const struct rcr_crossing_queue *q, struct rcr_crossing *c,
		       u64 *number)
{
	u64 kept = min_t(u64, q->written, RCR_CROSSINGS);

	if (q->next == q->written)
		return false;
	*number = max(q->next, q->written - kept);
	*c = q->slot[*number % RCR_CROSSINGS];
	c->lost = *number - q->next;
	return true;
}

/* Crossing @number has been read; it may have been overwritten by newer ones meanwhile. */
void rcr_crossing_drop(struct rcr_crossing_queue *q, u64 number)
{
	q->next = number + 1;
}
