// SPDX-License-Identifier: GPL-2.0-only
/*
 * formula_build.c - puts a formula together from its parts.
 *
 * Parts come in the order in which they are done: values first, then what is
 * done with them. Each is checked against the values it takes.
 *
 * Pure: compiled into the unit tests as well.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "formula_build.h"

#define QUOTE_LEN	60	/* leaves room for what is said of it */

static struct rcr_term *last_term(struct rcr_builder *b)
{
	return &b->term[b->waiting - 1];
}

/* Says of a term, and what follows it, what is wrong with it. */
static int refuse(struct rcr_builder *b, const struct rcr_term *t, const char *why)
{
	long len = b->end - t->text;

	return rcr_failf(b->failure, -EINVAL, "\"%.*s%s\" %s.",
			 (int)min(len, (long)QUOTE_LEN), t->text,
			 len > QUOTE_LEN ? "..." : "", why);
}

static int add_node(struct rcr_builder *b, enum rcr_formula_op op, unsigned int arg)
{
	struct rcr_formula *f = b->f;

	if (f->nodes == RCR_FORMULA_NODES)
		return rcr_failf(b->failure, -E2BIG,
				 "The formula has more than %d values and operations, with those of the meters it names.",
				 RCR_FORMULA_NODES);
	f->node[f->nodes].op = op;
	f->node[f->nodes].arg = arg;
	f->nodes++;
	return 0;
}

/* A new value, of which the parser says where it stands. */
static int add_term(struct rcr_builder *b, enum rcr_formula_op op, unsigned int arg)
{
	struct rcr_term *t = &b->term[b->waiting];

	if (b->waiting == RCR_FORMULA_DEPTH)
		return rcr_failf(b->failure, -E2BIG,
				 "More than %d values of the formula wait for others: begin with what is in parentheses.",
				 RCR_FORMULA_DEPTH);
	t->first = b->f->nodes;
	t->power = op == RCR_OP_TSC_HZ ? -1 : 0;
	t->constant = op <= RCR_OP_CPUS;
	t->count = op == RCR_OP_COUNT;
	b->waiting++;
	return add_node(b, op, arg);
}

/* A constant. */
int rcr_build_number(struct rcr_builder *b, struct rcr_number n)
{
	struct rcr_formula *f = b->f;

	if (f->constants == RCR_FORMULA_NUMBERS)
		return rcr_failf(b->failure, -E2BIG,
				 "The formula has more than %d numbers, with those of the meters it names.",
				 RCR_FORMULA_NUMBERS);
	f->numbers[f->constants] = n;
	return add_term(b, RCR_OP_NUMBER, f->constants++);
}

/* Cycles of the TSC in a second. */
int rcr_build_clock(struct rcr_builder *b)
{
	return add_term(b, RCR_OP_TSC_HZ, 0);
}

/* The number of lanes. */
int rcr_build_cpus(struct rcr_builder *b)
{
	return add_term(b, RCR_OP_CPUS, 0);
}

/* A counter by the resolver's number, or a gauge. */
int rcr_build_counter(struct rcr_builder *b, unsigned int counter, bool gauge)
{
	struct rcr_formula *f = b->f;
	unsigned int i;

	for (i = 0; i < f->operands; i++)
		if (f->operand[i].counter == counter)
			break;
	if (i == RCR_FORMULA_OPERANDS)
		return rcr_failf(b->failure, -E2BIG,
				 "The formula has more than %d counters, with those of the meters it names.",
				 RCR_FORMULA_OPERANDS);
	f->operand[i].counter = counter;
	f->operand[i].gauge = gauge;
	if (i == f->operands)
		f->operands++;
	if (gauge)
		f->flags |= RCR_FORMULA_HAS_GAUGE;
	return add_term(b, gauge ? RCR_OP_GAUGE : RCR_OP_COUNT, i);
}

static const char *power_name(int power)
{
	switch (power) {
	case 1:
		return "a time";
	case 0:
		return "a count";
	case -1:
		return "a rate";
	default:
		return "another power of time";
	}
}

static int check_powers(struct rcr_builder *b, enum rcr_formula_op op,
			const struct rcr_term *left, const struct rcr_term *right)
{
	static const char * const doing[] = {
		[RCR_OP_ADD] = "adds", [RCR_OP_SUBTRACT] = "takes",
		[RCR_OP_LOWER] = "compares", [RCR_OP_HIGHER] = "compares",
		[RCR_OP_ABOVE] = "compares",
	};
	static const char * const to[] = {
		[RCR_OP_ADD] = "to", [RCR_OP_SUBTRACT] = "from",
		[RCR_OP_LOWER] = "with", [RCR_OP_HIGHER] = "with", [RCR_OP_ABOVE] = "with",
	};
	char why[80];

	if (left->constant || right->constant || left->power == right->power)
		return 0;
	snprintf(why, sizeof(why), "%s %s %s %s: make both the same", doing[op],
		 power_name(right->power), to[op], power_name(left->power));
	return refuse(b, left, why);
}

/* What of a sum or a difference remains of its parts. */
static void merge_same(struct rcr_term *left, const struct rcr_term *right)
{
	if (left->constant && (!right->constant || !left->power))
		left->power = right->power;
	left->count = left->count && right->count;
}

static void merge_product(struct rcr_term *left, const struct rcr_term *right)
{
	left->power += right->power;
	left->count = (left->count && right->constant) || (left->constant && right->count);
}

static void merge_quotient(struct rcr_term *left, const struct rcr_term *right)
{
	left->power -= right->power;
	left->count = left->count && right->constant;
}

static int merge(struct rcr_builder *b, enum rcr_formula_op op, struct rcr_term *left,
		 const struct rcr_term *right)
{
	int err = 0;

	if (op == RCR_OP_MULTIPLY) {
		merge_product(left, right);
	} else if (op == RCR_OP_DIVIDE) {
		merge_quotient(left, right);
	} else {
		err = check_powers(b, op, left, right);
		merge_same(left, right);
	}
	if (op == RCR_OP_ABOVE)
		left->power = 0;
	if (op >= RCR_OP_LOWER)
		left->count = false;
	left->constant = left->constant && right->constant;
	return err;
}

/**
 * rcr_build_operation() - an operation on the values that wait
 * @b: the formula
 * @op: RCR_OP_NEGATE for the last value, or what takes the last two
 *
 * Return: as all of this file.
 */
int rcr_build_operation(struct rcr_builder *b, enum rcr_formula_op op)
{
	int err = 0;

	if (op != RCR_OP_NEGATE) {
		b->waiting--;
		err = merge(b, op, last_term(b), last_term(b) + 1);
	}
	return err ?: add_node(b, op, 0);
}

static bool has_gauge(const struct rcr_builder *b, unsigned int first)
{
	unsigned int i;

	for (i = first; i < b->f->nodes; i++)
		if (b->f->node[i].op == RCR_OP_GAUGE)
			return true;
	return false;
}

static int need_count(struct rcr_builder *b, const char *function)
{
	const struct rcr_term *t = last_term(b);
	char why[128];

	if (t->count)
		return 0;
	snprintf(why, sizeof(why), has_gauge(b, t->first) ?
		 "has a gauge in it, and %s() takes counts: a gauge has its value at any moment" :
		 "is no count: %s() takes counts, their sums and multiples", function);
	return refuse(b, t, why);
}

/* The last value has to be a count, and remains what it is. */
int rcr_build_delta(struct rcr_builder *b)
{
	return need_count(b, "delta");
}

/*
 * The last value, a count, per second. A count is a sum of multiples of what
 * counters counted, so it is enough to take those per second.
 */
int rcr_build_rate(struct rcr_builder *b)
{
	int err = need_count(b, "rate");
	struct rcr_term *t = last_term(b);
	unsigned int i;

	if (err)
		return err;
	for (i = t->first; i < b->f->nodes; i++)
		if (b->f->node[i].op == RCR_OP_COUNT)
			b->f->node[i].op = RCR_OP_RATE;
	t->count = false;
	t->power--;
	b->f->flags |= RCR_FORMULA_HAS_RATE;
	return 0;
}

/* The value before the last one, times the last one, a constant. */
int rcr_build_scale(struct rcr_builder *b)
{
	if (!last_term(b)->constant)
		return refuse(b, last_term(b),
			      "has a counter in it: scale() takes a value and a number");
	return rcr_build_operation(b, RCR_OP_MULTIPLY);
}

/**
 * rcr_build_over_lanes() - the last value over each lane alone, taken together
 * @b: the formula
 * @op: RCR_OP_LOWEST, RCR_OP_HIGHEST or RCR_OP_MEAN
 *
 * Return: as all of this file.
 */
int rcr_build_over_lanes(struct rcr_builder *b, enum rcr_formula_op op)
{
	struct rcr_term *t = last_term(b);
	unsigned int len = b->f->nodes - t->first;
	int err = add_node(b, op, 0);

	if (err)
		return err;
	/* It has to be known before the nodes over which it goes are done. */
	memmove(&b->f->node[t->first + 1], &b->f->node[t->first], len * sizeof(b->f->node[0]));
	b->f->node[t->first].op = op;
	b->f->node[t->first].arg = len;
	t->count = false;
	b->f->flags |= RCR_FORMULA_BY_LANE;
	return 0;
}

/* Nothing follows: the value that waits is the formula's. */
int rcr_build_end(struct rcr_builder *b)
{
	const struct rcr_term *t = last_term(b);

	if (!b->f->operands)
		return refuse(b, t, "has no counter in it: name one of the set");
	b->f->time_power = t->power;
	if (t->count)
		b->f->flags |= RCR_FORMULA_IS_COUNT;
	return 0;
}
