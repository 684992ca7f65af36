/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.h - time in nanoseconds. */
#ifndef RCR_CLOCK_H
#define RCR_CLOCK_H

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC. */
static inline uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* Returns early if interrupted by a signal. */
static inline void sleep_ns(uint64_t ns)
{
	struct timespec t = { ns / 1000000000, ns % 1000000000 };

	nanosleep(&t, NULL);
}

#endif
