// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * formula.c - finds and replaces the names in a formula.
 *
 * Pure: also compiled into the unit tests.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula.h"

/* Reserved words, which are names only in quotes. */
static const char *const words[] = {
	"delta", "rate", "min", "max", "mean", "threshold", "scale", "tsc_hz", "cpus",
};

static bool is_reserved_word(const char *text)
{
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i], text))
			return true;
	return false;
}

static bool begins_name(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

static size_t name_length(const char *at)
{
	size_t len = 0;

	while (isalnum((unsigned char)at[len]) || (at[len] && strchr("_.:", at[len])))
		len++;
	return len;
}

/**
 * struct scan - state of scanning a formula
 * @formula: the whole formula
 * @at: next character
 * @after_value: the previous token is a value, so an x is the multiplication operator
 * @names: output
 */
struct scan {
	const char *formula;
	const char *at;
	bool after_value;
	struct formula_names *names;
};

static int add_name(struct scan *s, const char *text, size_t length, size_t whole,
		    struct why *why)
{
	struct formula_name *n;

	if (length >= sizeof(n->text) || s->names->count == FORMULA_NAMES)
		return because(why, "the formula '%.40s...' is too long: use at most %d characters",
			       s->formula, RCR_FORMULA_LEN - 1);
	n = &s->names->name[s->names->count];
	snprintf(n->text, sizeof(n->text), "%.*s", (int)length, text);
	n->begin = s->at - s->formula;
	n->length = whole;
	s->names->count++;
	return 0;
}

static int take_quoted(struct scan *s, struct why *why)
{
	const char *end = strchr(s->at + 1, '"');

	if (!end)
		return because(why, "a name in the formula has no closing quote: %.40s", s->at);
	if (end == s->at + 1)
		return because(why, "the formula has an empty name ''");
	if (add_name(s, s->at + 1, end - s->at - 1, end + 1 - s->at, why))
		return -1;
	s->at = end + 1;
	s->after_value = true;
	return 0;
}

static int scan_name(struct scan *s, struct why *why)
{
	size_t len = name_length(s->at);

	if (add_name(s, s->at, len, len, why))
		return -1;
	if (is_reserved_word(s->names->name[s->names->count - 1].text))
		s->names->count--;
	s->at += len;
	s->after_value = true;
	return 0;
}

/* DIGITS [ "." DIGITS ] [ "e" [ SIGN ] DIGITS ]; strtod() would accept 0x10, too. */
static void scan_number(struct scan *s)
{
	const char *at = s->at, *exponent;

	at += strspn(at, "0123456789.");
	if (*at == 'e' || *at == 'E') {
		exponent = at + 1 + (at[1] == '-' || at[1] == '+');
		if (isdigit((unsigned char)*exponent))
			at = exponent + strspn(exponent, "0123456789");
	}
	s->at = at;
	s->after_value = true;
}

static int take_sign(struct scan *s, struct why *why)
{
	if (*s->at != 'x' && !strchr("+-*/(),", *s->at))
		return because(why, "the formula has '%.40s' where an operator is expected",
			       s->at);
	s->after_value = *s->at == ')';
	s->at++;
	return 0;
}

static int scan_token(struct scan *s, struct why *why)
{
	char c = *s->at;

	if (isspace((unsigned char)c)) {
		s->at++;
		return 0;
	}
	if (s->after_value)
		return take_sign(s, why);
	if (c == '"')
		return take_quoted(s, why);
	if (isdigit((unsigned char)c)) {
		scan_number(s);
		return 0;
	}
	return begins_name(c) ? scan_name(s, why) : take_sign(s, why);
}

/* A "(" directly after a value begins the arguments of a function. */
static bool is_call(const struct scan *s)
{
	return s->after_value && *s->at == '(';
}

int formula_find_names(const char *formula, struct formula_names *names, struct why *why)
{
	struct scan s = { .formula = formula, .at = formula, .names = names };

	names->count = 0;
	while (*s.at) {
		if (is_call(&s))
			s.after_value = false;
		if (scan_token(&s, why))
			return -1;
	}
	return 0;
}

static bool needs_quotes(const char *name)
{
	return !begins_name(*name) || name[name_length(name)] || is_reserved_word(name) ||
	       !strcmp(name, "x");
}

/**
 * struct text - output buffer of formula_replace()
 * @to: the buffer
 * @used: length of the output in bytes, which may exceed the buffer
 */
struct text {
	char *to;
	size_t used;
};

__attribute__((format(printf, 2, 3)))
static void append_text(struct text *t, const char *format, ...)
{
	size_t left = t->used < RCR_FORMULA_LEN ? RCR_FORMULA_LEN - t->used : 0;
	va_list args;

	va_start(args, format);
	t->used += vsnprintf(left ? t->to + t->used : NULL, left, format, args);
	va_end(args);
}

int formula_replace(const char *formula, const struct formula_names *names,
		    const char *const *instead, char to[RCR_FORMULA_LEN],
		    struct why *why)
{
	struct text t = { .to = to };
	unsigned int i, from = 0;

	for (i = 0; i < names->count; i++) {
		const struct formula_name *n = &names->name[i];
		const char *quote = instead[i] && needs_quotes(instead[i]) ? "\"" : "";

		if (!instead[i])
			continue;
		append_text(&t, "%.*s%s%s%s", (int)(n->begin - from), formula + from, quote,
			    instead[i], quote);
		from = n->begin + n->length;
	}
	append_text(&t, "%s", formula + from);
	if (t.used >= RCR_FORMULA_LEN)
		return because(why, "the formula '%.40s...' is too long: use at most %d characters",
			       formula, RCR_FORMULA_LEN - 1);
	return 0;
}
