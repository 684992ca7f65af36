/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * network.h - counts of network interfaces, and rates from them.
 */
#ifndef RCRD_NETWORK_H
#define RCRD_NETWORK_H

#include <stddef.h>
#include <stdint.h>

#include "why.h"

/* Bytes received and sent, packets dropped in both directions. */
enum network_count { NETWORK_RX, NETWORK_TX, NETWORK_DROPPED, NETWORK_COUNTS };

/**
 * struct network_interface - what an interface had counted when it was read
 * @ifindex: unlike that of any other; it stays when the interface is renamed
 * @count: by enum network_count
 */
struct network_interface {
	unsigned int ifindex;
	uint64_t count[NETWORK_COUNTS];
};

/**
 * struct network_read - all interfaces at one time
 * @time: CLOCK_MONOTONIC, ns
 * @interfaces: entries of @interface
 * @room: for so many
 * @interface: in any order; to be freed
 */
struct network_read {
	uint64_t time;
	size_t interfaces;
	size_t room;
	struct network_interface *interface;
};

/* Adds @i, in place of an entry with its ifindex; -1 with errno ENOMEM. */
int network_add(struct network_read *r, const struct network_interface *i);

/* What the interfaces of both reads have counted from one to the other. */
void network_growth(const struct network_read *before, const struct network_read *now,
		    uint64_t growth[NETWORK_COUNTS]);

/* @growth in @ns, per second x 10^@digits, rounded; 0 for 0 ns, at most INT64_MAX. */
int64_t network_rate(uint64_t growth, uint64_t ns, unsigned int digits);

/* Reads the physical interfaces in @folder, /sys/class/net; -1 with the reason. */
int interfaces_read(const char *folder, struct network_read *r, struct why *why);

#endif
