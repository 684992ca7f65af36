/* SPDX-License-Identifier: GPL-2.0-or-later */
/* application.h - joins the files of a directory, of which one at a time is in memory. */
#ifndef RCRREGION_APPLICATION_H
#define RCRREGION_APPLICATION_H

#include "rcrregion/options.h"
#include "rcrregion/statistics.h"

/* Ranks, and times, that are compared; those beyond have no note. */
#define APPLICATION_RANKS	16777216
#define APPLICATION_SPANS	64

/**
 * struct application_host - a machine
 * @name: its name
 * @number: it is the one after so many others
 */
struct application_host {
	char name[REGION_TEXT_LEN];
	unsigned int number;
};

/**
 * struct application_span - a time in which processes ran, without a gap
 * @begin: ns
 * @end: ns
 */
struct application_span {
	uint64_t begin;
	uint64_t end;
};

/**
 * struct application - what was joined
 * @list: the statistics
 * @files: files that are in them
 * @left_out: files that could not be read
 * @ended: files of processes that a signal ended, which are not in them
 * @short_of: files in them of which some calls were not counted
 * @lost: these calls
 * @with_kernel: files in them whose counts include those in the kernel
 * @rank: bits of the ranks of these files
 * @ranks: bits of @rank
 * @repeated: files whose rank another one has
 * @span: times of processes without a rank, which do not overlap
 * @spans: number of these
 * @host: the machines of these files, in the order of their names
 * @hosts: number of these
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
 * Joins a directory; names what is left out. Returns 0, or an exit status after reporting an error.
 * @app, which is all 0, needs application_free() then, too.
 */
int application_join(struct application *app, const char *name, const struct region_options *o);

void application_free(struct application *app);

#endif
