/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.h - what the user of rcrstat asked for.
 */
#ifndef RCRSTAT_OPTIONS_H
#define RCRSTAT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cpulist.h"
#include "message.h"
#include "units.h"

enum format {
	FORMAT_CSV,
	FORMAT_RATES,
	FORMAT_RAW,
	FORMAT_LDMS,
};

/**
 * struct options - the command line, checked
 * @interval: ns from one line to the next
 * @count: intervals; 0: no end
 * @format: what to write
 * @per: what CPUs are put together by
 * @component: component_id of the LDMS layout
 * @sysfs: where the places of CPUs are read
 * @output: file to write to; NULL: standard output
 * @device: where to read
 * @all_cpus: no CPU was named
 * @cpu: the CPUs that were named
 */
struct options {
	uint64_t interval;
	uint64_t count;
	enum format format;
	enum grouping per;
	uint64_t component;
	const char *sysfs;
	const char *output;
	const char *device;
	bool all_cpus;
	bool cpu[CPU_LIMIT];
};

/* What parse_options() made of the command line. */
enum parsed {
	PARSED_RUN,			/* go on */
	PARSED_DONE,			/* it was answered: --help, --version */
	PARSED_WRONG = EXIT_USAGE,	/* and was told what, by wrong() */
};

enum parsed parse_options(struct options *o, int argc, char **argv);

#endif
