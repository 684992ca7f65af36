// SPDX-License-Identifier: GPL-2.0-or-later
/* config_words.c - splits values of the configuration file. */
#include <string.h>

#include "config/config.h"
#include "parse/period.h"
#include "parse/trigger.h"

#define BLANKS " \t"

/* Longest window of the recorder, ns. */
#define WINDOW_MOST 86400000000000ull

int config_split(const char *value, struct config_words *w, struct why *why)
{
	char *at = w->text;

	w->count = 0;
	if (strlen(value) >= sizeof(w->text))
		return because(why, "the value is too long");
	strcpy(w->text, value);
	for (at += strspn(at, BLANKS); *at; at += strspn(at, BLANKS)) {
		bool quoted = *at == '"';
		char *end;

		if (w->count == CONFIG_WORDS)
			return because(why, "too many words: the maximum is %d", CONFIG_WORDS);
		at += quoted;
		end = at + strcspn(at, quoted ? "\"" : BLANKS);
		if (quoted && !*end)
			return because(why, "a word has no closing quote");
		w->word[w->count++] = at;
		if (!*end)
			break;
		*end = 0;
		at = end + 1;
	}
	return w->count ? 0 : because(why, "the value is missing");
}

int config_parse_recorder(const char *value, struct config_recorder *r, struct why *why)
{
	struct config_words w;

	memset(r, 0, sizeof(*r));
	if (!strcmp(value, "off"))
		return 0;
	if (config_split(value, &w, why))
		return -1;
	r->triggers = RCR_TRIGGER_MARK | RCR_TRIGGER_OOM;
	if (w.count == 2)
		r->triggers = triggers_parse(w.word[1]);
	if (w.count > 2 || !r->triggers)
		return because(why, "invalid recorder '%s': use off, or a time and mark, oom, crossing separated by commas",
			       value);
	if (!period_parse(w.word[0], &r->window_ns) || !r->window_ns)
		return because(why, "invalid time '%s': add a unit, for example 5s", w.word[0]);
	if (r->window_ns > WINDOW_MOST)
		return because(why, "invalid time '%s': the maximum is a day, 1440min", w.word[0]);
	return 0;
}

void config_split_place(char *value, const char **place)
{
	char *at = strstr(value, " at ");

	*place = "machine";
	if (!at)
		return;
	*at = 0;
	*place = line_trim(at + 4);
}
