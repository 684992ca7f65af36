// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * formula.c - compile a formula: read its text by recursive descent and fold each value as it
 * is read. The language is in rcr_form.h, the arithmetic in fold.c.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fold.h"

#define DEPTH		16	/* maximum nesting of parentheses */
#define QUOTE_LEN	40	/* maximum length of a quotation in a message, bytes */

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

struct parser {
	const char *at;
	const char *end;	/* end of the last token before @at */
	unsigned int depth;
	const struct rcr_formula_names *names;
	char *reason;
	size_t size;
};

enum function {
	FUNCTION_DELTA, FUNCTION_RATE, FUNCTION_SCALE, FUNCTION_MIN, FUNCTION_MAX,
	FUNCTION_MEAN, FUNCTION_THRESHOLD,
};

static const struct {
	const char *name;
	unsigned int least;	/* minimum number of arguments */
	unsigned int most;	/* maximum number of arguments; 0: unlimited */
} functions[] = {
	[FUNCTION_DELTA] = { "delta", 1, 1 },
	[FUNCTION_RATE] = { "rate", 1, 1 },
	[FUNCTION_SCALE] = { "scale", 2, 2 },
	[FUNCTION_MIN] = { "min", 1, 0 },
	[FUNCTION_MAX] = { "max", 1, 0 },
	[FUNCTION_MEAN] = { "mean", 1, 0 },
	[FUNCTION_THRESHOLD] = { "threshold", 2, 2 },
};

#define CANNOT	"cannot be computed in the kernel: "

static const char only_sums[] =
	CANNOT "only sums, ratios, and min, max or mean over CPUs can";

/* Explanations, which follow the quoted part of the formula. */
static const char *const fold_sentence[FOLD_ERRORS] = {
	[FOLD_NUMBERS] = "has numbers too large or too precise",
	[FOLD_TERMS] = "has more than 32 counters in a sum",
	[FOLD_ZERO_DIVISOR] = "divides by zero",
	[FOLD_RATE_AND_COUNT] =
		"adds a rate and a count: use rate() for both or for neither",
	[FOLD_GAUGE_AND_COUNT] =
		"adds a gauge and a count: a gauge is a level, a count grows with time",
	[FOLD_NUMBER_SUM] = CANNOT "a number cannot be added to a counter",
	[FOLD_DIVISORS] = CANNOT "ratios with different divisors cannot be added",
	[FOLD_REDUCTIONS] =
		CANNOT "values that are reduced over CPUs in different ways cannot be added",
	[FOLD_EXTREMES] = CANNOT "minima, maxima or means of different values cannot be added",
	[FOLD_GAUGES] =
		CANNOT "means of different gauges cannot be added: write mean() around their sum",
	[FOLD_PRODUCT] = CANNOT "counters cannot be multiplied",
	[FOLD_RATIOS] = CANNOT "a ratio of ratios can only be written as one ratio of sums",
	[FOLD_INVERSE] =
		CANNOT "a number cannot be divided by a ratio that min, max or mean reduced",
	[FOLD_REDUCED] = CANNOT "its operand is already reduced over CPUs",
	[FOLD_CPUS] = CANNOT "cpus can only be a divisor",
	[FOLD_CPUS_OF] = CANNOT "cpus can only divide a plain sum of counts or rates",
	[FOLD_NO_COUNT] = "is not a count: %s() takes counters, their sums and multiples",
	[FOLD_NO_NUMBER] = "is not a number: scale() takes a value and a number",
	[FOLD_CONSTANT] = "names no counter",
	[FOLD_NOTHING_LEFT] = "is always zero: no counter is left in it",
	[FOLD_NO_DIVIDEND] = CANNOT "the dividend has no counter",
};

static int fold_sum(struct parser *p, struct fold *value);

/* Write the sentence. Returns -1 with errno set. */
__attribute__((format(printf, 3, 4)))
static int fail_with(struct parser *p, int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(p->reason, p->size, format, args);
	va_end(args);
	errno = error;
	return -1;
}

/* "'quoted text' why" */
static int fail_text(struct parser *p, int error, const char *text, size_t len, const char *why)
{
	return fail_with(p, error, "'%.*s%s' %s", len > QUOTE_LEN ? QUOTE_LEN : (int)len, text,
			 len > QUOTE_LEN ? "..." : "", why);
}

static int fail_rest(struct parser *p, int error, const char *text, const char *why)
{
	return fail_text(p, error, text, strlen(text), why);
}

/* The value between @start and p->end does not fold. */
static int fail_fold(struct parser *p, enum fold_error err, const char *start)
{
	const char *why = fold_sentence[err];
	int error = EINVAL;

	if (err == FOLD_NUMBERS || err == FOLD_TERMS)
		error = E2BIG;
	else if (!strncmp(why, CANNOT, strlen(CANNOT)))
		error = EDOM;
	return fail_text(p, error, start, p->end - start, why);
}

static int fold_result(struct parser *p, enum fold_error err, const char *start)
{
	return err ? fail_fold(p, err, start) : 0;
}

static int fail_expected(struct parser *p, const char *what)
{
	char why[80];

	if (!*p->at)
		return fail_with(p, EINVAL, "the formula ends where %s is expected", what);
	snprintf(why, sizeof(why), "is found where %s is expected", what);
	return fail_rest(p, EINVAL, p->at, why);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name_character(char c)
{
	return is_letter(c) || is_digit(c) || c == '.' || c == ':';
}

/* A token ends here: skip the blanks after it. */
static void end_formula_token(struct parser *p, const char *end)
{
	p->end = end;
	p->at = end + strspn(end, " \t\n\v\f\r");
}

static int enter_parentheses(struct parser *p, const char *start)
{
	if (p->depth == DEPTH)
		return fail_rest(p, E2BIG, start, "is nested in more than 16 parentheses");
	p->depth++;
	end_formula_token(p, p->at + 1);
	return 0;
}

static int leave_parentheses(struct parser *p, const char *start, const char *what)
{
	if (!*p->at)
		return fail_rest(p, EINVAL, start, "has no ')'");
	if (*p->at != ')')
		return fail_expected(p, what);
	p->depth--;
	end_formula_token(p, p->at + 1);
	return 0;
}

static int look_up(struct parser *p, const char *name, const char *start, struct fold *value)
{
	const struct rcr_formula_names *names = p->names;
	char canonical[RCR_NAME_LEN] = "";
	const struct rcr_form *form;
	unsigned int digits = 0;
	bool gauge = false;

	if (!strcmp(name, "sampler_cycles")) {
		rcr_fold_counter(value, "", false);
		return 0;
	}
	if (!names->counter(names->context, name, canonical, &gauge)) {
		rcr_fold_counter(value, canonical, gauge);
		return 0;
	}
	form = names->meter(names->context, name, &digits);
	if (!form)
		return fail_text(p, ENOENT, name, strlen(name), "is neither a counter nor a meter");
	return fold_result(p, rcr_fold_form(value, form, digits), start);
}

static int copy_name(struct parser *p, char to[RCR_NAME_LEN], const char *name, size_t len)
{
	if (len >= RCR_NAME_LEN)
		return fail_text(p, EINVAL, name, len, "is too long for a name");
	memcpy(to, name, len);
	to[len] = 0;
	return 0;
}

static int fold_quoted(struct parser *p, struct fold *value)
{
	const char *start = p->at, *end = strchr(start + 1, '"');
	char name[RCR_NAME_LEN];

	if (!end)
		return fail_rest(p, EINVAL, start, "has no closing quote");
	if (end == start + 1)
		return fail_rest(p, EINVAL, start, "begins with an empty name");
	if (copy_name(p, name, start + 1, end - start - 1))
		return -1;
	end_formula_token(p, end + 1);
	return look_up(p, name, start, value);
}

static int reduce_value(struct parser *p, enum function f, struct fold *value, const char *start)
{
	static const enum rcr_reduction reductions[] = {
		[FUNCTION_MIN] = RCR_REDUCE_MIN,
		[FUNCTION_MAX] = RCR_REDUCE_MAX,
		[FUNCTION_MEAN] = RCR_REDUCE_MEAN,
	};

	return fold_result(p, rcr_fold_reduce(value, reductions[f]), start);
}

/* Apply delta() or rate(): the argument, from @start to @end, must be a count. */
static int count_value(struct parser *p, enum function f, struct fold *value, const char *start,
		       const char *end)
{
	enum fold_error err = f == FUNCTION_RATE ? rcr_fold_rate(value) : rcr_fold_delta(value);
	char why[80];

	if (!err)
		return 0;
	snprintf(why, sizeof(why), fold_sentence[err], functions[f].name);
	return fail_text(p, EINVAL, start, end - start, why);
}

/* Parse the arguments after the first one. Returns the number of arguments, or -1. */
static int parse_arguments(struct parser *p, const char *start, struct fold *last)
{
	int count = 1;

	while (*p->at == ',') {
		end_formula_token(p, p->at + 1);
		if (fold_sum(p, last))
			return -1;
		count++;
	}
	return leave_parentheses(p, start, "an operator, ',' or ')'") ? -1 : count;
}

static int apply_function(struct parser *p, enum function f, const char *start,
			  struct fold *value)
{
	const char *first, *end;
	struct fold last;
	int count;

	if (enter_parentheses(p, start))
		return -1;
	first = p->at;
	if (fold_sum(p, value))
		return -1;
	end = p->end;
	count = parse_arguments(p, start, &last);
	if (count < 0)
		return -1;
	if (count < (int)functions[f].least)
		return fail_text(p, EINVAL, start, p->end - start, "has too few arguments");
	if (functions[f].most && count > (int)functions[f].most)
		return fail_text(p, EINVAL, start, p->end - start, "has too many arguments");
	if (f <= FUNCTION_RATE)
		return count_value(p, f, value, first, end);
	if (f == FUNCTION_SCALE)
		return fold_result(p, rcr_fold_scale(value, &last), start);
	if (count > 1)
		return fail_text(p, EDOM, start, p->end - start, only_sums);
	return reduce_value(p, f, value, start);
}

static int fold_word(struct parser *p, struct fold *value)
{
	const char *start = p->at;
	char name[RCR_NAME_LEN];
	size_t len = 0, i;

	while (is_name_character(start[len]))
		len++;
	if (copy_name(p, name, start, len))
		return -1;
	end_formula_token(p, start + len);
	for (i = 0; i < ARRAY_SIZE(functions); i++) {
		if (strcmp(functions[i].name, name))
			continue;
		if (*p->at != '(')
			return fail_rest(p, EINVAL, start,
					 "begins with a function without '(': put the name of a counter in quotes");
		return apply_function(p, i, start, value);
	}
	if (!strcmp(name, "tsc_hz"))
		rcr_fold_tsc_hz(value, p->names->tsc_hz);
	else if (!strcmp(name, "cpus"))
		rcr_fold_cpus(value);
	else
		return look_up(p, name, start, value);
	return 0;
}

/* A decimal number being read: @mantissa x 10^(@zeros + @power). */
struct decimal {
	uint64_t mantissa;
	long zeros;		/* at the end of the digits */
	long power;
	bool too_long;
};

static const char *read_digits(const char *at, bool behind_point, struct decimal *d)
{
	for (; is_digit(*at); at++) {
		d->power -= behind_point;
		d->zeros++;
		if (*at == '0')
			continue;
		for (; d->zeros; d->zeros--)
			d->too_long |= __builtin_mul_overflow(d->mantissa, 10, &d->mantissa);
		d->too_long |= __builtin_add_overflow(d->mantissa, *at - '0', &d->mantissa);
	}
	return at;
}

/* An "e" without digits after it is not part of the number. */
static const char *read_exponent(const char *at, struct decimal *d)
{
	bool negative = at[1] == '-';
	const char *digit = at + 1 + (negative || at[1] == '+');
	long power = 0;

	if (!is_digit(*digit))
		return at;
	for (; is_digit(*digit); digit++)
		if (power < 10000)
			power = power * 10 + (*digit - '0');
	d->power += negative ? -power : power;
	return digit;
}

/* @mantissa x 10^@power in lowest terms. */
static bool set_decimal(uint64_t mantissa, long power, struct fraction *k)
{
	*k = fraction_integer(mantissa);
	if (!mantissa)
		return true;
	for (; power > 0; power--)
		if (!fraction_mul(k, fraction_integer(10)))
			return false;
	for (; power < 0; power++)
		if (!fraction_div(k, fraction_integer(10)))
			return false;
	return true;
}

static int fold_number(struct parser *p, struct fold *value)
{
	const char *start = p->at, *at;
	struct decimal d = { 0 };
	struct fraction k;

	if (start[0] == '0' && start[1] == 'x' && isxdigit((unsigned char)start[2]))
		return fail_rest(p, EINVAL, start, "is not a decimal number");
	at = read_digits(start, false, &d);
	if (*at == '.' && is_digit(at[1]))
		at = read_digits(at + 1, true, &d);
	if (*at == 'e' || *at == 'E')
		at = read_exponent(at, &d);
	end_formula_token(p, at);
	if (d.too_long || !set_decimal(d.mantissa, d.zeros + d.power, &k))
		return fail_fold(p, FOLD_NUMBERS, start);
	rcr_fold_number(value, k);
	return 0;
}

static int fold_parentheses(struct parser *p, struct fold *value)
{
	const char *start = p->at;

	if (enter_parentheses(p, start) || fold_sum(p, value))
		return -1;
	return leave_parentheses(p, start, "an operator or ')'");
}

static int fold_value(struct parser *p, struct fold *value)
{
	bool negative = false;
	int ret;

	for (; *p->at == '-'; end_formula_token(p, p->at + 1))
		negative = !negative;
	if (*p->at == '(')
		ret = fold_parentheses(p, value);
	else if (*p->at == '"')
		ret = fold_quoted(p, value);
	else if (is_digit(*p->at))
		ret = fold_number(p, value);
	else if (is_letter(*p->at))
		ret = fold_word(p, value);
	else
		ret = fail_expected(p, "a name, a number or '('");
	if (!ret && negative)
		rcr_fold_negate(value);
	return ret;
}

static int fold_product(struct parser *p, struct fold *value)
{
	const char *start = p->at;
	enum fold_error err;
	struct fold right;
	char operator;

	if (fold_value(p, value))
		return -1;
	while (*p->at == '*' || *p->at == 'x' || *p->at == '/') {
		operator = *p->at;
		end_formula_token(p, p->at + 1);
		if (fold_value(p, &right))
			return -1;
		if (operator == '/')
			err = rcr_fold_divide(value, &right);
		else
			err = rcr_fold_multiply(value, &right);
		if (err)
			return fail_fold(p, err, start);
	}
	return 0;
}

static int fold_sum(struct parser *p, struct fold *value)
{
	const char *start = p->at;
	enum fold_error err;
	struct fold right;
	char operator;

	if (fold_product(p, value))
		return -1;
	while (*p->at == '+' || *p->at == '-') {
		operator = *p->at;
		end_formula_token(p, p->at + 1);
		if (fold_product(p, &right))
			return -1;
		if (operator == '-')
			rcr_fold_negate(&right);
		err = rcr_fold_add(value, &right);
		if (err)
			return fail_fold(p, err, start);
	}
	return 0;
}

/* Described in rcr_form.h. */
int rcr_formula_compile(const char *text, unsigned int digits,
			const struct rcr_formula_names *names, struct rcr_form *form,
			char *reason, size_t size)
{
	struct parser p = { .names = names, .reason = reason, .size = size };
	const char *start;
	struct fold value;

	if (strnlen(text, RCR_FORMULA_LEN) == RCR_FORMULA_LEN)
		return fail_with(&p, E2BIG, "the formula has more than %d characters",
				 RCR_FORMULA_LEN - 1);
	end_formula_token(&p, text);
	start = p.at;
	if (fold_sum(&p, &value))
		return -1;
	if (*p.at)
		return fail_expected(&p, "an operator");
	return fold_result(&p, rcr_fold_finish(&value, digits, form), start);
}
