// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * saved_print.c - prints saved lines as a table of places and events, as CSV, or as JSON.
 *
 * Pure but for the time zone. Compiled into the unit tests as well.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "format/cell.h"
#include "format/format.h"
#include "format/identity.h"
#include "options.h"
#include "print/digits.h"
#include "print/json.h"
#include "print/si.h"
#include "print/wall.h"
#include "saved/saved.h"

#define WIDTH_LEAST 10

/* True if a word is in a comma-separated list; ignores case. */
static bool is_listed(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (; *list; list += strcspn(list, ","), list += *list == ',')
		if (!strncasecmp(list, word, len) && (!list[len] || list[len] == ','))
			return true;
	return false;
}

/* False if options -e or -c leave the column out. */
static bool is_wanted(const struct options *o, const struct saved_column *c)
{
	unsigned int cpu;
	int end = 0;

	if (o->events && !is_listed(o->events, c->event))
		return false;
	if (o->all_cpus || sscanf(c->place, "cpu%u%n", &cpu, &end) != 1 || c->place[end])
		return true;
	return cpu < CPU_LIMIT && o->cpu[cpu];
}

/* Returns an event of -e that no column has, or NULL. */
const char *saved_missing_event(const struct saved *s, const struct options *o, char name[64])
{
	const char *list = o->events;
	unsigned int i;
	size_t length;

	for (; list && *list; list += length, list += *list == ',') {
		length = strcspn(list, ",");
		snprintf(name, 64, "%.*s", (int)length, list);
		for (i = 0; i < s->columns; i++)
			if (!strcasecmp(s->column[i].event, name))
				break;
		if (i == s->columns)
			return name;
	}
	return NULL;
}

/* Prints the names of the columns, in CSV. */
void saved_print_header(FILE *out, const struct saved *s, const struct options *o)
{
	unsigned int i;

	if (o->format == &format_json || o->format == &format_table)
		return;
	fputs("time,interval,lost,overruns,status", out);
	for (i = 0; i < s->columns; i++)
		if (is_wanted(o, &s->column[i]))
			fprintf(out, ",%s:%s%s%s", s->column[i].place, s->column[i].event,
				*s->column[i].stat ? ":" : "", s->column[i].stat);
	for (i = 0; i < s->keys; i++)
		fprintf(out, ",%s", s->key[i].key);
	fputc('\n', out);
}

/* Prints a number with the digits that it has in CSV: a long double keeps 18 of them. */
static void print_saved_number(char text[40], const struct saved *s, unsigned int i)
{
	snprintf(text, 40, "%.*Lg", s->kind == SAVED_LDMS ? 15 : 18, s->value[i]);
}

static void print_saved_csv(FILE *out, const struct saved *s, const struct options *o)
{
	unsigned int i;
	char text[40];

	fprintf(out, "%.6f,%.6g,%s,%s,%s", s->time, s->interval, s->lost, s->overruns, s->status);
	for (i = 0; i < s->columns; i++) {
		if (!is_wanted(o, &s->column[i]))
			continue;
		print_saved_number(text, s, i);
		fprintf(out, ",%s", s->known[i] ? text : "");
	}
	for (i = 0; i < s->keys; i++)
		fprintf(out, ",%s", s->key[i].value);
	fputc('\n', out);
}

static void print_saved_json(FILE *out, const struct saved *s, const struct options *o)
{
	struct json j = { .out = out, .in_line = true };
	const struct saved_column *c;
	char text[40], status[32];
	unsigned int i;

	json_open(&j, NULL, '{');
	snprintf(text, sizeof(text), "%.6f", s->time);
	json_decimal(&j, "time", text);
	json_format(&j, "interval", "%.15g", s->interval);
	json_decimal(&j, "lost", *s->lost ? s->lost : "null");
	json_decimal(&j, "overruns", *s->overruns ? s->overruns : "null");
	json_open(&j, "values", '[');
	for (i = 0; i < s->columns; i++) {
		c = &s->column[i];
		if (!is_wanted(o, c))
			continue;
		json_open(&j, NULL, '{');
		json_text(&j, "place", c->place);
		json_text(&j, "name", c->event);
		json_text(&j, "status", saved_status(s, i, status));
		print_saved_number(text, s, i);
		json_decimal(&j, *c->stat ? c->stat : "rate", s->known[i] ? text : "null");
		json_close(&j, '}');
	}
	json_close(&j, ']');
	identity_json(&j, &s->node);
	json_close(&j, '}');
	fputc('\n', out);
}

/* Returns the index of the first column with the same event and statistic. */
static unsigned int first_like(const struct saved *s, unsigned int i)
{
	unsigned int n;

	for (n = 0; n < i; n++)
		if (!strcmp(s->column[n].event, s->column[i].event) &&
		    !strcmp(s->column[n].stat, s->column[i].stat))
			break;
	return n;
}

static int heading_of(char *text, size_t size, const struct saved_column *c)
{
	return snprintf(text, size, "%s%s%s", c->event, *c->stat ? ":" : "", c->stat);
}

static unsigned int saved_width(const struct saved *s, unsigned int i)
{
	char text[512];
	int len = heading_of(text, sizeof(text), &s->column[i]) + 2;

	return len > WIDTH_LEAST ? len : WIDTH_LEAST;
}

static void saved_cell_text(const struct saved *s, unsigned int i, char text[24])
{
	struct cell c = { .text = "-" };

	if (s->known[i])
		cell_set_ratio(&c, s->value[i]);
	strcpy(text, c.text);
}

/* Prints the row of the place of column @first. */
static void print_saved_row(FILE *out, const struct saved *s, const struct options *o,
			    unsigned int first)
{
	unsigned int i, n, blank = 0;
	char text[24];

	fprintf(out, "%-20s", s->column[first].place);
	for (i = 0; i < s->columns; i++) {
		if (!is_wanted(o, &s->column[i]) || first_like(s, i) != i)
			continue;
		blank += saved_width(s, i);
		for (n = i; n < s->columns; n++) {
			if (strcmp(s->column[n].place, s->column[first].place) || first_like(s, n) != i)
				continue;
			saved_cell_text(s, n, text);
			fprintf(out, "%*s", (int)blank, text);
			blank = 0;
			break;
		}
	}
	fputc('\n', out);
}

static void print_saved_table(FILE *out, const struct saved *s, const struct options *o)
{
	unsigned int i, n;
	char text[512];

	wall_date(out, (uint64_t)(s->time * 1e6) * 1000, s->interval < 1);
	fprintf(out, ", %.6g s", s->interval);
	if (*s->lost)
		fprintf(out, ", %s lost, %s overruns", s->lost, s->overruns);
	identity_heading(out, &s->node);
	fprintf(out, "\n\n%-20s", "");
	for (i = 0; i < s->columns; i++)
		if (is_wanted(o, &s->column[i]) && first_like(s, i) == i) {
			heading_of(text, sizeof(text), &s->column[i]);
			fprintf(out, "%*s", (int)saved_width(s, i), text);
		}
	fputc('\n', out);
	for (i = 0; i < s->columns; i++) {
		for (n = 0; n < i && strcmp(s->column[n].place, s->column[i].place); n++)
			;
		if (n == i && is_wanted(o, &s->column[i]))
			print_saved_row(out, s, o, i);
	}
	if (strcmp(s->status, "ok"))
		fprintf(out, "\n%s\n", s->status);
	fputc('\n', out);
}

/* Prints the current line; with @header, the names of the columns first. */
void saved_print(FILE *out, const struct saved *s, const struct options *o, bool header)
{
	if (header)
		saved_print_header(out, s, o);
	if (o->format == &format_json)
		print_saved_json(out, s, o);
	else if (o->format == &format_table)
		print_saved_table(out, s, o);
	else
		print_saved_csv(out, s, o);
}

/* Prints a comment about a mark. */
void saved_print_mark(FILE *out, const char *line, const struct options *o)
{
	struct json j = { .out = out, .in_line = true };
	char time[32], kind[16];
	int text = 0;

	if (o->format != &format_json) {
		fprintf(out, "%s\n", line);
		return;
	}
	/* Either "# mark TIME KIND TEXT", or "# mark TIME lost N". */
	if (sscanf(line, "# mark %31[0-9.] %15s%n", time, kind, &text) != 2)
		return;
	text += line[text] == ' ';
	json_open(&j, NULL, '{');
	json_text(&j, "mark", strcmp(kind, "lost") ? kind : NULL);
	json_decimal(&j, "time", time);
	if (strcmp(kind, "lost"))
		json_text(&j, "text", line + text);
	else
		json_number(&j, "lost", strtoul(line + text, NULL, 10));
	json_close(&j, '}');
	fputc('\n', out);
}
