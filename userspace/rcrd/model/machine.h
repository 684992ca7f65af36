/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine.h - facts about a machine that its counts do not show. Evidence of rcrd has them. */
#ifndef RCRD_MACHINE_H
#define RCRD_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/fact.h"

#define MACHINE_NODES	64
#define MACHINE_CPUS	8192

/**
 * struct machine - nodes of a machine: what shares an L3 and memory controllers
 * @cpus: CPUs, 1 to MACHINE_CPUS
 * @nodes: 1 to MACHINE_NODES
 * @node_of: node of each CPU
 * @capacity: lines that the memory of a node reads and writes at most in a second; 0: not known
 * @latency: cycles of a read without load, in those of SIGNAL_WAITING; 0: not known, and learned
 * @boxes: memory controllers or channels of a node, by the meter mem_bw; 0: not known
 * @caches: L3 caches of the node that has most of them; 0: not known
 * @knee: utilization from which latency rises, as rcrcal has measured it; 0: not known
 */
struct machine {
	unsigned int cpus, nodes;
	uint8_t node_of[MACHINE_CPUS];
	double capacity[MACHINE_NODES];
	double latency[MACHINE_NODES];
	unsigned int boxes, caches;
	double knee;
};

/**
 * machine_write() - write the facts of a machine for a recording
 * @m: the machine
 * @cpus: CPUs that the recording has
 * @take: called for each line: "machine.cpus.NODE=LIST", "machine.lines.NODE=LINES",
 *	"machine.latency.NODE=CYCLES", "machine.knee.0=UTILIZATION", "machine.boxes.0=NUMBER",
 *	"machine.caches.0=NUMBER"; the latter five where they are known
 * @to: first argument of @take
 */
void machine_write(const struct machine *m, unsigned int cpus, fact_take take, void *to);

/* Takes such a line; false if it is another one, or invalid, and nothing is changed. */
bool machine_take(struct machine *m, const char *line);

#endif
