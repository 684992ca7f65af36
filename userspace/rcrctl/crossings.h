/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * crossings.h - runs a command for each crossing of a bound.
 */
#ifndef RCRCTL_CROSSINGS_H
#define RCRCTL_CROSSINGS_H

#include <stdint.h>

/**
 * struct crossings - what is done with crossings
 * @fd: tells of them; see rcr_board_watch()
 * @meter: name of the meter, for the command
 * @digits: of its values
 * @most: end after that many; 0: never
 * @command: and its arguments, ended by NULL
 * @gone: asked now and then: why no crossing will come any more, or NULL
 * @to: its argument
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
 * Runs the command once for each crossing, one after the other, until a signal comes
 * (SIGINT, SIGTERM, SIGHUP), enough have come, or no more will. The exit status.
 */
int crossings_serve(const struct crossings *c);

#endif
