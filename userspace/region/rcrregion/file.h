/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file.h - reads the file of a process, of which it believes nothing. */
#ifndef RCRREGION_FILE_H
#define RCRREGION_FILE_H

#include "format/region_file.h"
#include "why.h"

/**
 * struct region_file - a file that was read
 * @data: its contents
 * @size: bytes of these
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

/* Parts of a file that was checked, by their indices. */
struct region_file_event region_file_event(const struct region_file *f, unsigned int i);
struct region_file_set region_file_set(const struct region_file *f, unsigned int i);
struct region_record region_file_record(const struct region_file *f, unsigned int i);

/**
 * struct region_total - a set of a file, over all threads
 * @threads: threads that have it
 * @open: the last section of one of them had not ended
 * @calls: calls that were counted
 * @lost: calls that were not
 * @value: the events
 * @node: the counters of the node: their sums over all threads, to be divided by each other
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

/* Adds up the records of each set; returns an array of @f->header.sets, NULL without memory. */
struct region_total *region_file_totals(const struct region_file *f);

/* Counters of the node have names with this, and are counts per second. */
#define NODE_PREFIX	"node:"

#define COUNTER_NAME_LEN	(REGION_TEXT_LEN + sizeof(NODE_PREFIX))

/* Names and computes a counter of the node, per second; false if it is not known for this set. */
bool region_total_rate(const struct region_file *f, const struct region_total *t, unsigned int i,
		       char name[COUNTER_NAME_LEN], double *rate);

#define REGION_PROCESS_LEN	(REGION_TEXT_LEN + 16)

/* Name of the process: its rank, or HOST:PID. */
void region_file_process(const struct region_file *f, char text[REGION_PROCESS_LEN]);

#endif
