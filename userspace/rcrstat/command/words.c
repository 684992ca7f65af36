// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * words.c - a list of events on the command line.
 *
 * A comma separates events, except in the module's own syntax (event:0x03,umask:0xff) and between
 * the slashes of a PMU's event, where it separates the fields of a single event.
 *
 * Pure: also compiled into the unit tests.
 */
#include <stdlib.h>
#include <string.h>

#include "command/words.h"

/* True if @text, the rest of the list after a comma, is another field of @event. */
static bool continues_event(const char *event, const char *text)
{
	static const char *const fields[] = {
		"umask:", "cmask:", "filter:", "filter1:", "counter:", "inv", "edge", "os",
		"user", "pernode", "host", "guest", "slow", "en", "config:", "config1:", "config2:",
		"scope:", "joules",
	};
	size_t i, length = strcspn(text, ",");

	if (!strchr(event, ':'))
		return false;
	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		size_t n = strlen(fields[i]);

		if (!strncmp(text, fields[i], n) && (fields[i][n - 1] == ':' || length == n))
			return true;
	}
	return false;
}

static int add_word(struct words *w, const char *word, struct why *why)
{
	if (!*word)
		return because(why, "an event is missing in the list: separate events by one comma");
	if (w->count == RCR_MAX_COUNTERS)
		return because(why, "a set has at most %d counters", RCR_MAX_COUNTERS);
	w->word[w->count++] = word;
	return 0;
}

/* Splits a list; returns 0, or -1 with @why filled in. */
int words_split(struct words *w, const char *list, struct why *why)
{
	bool slash = false;
	char *at, *begin;

	*w = (struct words){ .text = strdup(list) };
	if (!w->text)
		return because(why, "no memory for the list of events");
	for (begin = at = w->text; *at; at++) {
		slash ^= *at == '/';
		if (*at != ',' || slash)
			continue;
		*at = 0;
		if (continues_event(begin, at + 1)) {
			*at = ',';
			continue;
		}
		if (add_word(w, begin, why))
			return -1;
		begin = at + 1;
	}
	return add_word(w, begin, why);
}

/* Replaces named sets (@ldms) by their events; returns 0, or -1 with @why filled in. */
int words_expand(struct words *w, const struct names *names, struct why *why)
{
	struct words all = { .text = w->text };
	const char *const *each;
	unsigned int i, n;

	for (i = 0; i < w->count; i++) {
		if (*w->word[i] != '@') {
			if (add_word(&all, w->word[i], why))
				return -1;
			continue;
		}
		each = names_set(names, w->word[i], why);
		if (!each)
			return -1;
		for (n = 0; each[n]; n++) {
			if (add_word(&all, each[n], why))
				return -1;
			all.spared[all.count - 1] = names_can_spare(w->word[i], n);
		}
	}
	*w = all;
	return 0;
}

void words_move(struct words *w, unsigned int from, unsigned int to)
{
	w->word[to] = w->word[from];
	w->spared[to] = w->spared[from];
}

/* Drops repeated words. */
void words_unique(struct words *w)
{
	unsigned int i, n, count = 0;

	for (i = 0; i < w->count; i++) {
		for (n = 0; n < count && strcmp(w->word[n], w->word[i]); n++)
			;
		if (n == count)
			words_move(w, i, count++);
	}
	w->count = count;
}

void words_free(struct words *w)
{
	free(w->text);
}
