/* SPDX-License-Identifier: GPL-2.0-or-later */
/* checking.h - a configuration file that is being checked. */
#ifndef RCRCTL_CHECKING_H
#define RCRCTL_CHECKING_H

#include <stdbool.h>

#include "config/config.h"
#include "config/node.h"
#include "session.h"

/**
 * struct checking - a file being checked
 * @session: the session
 * @path: path of the file
 * @config: its lines
 * @node: the identity in the lines so far
 * @crossings: crossings so far
 * @wrong: number of invalid lines
 */
struct checking {
	struct session *session;
	const char *path;
	struct config *config;
	struct node node;
	unsigned int crossings;
	int wrong;
};

/* Reports an invalid line, and counts it. */
void count_wrong_line(void *to, unsigned int number, const char *sentence);

/* check_meters.c: the keys "meter", "maximum", "contention" and "crossing". */
void check_meter_line(struct checking *k, const struct config_line *line);
void check_limit_line(struct checking *k, const struct config_line *line);
void check_crossing_line(struct checking *k, const struct config_line *line);

#endif
