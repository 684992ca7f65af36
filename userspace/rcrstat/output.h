/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output.h - writes lines, tables and records in the selected format.
 *
 * Every function returns 0, or EXIT_FAILURE after reporting an error.
 */
#ifndef RCRSTAT_OUTPUT_H
#define RCRSTAT_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "config/node.h"
#include "file.h"
#include "format/format.h"
#include "format/identity.h"
#include "interval/interval.h"
#include "interval/jobs.h"
#include "format/raw.h"
#include "format/table.h"
#include "interval/view.h"
#include "options.h"

struct rcr_item;

/**
 * struct output - an open output
 * @options: the command line
 * @file: output stream; NULL if each interval replaces the file
 * @raw: items to write unchanged; these bypass @file
 * @view: units that the lines report
 * @node: identity of the node
 * @node_is_read: @node is that of the stream
 * @named: the identity in the lines so far
 * @latest: time of the latest interval, ns since 1970
 * @node_items: items of @node for the raw format
 * @format: format of the output
 * @replacement: the file that the next interval replaces, for such a format
 * @begun: the output file has been emptied
 * @sets: sets whose beginning was written
 * @look: how tables are drawn
 * @screen: tables are shown in place on a terminal
 * @tables: number of tables printed
 * @jobs: running jobs
 * @mark: the latest mark, for a screen; its item.size is 0 if there was none
 * @text: text of the last table of shares, which cannot be drawn again; NULL: none
 * @shown: copy of the interval on the screen, to redraw it at another size
 */
struct output {
	const struct options *options;
	FILE *file;
	struct raw raw;
	struct view view;
	struct node node;
	bool node_is_read;
	struct node named;
	uint64_t latest;
	uint64_t node_items[IDENTITY_ITEMS / 8];
	const struct format *format;
	struct file_new replacement;
	bool begun;
	uint64_t sets;
	struct table_size look;
	bool screen;
	uint64_t tables;
	struct jobs jobs;
	struct rcr_mark mark;
	char *text;
	struct intervals shown;
};

int output_open(struct output *o, const struct options *options, bool live, bool in_time);
int output_close(struct output *o, const struct intervals *v, int ret);
int output_set(struct output *o, const struct intervals *v, bool header);
int output_interval(struct output *o, const struct intervals *v);
int output_mark(struct output *o, const struct intervals *v,
		const struct rcr_mark *mark);
int output_item(struct output *o, const struct rcr_item *item);
int output_identity(struct output *o, const struct rcr_set *set);
int output_take_none(struct output *o);
void output_take_node(struct output *o, const struct rcr_node *part);
int output_resized(struct output *o);
void output_forget(struct output *o);
int output_suspend(struct output *o);
int output_flush(struct output *o);

#endif
