// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_form_short.c - compares the fast paths of form.c with the general one for random forms:
 * plain forms on one CPU, the mean of one term, and quotients that fit in 64 bits.
 */
#include "meter/form.c"

#include "ksft.h"

#define ROUNDS	2000000
#define LANES	5

static u64 seed = 1;
static unsigned int divided, undefined, valued, largest;

static u64 chance(void)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return seed >> 32 | seed << 32;
}

/* Return a number of any length, often next to a power of 2. */
static u64 number(void)
{
	u64 n = chance() >> (chance() >> 7) % 64;

	if (!((chance() >> 9) % 8))
		n = (1ull << (chance() >> 7) % 64) - (chance() >> 11) % 3;
	return (chance() >> 5) % 16 ? n : 0;
}

static void test_quotients(void)
{
	unsigned int i, wrong = 0;

	for (i = 0; i < ROUNDS; i++) {
		struct scaled a = { number(), (int)(chance() >> 5) % 90 - 40 };
		struct scaled b = { number() ?: 1, (int)(chance() >> 5) % 90 - 40 };

		if (!is_short(a, b))
			continue;
		wrong += divide_short(a, b) != divide_any(a, b);
		divided += divide_any(a, b) != 0;
	}
	ksft_test_result(!wrong && divided > ROUNDS / 50,
			 "form: a division of 64 bits rounds as one of 128 (%u differ)\n", wrong);
}

/* Make a form of random kinds and reductions; all weights are 1 if @plain. */
static void make_form(struct rcr_form *f, bool plain)
{
	struct rcr_failure failure;
	unsigned int i, kind;

	do {
		f->numerator = number();
		f->denominator = number();
		f->per_cpu = chance() >> 9 & 1;
		f->reduction[0] = (chance() >> 9) % 4;
		f->reduction[1] = f->per_cpu ? 0 : (chance() >> 9) % 4;
		f->terms[0] = 1;
		f->terms[1] = chance() >> 9 & 1;
		for (i = 0; i < 2; i++) {
			kind = (chance() >> 9) % 3;
			f->term[i].kind = kind;
			f->term[i].weight = plain ? 1 : (int)chance() >> (chance() >> 9) % 31;
			strcpy(f->term[i].name, (chance() >> 9) % 4 && i ? "B" : "A");
		}
	} while (rcr_form_prepare(f, &failure));
	if (plain != f->is_plain && plain)
		ksft_exit_fail_msg("a plain form is not recognized as plain\n");
}

static void make_lanes(u64 delta[LANES][2], u64 time[LANES][2], struct rcr_lane *lane)
{
	unsigned int i, k;

	for (i = 0; i < LANES; i++) {
		lane[i] = (struct rcr_lane){ delta[i], time[i] };
		for (k = 0; k < 2; k++) {
			delta[i][k] = number();
			time[i][k] = number();
		}
	}
}

static bool same_value(int err, s64 val, int general, s64 other)
{
	undefined += !!err;
	valued += !err && val;
	largest += !err && (val == S64_MAX || val == -S64_MAX);
	return err == general && (err || val == other);
}

/* Evaluate each form as usual and without the fast path. */
static void test_plain(struct rcr_form *f)
{
	u64 delta[LANES][2], time[LANES][2], hz, parts;
	struct rcr_lane lane[LANES];
	unsigned int i, wrong = 0;
	s64 val, other;

	for (i = 0; i < ROUNDS; i++) {
		make_form(f, true);
		make_lanes(delta, time, lane);
		hz = chance() >> 9 & 1 ? 2100000000 : number();
		parts = chance() >> 9 & 1 ? 1 : number() ?: 1;
		wrong += !same_value(rcr_form_value(f, lane, 1, hz, parts, &val), val,
				     f->per_cpu ? value_per_cpu(f, lane, 1, hz, parts, &other) :
						  value_of_lanes(f, lane, 1, hz, parts, &other),
				     other);
	}
	ksft_test_result(!wrong && undefined > ROUNDS / 50 && valued > ROUNDS / 10 && largest,
			 "form: the fast path of plain forms has the general value (%u differ)\n",
			 wrong);
}

/* Compare the mean of one term with that of sums of CPUs. */
static void test_means(struct rcr_form *f)
{
	u64 delta[LANES][2], time[LANES][2], factor;
	struct rcr_lane lane[LANES];
	unsigned int i, wrong = 0;

	for (i = 0; i < ROUNDS / 10; i++) {
		struct reduced a = { .divisor = 1 }, b = { .divisor = 1 };

		make_form(f, false);
		f->reduction[0] = RCR_REDUCE_MEAN;
		make_lanes(delta, time, lane);
		factor = factor_of(f->term, 2100000000);
		if (mean_of_term(f->term, lane, LANES, factor, &a))
			wrong += !reduce_cpus(f, RCR_ABOVE, lane, LANES, factor, &b) ||
				 a.sum != b.sum || a.divisor != b.divisor;
		else
			wrong += reduce_cpus(f, RCR_ABOVE, lane, LANES, factor, &b);
	}
	ksft_test_result(!wrong, "form: the mean of one term is that of its CPUs (%u differ)\n",
			 wrong);
}

int main(void)
{
	struct rcr_form *f = calloc(1, sizeof(*f) + 2 * sizeof(f->term[0]));

	ksft_print_header();
	ksft_set_plan(3);
	test_quotients();
	test_plain(f);
	test_means(f);
	free(f);
	ksft_finished();
}
