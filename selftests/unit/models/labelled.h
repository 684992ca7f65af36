/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * labelled.h - makes recordings of a machine with a known contention, or with something that only
 * resembles one, to test models that judge a stream (rcr_item of rcrtool.h).
 *
 * The machine is an AMD Family 15h. The cores of a node share an L3; each node has its own memory,
 * which cores of other nodes read as well. A program is a few numbers: its cycles per instruction
 * without stalls, its L3 requests per 1,000 instructions, the part of the L3 that it reuses, and
 * the node whose memory it reads. For each tick they determine
 *
 *	misses		of the L3: a floor while the running programs fit in it together, all
 *			requests if they need 1.5 times its size; a program that alone needs more
 *			than the L3 always misses
 *	latency		of memory = latency without load / (1 - utilization), an M/M/1 queue
 *	cycles		per instruction = those without stalls + requests x latency of the L3 or
 *			of memory / outstanding requests
 *	utilization	= lines read from a node's memory per second / its capacity
 *
 * which depend on each other and are solved together, so that causes, victims and slowdowns are
 * known. Noise multiplies each count of each tick; records are lost at random; the set may lack
 * events. Only IEEE addition, multiplication and division are used: a seed gives the same bytes on
 * every machine.
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
#define LABELLED_CPU_LINES 25e6	/* of memory, lines per second for each CPU */

enum labelled_kind {
	LABELLED_QUIET,
	/* Memory. */
	LABELLED_BANDWIDTH,	/* each node's programs saturate its memory */
	LABELLED_ONE_MEMORY,	/* the programs of all nodes saturate one node's memory */
	LABELLED_REMOTE,	/* programs read the memory of another node, evenly */
	LABELLED_CONFLICTS,	/* accesses close each other's rows: high latency at half load */
	LABELLED_CHASE,		/* one outstanding request: slow, but nothing is saturated */
	LABELLED_DEVICE,	/* a device fills memory */
	LABELLED_CLOCK,		/* memory becomes slower without load */
	/* Cache. */
	LABELLED_THRASHER,	/* one program takes the L3 from the others */
	LABELLED_SUM,		/* the programs exceed the L3 only together */
	LABELLED_EACH,		/* each program exceeds the L3 */
	LABELLED_SHARING,	/* all read the same lines: the more run, the fewer misses */
	LABELLED_LINES,		/* two programs write the same lines */
	LABELLED_MIGRATION,	/* one burst of modified lines when tasks move */
	LABELLED_KINDS
};

/* The counters of a set, in order. The first CPU of a node counts the node's shared units. */
enum labelled_counter {
	LABELLED_CYCLES,
	LABELLED_INSTRUCTIONS,
	LABELLED_L2_MISSES,	/* 043h: requests to the L3 */
	LABELLED_MODIFIED,	/* 06Ch:2a: L3 requests for lines that another core had modified */
	LABELLED_L3_MISSES,	/* nb 4E1h; the following ones are nb, too */
	LABELLED_READS,		/* 1F0h:62 */
	LABELLED_WRITES,	/* 1F0h:19 */
	LABELLED_LATENCY,	/* 1E2h: cycles summed over outstanding requests */
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
 * @kind: the contention in its second third
 * @seed: seed of the noise, the lost records and the idle CPUs
 * @nodes: 1 to LABELLED_NODES; at least 2 if @kind needs another node
 * @node_cpus: CPUs of each node, at least 2; at most LABELLED_CPUS in all
 * @ticks: at least 3
 * @period_ns: time from one tick to the next
 * @noise: standard deviation of each count's factor, 0 to 0.3
 * @lost: fraction of lost records, 0 to 0.5
 * @missing: bit n: the set lacks counter n of enum labelled_counter
 * @spread: maximum relative deviation of each program's demand, 0 to 0.5; in the second third
 *	also of one factor for the programs that @kind changes
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
 * struct labelled_truth - facts of the recording that models should find
 * @begin: first tick of the second third
 * @end: first tick of the last third
 * @node: node with the contended memory or cache; the number of nodes means all of them
 * @cause: id of the process that causes the contention; 0: no process, or all equally
 * @victim: id of a process that suffers from it; 0: none
 * @slowdown: cycles per instruction of @victim, relative to the first third
 * @utilization: utilization of the memory of @node (the mean of all) in the second third, 0 to 1
 * @latency: latency of that memory, relative to that without load
 * @miss_ratio: miss ratio of the L3 of @node, or of the first L3 if @node is all
 * @misses: misses of that L3 per 1,000 instructions
 * @written: records written
 * @lost: records left out
 */
struct labelled_truth {
	uint32_t begin, end;
	unsigned int node;
	uint32_t cause, victim;
	double slowdown, utilization, latency, miss_ratio, misses;
	uint64_t written, lost;
};

/**
 * labelled_name() - returns the name of a kind, for tables
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

/**
 * labelled_thin() - removes counts from a recording, but no ticks
 * @bytes: the recording
 * @size: its size, bytes
 * @from: first tick of an interval
 * @to: its last tick
 * @part: leave every @part-th count in the interval; 0: none
 */
void labelled_thin(char *bytes, size_t size, uint32_t from, uint32_t to, unsigned int part);

#endif
