// SPDX-License-Identifier: GPL-2.0-only
/*
 * formula_eval.c - the value of a formula over an interval and a group of CPUs.
 *
 * Pure: compiled into the unit tests as well.
 */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "formula.h"

/* Values that wait, and the lanes that count at the moment. */
struct evaluation {
	const struct rcr_formula *f;
	const struct rcr_lane *lane;
	unsigned int lanes;
	u64 tsc_hz;
	struct rcr_number *waiting;
	unsigned int depth;
};

static void run(struct evaluation *e, unsigned int first, unsigned int end);

static void push(struct evaluation *e, struct rcr_number n)
{
	e->waiting[e->depth++] = n;
}

static struct rcr_number pop(struct evaluation *e)
{
	return e->waiting[--e->depth];
}

/* What nobody counted is not 0. */
static struct rcr_number count_of(const struct evaluation *e, unsigned int operand)
{
	__uint128_t sum = 0;
	bool counted = false;
	unsigned int i;

	for (i = 0; i < e->lanes; i++) {
		if (!e->lane[i].time[operand])
			continue;
		sum += e->lane[i].delta[operand];
		counted = true;
	}
	return counted ? rcr_number_from_u128(sum) : rcr_number_undefined();
}

static struct rcr_number rate_of(const struct evaluation *e, unsigned int operand)
{
	struct rcr_number sum = { }, per_cycle;
	bool counted = false;
	unsigned int i;

	for (i = 0; i < e->lanes; i++) {
		if (!e->lane[i].time[operand])
			continue;
		per_cycle = rcr_number_div(rcr_number_from_u64(e->lane[i].delta[operand]),
					   rcr_number_from_u64(e->lane[i].time[operand]));
		sum = rcr_number_add(sum, per_cycle);
		counted = true;
	}
	if (!counted)
		return rcr_number_undefined();
	return rcr_number_mul(sum, rcr_number_from_u64(e->tsc_hz));
}

static struct rcr_number gauge_of(const struct evaluation *e, unsigned int operand)
{
	__uint128_t values = 0;
	unsigned int i;

	for (i = 0; i < e->lanes; i++)
		values += e->lane[i].time[operand];
	return rcr_number_div(count_of(e, operand), rcr_number_from_u128(values));
}

/* A value that takes none. */
static struct rcr_number leaf(const struct evaluation *e, enum rcr_formula_op op,
			      unsigned int arg)
{
	switch (op) {
	case RCR_OP_NUMBER:
		return e->f->numbers[arg];
	case RCR_OP_TSC_HZ:
		return rcr_number_from_u64(e->tsc_hz);
	case RCR_OP_CPUS:
		return rcr_number_from_u64(e->lanes);
	case RCR_OP_COUNT:
		return count_of(e, arg);
	case RCR_OP_RATE:
		return rate_of(e, arg);
	default:
		return gauge_of(e, arg);
	}
}

static struct rcr_number is_above(struct rcr_number a, struct rcr_number b)
{
	if (!rcr_number_is_defined(a) || !rcr_number_is_defined(b))
		return rcr_number_undefined();
	return rcr_number_from_u64(rcr_number_compare(a, b) > 0);
}

static struct rcr_number combine(enum rcr_formula_op op, struct rcr_number a,
				 struct rcr_number b)
{
	switch (op) {
	case RCR_OP_ADD:
		return rcr_number_add(a, b);
	case RCR_OP_SUBTRACT:
		return rcr_number_sub(a, b);
	case RCR_OP_MULTIPLY:
		return rcr_number_mul(a, b);
	case RCR_OP_DIVIDE:
		return rcr_number_div(a, b);
	case RCR_OP_LOWER:
	case RCR_OP_LOWEST:
		return rcr_number_min(a, b);
	case RCR_OP_HIGHER:
	case RCR_OP_HIGHEST:
		return rcr_number_max(a, b);
	default:
		return is_above(a, b);
	}
}

/* What nodes from @first to @end give over each lane alone, taken together. */
static struct rcr_number over_lanes(struct evaluation *e, enum rcr_formula_op op,
				    unsigned int first, unsigned int end)
{
	const struct rcr_lane *lane = e->lane;
	unsigned int lanes = e->lanes, defined = 0, i;
	struct rcr_number all = rcr_number_undefined(), one;

	e->lanes = 1;
	for (i = 0; i < lanes; i++) {
		e->lane = lane + i;
		run(e, first, end);
		one = pop(e);
		if (!rcr_number_is_defined(one))
			continue;
		all = defined++ ? combine(op == RCR_OP_MEAN ? RCR_OP_ADD : op, all, one) : one;
	}
	e->lane = lane;
	e->lanes = lanes;
	if (op == RCR_OP_MEAN)
		all = rcr_number_div(all, rcr_number_from_u64(defined));
	return all;
}

static void operate(struct evaluation *e, enum rcr_formula_op op)
{
	struct rcr_number last = pop(e);

	if (op == RCR_OP_NEGATE)
		push(e, rcr_number_negate(last));
	else
		push(e, combine(op, pop(e), last));
}

/*
 * Over one lane alone, its lowest, highest and mean are what it has: so this is
 * never in itself more than once.
 */
static void run(struct evaluation *e, unsigned int first, unsigned int end)
{
	enum rcr_formula_op op;
	unsigned int i, arg;

	for (i = first; i < end; i++) {
		op = e->f->node[i].op;
		arg = e->f->node[i].arg;
		if (op <= RCR_OP_GAUGE) {
			push(e, leaf(e, op, arg));
		} else if (op < RCR_OP_LOWEST) {
			operate(e, op);
		} else if (e->lanes != 1) {
			push(e, over_lanes(e, op, i + 1, i + 1 + arg));
			i += arg;
		}
	}
}

/**
 * rcr_formula_eval() - the value of a formula
 * @f: the formula
 * @lane: what was counted, and where
 * @lanes: how many
 * @tsc_hz: cycles of the TSC in a second
 * @waiting: room for RCR_FORMULA_DEPTH numbers: a kernel that clears its stack would
 *	clear it each time
 * @value: gets the value, or that it is undefined
 *
 * Context: any.
 * Return: 0, or -EDOM when the formula has no value: nothing was counted, or
 * something was to be divided by 0.
 */
int rcr_formula_eval(const struct rcr_formula *f, const struct rcr_lane *lane,
		     unsigned int lanes, u64 tsc_hz, struct rcr_number *waiting,
		     struct rcr_number *value)
{
	struct evaluation e = {
		.f = f, .lane = lane, .lanes = lanes, .tsc_hz = tsc_hz, .waiting = waiting,
	};

	run(&e, 0, f->nodes);
	*value = pop(&e);
	return rcr_number_is_defined(*value) ? 0 : -EDOM;
}
