// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_limits.c - compares utilization and verdict with their definition in
 * Documentation/user/meters.md, computed in 128-bit fractions.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/rcrtool.h>

#include "ksft.h"
#include "meter/value.h"

#define ROUNDS 300000

static u64 state = 77;

static u64 random_bits(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1dull;
}

/* Return a random value of any size: often 0 or close to @near, rarely negative. */
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

static bool is_right(s64 maximum, s64 contention, s64 val)
{
	const struct rcr_limits l = { .maximum = maximum, .contention = contention };
	struct rcr_board_value v = {
		.current_value = val, .current_status = RCR_STATUS_OK,
	};

	rcr_limits_judge(&l, &v);
	if (v.maximum == maximum && v.contention == contention &&
	    v.utilization == wanted_utilization(val, maximum) &&
	    v.verdict == wanted_verdict(val, maximum, contention))
		return true;
	ksft_print_msg("%lld of %lld, contention %lld: %u millionths, verdict %u\n", val,
		       maximum, contention, v.utilization, v.verdict);
	return false;
}

static s64 not_below_0(s64 val)
{
	return val < 0 ? 0 : val;
}

static void test_random(void)
{
	bool right = true;
	unsigned int i;

	for (i = 0; i < ROUNDS && right; i++) {
		s64 val = random_value(1000000);

		right = is_right(not_below_0(random_value(val)), not_below_0(random_value(val)), val);
	}
	ksft_test_result(right,
			 "limits: %u random resources have the defined utilization\n", ROUNDS);
}

static void test_bounds(void)
{
	bool right = true;
	s64 maximum, val;

	for (maximum = 1; maximum < 300; maximum++)
		for (val = 0; val < 2 * maximum; val++)
			right &= is_right(maximum, 1, val);
	ksft_test_result(right, "limits: the verdict busy begins at 95 %% of the maximum, even of a low one\n");
	for (right = true, maximum = 1; maximum < 20; maximum++)
		for (val = 3990 * maximum; val < 4010 * maximum; val++)
			right &= is_right(maximum, 1, val);
	right &= is_right(1, 1, S64_MAX) && is_right(1, 1, S64_MIN) &&
		 is_right(S64_MAX, 1, S64_MAX) && is_right(S64_MAX, 1, S64_MAX - 1);
	ksft_test_result(right, "limits: utilization saturates at 4000 times the maximum\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(3);
	test_random();
	test_bounds();
	ksft_finished();
}
