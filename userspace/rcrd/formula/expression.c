// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * expression.c - parse and compute formulas of meters. The parser ensures that no step pops more
 * values than the stack has.
 *
 * Pure: also compiled into the unit tests.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expression.h"

static const struct {
	const char *word;
	enum expression_kind kind;
	unsigned int count;	/* 0: the count follows the word */
} operators[] = {
	{ "+", EXPRESSION_ADD, 2 }, { "-", EXPRESSION_SUBTRACT, 2 },
	{ "*", EXPRESSION_MULTIPLY, 2 }, { "/", EXPRESSION_DIVIDE, 2 },
	{ "neg", EXPRESSION_NEGATE, 1 }, { "threshold", EXPRESSION_THRESHOLD, 2 },
	{ "min", EXPRESSION_MIN, 0 }, { "max", EXPRESSION_MAX, 0 },
	{ "mean", EXPRESSION_MEAN, 0 },
};

/* Find or add a meter. Returns its index in @meter; -1 if the name is invalid or does not fit. */
static int find_or_add_meter(struct expression *e, const char *name)
{
	unsigned int i = 0;

	if (!*name || strlen(name) >= RCR_METER_NAME_LEN)
		return -1;
	while (i < e->meters && strcmp(e->meter[i], name))
		i++;
	if (i == EXPRESSION_METERS)
		return -1;
	if (i == e->meters)
		strcpy(e->meter[e->meters++], name);
	return i;
}

static bool parse_operator(const char *word, struct expression_step *step)
{
	size_t i, length;
	char *end;

	for (i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		length = strlen(operators[i].word);
		if (strncmp(word, operators[i].word, length))
			continue;
		step->kind = operators[i].kind;
		step->count = operators[i].count;
		if (step->count)
			return !word[length];
		if (!isdigit((unsigned char)word[length]))
			return false;
		step->count = strtoul(word + length, &end, 10);
		return !*end && step->count && step->count <= EXPRESSION_STACK;
	}
	return false;
}

static bool parse_step(struct expression *e, const char *word, struct expression_step *step)
{
	int meter;
	char *end;

	*step = (struct expression_step){ .kind = EXPRESSION_NUMBER };
	if (*word == '@') {
		meter = find_or_add_meter(e, word + 1);
		step->kind = EXPRESSION_METER;
		step->count = meter;
		return meter >= 0;
	}
	if (!isdigit((unsigned char)*word))
		return parse_operator(word, step);
	step->number = strtod(word, &end);
	return !*end && !word[strspn(word, "0123456789.e+-")] && isfinite(step->number);
}

/* Number of values that a step pops. */
static unsigned int count_taken(const struct expression_step *step)
{
	return step->kind <= EXPRESSION_METER ? 0 : step->count;
}

int expression_parse(const char *text, struct expression *e, struct why *why)
{
	char copy[EXPRESSION_LEN], *rest = copy, *word;
	struct expression_step *step;
	unsigned int values = 0;

	memset(e, 0, sizeof(*e));
	if (strlen(text) >= sizeof(copy))
		return because(why, "the formula is too long");
	strcpy(copy, text);
	while ((word = strsep(&rest, ","))) {
		step = &e->step[e->steps];
		if (e->steps == EXPRESSION_STEPS || !parse_step(e, word, step) ||
		    count_taken(step) > values)
			return because(why, "invalid step '%.80s' of a formula", word);
		values += 1 - count_taken(step);
		if (values > EXPRESSION_STACK)
			return because(why, "the formula is nested too deeply");
		e->steps++;
	}
	return values == 1 ? 0 : because(why, "the formula leaves %u values, not 1", values);
}

static double compute_step(const struct expression_step *step, const double *v)
{
	double result = v[0];
	unsigned int i;

	switch (step->kind) {
	case EXPRESSION_ADD:
		return v[0] + v[1];
	case EXPRESSION_SUBTRACT:
		return v[0] - v[1];
	case EXPRESSION_MULTIPLY:
		return v[0] * v[1];
	case EXPRESSION_DIVIDE:
		return v[1] ? v[0] / v[1] : NAN;
	case EXPRESSION_NEGATE:
		return -v[0];
	case EXPRESSION_THRESHOLD:
		return v[0] > v[1];
	default:
		break;
	}
	for (i = 1; i < step->count; i++)
		if (step->kind == EXPRESSION_MEAN)
			result += v[i];
		else if (step->kind == EXPRESSION_MIN ? v[i] < result : v[i] > result)
			result = v[i];
	return step->kind == EXPRESSION_MEAN ? result / step->count : result;
}

bool expression_compute(const struct expression *e, const double *value, double *result)
{
	double stack[EXPRESSION_STACK];
	const struct expression_step *step;
	unsigned int i, values = 0;

	for (i = 0; i < e->steps; i++) {
		step = &e->step[i];
		if (step->kind == EXPRESSION_NUMBER) {
			stack[values++] = step->number;
		} else if (step->kind == EXPRESSION_METER) {
			stack[values++] = value[step->count];
		} else {
			values -= step->count;
			stack[values] = compute_step(step, &stack[values]);
			values++;
		}
		/* Check each step: a comparison would turn NaN or infinity into a valid result. */
		if (!isfinite(stack[values - 1]))
			return false;
	}
	*result = stack[0];
	return true;
}
