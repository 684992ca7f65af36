/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.h - parses the command line of rcrjob. */
#ifndef JOBS_OPTIONS_H
#define JOBS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "rcrjob/places.h"

/**
 * struct job_options - the command line
 * @sources: the verb is sources, not run
 * @root: sources: root directory of another system; "": this system
 * @values: sources: print the values instead of a list of sources
 * @json: print JSON
 * @interval_ns: also print the counts of each interval of this length; 0: do not
 * @per: also print the counts of each part of this kind
 * @output: file to write to; NULL: standard error
 * @command: words of the command; NULL ends them
 */
struct job_options {
	bool sources;
	const char *root;
	bool values;
	bool json;
	uint64_t interval_ns;
	enum job_per per;
	const char *output;
	char **command;
};

/* Returns EXIT_SUCCESS, or the exit status after reporting an error. --help ends the program. */
int job_options_parse(struct job_options *o, int argc, char **argv);

#endif
