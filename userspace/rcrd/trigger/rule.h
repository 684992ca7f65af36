/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rule.h - parse a bound of a meter at a place from a line of text:
 *
 *	KIND:NUMBER METER > BOUND [over TIME] [for TIME] [below BOUND]
 */
#ifndef RCRD_RULE_H
#define RCRD_RULE_H

#include "parse/condition.h"
#include "rcr_board.h"
#include "why.h"

/* Maximum number of bounds that can be configured. */
#define RULES_MAX 8

/* Longest line, including the terminating 0. */
#define RULE_LEN 192

/**
 * struct rule_lines - bounds as text
 * @count: number of entries in @text
 * @text: one bound per entry, in printable ASCII
 */
struct rule_lines {
	unsigned int count;
	char text[RULES_MAX][RULE_LEN];
};

/**
 * struct rule - a bound
 * @kind: kind of the place
 * @number: number of the place
 * @condition: the meter and its bound
 */
struct rule {
	enum rcr_place_kind kind;
	unsigned int number;
	struct condition condition;
};

/* Parses a line. Returns 0, or -1 with @why filled in. */
int rule_parse(const char *text, struct rule *rule, struct why *why);

/* Appends a valid line of @size bytes. Returns 0, or -1 with @why filled in if it is invalid. */
int rule_lines_add(struct rule_lines *lines, const char *text, size_t size, struct why *why);

#endif
