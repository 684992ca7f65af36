/* SPDX-License-Identifier: GPL-2.0-or-later */
/* crossings.h - runs a command for each crossing of a bound. */
#ifndef RCRCTL_CROSSINGS_H
#define RCRCTL_CROSSINGS_H

#include <stdint.h>

/**
 * struct crossings - parameters of crossings_serve()
 * @fd: descriptor of crossings, from rcr_board_watch()
 * @meter: name of the meter, passed to the command
 * @digits: decimal digits of the meter's values
 * @most: end after this many crossings; 0: unlimited
 * @command: command and arguments, terminated by NULL
 * @gone: called after half a second without crossings, unless NULL; returns why no more will come,
 *	or NULL
 * @to: argument of @gone
 */
struct crossings {
	int fd;
	const char *meter;
	unsigned int digits;
	uint64_t most;
	char **command;
	const char *(*gone)(void *to);
	void *to;
};

/*
 * Runs the command once for each crossing, one at a time, until SIGINT, SIGTERM or SIGHUP, until
 * @most crossings have come, or until no more will come. Returns the exit status.
 */
int crossings_serve(const struct crossings *c);

#endif
