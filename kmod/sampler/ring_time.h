/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ring_time.h - where in a ring a moment is.
 *
 * Pure: compiled into the unit tests as well.
 */
#ifndef RCR_RING_TIME_H
#define RCR_RING_TIME_H

#include "ring_protocol.h"

/* Of a record that is overwritten meanwhile that of a younger one. */
static inline __u64 rcr_ring_time(const struct rcr_ring *r, __u64 position)
{
	const struct rcr_record *record = (const void *)rcr_ring_slot(r, position);

	return READ_ONCE(record->time);
}

/**
 * rcr_ring_after() - the first record that is younger than a moment
 * @r: the ring
 * @time: CLOCK_MONOTONIC, ns
 *
 * Context: any; never waits.
 * Return: its position; that of the next record to come when there is none, and
 * that of the oldest one when all are.
 */
static inline __u64 rcr_ring_after(const struct rcr_ring *r, __u64 time)
{
	/* The head first: the oldest record never overtakes what it is then. */
	__u64 last = rcr_ring_head(r), first = rcr_ring_oldest(r), middle;

	while (first < last) {
		middle = first + (last - first) / 2;
		if (rcr_ring_time(r, middle) > time)
			last = middle;
		else
			first = middle + 1;
	}
	return first;
}

/* Is every record there that is not younger than @time? */
static inline bool rcr_ring_is_past(const struct rcr_ring *r, __u64 time)
{
	__u64 head = rcr_ring_head(r);

	return head && rcr_ring_time(r, head - 1) > time;
}

#endif
