// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * fold.c - arithmetic on meters in their fixed form: k x above / below, where above and below
 * are weighted sums of counters, reduced over CPUs.
 *
 * An operation whose result has no such form fails; its operands are undefined then. Weights
 * are exact fractions until rcr_fold_finish() makes them integers.
 */
#include <string.h>

#include "fold.h"

static bool is_number(const struct fold *f)
{
	return !f->above.terms && !f->below.terms;
}

/* All terms of a side have the same kind. */
static uint32_t side_kind(const struct fold_side *s)
{
	return s->term[0].kind;
}

static bool has_gauges(const struct fold_side *s)
{
	return s->terms && side_kind(s) == RCR_TERM_GAUGE;
}

static bool has_rates(const struct fold_side *s)
{
	return s->terms && side_kind(s) == RCR_TERM_RATE;
}

static uint32_t side_reduction(const struct fold_side *s)
{
	if (s->reduction != FOLD_PLAIN)
		return s->reduction;
	return has_gauges(s) ? RCR_REDUCE_MEAN : RCR_REDUCE_SUM;
}

/*
 * A sum over CPUs includes each term where it is counted, so sums can be added. A mean, minimum or
 * maximum is over the CPUs that count all terms, which differ from term to term.
 */
static bool adds_up(const struct fold_side *s)
{
	return s->reduction == FOLD_PLAIN;
}

/* The reduction of -x is -1 times that of x. */
static bool keeps_sign(uint32_t reduction)
{
	return reduction == RCR_REDUCE_SUM || reduction == RCR_REDUCE_MEAN;
}

/* A sum of gauges without a reduction: it is not defined which CPUs its mean covers. */
static bool is_unreduced_gauges(const struct fold_side *s)
{
	return s->terms > 1 && has_gauges(s) && s->reduction == FOLD_PLAIN;
}

/* The minimum of -x is -1 times the maximum of x. */
static uint32_t negated_reduction(uint32_t reduction)
{
	if (reduction == RCR_REDUCE_MIN)
		return RCR_REDUCE_MAX;
	return reduction == RCR_REDUCE_MAX ? RCR_REDUCE_MIN : reduction;
}

/**
 * rcr_fold_number() - make a number
 * @f: output
 * @k: the number
 */
void rcr_fold_number(struct fold *f, struct fraction k)
{
	f->k = k;
	f->time_power = 0;
	f->is_cpus = false;
	f->per_cpu = false;
	f->above.reduction = FOLD_PLAIN;
	f->above.terms = 0;
	f->below.reduction = FOLD_PLAIN;
	f->below.terms = 0;
}

/* Make the number of TSC cycles per second. */
void rcr_fold_tsc_hz(struct fold *f, uint64_t tsc_hz)
{
	rcr_fold_number(f, fraction_integer(tsc_hz));
	f->time_power = -1;
}

/* Make the number of CPUs of the place. */
void rcr_fold_cpus(struct fold *f)
{
	rcr_fold_number(f, fraction_integer(1));
	f->is_cpus = true;
}

static void set_term(struct fold_term *t, const char *name, uint32_t kind, struct fraction weight)
{
	memset(t->name, 0, sizeof(t->name));
	memcpy(t->name, name, strnlen(name, sizeof(t->name) - 1));
	t->kind = kind;
	t->weight = weight;
}

/**
 * rcr_fold_counter() - make the value of a counter
 * @f: output
 * @name: canonical name
 * @gauge: it is a gauge
 */
void rcr_fold_counter(struct fold *f, const char *name, bool gauge)
{
	rcr_fold_number(f, fraction_integer(1));
	f->above.terms = 1;
	set_term(&f->above.term[0], name, gauge ? RCR_TERM_GAUGE : RCR_TERM_COUNT,
		 fraction_integer(1));
}

static void load_side(struct fold_side *to, const struct rcr_form_side *from)
{
	const struct rcr_form_term *t;
	struct fraction weight;
	unsigned int i;

	to->terms = from->terms;
	for (i = 0; i < from->terms; i++) {
		t = &from->term[i];
		weight = fraction_integer(t->weight < 0 ? -(int64_t)t->weight : t->weight);
		weight.negative = t->weight < 0;
		set_term(&to->term[i], t->name, t->kind, weight);
	}
	to->reduction = FOLD_PLAIN;
	if (side_reduction(to) != from->reduction || is_unreduced_gauges(to))
		to->reduction = from->reduction;
}

/**
 * rcr_fold_form() - make the value of a meter
 * @f: output
 * @form: of the meter
 * @digits: of the meter
 *
 * Return: FOLD_OK or FOLD_NUMBERS.
 */
enum fold_error rcr_fold_form(struct fold *f, const struct rcr_form *form, unsigned int digits)
{
	unsigned __int128 den = form->denominator;

	rcr_fold_number(f, fraction_integer(0));
	f->per_cpu = form->per_cpu;
	load_side(&f->above, &form->above);
	load_side(&f->below, &form->below);
	if (form->per_cpu) {
		f->above.reduction = form->above.reduction;
		f->below.reduction = FOLD_PLAIN;
	}
	f->time_power = has_rates(&f->below) - has_rates(&f->above);
	while (digits--)
		if (__builtin_mul_overflow(den, 10, &den))
			return FOLD_NUMBERS;
	return fraction_reduce(form->numerator, den, false, &f->k) ? FOLD_OK : FOLD_NUMBERS;
}

static struct fold_term *find_term(const struct fold_side *s, const struct fold_term *like)
{
	unsigned int i;

	for (i = 0; i < s->terms; i++)
		if (s->term[i].kind == like->kind && !strcmp(s->term[i].name, like->name))
			return (struct fold_term *)&s->term[i];
	return NULL;
}

/* True if the weights of b are those of a times a common @ratio. */
static bool weights_ratio(const struct fold_side *a, const struct fold_side *b,
			  struct fraction *ratio)
{
	const struct fold_term *other;
	struct fraction r;
	unsigned int i;

	*ratio = fraction_integer(1);
	if (a->terms != b->terms)
		return false;
	for (i = 0; i < a->terms; i++) {
		other = find_term(b, &a->term[i]);
		if (!other)
			return false;
		r = other->weight;
		if (!fraction_div(&r, a->term[i].weight) || (i && !fraction_equal(r, *ratio)))
			return false;
		*ratio = r;
	}
	return true;
}

/* True if side b is side a times @ratio. */
static bool side_ratio(const struct fold_side *a, const struct fold_side *b, struct fraction *ratio)
{
	uint32_t reduction = side_reduction(a);

	return weights_ratio(a, b, ratio) && reduction == side_reduction(b) &&
	       (keeps_sign(reduction) || !ratio->negative);
}

static void remove_term(struct fold_side *s, struct fold_term *t)
{
	s->terms--;
	memmove(t, t + 1, (s->term + s->terms - t) * sizeof(*t));
}

static enum fold_error add_term(struct fold_side *s, const struct fold_term *t, struct fraction k)
{
	struct fold_term *same = find_term(s, t);
	struct fraction weight = t->weight;

	if (!fraction_mul(&weight, k))
		return FOLD_NUMBERS;
	if (!weight.num)
		return FOLD_OK;
	if (!same) {
		if (s->terms == RCR_FORM_TERMS)
			return FOLD_TERMS;
		set_term(&s->term[s->terms++], t->name, t->kind, weight);
		return FOLD_OK;
	}
	if (!fraction_add(&same->weight, weight))
		return FOLD_NUMBERS;
	if (!same->weight.num)
		remove_term(s, same);
	return FOLD_OK;
}

static enum fold_error add_terms(struct fold_side *s, const struct fold_side *from,
				 struct fraction k)
{
	enum fold_error err = FOLD_OK;
	unsigned int i;

	for (i = 0; i < from->terms && !err; i++)
		err = add_term(s, &from->term[i], k);
	return err;
}

/* a->k x a->above + k x above, with k and the factor of a going into the weights. */
static enum fold_error add_dividend(struct fold *a, const struct fold_side *above,
				    struct fraction k)
{
	struct fold_side sum = { .reduction = a->above.reduction };
	enum fold_error err;

	if (sum.reduction == FOLD_PLAIN)
		sum.reduction = above->reduction;
	err = add_terms(&sum, &a->above, a->k);
	if (!err)
		err = add_terms(&sum, above, k);
	if (err)
		return err;
	if (!sum.terms) {
		a->k = fraction_integer(0);
		return FOLD_OK;
	}
	a->k = fraction_integer(1);
	a->above = sum;
	return FOLD_OK;
}

static enum fold_error check_kinds(const struct fold *a, const struct fold *b)
{
	if (is_number(a) != is_number(b) || !a->above.terms != !b->above.terms)
		return FOLD_NUMBER_SUM;
	if (is_number(a))
		return FOLD_OK;
	if (has_gauges(&a->above) != has_gauges(&b->above))
		return FOLD_GAUGE_AND_COUNT;
	return a->time_power == b->time_power ? FOLD_OK : FOLD_RATE_AND_COUNT;
}

static enum fold_error add_numbers(struct fold *a, const struct fold *b)
{
	if (!a->time_power)
		a->time_power = b->time_power;
	return fraction_add(&a->k, b->k) ? FOLD_OK : FOLD_NUMBERS;
}

/**
 * rcr_fold_add() - a += b
 * @a: left operand and result
 * @b: right operand
 *
 * Values with the same divisor add up when their reductions do; multiples of the same value
 * always do.
 *
 * Return: FOLD_OK or why the sum has no fixed form.
 */
enum fold_error rcr_fold_add(struct fold *a, const struct fold *b)
{
	struct fraction k = b->k, ratio;
	enum fold_error err = check_kinds(a, b);

	if (a->is_cpus || b->is_cpus)
		return FOLD_CPUS;
	if (err)
		return err;
	if (is_number(a))
		return add_numbers(a, b);
	if (!side_ratio(&a->below, &b->below, &ratio))
		return FOLD_DIVISORS;
	if (!fraction_div(&k, ratio))
		return FOLD_NUMBERS;
	if (has_rates(&a->above) != has_rates(&b->above))
		return FOLD_RATE_AND_COUNT;
	if (a->per_cpu != b->per_cpu || side_reduction(&a->above) != side_reduction(&b->above))
		return FOLD_REDUCTIONS;
	/* The divisor's sign may differ from CPU to CPU: it cannot be moved out of a minimum. */
	if (a->per_cpu && ratio.negative && !adds_up(&a->above))
		return FOLD_EXTREMES;
	if (!side_ratio(&a->above, &b->above, &ratio)) {
		if (!adds_up(&a->above) || !adds_up(&b->above))
			return FOLD_EXTREMES;
		return add_dividend(a, &b->above, k);
	}
	if (a->above.reduction == FOLD_PLAIN)
		a->above.reduction = b->above.reduction;
	return fraction_mul(&k, ratio) && fraction_add(&a->k, k) ? FOLD_OK : FOLD_NUMBERS;
}

void rcr_fold_negate(struct fold *f)
{
	f->k = fraction_negate(f->k);
}

/**
 * rcr_fold_multiply() - a *= b
 * @a: left operand and result
 * @b: right operand
 *
 * Return: FOLD_OK or why the product has no fixed form.
 */
enum fold_error rcr_fold_multiply(struct fold *a, const struct fold *b)
{
	struct fraction k = a->k;
	int time_power = a->time_power + b->time_power;
	bool is_cpus = a->is_cpus || b->is_cpus;

	if (is_cpus && (!is_number(a) || !is_number(b) || a->is_cpus == b->is_cpus))
		return FOLD_CPUS;
	if (!is_number(a) && !is_number(b))
		return FOLD_PRODUCT;
	if (!fraction_mul(&k, b->k))
		return FOLD_NUMBERS;
	if (is_number(a))
		*a = *b;
	a->k = k;
	a->time_power = time_power;
	a->is_cpus = is_cpus;
	return FOLD_OK;
}

/* A sum over CPUs divided by their number is the mean. */
static enum fold_error divide_by_cpus(struct fold *a)
{
	if (is_number(a) || a->below.terms || a->above.reduction != FOLD_PLAIN ||
	    has_gauges(&a->above))
		return FOLD_CPUS_OF;
	a->above.reduction = RCR_REDUCE_MEAN;
	return FOLD_OK;
}

static enum fold_error divide_sides(struct fold *a, const struct fold *b)
{
	if (is_number(a)) {
		if (b->per_cpu)
			return FOLD_INVERSE;
		a->above = b->below;
		a->below = b->above;
		return FOLD_OK;
	}
	if (a->below.terms || b->below.terms)
		return FOLD_RATIOS;
	a->below = b->above;
	return FOLD_OK;
}

/**
 * rcr_fold_divide() - a /= b
 * @a: left operand and result
 * @b: right operand
 *
 * Return: FOLD_OK or why the quotient has no fixed form.
 */
enum fold_error rcr_fold_divide(struct fold *a, const struct fold *b)
{
	enum fold_error err = FOLD_OK;

	if (!b->k.num)
		return FOLD_ZERO_DIVISOR;
	if (a->is_cpus)
		return FOLD_CPUS;
	if (b->is_cpus)
		err = divide_by_cpus(a);
	else if (!is_number(b))
		err = divide_sides(a, b);
	a->time_power -= b->time_power;
	if (err)
		return err;
	return fraction_div(&a->k, b->k) ? FOLD_OK : FOLD_NUMBERS;
}

/* a *= b, where b must be a number. */
enum fold_error rcr_fold_scale(struct fold *a, const struct fold *b)
{
	return is_number(b) ? rcr_fold_multiply(a, b) : FOLD_NO_NUMBER;
}

/* Check that a value is a count: counters, their sums and multiples. */
enum fold_error rcr_fold_delta(struct fold *f)
{
	if (!f->above.terms || side_kind(&f->above) != RCR_TERM_COUNT || f->below.terms ||
	    f->above.reduction != FOLD_PLAIN)
		return FOLD_NO_COUNT;
	return FOLD_OK;
}

/* Take each counter of a count per second. */
enum fold_error rcr_fold_rate(struct fold *f)
{
	enum fold_error err = rcr_fold_delta(f);
	unsigned int i;

	if (err)
		return err;
	for (i = 0; i < f->above.terms; i++)
		f->above.term[i].kind = RCR_TERM_RATE;
	f->time_power--;
	return FOLD_OK;
}

/**
 * rcr_fold_reduce() - apply min, max or mean over CPUs
 * @f: operand and result
 * @reduction: the function
 *
 * Return: FOLD_OK, FOLD_REDUCED or FOLD_CPUS.
 */
enum fold_error rcr_fold_reduce(struct fold *f, enum rcr_reduction reduction)
{
	if (f->is_cpus)
		return FOLD_CPUS;
	if (is_number(f))
		return FOLD_OK;
	if (f->above.reduction != FOLD_PLAIN || f->below.reduction != FOLD_PLAIN)
		return FOLD_REDUCED;
	f->per_cpu = f->below.terms;
	f->above.reduction = f->k.negative ? negated_reduction(reduction) : reduction;
	return FOLD_OK;
}

/* Find the largest fraction of which all weights are integer multiples. */
static bool weights_content(const struct fold_side *s, struct fraction *content)
{
	unsigned __int128 den = 1;
	uint64_t num = 0;
	unsigned int i;

	for (i = 0; i < s->terms; i++) {
		num = fraction_gcd(num, s->term[i].weight.num);
		den *= s->term[i].weight.den / (uint64_t)fraction_gcd(den, s->term[i].weight.den);
		if (den > UINT64_MAX)
			return false;
	}
	*content = (struct fraction){ num, den, false };
	return true;
}

static enum fold_error store_side(struct rcr_form_side *to, const struct fold_side *from,
				  struct fraction content)
{
	struct fraction weight;
	unsigned int i;

	to->reduction = from->terms ? side_reduction(from) : RCR_REDUCE_SUM;
	to->terms = from->terms;
	for (i = 0; i < from->terms; i++) {
		weight = from->term[i].weight;
		if (!fraction_div(&weight, content) || weight.num > INT32_MAX)
			return FOLD_NUMBERS;
		memcpy(to->term[i].name, from->term[i].name, sizeof(to->term[i].name));
		to->term[i].kind = from->term[i].kind;
		to->term[i].weight = weight.negative ? -(int32_t)weight.num : (int32_t)weight.num;
	}
	return FOLD_OK;
}

/* Change the sign of a side without changing the value. */
static void turn_side(struct fold *f, struct fold_side *s)
{
	unsigned int i;

	for (i = 0; i < s->terms; i++)
		s->term[i].weight = fraction_negate(s->term[i].weight);
	s->reduction = negated_reduction(s->reduction);
	f->k = fraction_negate(f->k);
}

/* Make the first weight of the divisor and the factor positive. */
static void order_signs(struct fold *f)
{
	if (f->below.terms && f->below.term[0].weight.negative) {
		turn_side(f, &f->below);
		if (f->per_cpu)
			f->above.reduction = negated_reduction(f->above.reduction);
	}
	if (f->k.negative)
		turn_side(f, &f->above);
}

static enum fold_error store_sides(struct fold *f, struct rcr_form *form)
{
	struct fraction above, below = fraction_integer(1);
	enum fold_error err;

	if (!weights_content(&f->above, &above))
		return FOLD_NUMBERS;
	if (f->below.terms && !weights_content(&f->below, &below))
		return FOLD_NUMBERS;
	err = store_side(&form->above, &f->above, above);
	if (!err)
		err = store_side(&form->below, &f->below, below);
	if (err)
		return err;
	return fraction_mul(&f->k, above) && fraction_div(&f->k, below) ? FOLD_OK : FOLD_NUMBERS;
}

/**
 * rcr_fold_finish() - turn the value of a whole formula into its form
 * @f: the value, changed
 * @digits: of the meter
 * @form: output; all bytes are set
 *
 * Return: FOLD_OK or why there is no form.
 */
enum fold_error rcr_fold_finish(struct fold *f, unsigned int digits, struct rcr_form *form)
{
	enum fold_error err;

	memset(form, 0, sizeof(*form));
	if (is_number(f))
		return FOLD_CONSTANT;
	if (!f->k.num)
		return FOLD_NOTHING_LEFT;
	if (!f->above.terms)
		return FOLD_NO_DIVIDEND;
	if (!f->per_cpu && (is_unreduced_gauges(&f->above) || is_unreduced_gauges(&f->below)))
		return FOLD_GAUGES;
	order_signs(f);
	err = store_sides(f, form);
	if (err)
		return err;
	while (digits--)
		if (!fraction_mul(&f->k, fraction_integer(10)))
			return FOLD_NUMBERS;
	form->per_cpu = f->per_cpu;
	form->numerator = f->k.num;
	form->denominator = f->k.den;
	if (f->per_cpu)
		form->below.reduction = RCR_REDUCE_SUM;
	return FOLD_OK;
}
