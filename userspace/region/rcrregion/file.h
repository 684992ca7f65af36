/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file.h - reads and validates the file of a process, which is untrusted. */
#ifndef RCRREGION_FILE_H
#define RCRREGION_FILE_H

#include "format/region_file.h"
#include "why.h"

/**
 * struct region_file - a file that was read
 * @data: its contents
 * @size: bytes of @data
 * @header: its header
 */
struct region_file {
	unsigned char *data;
	size_t size;
	struct region_header header;
};

/* Checks @f->data, and fills in @f->header; returns 0, or -1 with the reason in @why. */
int region_file_check(struct region_file *f, struct why *why);

/* Reads and checks a file; returns 0, or -1 with the reason in @why. */
int region_file_read(struct region_file *f, const char *path, struct why *why);

void region_file_free(struct region_file *f);

/* Return the parts of a validated file by their indices. */
struct region_file_event region_file_event(const struct region_file *f, unsigned int i);
struct region_file_set region_file_set(const struct region_file *f, unsigned int i);
struct region_record region_file_record(const struct region_file *f, unsigned int i);

/**
 * struct region_total - a set of a file, over all threads
 * @threads: number of threads that have it
 * @open: the last section of a thread had not ended
 * @calls: calls that were counted
 * @lost: calls that were not counted
 * @value: the events
 * @node: the counters of the node: sums of counts and cycles, whose ratio is the rate
 */
struct region_total {
	unsigned int threads;
	bool open;
	uint64_t calls;
	uint64_t lost;
	struct region_value value[REGION_VALUES];
	struct {
		double count;
		double cycles;
	} node[REGION_NODE_COUNTERS];
};

/* Adds up the records of each set; returns @f->header.sets totals, or NULL if memory ran out. */
struct region_total *region_file_totals(const struct region_file *f);

/* Prefix of the names of the node's counters, whose values are counts per second. */
#define NODE_PREFIX	"node:"

#define COUNTER_NAME_LEN	(REGION_TEXT_LEN + sizeof(NODE_PREFIX))

/* Fills in name and rate of a counter of the node; returns false if the set does not have it. */
bool region_total_rate(const struct region_file *f, const struct region_total *t, unsigned int i,
		       char name[COUNTER_NAME_LEN], double *rate);

#define REGION_PROCESS_LEN	(REGION_TEXT_LEN + 16)

/* Writes the name of the process: its rank, or HOST:PID. */
void region_file_process(const struct region_file *f, char text[REGION_PROCESS_LEN]);

#endif
