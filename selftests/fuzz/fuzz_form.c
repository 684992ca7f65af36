// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_form.c - forms of meters. A form is refused with a reason, or has operands and a value for
 * any counts of CPUs. If all weights of a side are negated, so is the value.
 *
 * An input is the form: its factor, two bytes of flags and reductions, how many terms each
 * side has, those (a byte for the name, one for the kind, four for the weight); then
 * "tsc_hz", "parts", the number of lanes, and their counts, operand by operand.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "error.h"
#include "meter/form.h"
#include "fuzz.h"

#define LANES	5

static u64 take_u64(struct fuzz_input *in)
{
	u64 val;

	fuzz_bytes(in, &val, sizeof(val));
	return val;
}

/* Make a term with one of @names names, of which one is empty. */
static void make_term(struct fuzz_input *in, struct rcr_term *t, unsigned int names)
{
	unsigned int name = fuzz_byte(in) % names;

	if (name)
		snprintf(t->name, sizeof(t->name), "N%u", name);
	t->kind = fuzz_byte(in);
	fuzz_bytes(in, &t->weight, sizeof(t->weight));
}

static struct rcr_form *make_form(struct fuzz_input *in)
{
	struct rcr_form head = { .numerator = take_u64(in), .denominator = take_u64(in) }, *f;
	unsigned int flags, i;

	flags = fuzz_byte(in);
	head.per_cpu = flags & 1;
	head.reduction[RCR_ABOVE] = fuzz_byte(in);
	head.reduction[RCR_BELOW] = head.reduction[RCR_ABOVE] / 16;
	head.reduction[RCR_ABOVE] %= 16;
	head.terms[RCR_ABOVE] = fuzz_byte(in);
	head.terms[RCR_BELOW] = fuzz_byte(in);
	f = calloc(1, sizeof(*f) + rcr_form_terms(&head) * sizeof(*f->term));
	FUZZ_HOLDS(f);
	*f = head;
	for (i = 0; i < rcr_form_terms(f); i++)
		make_term(in, &f->term[i], flags & 2 ? 64 : 5);
	/* Most terms are of their side's kind. */
	for (i = 1; i < rcr_form_terms(f) && !(flags & 4); i++)
		if (i != f->terms[RCR_ABOVE])
			f->term[i].kind = f->term[i - 1].kind;
	return f;
}

static void check_prepared(const struct rcr_form *f)
{
	unsigned int i, k;

	FUZZ_HOLDS(f->terms[RCR_ABOVE] && f->terms[RCR_ABOVE] <= RCR_FORM_TERMS);
	FUZZ_HOLDS(f->terms[RCR_BELOW] <= RCR_FORM_TERMS);
	FUZZ_HOLDS(f->operands && f->operands <= RCR_FORM_OPERANDS);
	for (i = 0; i < rcr_form_terms(f); i++) {
		FUZZ_HOLDS(f->term[i].operand < f->operands && f->term[i].weight);
		for (k = 0; k < i; k++)
			FUZZ_HOLDS((f->term[i].operand == f->term[k].operand) ==
				   !strcmp(f->term[i].name, f->term[k].name));
	}
}

/* Negate a side; a minimum becomes a maximum. Return: false if that is not possible. */
static bool negate_side(struct rcr_form *f, enum rcr_side side)
{
	struct rcr_term *t = (struct rcr_term *)rcr_form_side(f, side);
	u8 *reduction = &f->reduction[f->per_cpu ? RCR_ABOVE : side];
	unsigned int i;

	for (i = 0; i < f->terms[side]; i++)
		if (t[i].weight == S32_MIN)
			return false;
	/* The fast paths require a form as rcr_form_prepare() left it: disable them. */
	f->is_plain = false;
	f->is_ratio = false;
	for (i = 0; i < f->terms[side]; i++)
		t[i].weight = -t[i].weight;
	if (*reduction == RCR_REDUCE_MIN || *reduction == RCR_REDUCE_MAX)
		*reduction = RCR_REDUCE_MIN + RCR_REDUCE_MAX - *reduction;
	return f->terms[side];
}

static void check_values(struct rcr_form *f, struct fuzz_input *in)
{
	u64 tsc_hz = take_u64(in), parts = take_u64(in), *counts;
	unsigned int lanes = fuzz_byte(in) % (LANES + 1), i, side;
	struct rcr_lane lane[LANES];
	s64 val = 0, other = 0;
	int err;

	parts = parts ?: 1;
	counts = calloc(2 * f->operands * LANES, sizeof(*counts));
	FUZZ_HOLDS(counts);
	fuzz_bytes(in, counts, 2 * f->operands * lanes * sizeof(*counts));
	for (i = 0; i < lanes; i++) {
		u64 *at = counts + 2 * f->operands * i;

		lane[i] = (struct rcr_lane){ at, at + f->operands };
	}
	err = rcr_form_value(f, lane, lanes, tsc_hz, parts, &val);
	FUZZ_HOLDS(!err || err == -EDOM);
	FUZZ_HOLDS(lanes || err);
	FUZZ_HOLDS(val >= -S64_MAX);
	for (side = 0; side < RCR_SIDES; side++) {
		if (!negate_side(f, side))
			continue;
		FUZZ_HOLDS(rcr_form_value(f, lane, lanes, tsc_hz, parts, &other) == err);
		FUZZ_HOLDS(err || other == -val);
		negate_side(f, side);
	}
	free(counts);
	rcr_form_is_count(f);
	rcr_form_is_rate(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	struct rcr_form *f = make_form(&in);
	struct rcr_failure failure = { };
	int err = rcr_form_prepare(f, &failure);

	FUZZ_HOLDS(err == failure.error && !err == !failure.reason.code);
	FUZZ_HOLDS(!err || err == -EINVAL || err == -E2BIG);
	if (!err) {
		check_prepared(f);
		check_values(f, &in);
	}
	free(f);
	return 0;
}
