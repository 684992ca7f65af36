/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.h - parses the command line of pmdarcr. */
#ifndef JOBS_PMDA_OPTIONS_H
#define JOBS_PMDA_OPTIONS_H

#include <stdint.h>

/**
 * struct agent_options - the command line
 * @domain: number of the agent in pmcd.conf
 * @file: a recording to replay; NULL: the module
 * @grid: distance of two grid ticks, ns
 * @log: log file; NULL: rcr.log
 * @user: user to run as, if root has started it
 * @sysfs: where the topology is read
 * @spool: directory of the cards; NULL: there are none
 * @cgroups: where control groups are mounted
 */
struct agent_options {
	unsigned int domain;
	const char *file;
	uint64_t grid;
	const char *log;
	const char *user;
	const char *sysfs;
	const char *spool;
	const char *cgroups;
};

int agent_options_parse(struct agent_options *o, int argc, char **argv);

#endif
