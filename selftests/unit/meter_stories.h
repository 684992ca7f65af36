/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * meter_stories.h - what the CPUs of a bench go through.
 */
#ifndef METER_STORIES_H
#define METER_STORIES_H

#include "meter_model.h"

#define MS 1000000ull
#define PERIOD (10 * MS)

/* Loads that change; what a missed tick has is what its step's others have. */
static void random_counts(struct bench *b)
{
	unsigned int lane, t, k;
	u32 level;

	for (lane = 0; lane < LANES; lane++) {
		level = 1000;
		for (t = b->ticks; t; t--) {
			struct truth *at = &b->truth[lane][t];

			if (!at->sampled) {
				memcpy(at->count, at[1].count, sizeof(at->count));
				at->cycles = at[1].cycles;
				at->spent = at[1].spent;
				continue;
			}
			if (!chance(50))
				level = 1 + chance(3000000);
			for (k = 0; k < TEMP; k++)
				at->count[k] = chance(level);
			at->count[A] += !chance(100) ? 10000000 : 1;
			at->count[TEMP] = 20000 + 1000 * chance(70);
			at->cycles += chance(200000);
			at->spent = chance(20000);
		}
	}
}

static void plain(struct bench *b)
{
	random_counts(b);
}

static void with_overruns(struct bench *b)
{
	unsigned int lane, t, n;

	for (lane = 0; lane < LANES; lane++)
		for (t = 2; t + 6 < b->ticks; t++)
			for (n = chance(20) ? 0 : chance(4); n; n--)
				b->truth[lane][t++].sampled = false;
	random_counts(b);
}

/* All CPUs stop for longer than a whole time scale. */
static void with_a_pause(struct bench *b)
{
	unsigned int lane, t;

	for (lane = 0; lane < LANES; lane++)
		for (t = b->ticks / 2; t < b->ticks / 2 + 300; t++)
			b->truth[lane][t].sampled = false;
	b->patience = 1000;
	random_counts(b);
}

static void with_halts(struct bench *b)
{
	static const u8 others[] = {
		RCR_STATUS_HALTED, RCR_STATUS_FOREIGN, RCR_STATUS_BUSY, RCR_STATUS_FAULT,
	};
	unsigned int lane, t, n, k;
	u8 status;

	for (lane = 0; lane < LANES; lane++)
		for (t = 30 + chance(50); t + 60 < b->ticks; t += 1 + chance(120)) {
			k = chance(COUNTERS);
			status = others[chance(ARRAY_SIZE(others))];
			for (n = chance(30); n; n--, t++)
				if (b->truth[lane][t].status[k] != RCR_STATUS_ELSEWHERE)
					b->truth[lane][t].status[k] = status;
		}
	random_counts(b);
}

/* CPUs that go away and come back, longer than anybody waits for them. */
static void with_silence(struct bench *b)
{
	unsigned int lane, t, n, k;

	for (lane = 1; lane < LANES; lane++)
		for (t = 100 * lane; t + 120 < b->ticks; t += 200 + chance(100)) {
			for (n = 6 + chance(90); n; n--)
				b->truth[lane][t++].sampled = false;
			for (k = 0; k < TEMP && chance(2); k++)
				if (b->truth[lane][t].status[k] == RCR_STATUS_OK)
					b->truth[lane][t].status[k] = RCR_STATUS_GAP;
		}
	random_counts(b);
}

/* The wall clock is stepped: from some tick on the grid lies elsewhere. */
static void with_clock_steps(struct bench *b)
{
	s64 shift = 0;
	unsigned int t;

	for (t = 1; t <= b->ticks; t++) {
		if (t % 70 == 0)
			shift += (s64)chance(b->period * 9 / 10) - 4 * (s64)b->period / 10;
		b->time[t] += shift;
	}
	random_counts(b);
}

/* Who reads for the others goes offline, and another one takes over. */
static void with_handover(struct bench *b)
{
	unsigned int t;

	for (t = b->ticks / 3; t <= b->ticks; t++) {
		b->truth[0][t].status[NODE] = RCR_STATUS_ELSEWHERE;
		b->truth[1][t].status[NODE] = t == b->ticks / 3 ? RCR_STATUS_GAP : RCR_STATUS_OK;
	}
	random_counts(b);
}

/* Another set, and later the old one, or whatever else begins a new run. */
static void with_a_new_set(struct bench *b)
{
	with_silence(b);
	bench_restart(b, b->ticks / 2, b->period, b->period * 33 / 10);
	random_counts(b);
}

/* The same begins again at once. */
static void with_a_new_run(struct bench *b)
{
	bench_restart(b, b->ticks / 2 - 8, b->period, 0);
	random_counts(b);
}

static void with_longer_periods(struct bench *b)
{
	bench_restart(b, b->ticks / 2, b->period * 5 / 2, 0);
	random_counts(b);
}

static void with_shorter_periods(struct bench *b)
{
	bench_restart(b, b->ticks / 2, b->period * 2 / 5, b->period / 3);
	random_counts(b);
}

static const struct {
	const char *what;
	void (*make)(struct bench *b);
} stories[] = {
	{ "an even life", plain }, { "overruns", with_overruns },
	{ "a pause of all", with_a_pause }, { "halts", with_halts },
	{ "silent CPUs", with_silence },
	{ "steps of the clock", with_clock_steps }, { "a handover", with_handover },
	{ "another set", with_a_new_set }, { "another run", with_a_new_run },
	{ "longer periods", with_longer_periods },
	{ "shorter periods", with_shorter_periods },
};

#endif
