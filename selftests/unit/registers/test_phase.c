// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_phase.c - the virtual PMU's phases (vpmu/phase.h) compared with sums over single ticks, and
 * its loads compared with the textbook curves.
 */
#include <math.h>
#include <string.h>

#include "ksft.h"
#include "phase.h"

#define CLASS 3
#define TICKS 20000

static struct vpmu_phases p, kept;

/* The sequence is the same on every machine. */
static uint64_t state = 1;

static uint64_t any(uint64_t limit)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (state >> 20) % limit;
}

static uint64_t assign(uint32_t class, uint32_t unit, uint32_t event, uint32_t umask)
{
	return (uint64_t)class << 56 | (uint64_t)unit << 48 | (uint64_t)umask << 16 | event;
}

static bool take(uint32_t msr, uint64_t request, uint64_t at)
{
	return vpmu_phases_take(&p, msr, request, at, at);
}

/* On CPU 0. */
static uint64_t count(uint32_t rate, uint32_t event, uint32_t umask, uint64_t tsc)
{
	return vpmu_warped_count(rate, vpmu_phases_warp(&p, VPMU_UNIT_CORE, event,
							umask, 0, tsc));
}

/* Without phases the count is that of rate.h, even for an event with a class. */
static void test_no_schedule(void)
{
	unsigned int i, bad = 0;

	vpmu_phases_init(&p);
	take(VPMU_ASSIGN_MSR, assign(CLASS, 0, 0x76, 0) | VPMU_ANY_UMASK, 1000);
	for (i = 0; i < 100000; i++) {
		uint64_t tsc = any(1ull << 44) << any(18);
		uint32_t rate = 1 + any(65536);

		bad += count(rate, 0x76, i & 255, tsc) != vpmu_count(rate, tsc);
		bad += count(rate, 0x77, i & 255, tsc) != vpmu_count(rate, tsc);
	}
	ksft_test_result(!bad, "without a schedule the counts are those of rate.h (%u differ)\n", bad);
}

/* Multipliers of 0, of less than one, of one, and large ones. */
static uint32_t some_multiplier(void)
{
	switch (any(4)) {
	case 0:
		return 0;
	case 1:
		return any(VPMU_ONE);
	case 2:
		return VPMU_ONE;
	}
	return any(1ull << 32);
}

/* Make a schedule of up to 64 phases, some of one tick, with the multiplier of each tick. */
static void make_schedule(uint32_t *multiplier)
{
	uint32_t now = VPMU_ONE;
	uint64_t t, next = 1 + any(500);

	vpmu_phases_init(&p);
	take(VPMU_ASSIGN_MSR, assign(CLASS, 0, 0x76, 0) | VPMU_ANY_UMASK, 0);
	for (t = 0; t < TICKS; t++) {
		if (t == next) {
			now = some_multiplier();
			vpmu_phases_take(&p, VPMU_PHASE_MSR, (uint64_t)CLASS << 32 | now, t, 0);
			next = t + 1 + any(2) * any(800);
		}
		multiplier[t] = now;
	}
}

/* Check the count at every tick, including all boundaries; it must not decrease. */
static unsigned int wrong_counts(const uint32_t *multiplier, uint32_t rate)
{
	unsigned __int128 sum = 0;
	unsigned int t, bad = 0;
	uint64_t last = 0;

	for (t = 0; t < TICKS; t++) {
		uint64_t got = count(rate, 0x76, 1, t);

		bad += got != (uint64_t)(sum * rate / ((unsigned __int128)1 << 32));
		bad += got < last;
		last = got;
		sum += multiplier[t];
	}
	return bad;
}

static void test_sums(void)
{
	static uint32_t multiplier[TICKS];
	unsigned int i, bad = 0;

	for (i = 0; i < 50; i++) {
		make_schedule(multiplier);
		bad += wrong_counts(multiplier, 1 + any(65536));
	}
	ksft_test_result(!bad, "the count at each tick is the sum of the multipliers, rounded down (%u differ)\n",
			 bad);
}

/* Days on a fast machine, compared with floating point of 64 bits precision. */
static void test_large(void)
{
	long double sum = 0, counted, off, most = 0;
	uint64_t start = 1ull << 40, last = 0;
	uint32_t multiplier = VPMU_ONE;
	unsigned int i;

	vpmu_phases_init(&p);
	for (i = 0; i < VPMU_PHASES; i++) {
		sum += (long double)multiplier * (start - last);
		last = start;
		multiplier = any(16 * VPMU_ONE);
		vpmu_phases_take(&p, VPMU_PHASE_MSR, (uint64_t)CLASS << 32 | multiplier, start, 0);
		counted = vpmu_warped_count(49999, vpmu_class_warp(&p, CLASS, start));
		off = fabsl(counted - floorl(sum * 49999 / 4294967296.0L));
		most = off > most ? off : most;
		start += 1 + any(1ull << 40);
	}
	/* Each sum is rounded by at most 2^-64 of itself. */
	ksft_test_result(most <= 1 + sum * 49999 / 4294967296.0L * VPMU_PHASES / 0x1p63L,
			 "after %u phases of minutes the count agrees with floating point (%.0Lf off)\n",
			 i, most);
}

/* More phases than are kept: the counts of the latest ones must be exact. */
static void test_many(void)
{
	unsigned __int128 sum[3000] = { };
	uint64_t start[3000] = { };
	uint32_t multiplier = VPMU_ONE;
	unsigned int i, bad = 0;

	vpmu_phases_init(&p);
	for (i = 1; i < 3000; i++) {
		start[i] = start[i - 1] + 1 + any(1000000);
		sum[i] = sum[i - 1] + (unsigned __int128)multiplier * (start[i] - start[i - 1]);
		multiplier = some_multiplier();
		bad += !take(VPMU_PHASE_MSR, (uint64_t)CLASS << 32 | multiplier, start[i]);
	}
	for (i = 3000 - VPMU_PHASES; i < 3000; i++)
		bad += vpmu_class_warp(&p, CLASS, start[i]) != sum[i];
	ksft_test_result(!bad, "the last 1024 of 3000 phases are exact (%u are not)\n", bad);
}

/* An assignment to another class must not change the current count. */
static void test_assign(void)
{
	uint64_t before, other, t = 1000000;
	unsigned int bad = 0, i;

	vpmu_phases_init(&p);
	for (i = 1; i < 8; i++)
		take(VPMU_PHASE_MSR, (uint64_t)i << 32 | some_multiplier(), 1000 * i);
	for (i = 0; i < 1000; i++, t += any(100000)) {
		before = count(49999, 0xc0, 7, t);
		other = count(49999, 0xc0, 8, t + 5);
		take(VPMU_ASSIGN_MSR, assign(any(8), 0, 0xc0, 7), t);
		bad += count(49999, 0xc0, 7, t) != before;
		bad += count(49999, 0xc0, 8, t + 5) != other;
	}
	ksft_test_result(!bad && p.pairs == 1,
			 "an assignment to a class changes neither the current counts nor other masks (%u do)\n",
			 bad);
	/* An assignment with a unit mask has priority over one without, in any order. */
	vpmu_phases_init(&p);
	take(VPMU_ASSIGN_MSR, assign(2, 0, 0xc0, 7), 1);
	take(VPMU_ASSIGN_MSR, assign(3, 0, 0xc0, 0) | VPMU_ANY_UMASK, 1);
	take(VPMU_ASSIGN_MSR, assign(4, 0, 0xc0, 0), 1);
	take(VPMU_ASSIGN_MSR, assign(5, VPMU_UNIT_NB, 0xc0, 0) | VPMU_ANY_UMASK, 1);
	for (i = 2; i < 6; i++)
		take(VPMU_PHASE_MSR, (uint64_t)i << 32 | i * VPMU_ONE, 1);
	ksft_test_result(count(65536, 0xc0, 7, 1001) == 2001 &&
			 count(65536, 0xc0, 8, 1001) == 3001 &&
			 count(65536, 0xc0, 0, 1001) == 4001 &&
			 count(65536, 0xc1, 0, 1001) == 1001 &&
			 vpmu_phases_warp(&p, VPMU_UNIT_NB, 0xc0, 9, 0, 1001) == 5001ull << 16,
			 "an assignment with a unit mask has priority, and does not affect other units\n");
}

/* Assign a class to one instance from @at on. */
static bool take_only(uint32_t instance, uint64_t request, uint64_t at)
{
	return take(VPMU_INSTANCE_MSR, instance + 1, at) && take(VPMU_ASSIGN_MSR, request, at);
}

/* Check the counts of two CPUs with two unit masks at tick 1001. */
static bool counts_are(uint64_t cpu0_mask7, uint64_t cpu0_mask8, uint64_t cpu1_mask7,
		       uint64_t cpu1_mask8)
{
	static const struct { uint32_t cpu, umask; } of[] = { { 0, 7 }, { 0, 8 }, { 1, 7 }, { 1, 8 } };
	const uint64_t wanted[] = { cpu0_mask7, cpu0_mask8, cpu1_mask7, cpu1_mask8 };
	bool ok = true;
	size_t i;

	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		uint64_t got = vpmu_phases_warp(&p, VPMU_UNIT_CORE, 0xc0, of[i].umask, of[i].cpu,
						1001) >> VPMU_RATE_SHIFT;

		if (got != wanted[i])
			ksft_print_msg("cpu %u mask %u: %llu\n", of[i].cpu, of[i].umask,
				       (unsigned long long)got);
		ok &= got == wanted[i];
	}
	return ok;
}

static void speeds_by_class(void)
{
	unsigned int i;

	for (i = 2; i < 6; i++)
		take(VPMU_PHASE_MSR, (uint64_t)i << 32 | i * VPMU_ONE, 1);
}

static void test_instances(void)
{
	bool ok;

	vpmu_phases_init(&p);
	take_only(1, assign(2, 0, 0xc0, 0) | VPMU_ANY_UMASK, 1);
	speeds_by_class();
	ok = counts_are(1001, 1001, 2001, 2001);
	vpmu_phases_init(&p);
	take(VPMU_ASSIGN_MSR, assign(3, 0, 0xc0, 7), 1);
	take_only(1, assign(2, 0, 0xc0, 0) | VPMU_ANY_UMASK, 1);
	take(VPMU_ASSIGN_MSR, assign(4, 0, 0xc0, 0) | VPMU_ANY_UMASK, 1);
	speeds_by_class();
	ok &= counts_are(3001, 4001, 3001, 2001);
	vpmu_phases_init(&p);
	take(VPMU_ASSIGN_MSR, assign(3, 0, 0xc0, 7), 1);
	take_only(1, assign(5, 0, 0xc0, 7), 1);
	speeds_by_class();
	ok &= counts_are(3001, 1001, 5001, 1001);
	ksft_test_result(ok, "a CPU may have its own class; priority is unit mask, then instance, then all\n");
}

/* No assignment may change the current count of any pair. */
static void test_instances_keep(void)
{
	uint64_t before[4], t = 1000000;
	unsigned int bad = 0, taken = 0, i, j;

	vpmu_phases_init(&p);
	for (i = 1; i < 8; i++)
		take(VPMU_PHASE_MSR, (uint64_t)i << 32 | some_multiplier(), 1000 * i);
	for (i = 0; i < 4000; i++, t += 1 + any(100000)) {
		bool mask = any(2);
		uint64_t request = assign(any(8), 0, 0xc0 + i / 100, mask ? 7 + any(2) : 0) |
				   (mask ? 0 : VPMU_ANY_UMASK);

		if (i % 100 == 0)
			p.pairs = 0;
		for (j = 0; j < 4; j++)
			before[j] = vpmu_phases_warp(&p, 0, 0xc0 + i / 100, 7 + j % 2, j / 2, t);
		taken += any(2) ? take_only(any(2), request, t) :
				  take(VPMU_INSTANCE_MSR, 0, t) && take(VPMU_ASSIGN_MSR, request, t);
		for (j = 0; j < 4; j++)
			bad += before[j] != vpmu_phases_warp(&p, 0, 0xc0 + i / 100, 7 + j % 2,
							     j / 2, t);
	}
	ksft_test_result(!bad && taken > 1000 && taken < 4000,
			 "assignments to an instance or to all do not change current counts (%u of %u do)\n",
			 bad, taken);
}

static bool refused(uint32_t msr, uint64_t request, uint64_t start, uint64_t now)
{
	bool same;

	kept = p;
	same = !vpmu_phases_take(&p, msr, request, start, now) &&
	       !memcmp(&p, &kept, sizeof(p));
	if (!same)
		ksft_print_msg("MSR %#x: request %#llx is accepted\n", msr,
			       (unsigned long long)request);
	return same;
}

static void test_refused(void)
{
	bool ok = true;
	unsigned int i;

	vpmu_phases_init(&p);
	take(VPMU_PHASE_MSR, 1ull << 32, 1000);
	ok &= refused(VPMU_PHASE_MSR, 1ull << 32, 1000, 1);
	ok &= refused(VPMU_PHASE_MSR, 0, 2000, 1);
	ok &= refused(VPMU_PHASE_MSR, 16ull << 32, 2000, 1);
	ok &= refused(VPMU_ASSIGN_MSR, assign(16, 0, 1, 0), 1, 1);
	ok &= refused(VPMU_ASSIGN_MSR, assign(1, 0, 1, 1) | VPMU_ANY_UMASK, 1, 1);
	ok &= refused(VPMU_LOAD_MSR, 4ull << 32, 2000, 2000);
	ok &= refused(VPMU_LOAD_MSR, VPMU_ONE + 1, 2000, 2000);
	ok &= refused(VPMU_LOAD_MSR, 5, 1000, 1000);
	ok &= refused(VPMU_KNEE_MSR, VPMU_KNEE_MIN - 1, 1, 1);
	ok &= refused(VPMU_KNEE_MSR, VPMU_ONE + 1, 1, 1);
	ok &= refused(VPMU_KNEE_MSR, 2ull << 48 | 100, 1, 1);
	ok &= refused(VPMU_KNEE_MSR, 4ull << 32 | 100, 1, 1);
	ok &= refused(VPMU_SCALE_MSR, 0, 1, 1);
	ok &= refused(VPMU_SCALE_MSR, VPMU_SCALE_MAX + 1, 1, 1);
	ok &= refused(VPMU_CLEAR_MSR, 1, 1, 1);
	ok &= refused(VPMU_START_MSR, 1, 1, 1);
	ok &= refused(VPMU_INSTANCE_MSR, VPMU_INSTANCES + 1, 1, 1);
	take_only(3, assign(1, 0, 0xff, 0) | VPMU_ANY_UMASK, 1);
	ok &= refused(VPMU_ASSIGN_MSR, assign(1, 0, 0xff, 5), 1, 1);
	p.pairs = 0;
	for (i = 0; i < VPMU_PAIRS; i++)
		take(VPMU_ASSIGN_MSR, assign(1, 0, i, 0), 1);
	ok &= refused(VPMU_ASSIGN_MSR, assign(1, 0, i, 0), 1, 1);
	for (i = 1; i < VPMU_PHASES; i++)
		ok &= vpmu_phases_take(&p, VPMU_PHASE_MSR, 1ull << 32, 1000 + i, 1);
	ok &= refused(VPMU_PHASE_MSR, 1ull << 32, 5000, 1);
	ok &= vpmu_phases_take(&p, VPMU_PHASE_MSR, 1ull << 32, 5000, 1000);
	ksft_test_result(ok, "a request out of range is refused and changes nothing\n");
}

static void test_clear(void)
{
	uint64_t before;

	vpmu_phases_init(&p);
	take(VPMU_ASSIGN_MSR, assign(CLASS, 0, 0xc0, 0), 1);
	take(VPMU_PHASE_MSR, (uint64_t)CLASS << 32 | 3 * VPMU_ONE, 1000);
	vpmu_phases_take(&p, VPMU_PHASE_MSR, (uint64_t)CLASS << 32, 3000, 1000);
	before = count(65536, 0xc0, 0, 1500);
	take(VPMU_CLEAR_MSR, 0, 2000);
	ksft_test_result(before == 2500 && count(65536, 0xc0, 0, 1500) == 2500 &&
			 count(65536, 0xc0, 0, 2000) == 4000 &&
			 count(65536, 0xc0, 0, 9000) == 11000,
			 "a cleared class keeps its counts and continues with those of rate.h\n");
}

/* Set the multipliers of both load classes for an offered load. */
static void offer(uint32_t kind, uint32_t level, uint64_t at, uint32_t *throughput,
		  uint32_t *occupancy)
{
	unsigned __int128 from[2], to[2];
	unsigned int i;

	take(VPMU_LOAD_MSR, (uint64_t)kind << 32 | level, at);
	for (i = 0; i < 2; i++) {
		from[i] = vpmu_class_warp(&p, VPMU_CLASS_THROUGHPUT + i, at);
		to[i] = vpmu_class_warp(&p, VPMU_CLASS_THROUGHPUT + i, at + 1);
	}
	*throughput = to[0] - from[0];
	*occupancy = to[1] - from[1];
}

static bool near(double got, double expected)
{
	return fabs(got - expected) <= 1;
}

/* Check a hard resource whose knee is @knee, with a scale in units of 1. */
static unsigned int wrong_hard(uint32_t kind, uint32_t knee, double scale, uint64_t *at)
{
	uint32_t level, x, n;
	unsigned int bad = 0;
	double latency;

	for (level = 0; level <= VPMU_ONE; level += 64) {
		offer(kind, level, ++*at, &x, &n);
		latency = level > knee ? (double)level / knee : 1;
		bad += !near(x, scale * (level < knee ? level : knee));
		bad += fabs(n - latency * x) > latency + 1;
	}
	return bad;
}

static unsigned int wrong_queue(uint32_t kind, uint32_t knee, uint64_t *at)
{
	uint32_t level, x, n, last = 0;
	unsigned int bad = 0;

	for (level = 0; level <= VPMU_ONE; level += 64) {
		offer(kind, level, ++*at, &x, &n);
		bad += x > knee || n < last;
		last = n;
		/* One server: 1 / (1 - utilization). */
		if (level < 0.98 * knee)
			bad += x != level || !near(n, level / (1 - (double)level / knee));
		else
			bad += n < 48 * level;
	}
	return bad;
}

static void test_loads(void)
{
	unsigned int hard = 0, queue;
	uint64_t at = 1;

	vpmu_phases_init(&p);
	hard += wrong_hard(VPMU_KIND_READ, VPMU_ONE, 1, &at);
	take(VPMU_KNEE_MSR, (uint64_t)VPMU_KIND_WRITE << 32 | 40000, ++at);
	take(VPMU_KNEE_MSR, (uint64_t)VPMU_KIND_COPY << 32 | 30001, ++at);
	take(VPMU_SCALE_MSR, (uint64_t)VPMU_KIND_COPY << 32 | 5 * VPMU_ONE / 2, ++at);
	hard += wrong_hard(VPMU_KIND_WRITE, 40000, 1, &at);
	hard += wrong_hard(VPMU_KIND_COPY, 30001, 2.5, &at);
	hard += wrong_hard(VPMU_KIND_READ, VPMU_ONE, 1, &at);
	ksft_test_result(!hard, "a hard resource delivers up to the knee of each kind, then latency grows (%u wrong)\n",
			 hard);
	take(VPMU_KNEE_MSR, 1ull << 48 | (uint64_t)VPMU_KIND_RANDOM << 32 | 50000, ++at);
	queue = wrong_queue(VPMU_KIND_RANDOM, 50000, &at);
	ksft_test_result(!queue, "the latency of a queue is 1 / (1 - utilization) until it is full (%u wrong)\n",
			 queue);
	/* The largest multiplier that can be written is accepted. */
	take(VPMU_KNEE_MSR, 1ull << 48 | 127, ++at);
	take(VPMU_SCALE_MSR, VPMU_SCALE_MAX, ++at);
	offer(VPMU_KIND_READ, VPMU_ONE, ++at, &hard, &queue);
	ksft_test_result(hard == 126 * 256 && queue == 127u * VPMU_ONE * 256,
			 "the largest multiplier is accepted\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(13);
	test_no_schedule();
	test_sums();
	test_large();
	test_many();
	test_assign();
	test_instances();
	test_instances_keep();
	test_refused();
	test_clear();
	test_loads();
	ksft_finished();
}
