/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rule.h - a bound of a meter at a place, as a line of text:
 *
 *	KIND:NUMBER METER > BOUND [over TIME] [for TIME] [below BOUND]
 */
#ifndef RCRD_RULE_H
#define RCRD_RULE_H

#include "parse/condition.h"
#include "rcr_board.h"
#include "why.h"

/* Maximum number of bounds of the recorder. */
#define RULES_MAX 8

/* Longest line, including the terminating 0. */
#define RULE_LEN 192

/**
 * struct rule_lines - bounds as text
 * @count: entries of @text
 * @text: one bound each, in printable ASCII
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

/* Appends a line of @size bytes, if it is valid. Returns 0, or -1 with @why filled in. */
int rule_lines_add(struct rule_lines *lines, const char *text, size_t size, struct why *why);

#endif
