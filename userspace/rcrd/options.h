/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.h - the command line of rcrd. */
#ifndef RCRD_OPTIONS_H
#define RCRD_OPTIONS_H

#include <stdbool.h>

#include "model/replay.h"

/**
 * struct daemon_options - options
 * @foreground: stay in the foreground
 * @observes: judge, and post nothing
 * @groups: socket to rcrd-set, which has started it; -1: none
 * @replay: @replay.path is NULL without --replay
 */
struct daemon_options {
	bool foreground;
	bool observes;
	int groups;
	struct replay replay;
};

/*
 * Returns EXIT_SUCCESS, or the status to exit with after a message. Does not return for --help and
 * --version.
 */
int daemon_options_parse(struct daemon_options *o, int argc, char **argv);

#endif
