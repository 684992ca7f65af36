/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * measure.h - takes many short measurements with the time stamp counter, and prints their median,
 * so that it does not matter if the host interrupts a few of them.
 */
#ifndef RCR_BENCH_MEASURE_H
#define RCR_BENCH_MEASURE_H

#include <err.h>
#include <inttypes.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tsc.h"

/* Time between two samples of a polling program, and period of the sampler in these rows. */
#define PERIOD_US 1000

static inline int compare_cycles(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Return the median; sorts @values. */
static inline uint64_t median(uint64_t *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare_cycles);
	return count ? values[count / 2] : 0;
}

/* Keeps the compiler from dropping the measured call. */
static inline void use(uint64_t val)
{
	__asm__ volatile("" : : "r"(val));
}

static inline void pin(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(1, "CPU %u", cpu);
}

/* Run on CPU 1, or on CPU 0 if there is no other, as all pollers do. Return: number of the CPU. */
static inline unsigned int pin_here(void)
{
	unsigned int cpu = sysconf(_SC_NPROCESSORS_ONLN) > 1;

	pin(cpu);
	return cpu;
}

/**
 * measure() - prints the cost of a call, as a line of selftests/bench/rows
 * @name: name of the result
 * @count: number of measurements
 * @batch: number of calls in each of them
 * @pause_us: time to sleep before each: other programs then use the caches, as between the calls
 *	of a program that polls once a millisecond
 * @once: the call
 * @with: its argument
 */
static inline void measure(const char *name, unsigned int count, unsigned int batch,
			   unsigned int pause_us, void (*once)(void *with), void *with)
{
	uint64_t *cycles = calloc(count, sizeof(*cycles)), begin;
	unsigned int i, j;

	if (!cycles)
		err(1, "memory");
	for (i = 0; i < count; i++) {
		if (pause_us)
			usleep(pause_us);
		begin = rdtsc();
		for (j = 0; j < batch; j++)
			once(with);
		cycles[i] = rdtsc() - begin;
	}
	printf("bench|%s|%.1f|cycles|%u\n", name,
	       (double)median(cycles, count) / batch, count);
	free(cycles);
}

#endif
