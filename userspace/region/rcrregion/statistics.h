/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statistics.h - statistics of a count over processes, without storing the counts. */
#ifndef RCRREGION_STATISTICS_H
#define RCRREGION_STATISTICS_H

#include <stdint.h>

#include "rcrregion/file.h"

/**
 * struct statistics - statistics of a counter in a region
 * @region: name of the region
 * @counter: name of the counter
 * @processes: number of processes that counted it
 * @threads: number of threads of these processes
 * @calls: calls of all these threads
 * @min: lowest count of a process
 * @max: highest count of a process
 * @min_process: name of the process with @min; of several, the first in order
 * @max_process: name of the process with @max; of several, the first in order
 * @mean: mean of the counts
 * @squares: sum of the squared differences from the mean
 * @host: bitmap of the machines, by the @host of statistics_add_file()
 * @host_words: entries of @host
 */
struct statistics {
	char region[REGION_TEXT_LEN];
	char counter[COUNTER_NAME_LEN];
	uint64_t processes;
	uint64_t threads;
	uint64_t calls;
	uint64_t min;
	uint64_t max;
	char min_process[REGION_PROCESS_LEN];
	char max_process[REGION_PROCESS_LEN];
	double mean;
	double squares;
	uint64_t *host;
	unsigned int host_words;
};

/**
 * struct statistics_list - all regions and counters, in the order of their names
 * @row: the statistics
 * @rows: entries of @row
 * @room: allocated entries of @row
 * @tsc: TSC cycles in which all processes ran
 * @ns: the same time, ns
 * @host: number of the machine of the file that is being added
 * @family: rcrtool's name of the family of the CPUs; empty: not known, or several
 * @families: number of files that name a family
 */
struct statistics_list {
	struct statistics *row;
	unsigned int rows;
	unsigned int room;
	double tsc;
	double ns;
	char family[REGION_TEXT_LEN];
	unsigned int families;
	unsigned int host;
};

/* Takes a count of a region of a file, over its threads; any status but 0 ends the iteration. */
typedef int statistics_count(void *to, const char *region, const char *counter, const char *process,
			     const struct region_total *total, uint64_t count);

/*
 * Calls @take with each count of the file, or of one region. Returns the status of @take, or -1 if
 * memory ran out.
 */
int statistics_each_count(const struct region_file *f, const char *region,
			  statistics_count *take, void *to);

/*
 * Adds all regions, or one region, of a file from machine @host; returns 0, or -1 if memory ran
 * out.
 */
int statistics_add_file(struct statistics_list *list, const struct region_file *f,
			const char *region, unsigned int host);

/* Returns the number of machines with processes that counted it. */
unsigned int statistics_hosts(const struct statistics *s);

/* Returns the standard deviation of the counts. */
double statistics_deviation(const struct statistics *s);

/* Returns the nearest integer, at most UINT64_MAX. */
uint64_t statistics_rounded(double number);

void statistics_free(struct statistics_list *list);

#endif
