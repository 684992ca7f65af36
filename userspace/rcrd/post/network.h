/* SPDX-License-Identifier: GPL-2.0-or-later */
/* network.h - rates of network traffic from the counts of interfaces. */
#ifndef RCRD_NETWORK_H
#define RCRD_NETWORK_H

#include <stddef.h>
#include <stdint.h>

#include "why.h"

/* Bytes received and sent, packets dropped in both directions. */
enum network_count { NETWORK_RX, NETWORK_TX, NETWORK_DROPPED, NETWORK_COUNTS };

/**
 * struct network_interface - counts of an interface
 * @ifindex: unique index, which does not change when the interface is renamed
 * @count: by enum network_count
 */
struct network_interface {
	unsigned int ifindex;
	uint64_t count[NETWORK_COUNTS];
};

/**
 * struct network_read - counts of all interfaces at one time
 * @time: CLOCK_MONOTONIC, ns
 * @interfaces: number of entries in @interface
 * @room: number of allocated entries
 * @interface: the interfaces, in any order; allocated
 */
struct network_read {
	uint64_t time;
	size_t interfaces;
	size_t room;
	struct network_interface *interface;
};

/* Adds @i, or replaces the entry with the same ifindex. Returns 0, or -1 with errno ENOMEM. */
int network_add(struct network_read *r, const struct network_interface *i);

/* Sums the growth of each count over the interfaces that are in both reads. */
void network_growth(const struct network_read *before, const struct network_read *now,
		    uint64_t growth[NETWORK_COUNTS]);

/* Rate of @growth over @ns, per second x 10^@digits, rounded; 0 for 0 ns, at most INT64_MAX. */
int64_t network_rate(uint64_t growth, uint64_t ns, unsigned int digits);

/* Reads the physical interfaces in @folder (/sys/class/net). Returns 0, or -1 with @why set. */
int interfaces_read(const char *folder, struct network_read *r, struct why *why);

#endif
