/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * exact_form.h - the value of a meter's form, in exact arithmetic: rules 2 to 5 of
 * "Arithmetic" in Documentation/user/meters.md.
 */
#ifndef RCR_GUEST_EXACT_FORM_H
#define RCR_GUEST_EXACT_FORM_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <linux/rcrboard.h>
#include <linux/rcrtool.h>

#define FORM_OPERANDS	RCR_MAX_COUNTERS
#define RATE_LIMIT	((__int128)1 << 44)	/* largest value of a rate or gauge */

/**
 * struct form_term - a weighted counter
 * @name: name of the counter; "": TSC cycles of the sampler
 * @operand: number of the name among those of the form
 * @kind: enum rcr_term_kind
 * @weight: its weight
 */
struct form_term {
	char name[RCR_NAME_LEN];
	uint32_t operand;
	uint32_t kind;
	int32_t weight;
};

struct form_side {
	uint32_t reduction;
	uint32_t terms;
	struct form_term term[RCR_FORM_TERMS];
};

/**
 * struct meter_form - what a meter computes: factor * reduction of dividend / reduction of divisor
 * @numerator: numerator of the factor
 * @denominator: denominator of the factor
 * @per_cpu: divide on each CPU, and reduce the quotients
 * @operands: number of different names
 * @side: dividend and divisor
 */
struct meter_form {
	uint64_t numerator;
	uint64_t denominator;
	uint32_t per_cpu;
	uint32_t operands;
	struct form_side side[2];
};

/**
 * struct counted - the counts of a CPU in an interval
 * @delta: by operand: the count, or the sum of a gauge's values
 * @time: by operand: TSC cycles, or the number of a gauge's values; 0: not counted
 * @whole: TSC cycles of the interval
 */
struct counted {
	uint64_t delta[FORM_OPERANDS];
	uint64_t time[FORM_OPERANDS];
	uint64_t whole;
};

#define WIDE_WORDS	16

/* An unsigned integer of up to 512 bits, lowest word first. */
struct wide {
	uint32_t word[WIDE_WORDS];
};

static inline struct wide make_wide(unsigned __int128 val)
{
	struct wide w = { { val, val >> 32, val >> 64, val >> 96 } };

	return w;
}

static inline struct wide multiply_word(struct wide a, uint32_t b)
{
	uint64_t carry = 0;
	unsigned int i;

	for (i = 0; i < WIDE_WORDS; i++) {
		carry += (uint64_t)a.word[i] * b;
		a.word[i] = carry;
		carry >>= 32;
	}
	return a;
}

static inline struct wide add_wide(struct wide a, struct wide b)
{
	uint64_t carry = 0;
	unsigned int i;

	for (i = 0; i < WIDE_WORDS; i++) {
		carry += (uint64_t)a.word[i] + b.word[i];
		a.word[i] = carry;
		carry >>= 32;
	}
	return a;
}

static inline struct wide shift_words(struct wide a, unsigned int words)
{
	struct wide r = { };

	memcpy(r.word + words, a.word, (WIDE_WORDS - words) * sizeof(a.word[0]));
	return r;
}

static inline struct wide multiply_wide(struct wide a, uint64_t b)
{
	return add_wide(multiply_word(a, b), shift_words(multiply_word(a, b >> 32), 1));
}

static inline int compare_wide(const struct wide *a, const struct wide *b)
{
	int i;

	for (i = WIDE_WORDS - 1; i >= 0; i--)
		if (a->word[i] != b->word[i])
			return a->word[i] < b->word[i] ? -1 : 1;
	return 0;
}

static inline void subtract_wide(struct wide *a, const struct wide *b)
{
	int64_t borrow = 0;
	unsigned int i;

	for (i = 0; i < WIDE_WORDS; i++) {
		borrow += (int64_t)a->word[i] - b->word[i];
		a->word[i] = borrow;
		borrow >>= 32;
	}
}

/* Return whether @a is less than 2^126. */
static inline bool is_narrow(const struct wide *a)
{
	unsigned int i;

	for (i = 4; i < WIDE_WORDS; i++)
		if (a->word[i])
			return false;
	return a->word[3] < 1u << 30;
}

static inline unsigned __int128 narrow(const struct wide *a)
{
	unsigned __int128 val;

	memcpy(&val, a->word, sizeof(val));
	return val;
}

/* Values for which a quotient of 60 bits may be rounded to a neighbor, as they are near a half. */
#define DOUBTS	256

static struct {
	int64_t val;
	int64_t other;
} doubts[DOUBTS];
static unsigned int doubt_count;

static inline void add_doubt(int64_t val, int64_t other)
{
	doubts[doubt_count % DOUBTS].val = val;
	doubts[doubt_count++ % DOUBTS].other = other;
}

/* Return whether @got equals @val to the accuracy of quotients of 60 bits. */
static inline bool is_same_value(int64_t got, int64_t val)
{
	unsigned int i;

	for (i = 0; i < DOUBTS && i < doubt_count && got != val; i++)
		if (doubts[i].val == val && doubts[i].other == got)
			return true;
	return got == val;
}

/*
 * Record a doubt if @rest is so close to 0 or to @twice that a quotient of 60 bits may be rounded
 * otherwise. @quotient and @rest are those of 2 a + b by @twice = 2 b, which rounds a / b.
 */
static inline void doubt_rest(const struct wide *rest, const struct wide *twice,
			      uint64_t quotient)
{
	struct wide low = multiply_wide(*rest, 1ull << 59), high = *twice;
	struct wide error = multiply_wide(*twice, quotient);

	subtract_wide(&high, rest);
	high = multiply_wide(high, 1ull << 59);
	if (compare_wide(&low, &error) < 0 && quotient)
		add_doubt(quotient, quotient - 1);
	else if (compare_wide(&high, &error) < 0)
		add_doubt(quotient, quotient + 1);
}

/* Return @a / @b rounded to nearest, halves up, or INT64_MAX if larger. */
static inline uint64_t divide_wide(struct wide a, struct wide b)
{
	struct wide shifted[64], rest;
	unsigned __int128 short_way;
	uint64_t quotient = 0;
	int bit;

	if (is_narrow(&a) && is_narrow(&b)) {
		short_way = (2 * narrow(&a) + narrow(&b)) / (2 * narrow(&b));
		if (short_way > INT64_MAX)
			return INT64_MAX;
		if (short_way >> 32) {
			rest = make_wide((2 * narrow(&a) + narrow(&b)) % (2 * narrow(&b)));
			b = add_wide(b, b);
			doubt_rest(&rest, &b, short_way);
		}
		return short_way;
	}
	a = add_wide(add_wide(a, a), b);
	b = add_wide(b, b);
	shifted[0] = b;
	for (bit = 1; bit < 64; bit++)
		shifted[bit] = add_wide(shifted[bit - 1], shifted[bit - 1]);
	if (compare_wide(&a, &shifted[63]) >= 0)
		return INT64_MAX;
	for (bit = 62; bit >= 0; bit--) {
		if (compare_wide(&a, &shifted[bit]) < 0)
			continue;
		subtract_wide(&a, &shifted[bit]);
		quotient |= 1ull << bit;
	}
	doubt_rest(&a, &b, quotient);
	return quotient;
}

static inline unsigned __int128 magnitude(__int128 val)
{
	return val < 0 ? -(unsigned __int128)val : (unsigned __int128)val;
}

/* Return @k1 * @k2 * @above / @below * 2^@up, rounded. */
static inline int64_t round_value(__int128 above, uint64_t k1, uint64_t k2, unsigned int up,
				  __int128 below, uint64_t d1, uint64_t d2, uint64_t d3,
				  unsigned int down)
{
	bool negative = (above < 0) != (below < 0);
	struct wide a = multiply_wide(multiply_wide(make_wide(magnitude(above)), k1), k2);
	struct wide b = multiply_wide(multiply_wide(make_wide(magnitude(below)), d1), d2);
	uint64_t val;

	b = multiply_wide(b, d3);
	val = divide_wide(shift_words(a, up / 32), shift_words(b, down / 32));
	if (negative && doubt_count)
		add_doubt(-(int64_t)val, -doubts[(doubt_count - 1) % DOUBTS].other);
	return negative ? -(int64_t)val : (int64_t)val;
}

/* Return @val / @by in units of 2^-32, rounded down. */
static inline __int128 divide_fraction(unsigned __int128 val, uint64_t by)
{
	unsigned __int128 whole = val / by, rest = val % by;

	if (whole >= (unsigned __int128)RATE_LIMIT)
		return RATE_LIMIT << 32;
	return (__int128)(whole << 32 | (rest << 32) / by);
}

/* Return the value of a term: an integer, or in units of 2^-32. */
static inline __int128 term_value(const struct form_term *t, const struct counted *c,
				  uint64_t hz)
{
	uint64_t delta = c->delta[t->operand], time = c->time[t->operand];

	if (t->kind == RCR_TERM_GAUGE)
		return divide_fraction(delta, time);
	if (t->kind == RCR_TERM_RATE && hz)
		return divide_fraction((unsigned __int128)delta * hz, time);
	return delta;
}

static inline bool is_whole(const struct form_side *s, uint64_t hz)
{
	return !s->terms || s->term[0].kind == RCR_TERM_COUNT ||
	       (s->term[0].kind == RCR_TERM_RATE && !hz);
}

/* Sum each term over the CPUs that have counted it. */
static inline bool sum_terms(const struct form_side *s, const struct counted *c,
			     unsigned int cpus, uint64_t hz, __int128 *sum)
{
	unsigned int t, i, found;

	*sum = 0;
	for (t = 0; t < s->terms; t++) {
		for (found = 0, i = 0; i < cpus; i++) {
			if (!c[i].time[s->term[t].operand])
				continue;
			*sum += term_value(&s->term[t], &c[i], hz) * s->term[t].weight;
			found++;
		}
		if (!found)
			return false;
	}
	return true;
}

/* Reduce a side; mean, minimum and maximum are over the CPUs that have counted all terms. */
static inline bool reduce_side(const struct form_side *s, uint32_t how, const struct counted *c,
			       unsigned int cpus, uint64_t hz, __int128 *sum, uint64_t *divisor)
{
	unsigned int i, found = 0;
	__int128 one;

	*divisor = 1;
	*sum = 1;
	if (!s->terms)
		return true;
	if (how == RCR_REDUCE_SUM)
		return sum_terms(s, c, cpus, hz, sum);
	for (i = 0; i < cpus; i++) {
		if (!sum_terms(s, &c[i], 1, hz, &one))
			continue;
		if (!found++)
			*sum = one;
		else if (how == RCR_REDUCE_MEAN)
			*sum += one;
		else if (how == RCR_REDUCE_MIN ? one < *sum : one > *sum)
			*sum = one;
	}
	if (how == RCR_REDUCE_MEAN)
		*divisor = found;
	return found;
}

/* Return the value of a form from the reductions of its sides. */
static inline bool quotient_value(const struct meter_form *f, uint32_t above, uint32_t below,
				  const struct counted *c, unsigned int cpus, uint64_t hz,
				  uint64_t parts, int64_t *val)
{
	unsigned int up = is_whole(&f->side[1], hz) ? 0 : 32;
	unsigned int down = is_whole(&f->side[0], hz) ? 0 : 32;
	uint64_t above_by, below_by;
	__int128 a, b;

	if (!reduce_side(&f->side[0], above, c, cpus, hz, &a, &above_by) ||
	    !reduce_side(&f->side[1], below, c, cpus, hz, &b, &below_by) || !b)
		return false;
	*val = round_value(a, f->numerator, below_by, up, b, f->denominator, above_by, parts,
			   down);
	return true;
}

/**
 * exact_value() - compute the value of a form
 * @f: the form
 * @c: the counts of each CPU
 * @cpus: number of CPUs
 * @hz: TSC frequency; 0: compute the integral of a rate
 * @parts: further divisor
 * @val: filled in, in units of the last digit
 *
 * Return: false if there is no value: nothing was counted, or the divisor is 0.
 */
static inline bool exact_value(const struct meter_form *f, const struct counted *c,
			       unsigned int cpus, uint64_t hz, uint64_t parts, int64_t *val)
{
	uint32_t how = f->side[0].reduction;
	unsigned int i, found = 0;
	__int128 sum = 0;
	int64_t here;

	if (!f->per_cpu)
		return quotient_value(f, how, f->side[1].reduction, c, cpus, hz, parts, val);
	for (i = 0; i < cpus; i++) {
		if (!quotient_value(f, RCR_REDUCE_SUM, RCR_REDUCE_SUM, &c[i], 1, hz, parts,
				    &here))
			continue;
		if (!found++)
			sum = here;
		else if (how == RCR_REDUCE_MIN || how == RCR_REDUCE_MAX)
			sum = (how == RCR_REDUCE_MIN ? here < sum : here > sum) ? here : sum;
		else
			sum += here;
	}
	if (!found)
		return false;
	*val = round_value(sum, 1, 1, 0, 1, how == RCR_REDUCE_MEAN ? found : 1, 1, 1, 0);
	return true;
}

/* Counts add up over time, as do their means over CPUs, but not minima and maxima. */
static inline bool is_count_form(const struct meter_form *f)
{
	return f->side[0].term[0].kind == RCR_TERM_COUNT && !f->side[1].terms &&
	       (f->side[0].reduction == RCR_REDUCE_SUM || f->side[0].reduction == RCR_REDUCE_MEAN);
}

/* Return whether the integral of a form is a count: a rate, divided by counts or by nothing. */
static inline bool is_rate_form(const struct meter_form *f)
{
	return f->side[0].term[0].kind == RCR_TERM_RATE &&
	       (!f->side[1].terms || f->side[1].term[0].kind == RCR_TERM_COUNT);
}

/* Number the operands, each name once. Return false if there are too many. */
static inline bool number_operands(struct meter_form *f)
{
	const char *known[FORM_OPERANDS];
	unsigned int side, t, k;

	f->operands = 0;
	for (side = 0; side < 2; side++)
		for (t = 0; t < f->side[side].terms; t++) {
			struct form_term *term = &f->side[side].term[t];

			for (k = 0; k < f->operands && strcmp(known[k], term->name); k++)
				;
			if (k == FORM_OPERANDS)
				return false;
			if (k == f->operands)
				known[f->operands++] = term->name;
			term->operand = k;
		}
	return true;
}

#endif
