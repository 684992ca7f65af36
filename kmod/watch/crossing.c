// SPDX-License-Identifier: GPL-2.0-only
/*
 * crossing.c - detects crossings of a bound, with hysteresis and a minimum time beyond it, and
 * queues them until they are read.
 */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "crossing.h"

/* True if @a is beyond @b in the direction of the crossing. */
static bool is_farther(const struct rcr_watch *w, s64 a, s64 b)
{
	return w->flags & RCR_WATCH_BELOW ? a < b : a > b;
}

/**
 * rcr_crossing_check() - validate a request to watch a bound
 * @w: the request
 *
 * Return: 0; -EINVAL for an unknown flag, a window longer than RCR_SCALE_MAX_NS, or a return
 * threshold beyond the bound.
 */
int rcr_crossing_check(const struct rcr_watch *w)
{
	if (w->flags & ~RCR_WATCH_BELOW || w->window_ns > RCR_SCALE_MAX_NS)
		return -EINVAL;
	return is_farther(w, w->back, w->bound) ? -EINVAL : 0;
}

/* Without hysteresis the value has returned as soon as it is not beyond the bound. */
static bool is_back(const struct rcr_watch *w, s64 value)
{
	if (w->back == w->bound)
		return !is_farther(w, value, w->bound);
	return is_farther(w, w->back, value);
}

/**
 * rcr_crossing_update() - process a new value
 * @s: state of the bound
 * @w: the bound
 * @value: the value
 * @time: time of the value, ns; later than in the previous call
 *
 * Return: true if the bound was crossed.
 */
bool rcr_crossing_update(struct rcr_crossing_state *s, const struct rcr_watch *w,
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

/* Process a missing value: the time beyond the bound restarts, but the value has not returned. */
void rcr_crossing_absent(struct rcr_crossing_state *s)
{
	s->beyond = false;
}

/* Add a crossing; overwrites the oldest one if all slots are in use. */
void rcr_crossing_push(struct rcr_crossing_queue *q, const struct rcr_crossing *c)
{
	q->slot[q->written++ % RCR_CROSSINGS] = *c;
}

/**
 * rcr_crossing_peek() - read the next crossing without removing it
 * @q: the queue
 * @c: output buffer; @lost is set to the number of crossings lost before it
 * @number: set to its number, for rcr_crossing_drop()
 *
 * Return: false if the queue is empty.
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

/* Remove crossing @number after it was read; it may have been overwritten meanwhile. */
void rcr_crossing_drop(struct rcr_crossing_queue *q, u64 number)
{
	q->next = number + 1;
}
