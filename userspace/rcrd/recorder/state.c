// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * state.c - the state file. It has a line "KEY VALUE" for each member, several for bounds, and a
 * last line "end", which shows that it is not truncated.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "request.h"
#include "state.h"
#include "parse/number.h"
#include "parse/trigger.h"

#define BOUND "bound"
#define HEAD "rcrd-state 2\n"

/* A mark may contain any byte but 0: replace those that are not printable by '?'. */
static void copy_printable(char *to, const char *from, size_t size)
{
	size_t i;

	for (i = 0; i + 1 < size && from[i]; i++)
		to[i] = from[i] >= ' ' && from[i] <= '~' ? from[i] : '?';
	to[i] = 0;
}

size_t state_print(const struct state *s, char text[STATE_MAX])
{
	char triggers[TRIGGERS_LEN], kept[RCR_MARK_LEN];
	size_t used, i;

	copy_printable(kept, s->kept, sizeof(kept));
	used = snprintf(text, STATE_MAX, HEAD "window_ns %" PRIu64 "\ntriggers %s\n",
			s->window_ns, triggers_text(s->triggers, triggers));
	for (i = 0; i < s->lines.count; i++)
		used += snprintf(text + used, STATE_MAX - used, BOUND " %s\n", s->lines.text[i]);
	return used + snprintf(text + used, STATE_MAX - used,
			       "seen_ns %" PRIu64 "\nboot %s\nwindows %" PRIu64 "\nmissed %" PRIu64
			       "\nkept_bytes %" PRIu64 "\nfetched %d\nkept %s\nend\n",
			       s->seen_ns, s->boot, s->number, s->missed, s->kept_bytes,
			       s->fetched, kept);
}

/* Remove the line "KEY VALUE" from the text. Returns its value, or NULL if the key differs. */
static char *take_state_line(char **text, const char *key)
{
	size_t len = strlen(key);
	char *line = *text, *end = strchr(line, '\n');

	if (!end || strncmp(line, key, len) || line[len] != ' ')
		return NULL;
	*end = 0;
	*text = end + 1;
	return line + len + 1;
}

static bool take_state_number(char **text, const char *key, uint64_t *number)
{
	const char *value = take_state_line(text, key);

	return value && number_parse(value, number);
}

static bool take_state_text(char **text, const char *key, char *to, size_t size)
{
	char *value = take_state_line(text, key);

	if (!value || strlen(value) >= size)
		return false;
	copy_printable(to, value, size);
	return true;
}

static bool take_triggers(char **text, uint32_t *triggers)
{
	char *value = take_state_line(text, "triggers");

	if (!value)
		return false;
	*triggers = *value ? triggers_parse(value) : 0;
	return *triggers || !*value;
}

static bool take_bounds(char **text, struct rule_lines *lines)
{
	char line[RULE_LEN], *value;
	struct why why;

	while ((value = take_state_line(text, BOUND))) {
		if (strlen(value) >= sizeof(line))
			return false;
		copy_printable(line, value, sizeof(line));
		if (rule_lines_add(lines, line, strlen(line), &why))
			return false;
	}
	return true;
}

static bool is_consistent(const struct state *s)
{
	return s->window_ns <= REQUEST_WINDOW_MAX && !s->window_ns == !s->triggers &&
	       (!s->lines.count || s->triggers & RCR_TRIGGER_CROSSING) &&
	       !s->kept_bytes == !*s->kept && (s->number || !s->kept_bytes);
}

int state_parse(const char *text, struct state *s, struct why *why)
{
	char copy[STATE_MAX], *at = copy + sizeof(HEAD) - 1;
	uint64_t fetched = 0;

	memset(s, 0, sizeof(*s));
	if (strlen(text) >= sizeof(copy) || strncmp(text, HEAD, sizeof(HEAD) - 1))
		return because(why, "is not a state file of this version of rcrd");
	strcpy(copy, text);
	if (!take_state_number(&at, "window_ns", &s->window_ns) ||
	    !take_triggers(&at, &s->triggers) || !take_bounds(&at, &s->lines) ||
	    !take_state_number(&at, "seen_ns", &s->seen_ns) ||
	    !take_state_text(&at, "boot", s->boot, sizeof(s->boot)) ||
	    !take_state_number(&at, "windows", &s->number) ||
	    !take_state_number(&at, "missed", &s->missed) ||
	    !take_state_number(&at, "kept_bytes", &s->kept_bytes) ||
	    !take_state_number(&at, "fetched", &fetched) || fetched > 1 ||
	    !take_state_text(&at, "kept", s->kept, sizeof(s->kept)) || strcmp(at, "end\n"))
		return because(why, "is malformed");
	s->fetched = fetched;
	return is_consistent(s) ? 0 : because(why, "is inconsistent");
}
