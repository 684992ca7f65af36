// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bounds.c - names, defaults and ranges of the thresholds. The reason for each default is in
 * userspace/system/examples/bounds.conf.
 */
#include <stdio.h>
#include <string.h>

#include "model/bounds.h"
#include "parse/lines.h"
#include "parse/number.h"

#define RECORDED	"bound."	/* prefix of a threshold's line in a recording */

static const struct bound_row {
	const char *name;
	double value, least, most;
} rows[BOUNDS] = {
	[BOUND_UTILIZATION] = { "memory.utilization", 0.5, 0.05, 1 },
	[BOUND_LATENCY] = { "memory.latency", 1.5, 1, 100 },
	[BOUND_BUSY_UTILIZATION] = { "memory.busy_utilization", 0.7, 0.05, 1 },
	[BOUND_BUSY_ALONE] = { "memory.busy_alone", 0.95, 0.05, 1.5 },
	[BOUND_BUSY_LATENCY] = { "memory.busy_latency", 2, 1, 100 },
	[BOUND_IMBALANCE] = { "memory.imbalance", 0.5, 0.01, 1 },
	[BOUND_REMOTE] = { "memory.remote", 0.3, 0.01, 1 },
	[BOUND_BUSY_REMOTE] = { "memory.busy_remote", 0.6, 0.01, 1 },
	[BOUND_CONFLICTS] = { "memory.conflicts", 0.5, 0.01, 1 },
	[BOUND_DEVICES] = { "memory.devices", 0.5, 0.01, 1 },
	[BOUND_SLOWER] = { "memory.slower", 1.35, 1, 100 },
	[BOUND_STALLED] = { "memory.stalled", 0.5, 0.01, 1 },
	[BOUND_CONCURRENCY] = { "memory.concurrency", 1.5, 0.1, 100 },
	[BOUND_MISSES] = { "cache.misses", 1, 0.001, 1000 },
	[BOUND_MISS_RATIO] = { "cache.miss_ratio", 0.1, 0.001, 1 },
	[BOUND_BUSY_CPUS] = { "cache.busy_cpus", 0.5, 0, 1024 },
	[BOUND_BUSY_MISS_RATIO] = { "cache.busy_miss_ratio", 0.5, 0.001, 1 },
	[BOUND_ONE_SHARE] = { "cache.one_share", 2, 1, 100 },
	[BOUND_ONE_MOST] = { "cache.one_most", 0.6, 0.1, 1 },
	[BOUND_MODIFIED] = { "cache.modified", 0.125, 0.001, 1 },
	[BOUND_MODIFIED_TIME] = { "cache.modified_time", 0.05, 0.001, 1 },
	[BOUND_BUSY_MODIFIED_TIME] = { "cache.busy_modified_time", 0.15, 0.001, 1 },
	[BOUND_MODIFIED_CYCLES] = { "cache.modified_cycles", 100, 1, 10000 },
	[BOUND_SLOPE] = { "cache.slope", 4, 1, 100 },
	[BOUND_VICTIM] = { "process.victim", 2, 0.5, 100 },
	[BOUND_CORRELATION] = { "process.correlation", 0.35, 0, 1 },
	[BOUND_SLOWDOWN] = { "process.slowdown", 1.05, 1, 100 },
};

void bounds_init(struct bounds *b)
{
	unsigned int i;

	for (i = 0; i < BOUNDS; i++)
		b->value[i] = rows[i].value;
	memset(b->given, 0, sizeof(b->given));
}

static int set_value(struct bounds *b, const char *name, const char *text, struct why *why)
{
	long double value;
	const char *rest;
	unsigned int i;

	for (i = 0; i < BOUNDS && strcmp(rows[i].name, name); i++)
		;
	if (i == BOUNDS)
		return because(why, "unknown threshold '%s'", name);
	rest = number_begin(text, &value);
	if (rest && !strcmp(rest, "%")) {
		value /= 100;
		rest++;
	}
	if (!rest || *rest)
		return because(why,
			       "invalid value '%s' of %s: write a number, as in 0.85 or 85%%",
			       text, name);
	/* As a long double, 0.05 would be less than the limit of 0.05, which is a double. */
	if (!((double)value >= rows[i].least && (double)value <= rows[i].most))
		return because(why, "invalid value '%s' of %s: use %g to %g", text, name,
			       rows[i].least, rows[i].most);
	b->value[i] = value;
	b->given[i] = true;
	return 0;
}

int bounds_set(struct bounds *b, const char *text, struct why *why)
{
	char copy[256], *value, *comment;

	if (snprintf(copy, sizeof(copy), "%s", text) >= (int)sizeof(copy))
		return because(why, "the line is too long");
	comment = strchr(copy, '#');
	if (comment)
		*comment = 0;
	value = strchr(copy, '=');
	if (!value)
		return because(why, "invalid line '%s': write 'NAME = VALUE'", copy);
	*value++ = 0;
	return set_value(b, line_trim(copy), line_trim(value), why);
}

static int take_bound(void *to, const struct text_line *line, struct why *why)
{
	return bounds_set(to, line->words, why);
}

int bounds_parse(struct bounds *b, const char *path, const char *text, size_t size,
		 struct why *why)
{
	struct line_first first = { .path = path, .why = why };
	struct bounds new = *b;
	const struct line_reader reader = {
		.take = take_bound, .to = &new, .wrong = line_keep_first, .wrong_to = &first,
	};

	if (lines_read(&reader, text, size))
		return -1;
	*b = new;
	return 0;
}

void bounds_write(const struct bounds *b, fact_take take, void *to)
{
	char line[128];
	unsigned int i;

	for (i = 0; i < BOUNDS; i++) {
		/* 17 digits represent a double exactly. */
		snprintf(line, sizeof(line), RECORDED "%s=%.17g", rows[i].name, b->value[i]);
		take(to, line);
	}
}

bool bounds_take(struct bounds *b, const char *line)
{
	struct bounds new = { };
	struct why why;
	unsigned int i;

	if (strncmp(line, RECORDED, strlen(RECORDED)) ||
	    bounds_set(&new, line + strlen(RECORDED), &why))
		return false;
	for (i = 0; i < BOUNDS; i++)
		if (new.given[i] && !b->given[i])
			b->value[i] = new.value[i];
	return true;
}
