/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.h - the per-node quantities that the models judge in each window.
 */
#ifndef RCRD_FACTS_H
#define RCRD_FACTS_H

#include <stdbool.h>

#include "model/machine.h"
#include "model/windows.h"

#define NOT_KNOWN	(-1.0)

/**
 * struct facts - quantities of one node in one window; negative: unknown
 * @utilization: memory traffic as a fraction of the capacity; may slightly exceed 1
 * @latency: memory read latency, as a multiple of the latency without load
 * @remote: fraction of the accesses by the node's CPUs that go to other nodes; if @at_home of
 *	struct window is set, fraction of the accesses to its memory that come from other nodes
 * @conflicts: fraction of the memory accesses that close a row
 * @devices: fraction of the memory traffic that devices cause
 * @concurrency: reads in flight per running CPU
 * @misses: L3 misses per 1,000 instructions
 * @miss_ratio: L3 misses per request
 * @requests: requests to the L3
 * @busy: mean number of CPUs that ticks found busy, as far as their cycles agree
 * @processes: processes with at least LEAST_PART of the cycles of the busiest one
 * @top: index in @process of struct window of the process with the most requests; -1: none
 * @top_share: fraction of the requests that @top made
 * @others_ratio: lower bound of the miss ratio of all processes except @top
 */
struct facts {
	double utilization, latency, remote, conflicts, devices, concurrency;
	double misses, miss_ratio, requests, busy;
	unsigned int processes;
	int top;
	double top_share, others_ratio;
};

#define UNLOADED	0.2	/* utilization below which memory counts as unloaded */
#define LATENCIES	128	/* latencies kept per node */
#define MEAN_OF		5	/* windows that a kept latency is averaged over */

/**
 * struct unloaded - latencies measured while a node's memory was unloaded
 * @count: number of valid entries in @seen
 * @next: entry of @seen to write next
 * @seen: newest latencies, cycles
 * @windows: number of windows recorded so far
 * @waiting: SIGNAL_WAITING of the newest windows, in entry @windows modulo MEAN_OF
 * @waited: SIGNAL_WAITED of the same windows
 */
struct unloaded {
	unsigned int count, next;
	double seen[LATENCIES];
	unsigned int windows;
	double waiting[MEAN_OF], waited[MEAN_OF];
};

/* Estimate the latency without load, in cycles. Returns NOT_KNOWN after too few measurements. */
double unloaded_latency(const struct unloaded *u);

/**
 * facts_take() - compute the facts of a node in a window
 * @f: filled in
 * @m: the machine
 * @node: the node
 * @seen: the node's unloaded latencies; updated
 * @w: the window
 */
void facts_take(struct facts *f, const struct machine *m, unsigned int node,
		struct unloaded *seen, const struct window *w);

#endif
