/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * network_meters.h - post the bytes received and sent and the packets dropped by physical network
 * interfaces, as the meters net_rx, net_tx and net_dropped.
 */
#ifndef RCRD_NETWORK_METERS_H
#define RCRD_NETWORK_METERS_H

#include <stdbool.h>
#include <stdint.h>

#include "loop.h"
#include "network.h"
#include "rcr_meters.h"
#include "why.h"

/**
 * struct network_meters - the network meters
 * @control: connection to the module; NULL: post nothing
 * @interval_ns: time between two posts, ns
 * @timer: timer that posts the values
 * @is_gone: by enum network_count: the meter was removed
 * @failed: the last post failed, and this was logged
 * @read: the latest two reads of the interfaces
 * @at: index of the newer one
 */
struct network_meters {
	struct rcr_control *control;
	uint64_t interval_ns;
	struct loop_source timer;
	bool is_gone[NETWORK_COUNTS];
	bool failed;
	struct network_read read[2];
	int at;
};

/* Adds the missing meters. Returns 0; or -1 with @why filled in, and nothing will be posted. */
int network_meters_open(struct network_meters *n, struct rcr_control *control,
			uint64_t interval_ns, struct why *why);

/* Starts posting. Returns 0, or -1 with errno. */
int network_meters_begin(struct network_meters *n, struct loop *loop);

/* Posts that the meters no longer have a value. */
void network_meters_end(struct network_meters *n);

#endif
