// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * split.c - splits a formula that has no fixed form, top down: a subformula that has one becomes a
 * part, any other is split into its operands.
 *
 * Pure: also compiled into the unit tests.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "split.h"

#define DEPTH 16	/* maximum nesting of parentheses, as in rcr_formula_compile() */

enum node_kind { NODE_NUMBER, NODE_NAME, NODE_NEGATE, NODE_OPERATOR, NODE_CALL };

/**
 * struct node - a value in the formula
 * @kind: enum node_kind
 * @begin: begin of its text
 * @end: end of its text
 * @operator: of a NODE_OPERATOR, which has two operands
 * @name: of a NODE_NAME without quotes, or of the function of a NODE_CALL
 * @operand: first operand; NULL: none
 * @next: next operand of the same node
 */
struct node {
	enum node_kind kind;
	const char *begin;
	const char *end;
	char operator;
	char name[RCR_NAME_LEN];
	struct node *operand;
	struct node *next;
};

/**
 * struct splitter - state of splitting a formula
 * @at: next byte to read
 * @end: end of the last token before it
 * @depth: nesting of parentheses
 * @node: nodes; a formula has no more nodes than bytes
 * @nodes: used entries of @node
 * @meter: name of the meter
 * @names: definitions of names
 * @split: output
 * @used: bytes of @split->program
 * @why: filled in on failure
 */
struct splitter {
	const char *at;
	const char *end;
	unsigned int depth;
	struct node node[RCR_FORMULA_LEN];
	unsigned int nodes;
	const char *meter;
	const struct split_names *names;
	struct split *split;
	size_t used;
	struct why *why;
};

void split_part_name(char name[RCR_METER_NAME_LEN], const char *meter, unsigned int number)
{
	snprintf(name, RCR_METER_NAME_LEN, "%.54s.part%u", meter, number);
}

static struct node *split_sum(struct splitter *s);

static struct node *fail_at(struct splitter *s, const char *what)
{
	because(s->why, *s->at ? "'%.40s' is found where %s is expected" :
		"the formula ends%.0s where %s is expected", s->at, what);
	return NULL;
}

static void end_split_token(struct splitter *s, const char *end)
{
	s->end = end;
	s->at = end + strspn(end, " \t\n\v\f\r");
}

static struct node *new_node(struct splitter *s, enum node_kind kind, const char *begin)
{
	struct node *n;

	if (s->nodes == RCR_FORMULA_LEN)
		return fail_at(s, "the end of the formula");
	n = &s->node[s->nodes++];
	*n = (struct node){ .kind = kind, .begin = begin };
	return n;
}

static struct node *end_node(struct splitter *s, struct node *n)
{
	n->end = s->end;
	return n;
}

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == ':';
}

/* Parses operands; the next byte is the opening parenthesis. */
static bool parse_operands(struct splitter *s, struct node *of)
{
	struct node **last = &of->operand;

	if (s->depth++ == DEPTH)
		return fail_at(s, "fewer parentheses");
	do {
		end_split_token(s, s->at + 1);
		*last = split_sum(s);
		if (!*last)
			return false;
		last = &(*last)->next;
	} while (*s->at == ',' && of->kind == NODE_CALL);
	if (*s->at != ')')
		return fail_at(s, "an operator or ')'");
	s->depth--;
	end_split_token(s, s->at + 1);
	return true;
}

static struct node *set_name(struct splitter *s, struct node *n, const char *name, size_t len)
{
	if (!n || !len || len >= sizeof(n->name))
		return n ? fail_at(s, "a name") : NULL;
	memcpy(n->name, name, len);
	n->name[len] = 0;
	return n;
}

static struct node *split_quoted(struct splitter *s)
{
	const char *begin = s->at, *end = strchr(begin + 1, '"');
	struct node *n = new_node(s, NODE_NAME, begin);

	if (!end)
		return fail_at(s, "a name with two quotes");
	if (!set_name(s, n, begin + 1, end - begin - 1))
		return NULL;
	end_split_token(s, end + 1);
	return end_node(s, n);
}

static struct node *split_word(struct splitter *s)
{
	const char *begin = s->at, *end = begin;
	struct node *n = new_node(s, NODE_NAME, begin);

	while (is_word_char(*end))
		end++;
	if (!set_name(s, n, begin, end - begin))
		return NULL;
	end_split_token(s, end);
	if (*s->at == '(') {
		n->kind = NODE_CALL;
		if (!parse_operands(s, n))
			return NULL;
	}
	return end_node(s, n);
}

static struct node *split_number(struct splitter *s)
{
	struct node *n = new_node(s, NODE_NUMBER, s->at);
	char *end;

	strtod(s->at, &end);
	end_split_token(s, end);
	return n ? end_node(s, n) : NULL;
}

/* Parentheses have no node of their own: they are added to the text of the value in them. */
static struct node *split_parentheses(struct splitter *s)
{
	struct node in = { .kind = NODE_NEGATE };
	const char *begin = s->at;

	if (!parse_operands(s, &in))
		return NULL;
	in.operand->begin = begin;
	return end_node(s, in.operand);
}

static struct node *split_value(struct splitter *s)
{
	struct node *n;

	if (*s->at == '-') {
		n = new_node(s, NODE_NEGATE, s->at);
		end_split_token(s, s->at + 1);
		if (n)
			n->operand = split_value(s);
		return n && n->operand ? end_node(s, n) : NULL;
	}
	if (*s->at == '(')
		return split_parentheses(s);
	if (*s->at == '"')
		return split_quoted(s);
	if (isdigit((unsigned char)*s->at))
		return split_number(s);
	if (is_word_char(*s->at))
		return split_word(s);
	return fail_at(s, "a name, a number or '('");
}

/* Parses operands separated by any of @operators, left-associative. */
static struct node *parse_chain(struct splitter *s, struct node *(*operand)(struct splitter *s),
				const char *operators)
{
	struct node *left = operand(s), *n;

	while (left && *s->at && strchr(operators, *s->at)) {
		n = new_node(s, NODE_OPERATOR, left->begin);
		if (!n)
			return NULL;
		n->operator = *s->at == 'x' ? '*' : *s->at;
		end_split_token(s, s->at + 1);
		n->operand = left;
		left->next = operand(s);
		left = left->next ? end_node(s, n) : NULL;
	}
	return left;
}

static struct node *split_product(struct splitter *s)
{
	return parse_chain(s, split_value, "*x/");
}

static struct node *split_sum(struct splitter *s)
{
	return parse_chain(s, split_product, "+-");
}

__attribute__((format(printf, 2, 3)))
static int put_step(struct splitter *s, const char *format, ...)
{
	char *to = s->split->program + s->used;
	size_t room = SPLIT_LEN - s->used;
	va_list args;
	int length;

	if (s->used && room > 1) {
		*to++ = ',';
		room--;
		s->used++;
	}
	va_start(args, format);
	length = vsnprintf(to, room, format, args);
	va_end(args);
	if (length >= (int)room)
		return because(s->why, "the formula is too long for rcrd");
	s->used += length;
	return 0;
}

/* Appends a step for a part; equal parts are stored once. */
static int put_part_step(struct splitter *s, const char *text)
{
	struct split *split = s->split;
	char name[RCR_METER_NAME_LEN];
	unsigned int i = 0;

	while (i < split->parts && strcmp(split->part[i], text))
		i++;
	if (i == SPLIT_PARTS)
		return because(s->why, "the formula has more than %d parts", SPLIT_PARTS);
	if (i == split->parts)
		strcpy(split->part[split->parts++], text);
	split_part_name(name, s->meter, i + 1);
	return put_step(s, "@%s", name);
}

static int put_node(struct splitter *s, const struct node *n);

static unsigned int count_operands(const struct node *n)
{
	const struct node *o;
	unsigned int count = 0;

	for (o = n->operand; o; o = o->next)
		count++;
	return count;
}

static int put_operands(struct splitter *s, const struct node *n)
{
	const struct node *o;
	int ret = 0;

	for (o = n->operand; o && !ret; o = o->next)
		ret = put_node(s, o);
	return ret;
}

/* Splits a function of several values. A function of one value is over CPUs: it cannot be split. */
static int put_call(struct splitter *s, const struct node *n, const struct why *unfolded)
{
	static const char *const several[] = { "min", "max", "mean" };
	unsigned int count = count_operands(n), i;

	if (count == 2 && (!strcmp(n->name, "threshold") || !strcmp(n->name, "scale")))
		return put_operands(s, n) ||
		       put_step(s, "%s", *n->name == 't' ? n->name : "*") ? -1 : 0;
	for (i = 0; i < sizeof(several) / sizeof(several[0]); i++)
		if (count > 1 && !strcmp(n->name, several[i]))
			return put_operands(s, n) || put_step(s, "%s%u", n->name, count) ? -1 : 0;
	return because(s->why, "%s", unfolded->text);
}

static int put_name_step(struct splitter *s, const struct node *n, const struct why *unfolded)
{
	if (!strcmp(n->name, "tsc_hz") && *n->begin != '"')
		return put_step(s, "%llu", s->names->tsc_hz);
	if (s->names->is_posted(s->names->context, n->name))
		return put_step(s, "@%s", n->name);
	return because(s->why, "%s", unfolded->text);
}

static int put_node(struct splitter *s, const struct node *n)
{
	char text[RCR_FORMULA_LEN];
	struct why unfolded;

	snprintf(text, sizeof(text), "%.*s", (int)(n->end - n->begin), n->begin);
	if (n->kind == NODE_NUMBER)
		return put_step(s, "%.17g", strtod(text + strspn(text, "( \t"), NULL));
	if (!s->names->folds(s->names->context, text, &unfolded))
		return put_part_step(s, text);
	switch (n->kind) {
	case NODE_NAME:
		return put_name_step(s, n, &unfolded);
	case NODE_CALL:
		return put_call(s, n, &unfolded);
	case NODE_NEGATE:
		return put_operands(s, n) || put_step(s, "neg") ? -1 : 0;
	default:
		return put_operands(s, n) || put_step(s, "%c", n->operator) ? -1 : 0;
	}
}

int formula_split(const char *formula, const char *meter, const struct split_names *names,
		  struct split *split, struct why *why)
{
	static struct splitter s;
	const struct node *whole;

	if (strlen(formula) >= RCR_FORMULA_LEN)
		return because(why, "the formula has more than %d characters", RCR_FORMULA_LEN - 1);
	memset(&s, 0, sizeof(s));
	memset(split, 0, sizeof(*split));
	s.meter = meter;
	s.names = names;
	s.split = split;
	s.why = why;
	end_split_token(&s, formula);
	whole = split_sum(&s);
	if (whole && *s.at)
		whole = fail_at(&s, "an operator");
	return whole ? put_node(&s, whole) : -1;
}
