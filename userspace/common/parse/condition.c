// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * condition.c - parses conditions: a meter crosses a bound.
 *
 * Pure: also compiled into the unit tests.
 */
#include <stdio.h>
#include <string.h>

#include "parse/condition.h"
#include "parse/period.h"

#define BLANKS " \t\n"
#define WORD_LEN 64

static const char grammar[] =
	"METER > BOUND [over TIME] [for TIME] [below BOUND], or with < and [above BOUND]";

/* Takes the next word, up to a blank or one of @ends; false if there is none or it is too long. */
static bool take_condition_word(const char **at, const char *ends, char word[WORD_LEN])
{
	char stops[16];
	size_t len;

	snprintf(stops, sizeof(stops), "%s%s", BLANKS, ends);
	*at += strspn(*at, BLANKS);
	len = strcspn(*at, stops);
	snprintf(word, WORD_LEN, "%.*s", (int)len, *at);
	*at += len;
	return len && len < WORD_LEN;
}

static int take_meter(const char **at, struct condition *c, struct why *why)
{
	char word[WORD_LEN];

	_Static_assert(sizeof(word) == sizeof(c->meter), "a word is a name");
	if (!take_condition_word(at, "<>", word))
		return because(why, "a condition begins with the name of a meter: %s", grammar);
	strcpy(c->meter, word);
	*at += strspn(*at, BLANKS);
	if (**at != '>' && **at != '<')
		return because(why, "missing > or < after '%s': %s", c->meter, grammar);
	c->is_below = *(*at)++ == '<';
	return 0;
}

static int take_quantity(const char **at, const char *after, struct quantity *q,
			 struct why *why)
{
	char word[WORD_LEN];

	if (!take_condition_word(at, "", word))
		return because(why, "missing bound after '%s': %s", after, grammar);
	return quantity_parse(word, q, why);
}

static int take_time(const char **at, const char *after, uint64_t *ns, struct why *why)
{
	char word[WORD_LEN];

	if (!take_condition_word(at, "", word))
		return because(why, "missing time after '%s', for example 100ms", after);
	if (!period_parse(word, ns))
		return because(why, "invalid time '%s': add a unit, for example 100ms, 2s or 1min",
			       word);
	return 0;
}

/* Parses the optional clauses after the bound. */
static int take_rest(const char **at, struct condition *c, struct why *why)
{
	const char *back = c->is_below ? "above" : "below";
	char word[WORD_LEN];
	bool more = take_condition_word(at, "", word);

	if (more && !strcmp(word, "over")) {
		if (take_time(at, "over", &c->window_ns, why))
			return -1;
		more = take_condition_word(at, "", word);
	}
	if (more && !strcmp(word, "for")) {
		if (take_time(at, "for", &c->hold_ns, why))
			return -1;
		more = take_condition_word(at, "", word);
	}
	if (more && !strcmp(word, back)) {
		if (take_quantity(at, back, &c->back, why))
			return -1;
		c->has_back = true;
		more = take_condition_word(at, "", word);
	}
	if (more || *word)
		return because(why, "unexpected '%s': %s", word, grammar);
	return 0;
}

int condition_parse(const char *text, struct condition *c, struct why *why)
{
	const char *at = text;

	memset(c, 0, sizeof(*c));
	if (take_meter(&at, c, why) ||
	    take_quantity(&at, c->is_below ? "<" : ">", &c->bound, why))
		return -1;
	return take_rest(&at, c, why);
}

int condition_watch(const struct condition *c, const struct quantity_scale *scale,
		    struct rcr_watch *watch, struct why *why)
{
	int64_t bound, back;

	if (quantity_value(&c->bound, scale, &bound, why))
		return -1;
	back = bound;
	if (c->has_back && quantity_value(&c->back, scale, &back, why))
		return -1;
	if (c->is_below ? back < bound : back > bound)
		return because(why, "the value must return past the bound: '%s' must name a %s one",
			       c->is_below ? "above" : "below",
			       c->is_below ? "higher" : "lower");
	memset(watch, 0, sizeof(*watch));
	watch->bound = bound;
	watch->back = back;
	watch->hold_ns = c->hold_ns;
	watch->window_ns = c->window_ns;
	watch->flags = c->is_below ? RCR_WATCH_BELOW : 0;
	return 0;
}
