/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.h - the command line of rcrstat. */
#ifndef RCRSTAT_OPTIONS_H
#define RCRSTAT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "format/format.h"
#include "parse/cpulist.h"
#include "message.h"
#include "interval/units.h"
#include "task/tasks.h"

/**
 * struct options - the parsed command line
 * @interval: length of an interval, ns
 * @interval_given: the user chose @interval
 * @count: number of intervals; 0: unlimited
 * @format: output format; NULL: a table on a terminal, else CSV
 * @per: how CPUs are grouped
 * @per_given: the user chose @per
 * @tasks: print shares of processes or cgroups instead of counters of CPUs
 * @component: component_id of the node, if @component_given
 * @sysfs: directory to read the topology from
 * @relations: file with additional relations between counters; "none": check nothing; NULL:
 *	check the built-in relations only
 * @has_relations: the user chose @relations on the command line
 * @output: file to write to; NULL: standard output
 * @device: file to read from; NULL: /dev/rcrtool
 * @saved: @device is a file that was saved
 * @follow: wait for more at the end of @device
 * @events: events of option -e, separated by commas; NULL: all that are counted
 * @meters: meters of option -m, separated by commas; NULL: none
 * @derive: file of formulas of additional columns; NULL: none
 * @json: JSON instead of a table or CSV
 * @command: command to run, a NULL-terminated array; NULL: none
 * @all_cpus: no CPUs were given
 * @cpu: the CPUs that were given
 */
struct options {
	uint64_t interval;
	bool interval_given;
	uint64_t count;
	const struct format *format;
	enum grouping per;
	bool per_given;
	enum task_kind tasks;
	uint64_t component;
	bool component_given;
	const char *sysfs;
	const char *relations;
	bool has_relations;
	const char *output;
	const char *device;
	bool saved;
	bool follow;
	char *events;
	char *meters;
	const char *derive;
	bool json;
	char **command;
	bool all_cpus;
	bool cpu[CPU_LIMIT];
};

/* Result of parse_options(). */
enum parsed {
	PARSED_RUN,			/* run */
	PARSED_DONE,			/* --help or --version was printed */
	PARSED_WRONG = EXIT_USAGE,	/* the error was reported by wrong() */
};

enum parsed parse_options(struct options *o, int argc, char **argv);

#endif
