/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * output.h - where lines, tables and records go, in the format asked for.
 *
 * Every function returns 0, or EXIT_FAILURE when it has said what failed.
 */
#ifndef RCRSTAT_OUTPUT_H
#define RCRSTAT_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "interval.h"
#include "jobs.h"
#include "raw.h"
#include "view.h"

struct options;
struct rcr_item;

/**
 * struct output - an open output
 * @options: what was asked for
 * @file: where to
 * @raw: items that are to be written as they are; these do not go through @file
 * @view: by which parts of the machine lines tell
 * @host: name of this machine
 * @screen: tables are shown in place on a terminal
 * @tables: that were printed
 * @jobs: that run
 * @mark: the latest, to show on a screen; of size 0 when there was none
 * @shown: a copy of the interval on the screen, to show it in another size
 */
struct output {
	const struct options *options;
	FILE *file;
	struct raw raw;
	struct view view;
	char host[256];
	bool screen;
	uint64_t tables;
	struct jobs jobs;
	struct rcr_mark mark;
	struct intervals shown;
};

int output_open(struct output *o, const struct options *options);
int output_close(struct output *o, int ret);
int output_set(struct output *o, const struct intervals *v, bool header);
int output_interval(struct output *o, const struct intervals *v);
int output_mark(struct output *o, const struct intervals *v,
		const struct rcr_mark *mark);
int output_item(struct output *o, const struct rcr_item *item);
int output_resized(struct output *o);
int output_flush(struct output *o);

#endif
