/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine.h - facts about a machine that its counts do not show; rcrd adds them to evidence. */
#ifndef RCRD_MACHINE_H
#define RCRD_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/fact.h"

#define MACHINE_NODES	64
#define MACHINE_CPUS	8192

/**
 * struct machine - nodes of a machine; the CPUs of a node share an L3 and memory controllers
 * @cpus: number of CPUs, 1 to MACHINE_CPUS
 * @nodes: number of nodes, 1 to MACHINE_NODES
 * @node_of: node of each CPU
 * @capacity: by node: most lines of memory read and written in a second; 0: unknown
 * @latency: by node: read latency without load, in cycles of SIGNAL_WAITING; 0: unknown, the
 *	models estimate it
 * @boxes: memory controllers or channels per node, as the meter mem_bw adds up; 0: unknown
 * @caches: largest number of L3 caches of a node; 0: unknown
 * @knee: utilization at which latency begins to rise, measured by rcrcal; 0: unknown
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
 * @cpus: number of CPUs in the recording
 * @take: called for each line: "machine.cpus.NODE=LIST" and, if known,
 *	"machine.lines.NODE=LINES", "machine.latency.NODE=CYCLES", "machine.knee.0=UTILIZATION",
 *	"machine.boxes.0=NUMBER" and "machine.caches.0=NUMBER"
 * @to: first argument of @take
 */
void machine_write(const struct machine *m, unsigned int cpus, fact_take take, void *to);

/* Parses a line of machine_write(). Returns false, with @m unchanged, if it is not a valid one. */
bool machine_take(struct machine *m, const char *line);

#endif
