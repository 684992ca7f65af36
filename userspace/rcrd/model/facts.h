/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.h - the quantities that models judge, of one node in one window. Each is negative where it
 * is not known.
 */
#ifndef RCRD_FACTS_H
#define RCRD_FACTS_H

#include <stdbool.h>

#include "model/machine.h"
#include "model/windows.h"

#define NOT_KNOWN	(-1.0)

/**
 * struct facts - a node in a window
 * @utilization: of its memory, 0 to 1 and a little more
 * @latency: of a read, divided by that without load
 * @remote: part of its accesses that go to other nodes or, as struct window has it, of those to its
 *	memory that come from others
 * @conflicts: part of the accesses that close a row
 * @devices: part of the memory's lines that devices ask for
 * @concurrency: reads under way for each CPU that runs
 * @misses: L3 misses for 1,000 instructions
 * @miss_ratio: L3 misses by requests
 * @requests: to the L3
 * @busy: CPUs that ticks found busy, on average
 * @processes: that ran on it
 * @top: index in the window of the process with the most requests; -1: none
 * @top_share: its part of the requests
 * @others_ratio: least part of the requests of the others that missed
 */
struct facts {
	double utilization, latency, remote, conflicts, devices, concurrency;
	double misses, miss_ratio, requests, busy;
	unsigned int processes;
	int top;
	double top_share, others_ratio;
};

#define UNLOADED	0.2	/* utilization below which latency is that without load */
#define LATENCIES	128	/* remembered of each node */
#define MEAN_OF		5	/* windows */

/**
 * struct unloaded - latency of a node's memory without load, as it was seen
 * @count: latencies in @seen
 * @next: where the next one goes
 * @seen: newest latencies at less than a fifth of the capacity, cycles
 * @windows: that were seen
 * @waiting: cycles of reads under way in the newest ones, by @windows modulo MEAN_OF
 * @waited: reads in these
 */
struct unloaded {
	unsigned int count, next;
	double seen[LATENCIES];
	unsigned int windows;
	double waiting[MEAN_OF], waited[MEAN_OF];
};

/* The latency without load that was seen, or NOT_KNOWN. */
double unloaded_latency(const struct unloaded *u);

/**
 * facts_take() - compute the facts of a node
 * @f: filled in
 * @m: the machine
 * @node: the node
 * @seen: latencies of its memory without load; updated
 * @w: the window
 */
void facts_take(struct facts *f, const struct machine *m, unsigned int node,
		struct unloaded *seen, const struct window *w);

#endif
