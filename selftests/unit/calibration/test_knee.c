// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_knee.c - finds the knee of curves whose knee is known by analysis, with and without
 * noise, from given points and by sweeps.
 *
 * HARD: throughput min(l, K), latency max(1, l / K): the knee is K. QUEUE (M/M/1): throughput l,
 * latency K / (K - l). The knee is where latency begins to grow faster than throughput:
 * d ln latency / d ln l is l / (K - l), which passes 1 at K / 2.
 */
#include <math.h>
#include <stdint.h>

#include "knee/knee.h"
#include "ksft.h"
#include "knee/sweep.h"

enum curve { HARD, QUEUE };

/* A resource whose capacity is at most 1. */
struct resource {
	enum curve curve;
	double knee;
	double noise;
	bool strays;	/* now and then part of a measurement is of another load */
};

/* Return a number from -1 to 1; the sequence is the same on every machine. */
static double next_random(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (double)(state >> 11) / (1ull << 52) - 1;
}

static struct knee_point exactly_at(const struct resource *r, double load)
{
	double most = r->curve == QUEUE ? r->knee * 63 / 64 : r->knee;
	double throughput = fmin(load, most), latency = load / throughput;

	if (r->curve == QUEUE)
		latency *= r->knee / (r->knee - throughput);
	return (struct knee_point){
		.load = load,
		.throughput = 3e10 * throughput * (1 + r->noise * next_random()),
		.latency = 80 * latency * (1 + r->noise * next_random()),
	};
}

/* Measure @r at a load. If it strays, one result in twenty is averaged with another load. */
static struct knee_point at(const struct resource *r, double load)
{
	bool stray = r->strays && next_random() > 0.9;
	double other = stray ? load * (1 + next_random() / 2) : load;
	struct knee_point point = exactly_at(r, other), also;

	if (!stray)
		return point;
	also = exactly_at(r, load);
	return (struct knee_point){
		.load = load,
		.throughput = (point.throughput + also.throughput) / 2,
		.latency = (point.latency + also.latency) / 2,
	};
}

static double oracle(const struct resource *r)
{
	return r->curve == QUEUE ? r->knee / 2 : r->knee;
}

static bool measure(void *to, double load, struct knee_point *point)
{
	*point = at(to, load);
	return true;
}

/* Return the relative error of the knee that a sweep finds; HUGE_VAL if it finds none. */
static double error_of(struct resource *r, unsigned int steps)
{
	static struct sweep s;
	double load, throughput;

	s = (struct sweep){ .steps = steps, .measure = measure, .to = r };
	if (!sweep_run(&s) || s.answer != KNEE_FOUND || s.knee.throughput > s.knee.peak)
		return HUGE_VAL;
	load = s.knee.load / oracle(r) - 1;
	throughput = s.knee.throughput / (3e10 * oracle(r)) - 1;
	return fmax(fabs(load), fabs(throughput));
}

/* Return the largest error of many sweeps, over resources whose knees are spread over the range. */
static double worst(enum curve curve, double noise, unsigned int steps, bool strays)
{
	struct resource r = { .curve = curve, .noise = noise, .strays = strays };
	double most = 0, error;
	int i;

	for (i = 0; i < 200; i++) {
		r.knee = (curve == QUEUE ? 0.1 : 0.05) * pow(16, i / 199.);
		error = error_of(&r, steps);
		if (error > most)
			most = error;
	}
	ksft_print_msg("curve %d noise %g steps %u: off by %.4f at most\n", curve, noise, steps,
		       most);
	return most;
}

static void test_found(void)
{
	ksft_test_result(worst(HARD, 0, 12, false) < 0.005, "the knee of a hard curve is found\n");
	ksft_test_result(worst(QUEUE, 0, 12, false) < 0.01, "the knee of a queue is found\n");
	ksft_test_result(worst(HARD, 0, 8, false) < 0.01 && worst(QUEUE, 0, 8, false) < 0.02,
			 "the knee is found with few steps\n");
	ksft_test_result(worst(HARD, 0.02, 12, false) < 0.05,
			 "the knee of a hard curve is found in noise of 2 percent\n");
	ksft_test_result(worst(QUEUE, 0.02, 24, false) < 0.05,
			 "the knee of a queue is found in noise of 2 percent\n");
	ksft_test_result(worst(QUEUE, 0.04, 120, false) < 0.05, "more steps tolerate more noise\n");
	ksft_test_result(worst(HARD, 0, 24, true) < 0.05 && worst(QUEUE, 0, 24, true) < 0.05,
			 "measurements that stray are left out\n");
	ksft_test_result(worst(HARD, 0.01, 48, true) < 0.05 && worst(QUEUE, 0.01, 48, true) < 0.05,
			 "measurements that stray are left out in noise, too\n");
}

/* Return the result of a sweep over @r. */
static enum knee_answer sweep_answer(struct resource *r, struct knee *knee)
{
	static struct sweep s;

	s = (struct sweep){ .steps = 12, .measure = measure, .to = r };
	if (!sweep_run(&s))
		return KNEE_FOUND;
	*knee = s.knee;
	return s.answer;
}

/* Find the knee of @count points of @r, 0.05 apart. */
static enum knee_answer answer(const struct resource *r, unsigned int count, struct knee *knee)
{
	struct knee_point point[64];
	unsigned int i;

	for (i = 0; i < count; i++)
		point[i] = at(r, 0.05 * (i + 1));
	return knee_find(point, count, knee);
}

static bool is_none(const struct knee *knee)
{
	return knee->load == 0 && knee->throughput == 0;
}

static void test_none(void)
{
	struct resource idle = { .curve = HARD, .knee = 4 }, noisy = idle;
	struct resource full = { .curve = HARD, .knee = 0.002 };
	struct resource slow = { .curve = QUEUE, .knee = 4 };
	struct knee knee;

	ksft_test_result(answer(&idle, 20, &knee) == KNEE_ABOVE && is_none(&knee) &&
			 fabs(knee.peak / 3e10 - 1) < 0.000001,
			 "a load that never fills the resource has no knee\n");
	ksft_test_result(sweep_answer(&idle, &knee) == KNEE_ABOVE && is_none(&knee),
			 "a sweep of a load that never fills the resource finds no knee\n");
	noisy.noise = 0.02;
	ksft_test_result(answer(&noisy, 20, &knee) == KNEE_ABOVE && is_none(&knee),
			 "noise alone makes no knee\n");
	ksft_test_result(answer(&slow, 20, &knee) == KNEE_ABOVE && is_none(&knee),
			 "latency that grows more slowly than throughput makes no knee\n");
	ksft_test_result(sweep_answer(&full, &knee) == KNEE_BELOW && is_none(&knee),
			 "a resource that is full from the start has no knee\n");
	idle.knee = 0.2;
	ksft_test_result(answer(&idle, 5, &knee) == KNEE_UNCLEAR && is_none(&knee),
			 "five points are too few for a knee\n");
	ksft_test_result(answer(&idle, 0, &knee) == KNEE_UNCLEAR && knee.peak == 0,
			 "a curve without points has no knee\n");
}

static void test_unusable(void)
{
	struct resource r = { .curve = HARD, .knee = 0.5 };
	struct knee_point point[44];
	struct knee knee;
	unsigned int i;

	/* Loads in descending order. */
	for (i = 0; i < 40; i++)
		point[i] = at(&r, 1 - 0.02 * i);
	point[40] = (struct knee_point){ 0.5, NAN, 80 };
	point[41] = (struct knee_point){ 0.5, 1e10, 0 };
	point[42] = (struct knee_point){ -1, 1e10, 80 };
	point[43] = (struct knee_point){ 0.5, HUGE_VAL, 80 };
	ksft_test_result(knee_find(point, 44, &knee) == KNEE_FOUND &&
			 fabs(knee.load / 0.5 - 1) < 0.01,
			 "points in any order are sorted, and invalid ones left out\n");
	ksft_test_result(fabs(knee_guess(point, 44) / 0.5 - 1) < 0.05,
			 "a guess of the knee is within 5 percent\n");
}

static bool measure_once(void *to, double load, struct knee_point *point)
{
	int *left = to;

	*point = (struct knee_point){ load, load, 1 };
	return (*left)--;
}

static void test_ended(void)
{
	struct sweep s = { .steps = 12, .measure = measure_once };
	bool whole;
	int left;

	for (left = 40; left; left--) {
		int now = left - 1;

		s.to = &now;
		whole = left > 36;
		if (sweep_run(&s) != whole)
			break;
	}
	ksft_test_result(!left, "a sweep fails if a measurement fails, at any of its steps\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(18);
	test_found();
	test_none();
	test_unusable();
	test_ended();
	ksft_finished();
}
