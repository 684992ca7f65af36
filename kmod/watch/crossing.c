// SPDX-License-Identifier: GPL-2.0-only
/*
 * crossing.c - has a value crossed a bound? With hysteresis, and a time that it has
 * to stay beyond. And the queue of crossings that nobody has read yet.
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
 * rcr_crossing_check() - can that be watched?
 * @w: what a program asks for
 *
 * Return: 0, or -EINVAL for a flag that is none, a window longer than any time scale, and a
 * way back that is beyond the bound.
 */
int rcr_crossing_check(const struct rcr_watch *w)
{
	if (w->flags & ~RCR_WATCH_BELOW || w->window_ns > RCR_SCALE_MAX_NS)
		return -EINVAL;
	return is_farther(w, w->back, w->bound) ? -EINVAL : 0;
}

/* Without a way of its own it is back as soon as it is not beyond. */
static bool is_back(const struct rcr_watch *w, s64 value)
{
	if (w->back == w->bound)
		return !is_farther(w, value, w->bound);
	return is_farther(w, w->back, value);
}

/**
 * rcr_crossing_see() - a tick's value
 * @s: where the value was
 * @w: the bound
 * @value: where it is
 * @time: the tick, ns; later than that of the call before
 *
 * Return: whether the bound is crossed with this tick.
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

/* A tick without a value: it was not beyond without a break, nor is it back. */
void rcr_crossing_absent(struct rcr_crossing_state *s)
{
	s->beyond = false;
}

/* Takes the oldest one's place when all slots are full. */
void rcr_crossing_push(struct rcr_crossing_queue *q, const struct rcr_crossing *c)
{
	q->slot[q->written++ % RCR_CROSSINGS] = *c;
}

/**
 * rcr_crossing_peek() - the crossing that is to be read next, which stays there
 * @q: the queue
 * @c: gets it, with the number of those before it that are lost
 * @number: gets its number, for rcr_crossing_drop()
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

/* That one has been read; others may have come and overwritten it meanwhile. */
void rcr_crossing_drop(struct rcr_crossing_queue *q, u64 number)
{
	q->next = number + 1;
}
