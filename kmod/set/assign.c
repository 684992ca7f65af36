// SPDX-License-Identifier: GPL-2.0-only
/*
 * assign.c - assigns events to hardware counters.
 *
 * Finds a matching in the bipartite graph of events and counters with augmenting paths: an
 * event whose counters are all taken moves other events to counters that they can use as
 * well. An assignment is found whenever one exists, in any order of the events. Events that
 * take two adjacent counters do not fit this model; there are few, so every combination of
 * counters is tried for them.
 *
 * Has no kernel state: also compiled into the unit tests.
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/string.h>

#include "assign.h"
#include <linux/rcrtool.h>

#define NO_EVENT	0xff

struct placement {
	const u32 *allowed;		/* by event: counters that can count it */
	u8 *counter;			/* by event */
	u8 event[RCR_MAX_COUNTERS];	/* by counter, or NO_EVENT */
	u32 tried;			/* bit n: counter n, visited in this search */
};

static bool assign_counter(struct placement *p, u8 event, u8 counter)
{
	p->counter[event] = counter;
	p->event[counter] = event;
	return true;
}

/* The recursion visits each counter at most once. */
static bool place_event(struct placement *p, u8 event)
{
	unsigned long allowed = p->allowed[event];
	unsigned int c;

	/* Prefer a free counter, so that no other event moves. */
	for_each_set_bit(c, &allowed, RCR_MAX_COUNTERS)
		if (p->event[c] == NO_EVENT)
			return assign_counter(p, event, c);
	for_each_set_bit(c, &allowed, RCR_MAX_COUNTERS) {
		if (p->tried & BIT(c))
			continue;
		p->tried |= BIT(c);
		if (place_event(p, p->event[c]))
			return assign_counter(p, event, c);
	}
	return false;
}

/* Assign each event one of its @allowed counters. */
static bool match_events(const u32 *allowed, unsigned int events, u8 *counter)
{
	struct placement p = { .allowed = allowed, .counter = counter };
	unsigned int e;

	memset(p.event, NO_EVENT, sizeof(p.event));
	for (e = 0; e < events; e++) {
		p.tried = 0;
		if (!place_event(&p, e))
			return false;
	}
	return true;
}

/* Assign events that take two counters to @pairs (lower counters), others to the rest. */
static bool match_with_pairs(const struct rcr_need *need, unsigned int events,
			     u32 pairs, u8 *counter)
{
	u32 allowed[RCR_MAX_COUNTERS];
	unsigned int e;

	if (pairs & (pairs << 1))
		return false;
	for (e = 0; e < events; e++)
		allowed[e] = need[e].allowed &
			     (need[e].pair ? pairs : ~(pairs | pairs << 1));
	return match_events(allowed, events, counter);
}

/**
 * rcr_place() - assign each event a counter of its own
 * @need: requirement of each event
 * @events: number of events
 * @counter: output array; counter of each event, the lower one of a pair
 *
 * Context: any.
 * Return: 0, or -ENOSPC if the events cannot all be counted at once.
 */
int rcr_place(const struct rcr_need *need, unsigned int events, u8 *counter)
{
	u32 candidates = 0, pairs = 0;
	unsigned int e, wanted = 0;

	if (events > RCR_MAX_COUNTERS)
		return -ENOSPC;
	for (e = 0; e < events; e++) {
		if (!need[e].pair)
			continue;
		candidates |= need[e].allowed;
		wanted++;
	}
	/* Iterate over all subsets of the candidates, starting with the empty one. */
	do {
		if (hweight32(pairs) == wanted &&
		    match_with_pairs(need, events, pairs, counter))
			return 0;
		pairs = (pairs - candidates) & candidates;
	} while (pairs);
	return -ENOSPC;
}
