// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_maxima.c - utilization, mix and verdict, against what they are said to be in
 * Documentation/meters.md, in fractions of whole numbers of 128 bits.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>

#include "ksft.h"
#include "meter/maxima.h"

#define ROUNDS 300000

static u64 state = 77;

static u64 random_bits(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1dull;
}

/* Of any size, often 0 or near to @near, seldom below 0. */
static s64 random_value(s64 near)
{
	switch (random_bits() % 8) {
	case 0:
		return 0;
	case 1:
		return random_bits() % 64;
	case 2:
		return near > 3 ? near - (s64)(random_bits() % 3) : near;
	case 3:
		return near < S64_MAX - 3 ? near + (s64)(random_bits() % 3) : near;
	case 4:
		return -(s64)(random_bits() >> (1 + random_bits() % 60));
	default:
		return random_bits() >> (1 + random_bits() % 60);
	}
}

/* What is told of a mix that was calibrated, or in its place. */
static u32 wanted_mix(const struct rcr_maxima *x, s64 share)
{
	u32 mix = x->mix;

	if (mix == RCR_MIX_MEASURED) {
		mix = RCR_MIX_COPY;
		if (share >= 0 && 4 * share < 1000000)
			mix = RCR_MIX_READ;
		else if (4 * share > 3000000)
			mix = RCR_MIX_WRITE;
	}
	if (x->maximum[mix])
		return mix;
	return x->maximum[RCR_MIX_COPY] ? RCR_MIX_COPY : x->maximum[RCR_MIX_READ] ? RCR_MIX_READ :
	       x->maximum[RCR_MIX_WRITE] ? RCR_MIX_WRITE :
	       x->maximum[RCR_MIX_RANDOM] ? RCR_MIX_RANDOM : mix;
}

static u32 wanted_utilization(__int128 val, __int128 maximum)
{
	if (val <= 0 || !maximum)
		return 0;
	return val >= 4000 * maximum ? U32_MAX : (u32)(val * 1000000 / maximum);
}

static u32 wanted_verdict(__int128 val, __int128 maximum, __int128 contention)
{
	if (!contention)
		return RCR_VERDICT_NONE;
	if (val < contention)
		return RCR_VERDICT_OK;
	return maximum && 20 * (maximum - val) <= maximum ? RCR_VERDICT_BUSY :
							    RCR_VERDICT_CONTENTION;
}

static bool is_right(const struct rcr_maxima *x, s64 share, s64 val)
{
	struct rcr_board_value v = { .current_value = val };
	u32 mix = wanted_mix(x, share);
	s64 maximum = x->maximum[mix] ? x->maximum[mix] : x->theoretical;

	rcr_maxima_judge(x, share, &v);
	if (v.mix == mix && v.maximum == maximum && v.contention == x->contention[mix] &&
	    v.utilization == wanted_utilization(val, maximum) &&
	    v.verdict == wanted_verdict(val, maximum, x->contention[mix]))
		return true;
	ksft_print_msg("%lld of %lld, contention %lld: mix %u, %u millionths, verdict %u\n",
		       val, maximum, x->contention[mix], v.mix, v.utilization, v.verdict);
	return false;
}

static s64 not_below_0(s64 val)
{
	return val < 0 ? 0 : val;
}

static void test_random(void)
{
	bool right = true;
	unsigned int i, k;

	for (i = 0; i < ROUNDS && right; i++) {
		struct rcr_maxima x = { .mix = random_bits() % (RCR_MIX_MEASURED + 1) };
		s64 val = random_value(1000000), share = random_bits() % 1000001;

		x.theoretical = not_below_0(random_value(val));
		for (k = 0; k < RCR_MIXES; k++) {
			x.maximum[k] = not_below_0(random_value(val));
			x.contention[k] = not_below_0(random_value(val));
		}
		if (!(random_bits() % 5))
			share = RCR_SHARE_UNKNOWN;
		right = is_right(&x, share, val);
	}
	ksft_test_result(right, "%u resources, used anyhow\n", ROUNDS);
}

static void test_bounds(void)
{
	struct rcr_maxima x = { .mix = RCR_MIX_MEASURED, .maximum = { 100, 200, 400, 50 } };
	static const s64 shares[] = { 0, 249999, 250000, 500000, 750000, 750001, 1000000,
				      RCR_SHARE_UNKNOWN };
	bool right = true;
	unsigned int i;
	s64 maximum, val;

	for (i = 0; i < ARRAY_SIZE(shares); i++)
		right &= is_right(&x, shares[i], 60);
	ksft_test_result(right, "a quarter of either counts as both\n");
	x.mix = RCR_MIX_READ;
	x.contention[RCR_MIX_READ] = 1;
	for (right = true, maximum = 1; maximum < 300; maximum++)
		for (val = 0; val < 2 * maximum; val++) {
			x.maximum[RCR_MIX_READ] = maximum;
			right &= is_right(&x, 0, val);
		}
	ksft_test_result(right, "busy is within a twentieth of the maximum, however low that is\n");
	for (right = true, maximum = 1; maximum < 20; maximum++)
		for (val = 3990 * maximum; val < 4010 * maximum; val++) {
			x.maximum[RCR_MIX_READ] = maximum;
			right &= is_right(&x, 0, val);
		}
	x.maximum[RCR_MIX_READ] = 1;
	right &= is_right(&x, 0, S64_MAX) && is_right(&x, 0, S64_MIN);
	x.maximum[RCR_MIX_READ] = S64_MAX;
	right &= is_right(&x, 0, S64_MAX) && is_right(&x, 0, S64_MAX - 1);
	ksft_test_result(right, "more than 4000 times the maximum is the most that can be told\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(4);
	test_random();
	test_bounds();
	ksft_finished();
}
