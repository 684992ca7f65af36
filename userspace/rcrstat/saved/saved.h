/* SPDX-License-Identifier: GPL-2.0-or-later */
/* saved.h - reads files that rcrstat has written, as CSV or in the layout of LDMS. */
#ifndef RCRSTAT_SAVED_H
#define RCRSTAT_SAVED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "config/node.h"
#include "why.h"

struct options;

/* Most fields of a line. */
#define SAVED_FIELDS	65536

/* Format of the saved lines: that of "rcrstat -f csv" or of "-f ldms". */
enum saved_kind {
	SAVED_RATES,
	SAVED_LDMS,
};

/**
 * struct saved_column - a column with a number
 * @field: its field in a line
 * @place: "cpu0", "node1"
 * @event: name of the counter or the meter
 * @stat: "sum", "current"; empty: the rate
 * @label: LDMS: field with the name of the counter
 * @total: LDMS: the total in the previous line
 * @has_total: LDMS: the previous line had this counter
 */
struct saved_column {
	unsigned int field;
	char *place;
	char *event;
	char *stat;
	unsigned int label;
	uint64_t total;
	bool has_total;
};

/* Most columns of the identity of a node: its tags, producer, component_id and cluster. */
#define SAVED_KEYS	(NODE_TAGS + 3)

/**
 * struct saved_key - a column of the identity of the node
 * @field: its field in a line
 * @key: its name
 * @value: value in the current line
 */
struct saved_key {
	unsigned int field;
	char key[80];
	char value[256];
};

/**
 * struct saved - the header of the lines, and the current line
 * @kind: format of the lines
 * @header: text of the header, which the columns point into
 * @fields: fields of a line
 * @column: the columns
 * @columns: entries of @column
 * @key: columns of the identity
 * @keys: entries of @key
 * @node: identity of the node in the current line
 * @time: end of the interval, s since 1970
 * @interval: length of the interval, s
 * @has_line: LDMS: there was a previous line, and @time is set
 * @lost: records lost, as text; empty: not known
 * @overruns: ticks missed, likewise
 * @status: text of the column status
 * @value: by column: the number
 * @known: by column: there is a number
 */
struct saved {
	long double *value;
	enum saved_kind kind;
	char *header;
	unsigned int fields;
	struct saved_column *column;
	unsigned int columns;
	struct saved_key key[SAVED_KEYS];
	unsigned int keys;
	struct node node;
	double time;
	double interval;
	bool has_line;
	char lost[24];
	char overruns[24];
	char status[65536];
	bool *known;
};

/* Results of saved_take(). */
enum saved_line {
	SAVED_WRONG = -1,
	SAVED_NOTHING,		/* a comment, or the first line of LDMS */
	SAVED_HEADER,
	SAVED_MARK,		/* a comment about a mark */
	SAVED_INTERVAL,
};

enum saved_line saved_take(struct saved *s, char *line, struct why *why);
void saved_free(struct saved *s);
const char *saved_status(const struct saved *s, unsigned int column, char text[32]);

const char *saved_missing_event(const struct saved *s, const struct options *o, char name[64]);
void saved_print_header(FILE *out, const struct saved *s, const struct options *o);
void saved_print(FILE *out, const struct saved *s, const struct options *o, bool header);
void saved_print_mark(FILE *out, const char *line, const struct options *o);

bool saved_is_text(const char *path);
int saved_run(const struct options *o);

#endif
