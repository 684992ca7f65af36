// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_shares.c - the limits of a machine are divided among its parts.
 */
#include <string.h>

#include "ksft.h"
#include "shares.h"

static struct rcr_form form_of(uint32_t kind, uint32_t reduction)
{
	struct rcr_form f = {
		.numerator = 64, .denominator = 1,
		.above = { .terms = 2, .reduction = reduction },
	};

	f.above.term[0].kind = kind;
	f.above.term[1].kind = kind;
	return f;
}

static void test_forms(void)
{
	struct rcr_form f = form_of(RCR_TERM_RATE, RCR_REDUCE_SUM);
	unsigned int reduction, wrong = 0;

	ksft_test_result(share_adds_up(&f), "shares: a sum of rates adds up\n");
	f = form_of(RCR_TERM_COUNT, RCR_REDUCE_SUM);
	ksft_test_result(share_adds_up(&f), "shares: a sum of counts adds up\n");
	f.below.terms = 1;
	ksft_test_result(!share_adds_up(&f), "shares: a ratio does not add up\n");
	for (reduction = RCR_REDUCE_MEAN; reduction <= RCR_REDUCE_MAX; reduction++) {
		f = form_of(RCR_TERM_RATE, reduction);
		wrong += share_adds_up(&f);
	}
	ksft_test_result(!wrong, "shares: a mean, minimum or maximum over CPUs does not add up\n");
	f = form_of(RCR_TERM_GAUGE, RCR_REDUCE_SUM);
	ksft_test_result(!share_adds_up(&f), "shares: a gauge does not add up\n");
	f = form_of(RCR_TERM_COUNT, RCR_REDUCE_SUM);
	f.per_cpu = true;
	ksft_test_result(!share_adds_up(&f), "shares: a quotient of each CPU does not add up\n");
	memset(&f, 0, sizeof(f));
	ksft_test_result(!share_adds_up(&f), "shares: values that are posted do not add up\n");
}

static void test_limits(void)
{
	ksft_test_result(share_of(20000000000, 2) == 10000000000 && share_of(7, 3) == 2 &&
			 share_of(7, 1) == 7, "shares: each place has an equal part\n");
	ksft_test_result(!share_of(0, 2) && share_of(1, 4) == 1,
			 "shares: known shares stay known, and 0 stays unknown\n");
	ksft_test_result(share_of(7, 0) == 7, "shares: without places there is no division\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(7 + 3);
	test_forms();
	test_limits();
	ksft_finished();
}
