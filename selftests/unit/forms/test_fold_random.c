// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_fold_random.c - compiles random formulas, and compares the value of each form with that of
 * the tree from which its formula was made.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "form_names.h"
#include "ksft.h"

#define ROUNDS 200000
#define CPUS 4
#define CLOSE powl(10, -9)

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static unsigned int state = 4711;

/* Return a random number below @limit; the sequence is the same on every machine. */
static unsigned int below(unsigned int limit)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 8) % limit;
}

enum kind {
	NUMBER, CLOCK, LANES, COUNTER, GAUGE, METER, NEGATED, PLUS, MINUS, TIMES, OVER, SCALED,
	RATE, SMALLEST, LARGEST, MIDDLE, SMALLER, KINDS
};

struct part {
	enum kind kind;
	unsigned int counter;	/* or meter */
	unsigned int number;	/* in quarters */
	struct part *a, *b;
};

/* The first @kept parts belong to meters, and stay valid for later formulas. */
static struct part parts[2000];
static unsigned int used, kept;
static struct part *meter[METERS];

/* Counters 0 to 7 are A to H; counter 8 is sampler_cycles. Gauges are S to Z. */
static long double data[CPUS][9], seconds[CPUS], gauges[CPUS][8];
static unsigned int cpus;

static void random_data(void)
{
	unsigned int cpu, i;

	cpus = 1 + below(CPUS);
	for (cpu = 0; cpu < cpus; cpu++) {
		for (i = 0; i < 9; i++)
			data[cpu][i] = 1 + below(1000000);
		for (i = 0; i < 8; i++)
			gauges[cpu][i] = 1 + below(1000);
		seconds[cpu] = (1000 + below(1000)) / 1000.0L;
	}
}

static struct part *new_part(enum kind kind, struct part *a, struct part *b)
{
	struct part *p = &parts[used++];

	*p = (struct part){ .kind = kind, .a = a, .b = b };
	return p;
}

static struct part *make_number(void)
{
	struct part *p = new_part(below(12) ? NUMBER : CLOCK, NULL, NULL);

	p->number = below(4) ? 4 * (1 + below(20)) : below(9);
	return p;
}

static struct part *make_leaf(void)
{
	static const enum kind kinds[] = {
		COUNTER, COUNTER, COUNTER, COUNTER, COUNTER, COUNTER, GAUGE, GAUGE, METER,
	};
	struct part *p = new_part(kinds[below(COUNT(kinds))], NULL, NULL);

	if (p->kind == METER && !known_count)
		p->kind = COUNTER;
	p->counter = p->kind == METER ? below(known_count) : below(p->kind == COUNTER ? 9 : 8);
	return p;
}

/* Make a sum of counters and operations on it, which usually have a form. */
static struct part *make_sum(unsigned int depth)
{
	struct part *p = make_leaf();

	if (!depth)
		return p;
	switch (below(6)) {
	case 0:
		return new_part(PLUS, make_sum(depth - 1), p);
	case 1:
		return new_part(MINUS, p, make_sum(depth - 1));
	case 2:
		return new_part(TIMES, make_number(), make_sum(depth - 1));
	case 3:
		return new_part(SCALED, make_sum(depth - 1), make_number());
	case 4:
		return new_part(NEGATED, make_sum(depth - 1), NULL);
	default:
		return new_part(OVER, make_sum(depth - 1), make_number());
	}
}

static struct part *make(unsigned int depth)
{
	enum kind kind = NEGATED + below(KINDS - NEGATED);
	struct part *a;

	if (!depth)
		return below(8) ? make_sum(below(3)) : make_number();
	a = make(depth - 1);
	switch (kind) {
	case NEGATED:
	case RATE:
	case SMALLEST:
	case LARGEST:
	case MIDDLE:
		return new_part(kind, a, NULL);
	case SCALED:
		return new_part(kind, a, make_number());
	case TIMES:
		return below(4) ? new_part(kind, make_number(), a) : new_part(kind, a, make(depth - 1));
	case OVER:
		return below(5) ? new_part(kind, a, make(below(depth))) :
				  new_part(kind, a, new_part(LANES, NULL, NULL));
	case SMALLER:
		if (below(8))
			return a;
		__attribute__((fallthrough));
	default:
		return new_part(kind, a, make(below(depth)));
	}
}

static char text[65536];
static size_t len;

__attribute__((format(printf, 1, 2)))
static void put(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	len += vsnprintf(text + len, sizeof(text) - len, format, args);
	va_end(args);
	if (!below(8))
		len += snprintf(text + len, sizeof(text) - len, " ");
}

static void put_part(const struct part *p);

static void put_infix(const struct part *p, const char *sign)
{
	put("(");
	put_part(p->a);
	put(" %s ", sign);
	put_part(p->b);
	put(")");
}

static void put_function(const struct part *p, const char *name)
{
	put("%s(", name);
	put_part(p->a);
	if (p->b) {
		put(",");
		put_part(p->b);
	}
	put(")");
}

static void put_leaf(const struct part *p)
{
	if (p->kind == NUMBER)
		put("%.2f", p->number / 4.0);
	else if (p->kind == CLOCK)
		put("tsc_hz");
	else if (p->kind == LANES)
		put("cpus");
	else if (p->kind == METER)
		put("%s", known[p->counter].name);
	else if (p->kind == COUNTER && p->counter == 8)
		put("sampler_cycles");
	else
		put("%c", (p->kind == COUNTER ? 'A' : 'S') + p->counter);
}

static void put_part(const struct part *p)
{
	static const char *const words[KINDS] = {
		[SCALED] = "scale", [RATE] = "rate", [SMALLEST] = "min", [LARGEST] = "max",
		[MIDDLE] = "mean", [SMALLER] = "min",
	};

	if (p->kind < NEGATED) {
		put_leaf(p);
	} else if (p->kind == NEGATED) {
		put("-");
		put_part(p->a);
	} else if (p->kind == PLUS || p->kind == MINUS || p->kind == OVER) {
		put_infix(p, p->kind == PLUS ? "+" : p->kind == MINUS ? "-" : "/");
	} else if (p->kind == TIMES) {
		put_infix(p, below(2) ? "*" : "x");
	} else {
		put_function(p, words[p->kind]);
	}
}

/* Compute the value over the CPUs from @first to @end; below rate(), counters are per second. */
static long double value_of(const struct part *p, unsigned int first, unsigned int end,
			    bool per_second);

static long double leaf_value(const struct part *p, unsigned int first, unsigned int end,
			      bool per_second)
{
	long double sum = 0;
	unsigned int i;

	switch (p->kind) {
	case NUMBER:
		return p->number / 4.0L;
	case CLOCK:
		return TSC_HZ;
	case LANES:
		return end - first;
	case METER:
		return value_of(meter[p->counter], first, end, per_second);
	case COUNTER:
		for (i = first; i < end; i++)
			sum += data[i][p->counter] / (per_second ? seconds[i] : 1);
		return sum;
	default:
		for (i = first; i < end; i++)
			sum += gauges[i][p->counter];
		return sum / (end - first);
	}
}

static long double reduced_value(const struct part *p, unsigned int first, unsigned int end,
				 bool per_second)
{
	long double all = value_of(p->a, first, first + 1, per_second), one;
	unsigned int i;

	for (i = first + 1; i < end; i++) {
		one = value_of(p->a, i, i + 1, per_second);
		if (p->kind == SMALLEST)
			all = fminl(all, one);
		else if (p->kind == LARGEST)
			all = fmaxl(all, one);
		else
			all += one;
	}
	return p->kind == MIDDLE ? all / (end - first) : all;
}

static long double value_of(const struct part *p, unsigned int first, unsigned int end,
			    bool per_second)
{
	long double a, b = 0;

	if (p->kind < NEGATED)
		return leaf_value(p, first, end, per_second);
	if (p->kind >= SMALLEST && p->kind <= MIDDLE)
		return reduced_value(p, first, end, per_second);
	a = value_of(p->a, first, end, per_second || p->kind == RATE);
	if (p->b)
		b = value_of(p->b, first, end, per_second);
	switch (p->kind) {
	case NEGATED:
		return -a;
	case PLUS:
		return a + b;
	case MINUS:
		return a - b;
	case OVER:
		return a / b;
	case TIMES:
	case SCALED:
		return a * b;
	default:
		return a;
	}
}

/* Return what one CPU adds to a side. */
static long double side_on(const struct rcr_form_side *s, unsigned int cpu)
{
	long double sum = 0;
	const struct rcr_form_term *t;
	unsigned int i;

	for (i = 0; i < s->terms; i++) {
		t = &s->term[i];
		if (t->kind == RCR_TERM_GAUGE)
			sum += t->weight * gauges[cpu][*t->name - 'S'];
		else
			sum += t->weight * data[cpu][*t->name ? *t->name - 'A' : 8] /
			       (t->kind == RCR_TERM_RATE ? seconds[cpu] : 1);
	}
	return sum;
}

static long double reduce(uint32_t reduction, const long double *value)
{
	long double all = value[0];
	unsigned int i;

	for (i = 1; i < cpus; i++) {
		if (reduction == RCR_REDUCE_MIN)
			all = fminl(all, value[i]);
		else if (reduction == RCR_REDUCE_MAX)
			all = fmaxl(all, value[i]);
		else
			all += value[i];
	}
	return reduction == RCR_REDUCE_MEAN ? all / cpus : all;
}

static long double form_value(const struct rcr_form *f)
{
	long double above[CPUS], below[CPUS], k = (long double)f->numerator / f->denominator;
	unsigned int i;

	for (i = 0; i < cpus; i++) {
		above[i] = side_on(&f->above, i);
		below[i] = f->below.terms ? side_on(&f->below, i) : 1;
		if (f->per_cpu)
			above[i] /= below[i];
	}
	if (f->per_cpu || !f->below.terms)
		return k * reduce(f->above.reduction, above);
	return k * reduce(f->above.reduction, above) / reduce(f->below.reduction, below);
}

static bool is_same(long double a, long double b)
{
	return (!isfinite(a) && !isfinite(b)) ||
	       fabsl(a - b) <= CLOSE * fmaxl(fabsl(a), fabsl(b)) + powl(10, -12);
}

static bool has_right_values(const struct rcr_form *form, unsigned int digits, const struct part *p)
{
	long double want, got;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		random_data();
		want = value_of(p, 0, cpus, false);
		got = form_value(form) / powl(10, digits);
		if (is_same(want, got))
			continue;
		ksft_print_msg("%s is %Lg, not %Lg on %u CPUs\n", text, got, want, cpus);
		return false;
	}
	return true;
}

static bool comes_back(const struct rcr_form *form, unsigned int digits)
{
	char again_text[RCR_FORMULA_LEN], reason[256] = "";
	struct rcr_form again;

	if (rcr_form_text(form, digits, again_text, sizeof(again_text)))
		return errno == E2BIG;
	if (!rcr_formula_compile(again_text, digits, &known_names, &again, reason, sizeof(reason)) &&
	    !memcmp(form, &again, sizeof(again)))
		return true;
	ksft_print_msg("%s is written as %s: %s\n", text, again_text, reason);
	return false;
}

static bool is_sentence(const char *reason)
{
	return strlen(reason) > 10 && strlen(reason) < 200 &&
	       (errno == EINVAL || errno == EDOM || errno == E2BIG || errno == ENOENT);
}

static struct part *random_formula(void)
{
	struct part *p;

	used = kept;
	p = make(below(5));
	len = 0;
	put_part(p);
	return p;
}

/* Meters of counters, of ratios and of reductions, and meters of other meters. */
static void random_meters(void)
{
	static const char *const names[METERS] = { "m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7" };
	struct part *p;

	known_count = 0;
	kept = 0;
	while (known_count < METERS) {
		p = random_formula();
		if (!make_known(names[known_count], text, below(10)))
			continue;
		meter[known_count - 1] = p;
		kept = used;
	}
}

struct tally {
	unsigned int formed, per_cpu, ratios, wrong_value, wrong_text, wrong_reason;
};

static void try_formula(struct tally *t)
{
	const struct part *p = random_formula();
	unsigned int digits = below(10);
	char reason[256] = "";
	struct rcr_form form;

	if (rcr_formula_compile(text, digits, &known_names, &form, reason, sizeof(reason))) {
		if (!is_sentence(reason))
			ksft_print_msg("%s: %s\n", text, reason);
		t->wrong_reason += !is_sentence(reason);
		return;
	}
	t->formed++;
	t->per_cpu += form.per_cpu;
	t->ratios += form.below.terms != 0;
	t->wrong_value += !has_right_values(&form, digits, p);
	t->wrong_text += !comes_back(&form, digits);
}

int main(void)
{
	struct tally t = { 0 };
	unsigned int i;

	ksft_print_header();
	ksft_set_plan(3);
	for (i = 0; i < ROUNDS; i++) {
		if (i % 1000 == 0)
			random_meters();
		try_formula(&t);
	}
	ksft_test_result(!t.wrong_value && t.formed > ROUNDS / 10 && t.per_cpu > ROUNDS / 200 &&
			 t.ratios > ROUNDS / 50,
			 "random: of %u formulas %u have forms, %u are ratios, %u per CPU (%u differ)\n",
			 i, t.formed, t.ratios, t.per_cpu, t.wrong_value);
	ksft_test_result(!t.wrong_text,
			 "random: the formula of a form compiles to the same form (%u differ)\n",
			 t.wrong_text);
	ksft_test_result(!t.wrong_reason,
			 "random: other formulas are refused with a sentence (%u are not)\n",
			 t.wrong_reason);
	ksft_finished();
}
