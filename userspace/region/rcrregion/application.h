/* SPDX-License-Identifier: GPL-2.0-or-later */
/* application.h - joins the files of a directory, with only one of them in memory at a time. */
#ifndef RCRREGION_APPLICATION_H
#define RCRREGION_APPLICATION_H

#include "rcrregion/options.h"
#include "rcrregion/statistics.h"

/* Most ranks, and times, that are checked for files of several runs. */
#define APPLICATION_RANKS	16777216
#define APPLICATION_SPANS	64

/**
 * struct application_host - a machine
 * @name: its name
 * @number: number of machines that were added before
 */
struct application_host {
	char name[REGION_TEXT_LEN];
	unsigned int number;
};

/**
 * struct application_span - a time without a gap in which processes ran
 * @begin: its begin, ns
 * @end: its end, ns
 */
struct application_span {
	uint64_t begin;
	uint64_t end;
};

/**
 * struct application - the joined files of a directory
 * @list: the statistics
 * @files: number of files in @list
 * @left_out: number of files that could not be read
 * @ended: number of files that were left out because a signal ended the process
 * @short_of: number of files in which some calls were not counted
 * @lost: number of these calls
 * @with_kernel: number of files whose counts include those in the kernel
 * @rank: bitmap of the ranks
 * @ranks: bits of @rank
 * @repeated: number of files whose rank another one has
 * @span: times of processes without a rank, which do not overlap
 * @spans: entries of @span
 * @host: the machines, in the order of their names
 * @hosts: entries of @host
 */
struct application {
	struct statistics_list list;
	unsigned int files;
	unsigned int left_out;
	unsigned int ended;
	unsigned int short_of;
	uint64_t lost;
	unsigned int with_kernel;
	uint64_t *rank;
	unsigned int ranks;
	unsigned int repeated;
	struct application_span span[APPLICATION_SPANS];
	unsigned int spans;
	struct application_host *host;
	unsigned int hosts;
};

/*
 * Joins a directory into @app, which must be zeroed; reports files that are left out. Returns 0, or
 * an exit status after reporting an error. @app needs application_free() in any case.
 */
int application_join(struct application *app, const char *name, const struct region_options *o);

void application_free(struct application *app);

#endif
