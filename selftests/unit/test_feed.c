// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_feed.c - steps of samples, one by one: what each counter says of them, and
 * what share of them each tick has.
 */
#include "meter_bench.h"
#include "ksft.h"

static u64 memory[64];
static struct rcr_record *const record = (void *)memory;

/* A sample: every counter reads @value times its number plus 1. */
static bool take(struct rcr_feed *f, u64 tick, u64 tsc, u64 value)
{
	struct rcr_feed_layout l = bench_layout();
	unsigned int i;

	record->tick = tick;
	record->time = tick * 1000;
	record->tsc = tsc - 10;
	record->tsc_end = tsc + 11;
	for (i = 0; i < COUNTERS; i++)
		record->value[i] = value * (i + 1);
	return rcr_feed_take(f, &l, record);
}

static void set_status(unsigned int i, u8 status)
{
	((u8 *)&record->value[COUNTERS])[i] = status;
}

static void all_ok(void)
{
	unsigned int i;

	for (i = 0; i < COUNTERS; i++)
		set_status(i, RCR_STATUS_OK);
}

static void set_slow(u64 tsc)
{
	struct rcr_slow *slow = (void *)record + bench_layout().slow_offset;

	slow->tsc = tsc;
	slow->tsc_end = tsc + 1;
}

/* A counter of the latest step. */
static bool told(const struct rcr_feed *f, unsigned int i, u8 status, u64 delta, u64 cycles)
{
	const struct rcr_step *s = &f->step;
	bool ok = s->ok & BIT(i), elsewhere = s->elsewhere & BIT(i);
	bool is_ok = status == RCR_STATUS_OK, is_elsewhere = status == RCR_STATUS_ELSEWHERE;

	if (s->status[i] == status && s->delta[i] == delta && s->cycles[i] == cycles &&
	    ok == is_ok && elsewhere == is_elsewhere)
		return true;
	ksft_print_msg("counter %u: status %u, %llu in %llu\n", i, s->status[i], s->delta[i],
		       s->cycles[i]);
	return false;
}

static void test_steps(void)
{
	struct rcr_feed f = { };
	bool right;

	all_ok();
	set_slow(500);
	right = !take(&f, 7, 10000, 100) && !f.stepped;
	ksft_test_result(right, "one sample makes no step\n");
	set_slow(1500);
	right = take(&f, 8, 12001, 160) && f.step.from == 7 && f.step.to == 8 &&
		f.step.time == 8000 && f.step.tsc == 12001 && f.accounted == 7;
	right &= told(&f, A, RCR_STATUS_OK, 60, 2001) && told(&f, B, RCR_STATUS_OK, 120, 2001);
	ksft_test_result(right, "two do: what was counted, and in what time\n");
	ksft_test_result(told(&f, SLOW, RCR_STATUS_OK, 240, 1000) && (f.step.seldom & BIT(SLOW)) &&
			 !(f.step.seldom & BIT(A)), "what is slow has a time of its own\n");
	ksft_test_result(told(&f, TEMP, RCR_STATUS_OK, 800, 1), "a gauge shows its value\n");
	right = take(&f, 18, 32001, 160) && f.step.from == 8 && f.step.to == 18 &&
		told(&f, A, RCR_STATUS_OK, 0, 20000) && told(&f, TEMP, RCR_STATUS_OK, 8000, 10);
	ksft_test_result(right, "a later one stands for ten ticks\n");
	ksft_test_result(told(&f, SLOW, RCR_STATUS_OK, 0, 0),
			 "what was not read again has no time\n");
	right = !take(&f, 18, 40000, 170) && !take(&f, 17, 50000, 180);
	ksft_test_result(right, "what does not come later is no step\n");
}

static void test_statuses(void)
{
	static const u8 others[] = {
		RCR_STATUS_HALTED, RCR_STATUS_FOREIGN, RCR_STATUS_BUSY, RCR_STATUS_FAULT,
		RCR_STATUS_OFFLINE, RCR_STATUS_GAP,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(others); i++) {
		struct rcr_feed f = { };
		bool right;

		all_ok();
		take(&f, 1, 1000, 100);
		set_status(A, others[i]);
		right = take(&f, 2, 2000, 200) && told(&f, A, others[i], 0, 0) &&
			told(&f, B, RCR_STATUS_OK, 200, 1000);
		all_ok();
		right &= take(&f, 3, 3000, 300) && told(&f, A, RCR_STATUS_GAP, 0, 0);
		right &= take(&f, 4, 4000, 400) && told(&f, A, RCR_STATUS_OK, 100, 1000);
		ksft_test_result(right, "status %u: nothing is told up to the second good sample\n",
				 others[i]);
	}
}

static void test_gauge_and_shared(void)
{
	struct rcr_feed f = { };
	bool right;

	all_ok();
	set_status(TEMP, RCR_STATUS_FAULT);
	set_status(NODE, RCR_STATUS_ELSEWHERE);
	take(&f, 1, 1000, 100);
	set_status(TEMP, RCR_STATUS_OK);
	right = take(&f, 3, 3000, 7) && told(&f, TEMP, RCR_STATUS_OK, 70, 2);
	ksft_test_result(right, "a gauge needs no sample before\n");
	ksft_test_result(told(&f, NODE, RCR_STATUS_ELSEWHERE, 0, 0),
			 "what others read counts nothing\n");
	set_status(NODE, RCR_STATUS_OK);
	right = take(&f, 4, 4000, 8) && told(&f, NODE, RCR_STATUS_GAP, 0, 0) &&
		take(&f, 5, 5000, 9) && told(&f, NODE, RCR_STATUS_OK, 3, 1000);
	ksft_test_result(right, "who takes it over begins with the second sample\n");
}

/* Shares of all ticks add up to the whole and differ by no more than 1. */
static bool shares_are_even(u64 whole, u64 from, u64 to)
{
	struct rcr_step s = { .from = from, .to = to };
	u64 low = U64_MAX, high = 0, sum = 0, t, one;

	for (t = from + 1; t <= to; t++) {
		one = rcr_step_share(whole, &s, t) - rcr_step_share(whole, &s, t - 1);
		low = min(low, one);
		high = max(high, one);
		sum += one;
	}
	return sum == whole && high - low <= 1 && !rcr_step_share(whole, &s, from) &&
	       !rcr_step_share(whole, &s, 0) && rcr_step_share(whole, &s, to + 5) == whole;
}

static void test_shares(void)
{
	ksft_test_result(shares_are_even(1000, 5, 6) && shares_are_even(1000, 5, 8) &&
			 shares_are_even(2, 5, 12) && shares_are_even(0, 0, 9),
			 "ticks have equal shares\n");
	ksft_test_result(shares_are_even(U64_MAX, 1ull << 40, (1ull << 40) + 1000) &&
			 shares_are_even(U64_MAX - 1, 3, 4), "also of the largest counts\n");
}

/* What the sampler spent in the latest step. */
static bool spent(const struct rcr_feed *f, u64 delta, u64 cycles)
{
	const struct rcr_step *s = &f->step;
	u64 bit = BIT_ULL(RCR_OPERAND_SPENT);

	return s->ok & bit && !((s->elsewhere | s->seldom) & bit) &&
	       s->status[RCR_OPERAND_SPENT] == RCR_STATUS_OK &&
	       s->delta[RCR_OPERAND_SPENT] == delta && s->cycles[RCR_OPERAND_SPENT] == cycles;
}

static void test_spent(void)
{
	static const u8 others[] = {
		RCR_STATUS_ELSEWHERE, RCR_STATUS_HALTED, RCR_STATUS_FOREIGN, RCR_STATUS_OFFLINE,
	};
	struct rcr_feed f = { };
	unsigned int i, k;
	bool right;

	all_ok();
	record->spent = 1000;
	right = !take(&f, 1, 1000, 1) && !f.step.ok;
	record->spent = 1400;
	right &= take(&f, 2, 2001, 2) && spent(&f, 400, 1001);
	ksft_test_result(right, "spent: counts from the first sample to the second\n");
	right = take(&f, 12, 12001, 3) && spent(&f, 0, 10000);
	record->spent = U64_MAX;
	right &= take(&f, 13, 13001, 3) && spent(&f, U64_MAX - 1400, 1000);
	record->spent = 9;
	right &= take(&f, 14, 14001, 3) && spent(&f, 10, 1000);
	ksft_test_result(right, "spent: every sample has what was spent since the one before\n");
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		for (k = 0; k < COUNTERS; k++)
			set_status(k, others[i]);
		record->spent += 5;
		right &= take(&f, 15 + i, 15001 + 1000 * i, 3) && spent(&f, 5, 1000);
	}
	ksft_test_result(right, "spent: is counted whatever the counters' statuses are\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(7 + 6 + 3 + 2 + 3);
	test_steps();
	test_statuses();
	test_gauge_and_shared();
	test_shares();
	test_spent();
	ksft_finished();
}
