// SPDX-License-Identifier: GPL-2.0-only
/*
 * assign.c - assigns each event a counter that can count it.
 *
 * A matching in the bipartite graph of events and counters, grown by one event at a time along
 * augmenting paths: if all counters of an event are taken, it displaces other events that can
 * move elsewhere. A set that fits is therefore always placed, whatever the order of its events.
 * Events that take two adjacent counters cannot be matched this way; there are few of them, so
 * every choice of counters for them is tried.
 *
 * Pure: compiled into the unit tests as well.
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/string.h>

#include "assign.h"
#include <linux/rcrtool.h>

#define NOBODY	0xff

struct placement {
	const u32 *allowed;		/* by event: counters that can count it */
	u8 *counter;			/* by event */
	u8 event[RCR_MAX_COUNTERS];	/* by counter, or NOBODY */
	u32 tried;			/* counters whose event cannot move */
};

static bool put_on(struct placement *p, u8 event, u8 counter)
{
	p->counter[event] = counter;
	p->event[counter] = event;
	return true;
}

/* Recursion depth is at most the number of counters, as none is tried twice. */
static bool place_one(struct placement *p, u8 event)
{
	unsigned long allowed = p->allowed[event];
	unsigned int c;

	/* Prefer a free counter, so that no other event moves. */
	for_each_set_bit(c, &allowed, RCR_MAX_COUNTERS)
		if (p->event[c] == NOBODY)
			return put_on(p, event, c);
	for_each_set_bit(c, &allowed, RCR_MAX_COUNTERS) {
		if (p->tried & BIT(c))
			continue;
		p->tried |= BIT(c);
		if (place_one(p, p->event[c]))
			return put_on(p, event, c);
	}
	return false;
}

/* Assign each event one counter out of @allowed. */
static bool match(const u32 *allowed, unsigned int events, u8 *counter)
{
	struct placement p = { .allowed = allowed, .counter = counter };
	unsigned int e;

	memset(p.event, NOBODY, sizeof(p.event));
	for (e = 0; e < events; e++) {
		p.tried = 0;
		if (!place_one(&p, e))
			return false;
	}
	return true;
}

/* Place pairs on the counters in @pairs, and all other events on the rest. */
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
	return match(allowed, events, counter);
}

/**
 * rcr_place() - assigns each event a counter of its own
 * @need: requirements of each event
 * @events: number of events
 * @counter: filled in: the counter of each event, the lower one of a pair
 *
 * Context: any.
 * Return: 0, or -ENOSPC: they do not fit together.
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
	/* Iterate over all subsets of the candidates, the empty one first. */
	do {
		if (hweight32(pairs) == wanted &&
		    match_with_pairs(need, events, pairs, counter))
			return 0;
		pairs = (pairs - candidates) & candidates;
	} while (pairs);
	return -ENOSPC;
}
