// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * form_value.c - computes meters from the counts of CPUs in floating point, by the rules of
 * Documentation/user/meters.md, section Arithmetic.
 *
 * Pure: no input, no output, no clock. Compiled into the unit tests as well.
 */
#include <math.h>

#include "form_value.h"

/* The largest rate or gauge. */
#define NUMBER_MOST	17592186044416.0L

/* The numbers of a side on all CPUs, reduced to one. */
struct reduced {
	long double value;
	unsigned int cpus;
};

static long double term_number(const struct rcr_form_term *term, const struct form_lane *lane,
			       unsigned int operand, uint64_t tsc_hz)
{
	long double delta = lane->delta[operand];

	if (term->kind == RCR_TERM_COUNT)
		return delta;
	if (term->kind == RCR_TERM_RATE)
		delta *= tsc_hz;
	delta = ldexpl(floorl(ldexpl(delta / lane->time[operand], 32)), -32);
	return delta < NUMBER_MOST ? delta : NUMBER_MOST;
}

/* Adds up the terms on a CPU; returns false if one of them was not counted there. */
static bool add_lane_terms(const struct rcr_form_side *side, const uint8_t *operand,
			   const struct form_lane *lane, uint64_t tsc_hz, long double *sum)
{
	unsigned int i;

	*sum = 0;
	for (i = 0; i < side->terms; i++) {
		if (!lane->time[operand[i]])
			return false;
		*sum += side->term[i].weight *
			term_number(&side->term[i], lane, operand[i], tsc_hz);
	}
	return true;
}

static void reduce_number(struct reduced *r, uint32_t reduction, long double number)
{
	bool first = !r->cpus++;

	if (reduction == RCR_REDUCE_MIN)
		r->value = first || number < r->value ? number : r->value;
	else if (reduction == RCR_REDUCE_MAX)
		r->value = first || number > r->value ? number : r->value;
	else
		r->value += number;
}

/* Completes a mean; returns false if no CPU has a number. */
static bool end_reduction(struct reduced *r, uint32_t reduction)
{
	if (reduction == RCR_REDUCE_MEAN && r->cpus)
		r->value /= r->cpus;
	return r->cpus;
}

/* Adds each term on all CPUs that counted it; returns false if none counted a term. */
static bool sum_side(const struct rcr_form_side *side, const uint8_t *operand,
		     const struct form_lane *lane, unsigned int lanes, uint64_t tsc_hz,
		     struct reduced *r)
{
	unsigned int i, n, counted;

	for (i = 0; i < side->terms; i++) {
		for (n = 0, counted = 0; n < lanes; n++) {
			if (!lane[n].time[operand[i]])
				continue;
			counted++;
			r->value += side->term[i].weight *
				    term_number(&side->term[i], &lane[n], operand[i], tsc_hz);
		}
		if (!counted)
			return false;
	}
	return true;
}

static bool reduce_side(const struct rcr_form_side *side, const uint8_t *operand,
			const struct form_lane *lane, unsigned int lanes, uint64_t tsc_hz,
			struct reduced *r)
{
	long double sum;
	unsigned int n;

	*r = (struct reduced){ };
	if (!side->terms) {
		r->value = 1;
		return true;
	}
	if (side->reduction == RCR_REDUCE_SUM)
		return sum_side(side, operand, lane, lanes, tsc_hz, r);
	for (n = 0; n < lanes; n++)
		if (add_lane_terms(side, operand, &lane[n], tsc_hz, &sum))
			reduce_number(r, side->reduction, sum);
	return end_reduction(r, side->reduction);
}

static long double scale_value(const struct rcr_form *form, long double value, uint64_t periods)
{
	return value * form->numerator / form->denominator / periods;
}

/* Computes and rounds the value of each CPU, and reduces these; skips CPUs without a value. */
static bool reduce_values(const struct bound_form *b, const struct form_lane *lane,
			  unsigned int lanes, uint64_t tsc_hz, uint64_t periods,
			  struct reduced *r)
{
	long double up, down = 1;
	const struct rcr_form_side *above = &b->form.above, *below = &b->form.below;
	unsigned int n;

	*r = (struct reduced){ };
	for (n = 0; n < lanes; n++) {
		if (!add_lane_terms(above, b->above, &lane[n], tsc_hz, &up))
			continue;
		if (below->terms &&
		    (!add_lane_terms(below, b->below, &lane[n], tsc_hz, &down) || !down))
			continue;
		reduce_number(r, above->reduction,
			      roundl(scale_value(&b->form, up / down, periods)));
	}
	return end_reduction(r, above->reduction);
}

/* True if the form is a sum of counts, whose value is per sampling period. */
bool form_is_count(const struct rcr_form *form)
{
	return !form->below.terms && form->above.terms &&
	       form->above.term[0].kind == RCR_TERM_COUNT;
}

/**
 * form_compute() - compute a form over the CPUs of a place
 * @b: the form
 * @lane: counts of the CPUs
 * @lanes: entries of @lane
 * @tsc_hz: TSC cycles per second
 * @periods: divides the value: sampling periods of the interval for a count, else 1
 * @value: the value in units of its last digit; set if true is returned
 *
 * Returns false if there is no value: an operand was not counted anywhere, or the divisor is 0.
 */
bool form_compute(const struct bound_form *b, const struct form_lane *lane, unsigned int lanes,
		  uint64_t tsc_hz, uint64_t periods, double *value)
{
	struct reduced up, down;
	bool known;

	if (b->form.per_cpu) {
		known = reduce_values(b, lane, lanes, tsc_hz, periods, &up);
		*value = known ? up.value : 0;
		return known;
	}
	known = reduce_side(&b->form.above, b->above, lane, lanes, tsc_hz, &up) &&
		reduce_side(&b->form.below, b->below, lane, lanes, tsc_hz, &down) && down.value;
	*value = known ? scale_value(&b->form, up.value / down.value, periods) : 0;
	return known;
}
