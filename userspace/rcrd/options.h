/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.h - parse the command line of rcrd. */
#ifndef RCRD_OPTIONS_H
#define RCRD_OPTIONS_H

#include <stdbool.h>

#include "model/replay.h"

/**
 * struct daemon_options - options
 * @foreground: stay in the foreground
 * @observes: judge contention, but post no verdicts
 * @groups: socket to rcrd-set, if it started rcrd; -1: none
 * @replay: options of a replay; @replay.path is NULL without --replay
 */
struct daemon_options {
	bool foreground;
	bool observes;
	int groups;
	struct replay replay;
};

/*
 * Parses the options. Returns EXIT_SUCCESS, or the status to exit with after printing a message.
 * Does not return for --help and --version.
 */
int daemon_options_parse(struct daemon_options *o, int argc, char **argv);

#endif
