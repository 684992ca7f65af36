// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text.c - parses what file systems and networks report as text.
 *
 * Ignores lines without a newline, or with an unexpected word: a truncated text may lack values,
 * but never has wrong ones.
 *
 * Pure: no input, no output. Also compiled into the unit tests.
 */
#include <string.h>

#include "source/text.h"

const char *const lnet_stat_name[LNET_STATS] = {
	"msgs_alloc", "msgs_max", "errors", "send_count", "recv_count", "route_count",
	"drop_count", "send_length", "recv_length", "route_length", "drop_length",
};

/* A part of the text. */
struct span {
	const char *at;
	const char *end;
};

/* Takes the next line; returns false if it has no newline. */
static bool take_text_line(struct span *text, struct span *line)
{
	const char *newline = memchr(text->at, '\n', text->end - text->at);

	if (!newline)
		return false;
	*line = (struct span){ text->at, newline };
	text->at = newline + 1;
	return true;
}

/* Takes the next word; returns false if there is none. */
static bool take_text_word(struct span *line, struct span *word)
{
	while (line->at < line->end && (*line->at == ' ' || *line->at == '\t'))
		line->at++;
	word->at = line->at;
	while (line->at < line->end && *line->at != ' ' && *line->at != '\t')
		line->at++;
	word->end = line->at;
	return word->end > word->at;
}

static bool is_word(const struct span *word, const char *text)
{
	size_t len = word->end - word->at;

	return len == strlen(text) && !memcmp(word->at, text, len);
}

/* Copies a word; returns false if it is too long, or has unprintable characters. */
static bool copy_text_word(const struct span *word, char to[LUSTRE_NAME_LEN])
{
	size_t len = word->end - word->at, i;

	if (!len || len >= LUSTRE_NAME_LEN)
		return false;
	for (i = 0; i < len; i++)
		if (word->at[i] <= ' ' || word->at[i] > '~')
			return false;
	memcpy(to, word->at, len);
	to[len] = 0;
	return true;
}

/* Parses decimal digits; returns false on any other character, or on overflow. */
static bool read_count(const struct span *word, uint64_t *value)
{
	const char *at;

	*value = 0;
	for (at = word->at; at < word->end; at++)
		if (*at < '0' || *at > '9' ||
		    __builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, (uint64_t)(*at - '0'), value))
			return false;
	return word->end > word->at;
}

/* Parses "NAME N samples [UNIT]", optionally followed by "MIN MAX SUM" or "MIN MAX SUM SUMSQ". */
static bool read_lustre_line(struct span line, struct lustre_stat *s)
{
	struct span word;

	*s = (struct lustre_stat){ };
	if (!take_text_word(&line, &word) || !copy_text_word(&word, s->name) ||
	    !take_text_word(&line, &word) || !read_count(&word, &s->samples) ||
	    !take_text_word(&line, &word) || !is_word(&word, "samples") ||
	    !take_text_word(&line, &word) || word.end - word.at < 3 || *word.at != '[' ||
	    word.end[-1] != ']')
		return false;
	word.at++;
	word.end--;
	if (!copy_text_word(&word, s->unit))
		return false;
	while (take_text_word(&line, &word)) {
		if (s->fields == 4 || !read_count(&word, &s->value[s->fields]))
			return false;
		s->fields++;
	}
	return s->fields == 0 || s->fields == 3 || s->fields == 4;
}

/* True for a line with a time, of which there are one or three, depending on the version. */
static bool is_time_line(struct span line)
{
	struct span word;

	return take_text_word(&line, &word) &&
	       (is_word(&word, "snapshot_time") || is_word(&word, "start_time") ||
		is_word(&word, "elapsed_time"));
}

/* Value of @fields that marks a duplicate name: which of its lines is right is unknown. */
#define CAME_TWICE	5

static bool mark_double(struct lustre_stat *stat, unsigned int count, const char *name)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (strcmp(stat[i].name, name))
			continue;
		stat[i].fields = CAME_TWICE;
		return true;
	}
	return false;
}

/**
 * lustre_parse() - parse a stats file of Lustre 2.5 to 2.15
 * @text: the text, which need not end with 0
 * @size: its length, bytes
 * @stat: filled in
 *
 * The text begins with the time of the snapshot. Ignores incomplete lines, and all lines of a
 * duplicate name.
 *
 * Returns the number of entries.
 */
unsigned int lustre_parse(const char *text, size_t size,
			  struct lustre_stat stat[LUSTRE_STATS_MAX])
{
	struct span rest = { text, text + size }, line;
	struct lustre_stat next;
	unsigned int count = 0, i, kept = 0;

	if (!size || !take_text_line(&rest, &line) || !is_time_line(line))
		return 0;
	while (take_text_line(&rest, &line)) {
		if (is_time_line(line) || !read_lustre_line(line, &next) ||
		    mark_double(stat, count, next.name))
			continue;
		if (count < LUSTRE_STATS_MAX)
			stat[count++] = next;
	}
	for (i = 0; i < count; i++)
		if (stat[i].fields != CAME_TWICE)
			stat[kept++] = stat[i];
	return kept;
}

/**
 * lnet_parse() - parse the one line of LNet's stats
 * @text: the text
 * @size: its length, bytes
 * @value: filled in, by lnet_stat_name
 *
 * Returns false if the line is anything but LNET_STATS numbers.
 */
bool lnet_parse(const char *text, size_t size, uint64_t value[LNET_STATS])
{
	struct span rest = { text, text + size }, line, word;
	unsigned int i;

	if (!size || !take_text_line(&rest, &line) || rest.at < rest.end)
		return false;
	for (i = 0; i < LNET_STATS; i++)
		if (!take_text_word(&line, &word) || !read_count(&word, &value[i]))
			return false;
	return !take_text_word(&line, &word);
}

/**
 * count_parse() - parse a file of sysfs that is one number
 * @text: the text
 * @size: its length, bytes
 * @value: filled in
 *
 * Returns false if it is anything else, such as "N/A (no PMA)".
 */
bool count_parse(const char *text, size_t size, uint64_t *value)
{
	struct span rest = { text, text + size }, line;

	return size && take_text_line(&rest, &line) && rest.at == rest.end &&
	       read_count(&line, value);
}

/**
 * telemetry_parse() - parse a counter of a Slingshot interface: VALUE@SECONDS.NANOSECONDS
 * @text: the text
 * @size: its length, bytes
 * @value: filled in
 *
 * Returns false if it is anything else.
 */
bool telemetry_parse(const char *text, size_t size, uint64_t *value)
{
	struct span rest = { text, text + size }, line, count, seconds;
	const char *at, *dot;
	uint64_t time;

	if (!size || !take_text_line(&rest, &line) || rest.at < rest.end)
		return false;
	at = memchr(line.at, '@', line.end - line.at);
	dot = at ? memchr(at, '.', line.end - at) : NULL;
	if (!dot)
		return false;
	count = (struct span){ line.at, at };
	seconds = (struct span){ at + 1, dot };
	line.at = dot + 1;
	return read_count(&count, value) && read_count(&seconds, &time) && read_count(&line, &time);
}
