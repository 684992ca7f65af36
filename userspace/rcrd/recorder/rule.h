/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule.h - a bound of a meter at a place, as a line of text:
 *
 *	KIND:NUMBER METER > BOUND [over TIME] [for TIME] [below BOUND]
 */
#ifndef RCRD_RULE_H
#define RCRD_RULE_H

#include "condition.h"
#include "rcr_board.h"
#include "why.h"

/* Bounds of one recorder. */
#define RULES_MAX 8

/* Longest line, with the terminating 0. */
#define RULE_LEN 192

/**
 * struct rule_lines - bounds as they were given
 * @count: how many
 * @text: a line each, of printable ASCII
 */
struct rule_lines {
	unsigned int count;
	char text[RULES_MAX][RULE_LEN];
};

/**
 * struct rule - a bound
 * @kind: of the place
 * @number: of the place
 * @condition: the meter and its bound
 */
struct rule {
	enum rcr_place_kind kind;
	unsigned int number;
	struct condition condition;
};

/* Reads a line. Returns 0, or -1 with the reason. */
int rule_parse(const char *text, struct rule *rule, struct why *why);

/* Appends a line of @size bytes, if it is a rule. Returns 0, or -1 with the reason. */
int rule_lines_add(struct rule_lines *lines, const char *text, size_t size, struct why *why);

#endif
