/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - the formats of the output: one file each, and one line in FORMAT_LIST.
 */
#ifndef RCRSTAT_FORMAT_H
#define RCRSTAT_FORMAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct intervals;
struct node;
struct rcr_mark;
struct table_size;
struct view;

/**
 * struct page - destination and contents of the output
 * @out: output stream, fully buffered
 * @v: the counter set; for struct format.line the finished interval, too
 * @view: units to report
 * @node: identity of the node
 * @job: number of the latest running job according to the marks; 0: none
 * @sets: sets written before this one
 * @directory: the directory that @out is in, if struct format.directory is set
 * @size: size and looks of a table; NULL for other formats
 * @mark: a mark to show with a table on a terminal, or NULL
 */
struct page {
	FILE *out;
	const struct intervals *v;
	const struct view *view;
	const struct node *node;
	uint64_t job;
	uint64_t sets;
	const char *directory;
	const struct table_size *size;
	const struct rcr_mark *mark;
};

/**
 * struct format - a format of the output
 * @name: argument of -f
 * @grouped: supports groups of CPUs (--per)
 * @chosen: supports a choice of events (-e)
 * @meters: supports meters (-m)
 * @derives: has columns for --derive
 * @spaced: print an empty line between lines and marks
 * @identified: needs the identity of a node; uses this node's for a recording that has none
 * @single: all output must be of one node, in the order of time
 * @items: passes on the items of the stream unchanged, instead of lines
 * @replaced: each interval replaces the output file atomically; there is no @set
 * @directory: the output is a directory, which -o names; name of the file in it; else NULL
 * @program: a program that @end runs, in a directory of PATH; NULL: none
 * @set: write what precedes the lines of a set, or NULL; called again when the columns change;
 *	returns 0, or -1 with errno
 * @line: write a finished interval
 * @mark: write a mark, or NULL: marks are left out
 * @end: write what follows the last line, or NULL; returns 0, or EXIT_FAILURE after reporting an
 *	error
 *
 * Other failures are those of the stream, by its error indicator, with errno.
 */
struct format {
	const char *name;
	bool grouped;
	bool chosen;
	bool meters;
	bool derives;
	bool spaced;
	bool identified;
	bool single;
	bool items;
	bool replaced;
	const char *directory;
	const char *program;
	int (*set)(const struct page *p);
	void (*line)(const struct page *p);
	void (*mark)(const struct page *p, const struct rcr_mark *mark);
	int (*end)(const struct page *p);
};

/* All formats, in the order of messages; format_NAME belongs to the argument NAME of -f. */
#define FORMAT_LIST(item) \
	item(table) \
	item(csv) \
	item(json) \
	item(raw) \
	item(ldms) \
	item(openmetrics) \
	item(prometheus) \
	item(influx) \
	item(tacc_stats) \
	item(ctf) \
	item(chrome) \
	item(svg)

#define FORMAT_DECLARE(id) extern const struct format format_##id;
FORMAT_LIST(FORMAT_DECLARE)

/* Returns the format of that name, or NULL. */
const struct format *format_find(const char *name);

/* Writes the names of all formats as a list for messages: "csv, ldms, raw or table". */
const char *format_names(char *text, size_t size);

#endif
