/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recording.h - how large the recorded stream is, and what it counts: a machine of
 * any number of CPUs, sampled at 1 kHz.
 */
#ifndef RCR_BENCH_RECORDING_H
#define RCR_BENCH_RECORDING_H

#include <stdint.h>

#define PERIOD_NS	1000000ull
#define TSC_KHZ		2500000u

/* Begin of the recording, CLOCK_MONOTONIC and CLOCK_REALTIME, ns. */
#define MONOTONIC	5000000000ull
#define REALTIME	1700000005000000000ull

/* A rate like a real one: up to some thousand million a second, none like another. */
static inline uint64_t rate_of(unsigned int cpu, unsigned int counter)
{
	return 1000003ull * (counter + 1) * (counter + 1) * 17 + 7919ull * cpu;
}

static inline uint64_t total_of(unsigned int cpu, unsigned int counter, uint64_t tick)
{
	uint64_t rate = rate_of(cpu, counter);

	return rate * tick / 1000 + (rate ^ tick * 2654435761u) % 997;
}

#endif
