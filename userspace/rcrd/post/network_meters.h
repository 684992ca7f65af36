/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * network_meters.h - posts what the physical network interfaces receive, send and drop, as
 * the meters net_rx, net_tx and net_dropped.
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
 * @control: the module; NULL: nothing is posted
 * @interval_ns: from one post to the next
 * @timer: posts
 * @is_gone: by enum network_count: the meter was removed
 * @failed: the latest post has failed, which is in the log
 * @read: the latest two reads of the interfaces
 * @at: the newer one of them
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

/*
 * Makes the meters that are not there. Returns 0, or -1 with the reason: then nothing is
 * posted.
 */
int network_meters_open(struct network_meters *n, struct rcr_control *control,
			uint64_t interval_ns, struct why *why);

/* Posts from now on. Returns 0, or -1 and errno. */
int network_meters_begin(struct network_meters *n, struct loop *loop);

/* The meters have no value from now on. */
void network_meters_end(struct network_meters *n);

#endif
