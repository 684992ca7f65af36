// SPDX-License-Identifier: GPL-2.0-or-later
/* rule.c - parse a bound of a meter at a place. */
#include <stdlib.h>
#include <string.h>

#include "rule.h"

/* Parse "KIND:NUMBER ". Returns the position after it, or NULL. */
static const char *parse_place(const char *text, struct rule *rule)
{
	size_t len = strcspn(text, ":");
	char word[16];
	char *end;

	if (!text[len] || len >= sizeof(word))
		return NULL;
	memcpy(word, text, len);
	word[len] = 0;
	text += len + 1;
	if (rcr_place_kind_parse(word, &rule->kind) || *text < '0' || *text > '9')
		return NULL;
	rule->number = strtoul(text, &end, 10);
	return *end == ' ' && end - text < 10 ? end + 1 : NULL;
}

int rule_parse(const char *text, struct rule *rule, struct why *why)
{
	const char *rest = parse_place(text, rule);

	if (!rest)
		return because(why, "invalid bound '%s': begin with a place, such as machine:0 or node:1",
			       text);
	return condition_parse(rest, &rule->condition, why);
}

int rule_lines_add(struct rule_lines *lines, const char *text, size_t size, struct why *why)
{
	char *line = lines->text[lines->count];
	struct rule rule;

	if (lines->count == RULES_MAX)
		return because(why, "too many bounds: the maximum is %d", RULES_MAX);
	if (size >= RULE_LEN)
		return because(why, "bound of %zu bytes: the maximum is %d", size, RULE_LEN - 1);
	memcpy(line, text, size);
	line[size] = 0;
	if (rule_parse(line, &rule, why))
		return -1;
	lines->count++;
	return 0;
}
