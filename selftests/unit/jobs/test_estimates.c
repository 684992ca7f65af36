// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_estimates.c - estimated shares of jobs in the counts of CPUs that they share: small
 * schedules with results computed by hand, and random ones with known true counts.
 */
#include <math.h>
#include <stdlib.h>

#define MAKER_CPUS 4
#define MAKER_COUNTERS 2
#include "ksft.h"
#include "math/estimates.h"
#include "stream_maker.h"

#define TINY (1 / 1e6)

#define TICK_MS 10
#define JOBS 2

static struct made_set set;
static struct rate_run rate;
static struct estimates job[JOBS];

static void begin_jobs(void)
{
	unsigned int i;

	rate_free(&rate);
	set = make_set();
	set.cpus[0] = 0xf;
	set.set.period_ns = TICK_MS * 1000000;
	rate_init(&rate, MAKER_CPUS);
	rate_set(&rate, &set.set);
	rate.begin = 0;
	for (i = 0; i < JOBS; i++) {
		estimates_free(&job[i]);
		estimates_init(&job[i], MAKER_CPUS);
		estimates_set(&job[i], &set.set);
	}
}

/* Add a sample that interrupted job @number, or another task (JOBS). */
static void add_to_jobs(unsigned int cpu, uint64_t ms, uint64_t count, uint8_t status, unsigned int number)
{
	struct made_record r = make_sample(cpu, ms, count, 0);
	unsigned int i;

	set_status(&r, 0, status);
	rate_add(&rate, &r.record.item);
	for (i = 0; i < JOBS; i++)
		estimates_add(&job[i], &rate, &r.record.item,
			      i == number ? ESTIMATES_OWN : ESTIMATES_OTHER);
}

/* Add samples of CPU 0 every 10 ms and 100 counts: a letter is a job, "." another task. */
static void add_schedule(const char *tasks)
{
	uint64_t i;

	for (i = 0; tasks[i]; i++)
		add_to_jobs(0, 10 + TICK_MS * i, 100 * i, RCR_STATUS_OK,
			    tasks[i] == '.' ? JOBS : tasks[i] - 'a');
}

static bool sum_is(unsigned int number, double count, double error, enum estimates_reason reason)
{
	struct estimates_sum sum = estimates_sum(&job[number], &rate, 0);

	if (fabs(sum.count - count) < TINY && fabs(sum.error - error) < TINY && sum.reason == reason)
		return true;
	ksft_print_msg("%f +- %f, %d\n", sum.count, sum.error, sum.reason);
	return false;
}

static void test_by_hand(void)
{
	begin_jobs();
	add_schedule("aaaaaaaaaaaaaaaaaaaaa");
	ksft_test_result(sum_is(0, 2000, 200, ESTIMATES_KNOWN) && sum_is(1, 0, 0, ESTIMATES_UNSEEN),
			 "estimates: a job alone on a CPU has all counts, with an error of two samples\n");
	/*
	 * y = 100 100 0 0 and d = 100: Y = 200, the ratio is 1/2, e = 50 50 -50 -50, and the one
	 * step of 100 makes V = 4 / 6 * 10000, and 40000. One interval has one end in each: M = 50.
	 */
	begin_jobs();
	add_schedule("aaabb");
	ksft_test_result(sum_is(0, 200, sqrt(28 / 6.0 * 10000 + 2500), ESTIMATES_ERROR) &&
			 sum_is(1, 200, sqrt(28 / 6.0 * 10000 + 2500), ESTIMATES_ERROR),
			 "estimates: the error follows the formula; an error above 10 %% makes the estimate unknown\n");
	begin_jobs();
	add_schedule("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
	add_to_jobs(1, 10, 0, RCR_STATUS_OK, JOBS);
	add_to_jobs(1, 20, 70, RCR_STATUS_OK, JOBS);
	add_to_jobs(1, 30, 140, RCR_STATUS_OK, 0);
	/* y = 0 70 and d = 70: the ratio is 1/2, and the step of 70 makes V = 5 * 4900; M is 35. */
	ksft_test_result(sum_is(0, 6070, sqrt(40000 + 5 * 4900 + 35 * 35), ESTIMATES_KNOWN),
			 "estimates: estimates of several CPUs are added up\n");
	rate.wanted[1] = false;
	ksft_test_result(sum_is(0, 6000, 200, ESTIMATES_KNOWN), "estimates: CPUs outside of the run are left out\n");
}

static void test_unknown(void)
{
	struct rcr_lost lost = { .item = { sizeof(lost), RCR_ITEM_LOST, 0, 0, 1 }, .count = 1 };
	struct made_record r;
	unsigned int i;

	begin_jobs();
	add_schedule("aaaaaaaaaaaaaaaaaaaaa");
	r = make_sample(0, 220, 2100, 0);
	estimates_add(&job[0], &rate, &r.record.item, ESTIMATES_UNSURE);
	ksft_test_result(estimates_sum(&job[0], &rate, 0).error > 150,
			 "estimates: counts of unsure samples are in the error\n");
	begin_jobs();
	add_schedule("aaaaaaaaaaaaaaaaaaaaa");
	estimates_add(&job[0], &rate, &lost.item, ESTIMATES_OTHER);
	add_to_jobs(0, 400, 3900, RCR_STATUS_OK, 0);
	ksft_test_result(sum_is(0, 3900, sqrt(1900 * 1900 + pow(2 * 3900 / 21.0, 2)), ESTIMATES_ERROR),
			 "estimates: counts of lost records are in the error\n");
	begin_jobs();
	for (i = 1; i < 50; i++)
		add_to_jobs(0, i * TICK_MS, i * 100, i == 20 ? RCR_STATUS_FOREIGN : RCR_STATUS_OK, 0);
	ksft_test_result(estimates_sum(&job[0], &rate, 0).reason == ESTIMATES_BROKEN &&
			 estimates_sum(&job[0], &rate, 1).reason != ESTIMATES_BROKEN,
			 "estimates: a counter that was not ok has no estimate\n");
	begin_jobs();
	rate.end = 500 * 1000000;
	for (i = 1; i < 100; i++)
		add_to_jobs(0, i * TICK_MS, i * 100, RCR_STATUS_OK, 0);
	ksft_test_result(sum_is(0, 4900, 200, ESTIMATES_KNOWN), "estimates: only samples of the total are used\n");
	begin_jobs();
	set.counter[0].scope = RCR_SCOPE_PACKAGE;
	rate_free(&rate);
	rate_init(&rate, MAKER_CPUS);
	rate_set(&rate, &set.set);
	ksft_test_result(estimates_sum(&job[0], &rate, 0).reason == ESTIMATES_SHARED,
			 "estimates: a counter shared by CPUs has no estimate\n");
}

/**
 * struct turns - jobs that take turns on a CPU
 * @left: time until the next turn, ms
 * @running: number of the running job; JOBS: another task
 * @count: total count of the CPU
 */
struct turns {
	unsigned int left;
	unsigned int running;
	uint64_t count;
};

/* Counts per ms of each job, and of other tasks. */
static const unsigned int speed[JOBS + 1] = { 90000, 40000, 15000 };

static void run_turns(struct turns *t, double *truth)
{
	unsigned int ms, counts;

	for (ms = 0; ms < TICK_MS; ms++) {
		if (!t->left) {
			t->left = 50 + random_number() % 700;
			t->running = random_number() % (JOBS + 1);
		}
		t->left--;
		counts = speed[t->running] + random_number() % 1000;
		t->count += counts;
		truth[t->running] += counts;
	}
}

/* In runs of ten seconds, estimates must be within two errors mostly and within five always. */
static void test_random(void)
{
	enum { RUNS = 40 };
	unsigned int run, tick, cpu, i, two = 0, five = 0, known = 0;
	double truth[JOBS + 1], worst = 0, off;
	struct turns turns[MAKER_CPUS] = { };
	struct estimates_sum sum;

	for (run = 0; run < RUNS; run++) {
		begin_jobs();
		for (i = 0; i <= JOBS; i++)
			truth[i] = 0;
		for (tick = 0; tick <= 1000; tick++)
			for (cpu = 0; cpu < MAKER_CPUS; cpu++) {
				if (tick)
					run_turns(&turns[cpu], truth);
				add_to_jobs(cpu, 10 + tick * TICK_MS, turns[cpu].count, RCR_STATUS_OK,
					    turns[cpu].running);
			}
		for (i = 0; i < JOBS; i++) {
			sum = estimates_sum(&job[i], &rate, 0);
			off = fabs(sum.count - truth[i]) / sum.error;
			worst = fmax(worst, off);
			known += sum.reason == ESTIMATES_KNOWN;
			two += off <= 2;
			five += off <= 5;
		}
	}
	ksft_test_result(known == JOBS * RUNS && two >= JOBS * RUNS * 9 / 10 && five == JOBS * RUNS && worst > 0.05,
			 "estimates: of %u %u known, %u within two errors, %u within five, worst %.2f\n",
			 JOBS * RUNS, known, two, five, worst);
}

/**
 * struct bursts - a CPU that runs short turns of one task, and another task in the pauses
 * @turn: mean length of a turn, units of 50 us
 * @pause: mean length of a pause, units of 50 us
 * @own: the job runs in the turns; else it runs in the pauses
 * @rest: kind of the task in the pauses, if @own
 * @fast: counts per 50 us in a turn
 * @slow: counts per 50 us in a pause
 * @samples: number of samples of a run
 */
struct bursts {
	unsigned int turn;
	unsigned int pause;
	bool own;
	enum estimates_task rest;
	unsigned int fast;
	unsigned int slow;
	unsigned int samples;
};

/* Add samples of a CPU, 10 ms apart; return the true count of the job. */
static double run_bursts(const struct bursts *b, unsigned int cpu)
{
	uint64_t count = 0, left = 0, unit, tick;
	bool in_turn = false;
	double truth = 0;
	struct made_record r;

	for (tick = 0; tick <= b->samples; tick++) {
		for (unit = 0; tick && unit < 200; unit++) {
			while (!left) {
				in_turn = !in_turn;
				left = random_number() % (2 * (in_turn ? b->turn : b->pause));
			}
			left--;
			count += in_turn ? b->fast : b->slow;
			truth += in_turn != b->own ? 0 : in_turn ? b->fast : b->slow;
		}
		r = make_sample(cpu, 10 + tick * TICK_MS, count, 0);
		rate_add(&rate, &r.record.item);
		estimates_add(&job[0], &rate, &r.record.item,
			      in_turn == b->own ? ESTIMATES_OWN : b->own ? b->rest : ESTIMATES_OTHER);
	}
	return truth;
}

/* Turns shorter than the period: 99 % of the known estimates must be within five errors. */
static void test_bursts(void)
{
	static const struct bursts each[] = {
		/* Others run 1/20, 1/60 or 1/1000 of the time, up to 50 times as fast. */
		{ 4, 80, false, 0, 50000, 1000, 1000 }, { 4, 80, false, 0, 1000, 1000, 1000 },
		{ 4, 240, false, 0, 10000, 1000, 1000 }, { 4, 240, false, 0, 10000, 1000, 6000 },
		{ 4, 4000, false, 0, 10000, 1000, 1000 }, { 4, 4000, false, 0, 1000, 1000, 1000 },
		/* Short runs, in which all samples can hit the job. */
		{ 20, 20, false, 0, 1000, 1000, 2 }, { 20, 20, false, 0, 1000, 1000, 4 },
		{ 4, 40, false, 0, 1000, 1000, 10 }, { 4, 40, false, 0, 1000, 1000, 30 },
	};
	unsigned int i, run, known[10] = { }, all = 0, bad = 0;
	struct estimates_sum sum;
	double truth;

	for (i = 0; i < 10; i++)
		for (run = 0; run < 100; run++) {
			begin_jobs();
			truth = run_bursts(&each[i], 0);
			sum = estimates_sum(&job[0], &rate, 0);
			if (sum.reason != ESTIMATES_KNOWN)
				continue;
			known[i]++;
			all++;
			bad += fabs(sum.count - truth) > 5 * sum.error;
		}
	for (i = 0; i < 10; i++)
		ksft_print_msg("%u: %u known\n", i, known[i]);
	ksft_test_result(bad * 100 <= all && known[4] > 90 && known[5] > 90,
			 "estimates: the error covers short turns of others that few samples hit\n");
}

/* A second thread of the job has short turns on an otherwise idle CPU. */
static void test_idle(void)
{
	static const struct bursts busy = { 1000, 1, true, ESTIMATES_IDLE, 1000, 0, 1000 };
	static const struct bursts helper = { 4, 36, true, ESTIMATES_IDLE, 1000, 1, 1000 };
	unsigned int run, bad = 0, known = 0;
	struct estimates_sum sum;
	double truth;

	for (run = 0; run < 100; run++) {
		begin_jobs();
		truth = run_bursts(&busy, 0) + run_bursts(&helper, 1);
		sum = estimates_sum(&job[0], &rate, 0);
		known += sum.reason == ESTIMATES_KNOWN;
		bad += fabs(sum.count - truth) > 5 * sum.error;
	}
	ksft_test_result(!bad && known > 90,
			 "estimates: the error covers short turns of a job on an otherwise idle CPU\n");
}

int main(void)
{
	unsigned int i;

	ksft_print_header();
	ksft_set_plan(12);
	test_by_hand();
	test_unknown();
	test_random();
	test_bursts();
	test_idle();
	for (i = 0; i < JOBS; i++)
		estimates_free(&job[i]);
	rate_free(&rate);
	ksft_finished();
}
