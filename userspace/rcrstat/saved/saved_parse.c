// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * saved_parse.c - parses lines of CSV that rcrstat or LDMS's store_csv has written.
 *
 * Lines of csv.c have rates. Lines of ldms.c have totals: a rate is the difference of two lines
 * over the time between them. It is not known if either line has no name for the counter, or if
 * the total has decreased.
 *
 * The last columns of CSV, and ProducerName and component_id of LDMS, are the identity of the node.
 *
 * Pure. Compiled into the unit tests as well.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "saved/saved.h"

#define RATES_HEADER	"time,interval,lost,overruns,status"
#define LDMS_HEADER	"#Time,Time_usec,ProducerName,component_id,job_id,app_id"
#define RATES_FIRST	5	/* field of the first number */
#define LDMS_FIRST	6
#define LDMS_PRODUCER	2
#define LDMS_COMPONENT	3

void saved_free(struct saved *s)
{
	free(s->header);
	free(s->column);
	free(s->value);
	free(s->known);
	s->header = NULL;
	s->column = NULL;
	s->value = NULL;
	s->known = NULL;
	s->columns = 0;
	s->keys = 0;
	s->fields = 0;
}

/* Cuts off and returns the first field of a line; NULL after the last one. */
static char *next_field(char **line)
{
	char *field = *line, *comma;

	if (!field)
		return NULL;
	comma = strchr(field, ',');
	if (comma)
		*comma++ = 0;
	*line = comma;
	return field;
}

/* Splits "package0/die0:L3:sum" at the first and last colon into place, event and statistic. */
static bool split_rate_name(struct saved_column *c, char *name)
{
	char *colon = strchr(name, ':'), *last;

	if (!colon || colon == name || !colon[1])
		return false;
	*colon = 0;
	c->place = name;
	c->event = colon + 1;
	last = strrchr(c->event, ':');
	c->stat = last ? last + 1 : c->event + strlen(c->event);
	if (last)
		*last = 0;
	return *c->event;
}

/* Splits "Ctr0_c3", of cpu3, or "Ctr1_n0", of the first sharing unit; a field has the event. */
static bool split_ldms_name(struct saved_column *c, char *name, unsigned int label)
{
	char *part = strchr(name, '_');
	size_t len;

	if (!label || strncmp(name, "Ctr", 3) || !part || (part[1] != 'c' && part[1] != 'n'))
		return false;
	len = strspn(part + 2, "0123456789");
	if (!len || len > 6 || part[2 + len])
		return false;
	*part = 0;
	c->label = label;
	c->place = part + 1;
	c->event = name;
	c->stat = part;
	return true;
}

/* Adds a column of the identity; returns false if @name is none, or there are too many. */
static bool add_identity_column(struct saved *s, const char *name, unsigned int field)
{
	struct saved_key *key = &s->key[s->keys];

	if (s->keys == SAVED_KEYS || strlen(name) >= sizeof(key->key) ||
	    (strcmp(name, "producer") && strcmp(name, "component_id") && strcmp(name, "cluster") &&
	     strncmp(name, "tag.", 4)))
		return false;
	strcpy(key->key, name);
	key->field = field;
	s->keys++;
	return true;
}

static int wrong_column(struct why *why, unsigned int field, const char *name)
{
	return because(why, "column %u has no name of a counter: '%.64s'", field + 1, name);
}

/* Parses the fields of a header after the fixed ones. */
static int parse_columns(struct saved *s, char *line, unsigned int first, struct why *why)
{
	unsigned int field = first, label = 0;
	char name[80], *at;

	for (; (at = next_field(&line)); field++) {
		struct saved_column *c = &s->column[s->columns];

		if (field >= SAVED_FIELDS)
			return because(why, "a line has at most %d columns", SAVED_FIELDS);
		*c = (struct saved_column){ .field = field };
		snprintf(name, sizeof(name), "%s", at);
		if (s->kind == SAVED_LDMS && strncmp(at, "Ctr", 3))
			continue;	/* of --derive: not a total */
		if (s->kind == SAVED_LDMS && strstr(at, "_name")) {
			label = field;
		} else if (s->kind == SAVED_LDMS && strstr(at, "_wctl")) {
			continue;
		} else if (s->kind == SAVED_RATES && add_identity_column(s, at, field)) {
			continue;
		} else if (s->kind == SAVED_LDMS ? split_ldms_name(c, at, label) :
						   split_rate_name(c, at)) {
			s->columns++;
		} else {
			return wrong_column(why, field, name);
		}
	}
	s->fields = field;
	if (s->kind == SAVED_LDMS) {
		add_identity_column(s, "producer", LDMS_PRODUCER);
		add_identity_column(s, "component_id", LDMS_COMPONENT);
	}
	return 0;
}

static unsigned int count_fields(const char *line)
{
	unsigned int n = 1;

	for (; *line; line++)
		n += *line == ',';
	return n;
}

static enum saved_line take_header(struct saved *s, const char *line, enum saved_kind kind,
				   struct why *why)
{
	const char *fixed = kind == SAVED_LDMS ? LDMS_HEADER : RATES_HEADER;
	unsigned int most = count_fields(line);
	size_t len = strlen(fixed);

	saved_free(s);
	s->kind = kind;
	s->has_line = false;
	s->header = strdup(line);
	s->column = calloc(most + 1, sizeof(*s->column));
	s->value = calloc(most + 1, sizeof(*s->value));
	s->known = calloc(most + 1, sizeof(*s->known));
	if (!s->header || !s->column || !s->value || !s->known) {
		because(why, "no memory for %u columns", most);
		return SAVED_WRONG;
	}
	if (parse_columns(s, s->header[len] ? s->header + len + 1 : NULL,
			  kind == SAVED_LDMS ? LDMS_FIRST : RATES_FIRST, why))
		return SAVED_WRONG;
	return SAVED_HEADER;
}

static bool parse_number(const char *text, long double *number)
{
	char *end;

	if (!isdigit((unsigned char)*text) && *text != '-')
		return false;
	*number = strtold(text, &end);
	return !*end && isfinite(*number);
}

static bool parse_seconds(const char *text, double *time)
{
	long double number;

	if (!parse_number(text, &number))
		return false;
	*time = number;
	return true;
}

static bool parse_total(const char *text, uint64_t *total)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*total = strtoull(text, &end, 10);
	return !*end && !errno;
}

static int wrong_number(struct why *why, unsigned int field, const char *text)
{
	return because(why, "column %u is not a number: '%.64s'", field + 1, text);
}

static int take_rates(struct saved *s, char *const *field, struct why *why)
{
	uint64_t number;
	unsigned int i;

	if (!parse_seconds(field[0], &s->time) || s->time < 0)
		return wrong_number(why, 0, field[0]);
	if (!parse_seconds(field[1], &s->interval) || s->interval <= 0)
		return wrong_number(why, 1, field[1]);
	for (i = 2; i < 4; i++)
		if (!parse_total(field[i], &number))
			return wrong_number(why, i, field[i]);
	snprintf(s->lost, sizeof(s->lost), "%s", field[2]);
	snprintf(s->overruns, sizeof(s->overruns), "%s", field[3]);
	if (strlen(field[4]) >= sizeof(s->status))
		return because(why, "the status is too long");
	strcpy(s->status, field[4]);
	for (i = 0; i < s->columns; i++) {
		const char *text = field[s->column[i].field];

		s->known[i] = *text;
		if (*text && !parse_number(text, &s->value[i]))
			return wrong_number(why, s->column[i].field, text);
	}
	return SAVED_INTERVAL;
}

/* Writes the status of a line of totals. */
static void list_unknown(struct saved *s)
{
	size_t at = 0;
	unsigned int i;

	strcpy(s->status, "ok");
	for (i = 0; i < s->columns && at < sizeof(s->status); i++)
		if (!s->known[i])
			at += snprintf(s->status + at, sizeof(s->status) - at, "%s%s:%s=gap",
				       at ? ";" : "", s->column[i].place, s->column[i].event);
}

static int take_totals(struct saved *s, char *const *field, struct why *why)
{
	double time, before = s->time;
	bool had_line = s->has_line;
	uint64_t total;
	unsigned int i;

	if (!parse_seconds(field[0], &time) || time < 0)
		return wrong_number(why, 0, field[0]);
	if (had_line && time <= before)
		return because(why, "its time is not after that of the line before");
	for (i = 0; i < s->columns; i++) {
		struct saved_column *c = &s->column[i];
		const char *label = field[c->label];

		if (!parse_total(field[c->field], &total))
			return wrong_number(why, c->field, field[c->field]);
		s->known[i] = had_line && *label && c->has_total && total >= c->total;
		if (s->known[i])
			s->value[i] = (total - c->total) / (time - before);
		c->has_total = *label;
		c->total = total;
	}
	s->time = time;
	s->interval = time - before;
	s->has_line = true;
	*s->lost = 0;
	*s->overruns = 0;
	list_unknown(s);
	return had_line ? SAVED_INTERVAL : SAVED_NOTHING;
}

/* Takes the names of LDMS's counters from the first line; a counter without one keeps "Ctr0". */
static int learn_labels(struct saved *s, char *const *field)
{
	char *before = s->header, *names;
	const char *label;
	size_t size = 1;
	unsigned int i;

	for (i = 0; i < s->columns; i++)
		size += strlen(field[s->column[i].label]) + strlen(s->column[i].event) + 32;
	names = malloc(size);
	if (!names)
		return -1;
	s->header = names;
	for (i = 0; i < s->columns; i++) {
		struct saved_column *c = &s->column[i];
		char place[16];

		snprintf(place, sizeof(place), *c->place == 'c' ? "cpu%.8s" : "unit%.8s",
			 c->place + 1);
		label = *field[c->label] ? field[c->label] : c->event;
		c->place = names;
		names += sprintf(names, "%s", place) + 1;
		c->event = names;
		names += sprintf(names, "%s", label) + 1;
		c->stat = names - 1;
	}
	free(before);
	return 0;
}

/* Takes the identity of the node from a line; ignores empty parts. */
static int take_identity(struct saved *s, char *const *field, struct why *why)
{
	struct saved_key *key;
	char text[sizeof(key->key) + sizeof(key->value) + 1];
	struct why wrong;

	s->node = (struct node){ .origin = s->keys ? NODE_GIVEN : NODE_UNKNOWN };
	for (key = s->key; key < s->key + s->keys; key++) {
		snprintf(key->value, sizeof(key->value), "%s", field[key->field]);
		snprintf(text, sizeof(text), "%s=%s", key->key, key->value);
		if (*key->value && node_take_text(&s->node, text, &wrong))
			return because(why, "column %u: %s", key->field + 1, wrong.text);
	}
	return 0;
}

static enum saved_line take_fields(struct saved *s, char *line, struct why *why)
{
	unsigned int n = count_fields(line), i;
	enum saved_line taken;
	char **field;

	if (n != s->fields) {
		because(why, "%u columns, where the header has %u", n, s->fields);
		return SAVED_WRONG;
	}
	field = calloc(n + 1, sizeof(*field));
	if (!field) {
		because(why, "no memory for %u columns", n);
		return SAVED_WRONG;
	}
	for (i = 0; i < n; i++)
		field[i] = next_field(&line);
	if (take_identity(s, field, why))
		taken = SAVED_WRONG;
	else if (s->kind == SAVED_RATES)
		taken = take_rates(s, field, why);
	else if (!s->has_line && learn_labels(s, field))
		taken = (enum saved_line)because(why, "no memory for names");
	else
		taken = take_totals(s, field, why);
	free(field);
	return taken;
}

static bool has_header_of(const char *line, const char *fixed)
{
	size_t len = strlen(fixed);

	return !strncmp(line, fixed, len) && (!line[len] || line[len] == ',');
}

/**
 * saved_take() - take a line
 * @s: state after the previous line; zeroed before the first one
 * @line: the line, without its end; it is modified unless it is a mark
 * @why: filled in for SAVED_WRONG
 */
enum saved_line saved_take(struct saved *s, char *line, struct why *why)
{
	if (has_header_of(line, LDMS_HEADER))
		return take_header(s, line, SAVED_LDMS, why);
	if (has_header_of(line, RATES_HEADER))
		return take_header(s, line, SAVED_RATES, why);
	if (!strncmp(line, "# mark ", 7))
		return SAVED_MARK;
	if (*line == '#')
		return SAVED_NOTHING;
	if (!s->fields) {
		because(why, "no header of 'rcrstat -f csv' or '-f ldms' is before this line");
		return SAVED_WRONG;
	}
	return take_fields(s, line, why);
}

/* Finds "NAME=STATUS" in the list of statuses. */
static bool find_status_of(const char *list, const char *name, char text[32])
{
	size_t len = strlen(name);

	for (; *list; list += strcspn(list, ";"), list += *list == ';') {
		if (strncmp(list, name, len) || list[len] != '=')
			continue;
		snprintf(text, 32, "%.*s", (int)strcspn(list + len + 1, ";"), list + len + 1);
		return true;
	}
	return false;
}

/* Returns the status of a column in the current line. */
const char *saved_status(const struct saved *s, unsigned int column, char text[32])
{
	const struct saved_column *c = &s->column[column];
	char name[256];

	/* The status names single CPUs or units: one that is suspect makes its group suspect. */
	snprintf(name, sizeof(name), ":%s=suspect", c->event);
	if (s->known[column] && *c->stat && strstr(s->status, name)) {
		strcpy(text, "suspect");
		return text;
	}
	snprintf(name, sizeof(name), "%s:%s", c->place, c->event);
	if (find_status_of(s->status, name, text) ||
	    (!s->known[column] && find_status_of(s->status, c->place, text)))
		return text;
	return s->known[column] ? "ok" : "gap";
}
