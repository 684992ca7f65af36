// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * network.c - compute rates from the counts of interfaces.
 *
 * Interfaces are identified by ifindex. An interface that appears or disappears between two reads
 * contributes nothing, and neither does a count that has decreased because the interface or its
 * driver has reset it.
 *
 * Pure: also compiled into the unit tests.
 */
#include <stdlib.h>

#include "network.h"

static struct network_interface *find_interface(const struct network_read *r,
						unsigned int ifindex)
{
	size_t i;

	for (i = 0; i < r->interfaces; i++)
		if (r->interface[i].ifindex == ifindex)
			return &r->interface[i];
	return NULL;
}

int network_add(struct network_read *r, const struct network_interface *i)
{
	struct network_interface *to = find_interface(r, i->ifindex);

	if (!to && r->interfaces == r->room) {
		size_t room = r->room ? 2 * r->room : 8;

		to = reallocarray(r->interface, room, sizeof(*to));
		if (!to)
			return -1;
		r->interface = to;
		r->room = room;
		to = NULL;
	}
	if (!to)
		to = &r->interface[r->interfaces++];
	*to = *i;
	return 0;
}

void network_growth(const struct network_read *before, const struct network_read *now,
		    uint64_t growth[NETWORK_COUNTS])
{
	unsigned int n;
	size_t i;

	for (n = 0; n < NETWORK_COUNTS; n++)
		growth[n] = 0;
	for (i = 0; i < now->interfaces; i++) {
		const struct network_interface *to = &now->interface[i];
		const struct network_interface *from = find_interface(before, to->ifindex);

		for (n = 0; from && n < NETWORK_COUNTS; n++)
			if (to->count[n] > from->count[n])
				growth[n] += to->count[n] - from->count[n];
	}
}

int64_t network_rate(uint64_t growth, uint64_t ns, unsigned int digits)
{
	unsigned __int128 rate = (unsigned __int128)growth * 1000000000;

	while (digits-- > 0)
		rate *= 10;
	rate = ns ? (rate + ns / 2) / ns : 0;
	return rate < INT64_MAX ? (int64_t)rate : INT64_MAX;
}
