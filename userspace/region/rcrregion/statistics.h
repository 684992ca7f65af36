/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statistics.h - statistics of a count over processes, of which none is kept. */
#ifndef RCRREGION_STATISTICS_H
#define RCRREGION_STATISTICS_H

#include <stdint.h>

#include "rcrregion/file.h"

/**
 * struct statistics - what a counter did in a region
 * @region: name of the region
 * @counter: name of the counter
 * @processes: processes that counted it
 * @threads: threads of these
 * @calls: of all of them
 * @min: least count of a process
 * @max: greatest count of a process
 * @min_process: the first process by its name that has @min
 * @max_process: the first process by its name that has @max
 * @mean: mean of the counts
 * @squares: sum of the squares of their differences from the mean
 * @host: bits of the machines of these processes, by the numbers of statistics_add_file()
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
 * @row: these
 * @rows: their number
 * @room: number for which there is memory
 * @tsc: TSC cycles in which all processes ran
 * @ns: the same time, ns
 * @host: number of the machine of the file that is being added
 * @family: rcrtool's name of the family of their CPUs; empty: not known, or several
 * @families: files that have one
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

/* Takes a count of a region of a file, over its threads; a status other than 0 ends it. */
typedef int statistics_count(void *to, const char *region, const char *counter, const char *process,
			     const struct region_total *total, uint64_t count);

/*
 * Calls @take with each count of the file, or of that region. Returns its status, or -1 without
 * memory.
 */
int statistics_each_count(const struct region_file *f, const char *region,
			  statistics_count *take, void *to);

/*
 * Adds the regions of a file of machine @host, or the one of that name; returns 0, or -1 without
 * memory.
 */
int statistics_add_file(struct statistics_list *list, const struct region_file *f,
			const char *region, unsigned int host);

/* Number of the machines whose processes counted it. */
unsigned int statistics_hosts(const struct statistics *s);

/* Standard deviation of the counts. */
double statistics_deviation(const struct statistics *s);

/* The nearest whole number; UINT64_MAX if it is larger. */
uint64_t statistics_rounded(double number);

void statistics_free(struct statistics_list *list);

#endif
