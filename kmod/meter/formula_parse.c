// SPDX-License-Identifier: GPL-2.0-only
/*
 * formula_parse.c - reads the text of a formula; its language is in formula.h.
 *
 * What is nested stands on a stack of levels and not on the processor's, so
 * that no text can exhaust that. A meter is a level of its own with another
 * text; every text gives at least one node, so their number is bounded, too.
 *
 * Pure: compiled into the unit tests as well.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/rcrtool.h>
#include <linux/string.h>

#include "formula_build.h"

#define QUOTE_LEN	40	/* of a place in the text */

enum level_kind {
	LEVEL_TEXT,		/* the formula itself */
	LEVEL_PARENTHESES,
	LEVEL_FUNCTION,
	LEVEL_METER,
};

struct function {
	const char *name;
	u8 least;			/* arguments */
	u8 most;
	enum rcr_formula_op combine;	/* with each further argument, or 0 */
	enum rcr_formula_op over_lanes;	/* with one argument, or 0 */
	int (*finish)(struct rcr_builder *b);
};

static const struct function functions[] = {
	{ "delta", 1, 1, .finish = rcr_build_delta },
	{ "rate", 1, 1, .finish = rcr_build_rate },
	{ "min", 1, U8_MAX, RCR_OP_LOWER, RCR_OP_LOWEST },
	{ "max", 1, U8_MAX, RCR_OP_HIGHER, RCR_OP_HIGHEST },
	{ "mean", 1, U8_MAX, RCR_OP_ADD, RCR_OP_MEAN },
	{ "threshold", 2, 2, RCR_OP_ABOVE },
	{ "scale", 2, 2, .finish = rcr_build_scale },
};

/* What was begun. Small, as all levels are on the processor's stack. */
struct level {
	const char *opened;		/* where, in the text around it */
	const char *resume;		/* a meter: where that text goes on */
	const struct function *function;
	const char *minus;		/* waits for a value, or NULL */
	u8 kind;			/* enum level_kind */
	u8 args;			/* that are complete */
	u8 sum;				/* enum rcr_formula_op, waits for a product, or 0 */
	u8 product;			/* the same, waits for a value */
};

struct parser {
	const char *at;
	bool wants_value;
	bool done;
	struct level level[RCR_FORMULA_DEPTH + 1];
	unsigned int depth;
	struct rcr_builder build;
	const struct rcr_formula_names *names;
	char name[RCR_NAME_LEN];
};

static struct level *level_of(struct parser *p)
{
	return &p->level[p->depth];
}

static int fail_at(struct parser *p, int err, const char *at, const char *why)
{
	return rcr_failf(p->build.failure, err, "\"%.*s%s\" %s.", QUOTE_LEN, at,
			 strnlen(at, QUOTE_LEN + 1) > QUOTE_LEN ? "..." : "", why);
}

static int unexpected(struct parser *p)
{
	static const char * const signs[] = {
		[LEVEL_TEXT] = "an operation",
		[LEVEL_PARENTHESES] = "an operation or \")\"",
		[LEVEL_FUNCTION] = "an operation, \",\" or \")\"",
		[LEVEL_METER] = "an operation",
	};
	const char *wanted = signs[level_of(p)->kind];
	char why[80];

	if (p->wants_value)
		wanted = "a name, a number or \"(\"";
	if (!*p->at)
		return rcr_failf(p->build.failure, -EINVAL,
				 "The formula ends where %s is expected.", wanted);
	snprintf(why, sizeof(why), "stands where %s is expected", wanted);
	return fail_at(p, -EINVAL, p->at, why);
}

static int open_level(struct parser *p, enum level_kind kind, const char *opened)
{
	char why[80];

	if (p->depth == RCR_FORMULA_DEPTH) {
		snprintf(why, sizeof(why), "is nested in more than %d parentheses and meters",
			 RCR_FORMULA_DEPTH);
		return fail_at(p, -E2BIG, opened, why);
	}
	p->depth++;
	*level_of(p) = (struct level){ .kind = kind, .opened = opened };
	p->wants_value = true;
	return 0;
}

/* A value has been read that begins at @text: does what waited for it. */
static int value_done(struct parser *p, const char *text)
{
	struct rcr_builder *b = &p->build;
	struct level *l = level_of(p);
	int err = 0;

	b->end = p->at;
	b->term[b->waiting - 1].text = l->minus ?: text;
	p->wants_value = false;
	if (l->minus)
		err = rcr_build_operation(b, RCR_OP_NEGATE);
	if (!err && l->product)
		err = rcr_build_operation(b, l->product);
	l->minus = NULL;
	l->product = 0;
	return err;
}

static int sum_done(struct parser *p)
{
	struct level *l = level_of(p);
	int err = l->sum ? rcr_build_operation(&p->build, l->sum) : 0;

	l->sum = 0;
	return err;
}

static int argument_done(struct parser *p)
{
	struct level *l = level_of(p);
	int err = sum_done(p);

	if (err)
		return err;
	if (++l->args > l->function->most)
		return fail_at(p, -EINVAL, l->opened, "has more arguments than the function takes");
	if (l->args > 1 && l->function->combine)
		return rcr_build_operation(&p->build, l->function->combine);
	return 0;
}

/* The sum of the arguments, of which there are more than one, is not their mean. */
static int divide_by_args(struct parser *p, const struct level *l)
{
	struct rcr_builder *b = &p->build;
	int err = rcr_build_number(b, rcr_number_from_u64(l->args));

	if (err)
		return err;
	return rcr_build_operation(b, RCR_OP_DIVIDE);
}

static int function_done(struct parser *p)
{
	struct level *l = level_of(p);
	const struct function *f = l->function;
	int err = argument_done(p);

	if (err)
		return err;
	if (l->args < f->least)
		return fail_at(p, -EINVAL, l->opened,
			       "has fewer arguments than the function takes");
	if (f->finish)
		return f->finish(&p->build);
	if (l->args == 1)
		return rcr_build_over_lanes(&p->build, f->over_lanes);
	return f->over_lanes == RCR_OP_MEAN ? divide_by_args(p, l) : 0;
}

static int close_parenthesis(struct parser *p)
{
	struct level *l = level_of(p);
	int err;

	if (l->kind == LEVEL_FUNCTION)
		err = function_done(p);
	else if (l->kind == LEVEL_PARENTHESES)
		err = sum_done(p);
	else
		err = unexpected(p);
	if (err)
		return err;
	p->at++;
	p->depth--;
	return value_done(p, l->opened);
}

static int end_text(struct parser *p)
{
	struct level *l = level_of(p);
	int err;

	if (l->kind != LEVEL_TEXT && l->kind != LEVEL_METER)
		return fail_at(p, -EINVAL, l->opened, "has no \")\"");
	err = sum_done(p);
	if (err)
		return err;
	if (l->kind == LEVEL_METER) {
		p->at = l->resume;
		p->depth--;
		return value_done(p, l->opened);
	}
	p->done = true;
	return rcr_build_end(&p->build);
}

static int next_argument(struct parser *p)
{
	int err;

	if (level_of(p)->kind != LEVEL_FUNCTION)
		return unexpected(p);
	err = argument_done(p);
	p->at++;
	p->wants_value = true;
	return err;
}

static int add_sign(struct parser *p, enum rcr_formula_op op)
{
	struct level *l = level_of(p);
	int err = 0;

	if (op == RCR_OP_MULTIPLY || op == RCR_OP_DIVIDE) {
		l->product = op;
	} else {
		err = sum_done(p);
		l->sum = op;
	}
	p->at++;
	p->wants_value = true;
	return err;
}

static int read_sign(struct parser *p)
{
	switch (*p->at) {
	case 0:
		return end_text(p);
	case ')':
		return close_parenthesis(p);
	case ',':
		return next_argument(p);
	case '+':
		return add_sign(p, RCR_OP_ADD);
	case '-':
		return add_sign(p, RCR_OP_SUBTRACT);
	case '*':
	case 'x':
		return add_sign(p, RCR_OP_MULTIPLY);
	case '/':
		return add_sign(p, RCR_OP_DIVIDE);
	default:
		return unexpected(p);
	}
}

static int check_length(struct parser *p, const char *text)
{
	if (strnlen(text, RCR_FORMULA_LEN) < RCR_FORMULA_LEN)
		return 0;
	return rcr_failf(p->build.failure, -E2BIG,
			 "\"%.*s...\" is longer than the %d characters of a formula.",
			 QUOTE_LEN, text, RCR_FORMULA_LEN - 1);
}

/* Goes on with the text of a meter, whose name stands from @start to here. */
static int open_meter(struct parser *p, const char *start, const char *text)
{
	int err = check_length(p, text) ?: open_level(p, LEVEL_METER, start);

	if (err)
		return err;
	level_of(p)->resume = p->at;
	p->at = text;
	return 0;
}

static int unknown_name(struct parser *p)
{
	unsigned int i;

	for (i = p->depth; i && p->level[i].kind != LEVEL_METER; i--)
		;
	if (!i)
		return rcr_failf(p->build.failure, -ENOENT,
				 "\"%s\" is neither a counter of the set nor a meter.", p->name);
	return rcr_failf(p->build.failure, -ENOENT,
			 "\"%s\", of which the meter %.*s is made, is neither a counter of the set nor a meter.",
			 p->name, (int)(p->level[i].resume - p->level[i].opened),
			 p->level[i].opened);
}

/* What p->name stands for, which was read from @start on. */
static int look_up(struct parser *p, const char *start)
{
	const struct rcr_formula_names *names = p->names;
	const char *text;
	bool gauge = false;
	int counter, err;

	counter = names->counter(names->context, p->name, &gauge);
	if (counter >= 0) {
		err = rcr_build_counter(&p->build, counter, gauge);
		return err ?: value_done(p, start);
	}
	text = names->meter(names->context, p->name);
	return text ? open_meter(p, start, text) : unknown_name(p);
}

/* Takes @len characters as a name. */
static int set_name(struct parser *p, const char *name, size_t len)
{
	if (len >= sizeof(p->name))
		return fail_at(p, -EINVAL, name, "begins with a name that is too long");
	memcpy(p->name, name, len);
	p->name[len] = 0;
	return 0;
}

static int read_quoted(struct parser *p)
{
	const char *start = p->at;
	const char *end = strchr(start + 1, '"');
	int err;

	if (!end)
		return fail_at(p, -EINVAL, start + 1, "has no quote at its end");
	if (end == start + 1)
		return fail_at(p, -EINVAL, start, "begins with an empty name");
	p->at = end + 1;
	err = set_name(p, start + 1, end - start - 1);
	return err ?: look_up(p, start);
}

static bool is_of_name(char c)
{
	return isascii(c) && (isalnum(c) || (c && strchr("_.:", c)));
}

static void skip_blanks(struct parser *p)
{
	while (isascii(*p->at) && isspace(*p->at))
		p->at++;
}

static int open_function(struct parser *p, const struct function *f, const char *start)
{
	int err;

	skip_blanks(p);
	if (*p->at != '(')
		return fail_at(p, -EINVAL, start,
			       "begins with a function without \"(\": a counter of that name goes in quotes");
	err = open_level(p, LEVEL_FUNCTION, start);
	if (err)
		return err;
	level_of(p)->function = f;
	p->at++;
	return 0;
}

static int read_word(struct parser *p)
{
	const char *start = p->at;
	size_t len = 0, i;
	int err;

	while (is_of_name(start[len]))
		len++;
	err = set_name(p, start, len);
	if (err)
		return err;
	p->at += len;
	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (!strcmp(functions[i].name, p->name))
			return open_function(p, &functions[i], start);
	if (!strcmp(p->name, "tsc_hz"))
		err = rcr_build_clock(&p->build);
	else if (!strcmp(p->name, "cpus"))
		err = rcr_build_cpus(&p->build);
	else
		return look_up(p, start);
	return err ?: value_done(p, start);
}

static int read_number(struct parser *p)
{
	const char *start = p->at;
	struct rcr_number n;
	int err;

	err = rcr_number_parse(&p->at, &n);
	if (err)
		return fail_at(p, -EINVAL, start,
			       "begins with a number that is too large or too small");
	err = rcr_build_number(&p->build, n);
	return err ?: value_done(p, start);
}

static int read_value(struct parser *p)
{
	struct level *l = level_of(p);
	char c = *p->at;

	if (c == '-') {
		l->minus = l->minus ? NULL : p->at;
		p->at++;
		return 0;
	}
	if (c == '(')
		return open_level(p, LEVEL_PARENTHESES, p->at++);
	if (c == '"')
		return read_quoted(p);
	if (isdigit(c))
		return read_number(p);
	if (is_of_name(c) && c != '.' && c != ':')
		return read_word(p);
	return unexpected(p);
}

/**
 * rcr_formula_parse() - reads a formula
 * @f: gets it; of no use when the answer is an error
 * @text: the formula
 * @names: what its names stand for
 * @failure: gets the reason when the answer is an error
 *
 * Context: any that @names may be asked in. Takes less than 1.5 KiB of stack.
 * Return: 0; -EINVAL for a text that is no formula or has no meaning, -ENOENT
 * for a name that nothing has, -E2BIG for more than a formula can hold.
 */
int rcr_formula_parse(struct rcr_formula *f, const char *text,
		      const struct rcr_formula_names *names, struct rcr_failure *failure)
{
	struct parser p = {
		.at = text, .wants_value = true, .names = names,
		.build = { .f = f, .end = text, .failure = failure },
		.level[0] = { .kind = LEVEL_TEXT, .opened = text },
	};
	int err = check_length(&p, text);

	memset(f, 0, sizeof(*f));
	while (!err && !p.done) {
		skip_blanks(&p);
		err = p.wants_value ? read_value(&p) : read_sign(&p);
	}
	return err;
}
