/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * labelled.h - makes recordings of a machine in which a known thing is contended, or only seems to
 * be: the bench of models that judge a stream (rcr_item of rcrtool.h).
 *
 * The machine has nodes of AMD's Family 15h: its cores share an L3, and each has the memory of its
 * own, which the cores of other nodes read, too. Of a program a few numbers are known: the
 * instructions it would execute with nothing to wait for, requests to the L3 for 1,000 of them, the
 * part of the L3 that it uses again, and whose memory it reads. From these follow, for each tick,
 *
 *	misses		of the L3: none above a floor while the programs that run fit in it
 *			together, all when they need 1.5 times of it; of a program that needs more
 *			than the whole L3, all
 *	latency		of memory = latency without load / (1 - utilization), an M/M/1 queue
 *	cycles		for each instruction = its own + requests x latency of the L3 or of memory,
 *			divided by how many of them are under way at once
 *	utilization	= lines asked of a node's memory in a second / its capacity
 *
 * which depend on each other and are solved together. So causes, victims and slowdowns are facts
 * of the recording. Noise multiplies each count of each tick; records are lost at random; events
 * can be missing from the set. Arithmetic is IEEE addition, multiplication and division: a seed
 * gives the same bytes on every machine.
 *
 * In the first and the last third of a recording the machine is quiet.
 */
#ifndef RCR_LABELLED_H
#define RCR_LABELLED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define LABELLED_CPUS	256	/* of all nodes */
#define LABELLED_NODES	8
#define LABELLED_CPU_LINES 25e6	/* of a node's memory in a second, for each of its CPUs */

enum labelled_kind {
	LABELLED_QUIET,
	/* Memory. */
	LABELLED_BANDWIDTH,	/* each node's memory is saturated by its own programs */
	LABELLED_ONE_MEMORY,	/* one node's memory is, by the programs of all */
	LABELLED_REMOTE,	/* programs read the memory of another node, evenly */
	LABELLED_CONFLICTS,	/* rows are closed for each other: latency at half load */
	LABELLED_CHASE,		/* one request at a time: slow, and nothing is saturated */
	LABELLED_DEVICE,	/* a device fills memory */
	LABELLED_CLOCK,		/* memory is slower than it was, without a load */
	/* Cache. */
	LABELLED_THRASHER,	/* one program takes the L3 from the others */
	LABELLED_SUM,		/* only together they need more than the L3 */
	LABELLED_EACH,		/* each needs more than the L3 */
	LABELLED_SHARING,	/* they read the same lines: the more run, the fewer misses */
	LABELLED_LINES,		/* two write the same lines */
	LABELLED_MIGRATION,	/* a burst of modified lines when tasks move, once */
	LABELLED_KINDS
};

/* The counters of a set, in this order; those of a node are in the records of its first CPU. */
enum labelled_counter {
	LABELLED_CYCLES,
	LABELLED_INSTRUCTIONS,
	LABELLED_L2_MISSES,	/* 043h: requests to the L3 */
	LABELLED_MODIFIED,	/* 06Ch:2a: of these, lines that another core had modified */
	LABELLED_L3_MISSES,	/* nb 4E1h, as are the following: nb */
	LABELLED_READS,		/* 1F0h:62 */
	LABELLED_WRITES,	/* 1F0h:19 */
	LABELLED_LATENCY,	/* 1E2h: cycles of all requests under way */
	LABELLED_REQUESTS,	/* 1E3h */
	LABELLED_CONFLICT,	/* 0E0h:24 */
	LABELLED_ROWS,		/* 0E0h:3f */
	LABELLED_LOCAL,		/* 1E0h:00 */
	LABELLED_FAR,		/* 1E0h:0f */
	LABELLED_IO,		/* 1E1h */
	LABELLED_COUNTERS
};

/**
 * struct labelled_options - a recording to make
 * @kind: what happens in its second third
 * @seed: of noise, lost records and idle CPUs
 * @nodes: 1 to LABELLED_NODES; 2 and more where a kind needs another node
 * @node_cpus: CPUs of each node, 2 and more; at most LABELLED_CPUS in all
 * @ticks: 3 and more
 * @period_ns: distance of two ticks
 * @noise: standard deviation of each count's factor, 0 to 0.3
 * @lost: part of the records that is lost, 0 to 0.5
 * @missing: bit n: the set has no counter n of enum labelled_counter
 * @spread: what each program asks for differs by up to this part, 0 to 0.5; in the second third
 *	that of all programs by one factor, in addition
 */
struct labelled_options {
	enum labelled_kind kind;
	uint64_t seed;
	unsigned int nodes, node_cpus;
	uint32_t ticks;
	uint64_t period_ns;
	double noise, lost;
	uint32_t missing;
	double spread;
};

/**
 * struct labelled_truth - what is so in the recording
 * @begin: first tick of the second third
 * @end: first tick of the last third
 * @node: whose memory or cache it is; all of them if it is the number of nodes
 * @cause: number of the process that causes it; 0: none of them, or all alike
 * @victim: number of one that suffers from it; 0: none
 * @slowdown: cycles per instruction of @victim, divided by those before
 * @utilization: of @node's memory, or of all, in the second third, 0 to 1
 * @latency: of that memory, divided by that without load
 * @miss_ratio: of the L3 of @node, or of the first one
 * @misses: of it, for 1,000 instructions
 * @written: records
 * @lost: records that were left out
 */
struct labelled_truth {
	uint32_t begin, end;
	unsigned int node;
	uint32_t cause, victim;
	double slowdown, utilization, latency, miss_ratio, misses;
	uint64_t written, lost;
};

/**
 * labelled_name() - the name of a kind, for tables
 */
const char *labelled_name(enum labelled_kind kind);

/**
 * labelled_write() - makes a recording
 * @f: file that the stream is written to
 * @o: options
 * @truth: set if it was made
 *
 * Return: 0, or -1 with errno: EINVAL for options out of range.
 */
int labelled_write(FILE *f, const struct labelled_options *o, struct labelled_truth *truth);

/**
 * labelled_bytes() - makes a recording in memory
 * @o: options
 * @truth: set if it was made
 * @size: set to its size, bytes
 *
 * Return: the recording, for free(); or NULL with errno.
 */
char *labelled_bytes(const struct labelled_options *o, struct labelled_truth *truth, size_t *size);

#endif
