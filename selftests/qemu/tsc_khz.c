// SPDX-License-Identifier: GPL-2.0-only
/*
 * tsc_khz.c - prints the frequency of this machine's time stamp counter in kHz, relative to the
 * clock of QEMU's timers.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

#define SPAN_NS		50000000
#define LOOKS		100

struct moment {
	int64_t ns;
	uint64_t tsc;
};

static int64_t monotonic_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

/* Read both clocks several times, and keep the fastest pair: no interrupt came in between. */
static struct moment read_clocks_fast(void)
{
	struct moment best = { 0 };
	int64_t before, took, least = INT64_MAX;
	uint64_t tsc;
	int i;

	for (i = 0; i < LOOKS; i++) {
		before = monotonic_now();
		tsc = __rdtsc();
		took = monotonic_now() - before;
		if (took >= least)
			continue;
		least = took;
		best = (struct moment){ before + took / 2, tsc };
	}
	return best;
}

int main(void)
{
	const struct timespec span = { .tv_nsec = SPAN_NS };
	struct moment first = read_clocks_fast(), last;

	nanosleep(&span, NULL);
	last = read_clocks_fast();
	printf("%.0f\n", (last.tsc - first.tsc) * 1e6 / (last.ns - first.ns));
	return 0;
}
