/* SPDX-License-Identifier: GPL-2.0-only */
/* cpu_time.h - CPU time of this process, and the median of several measurements. */
#ifndef RCR_BENCH_CPU_TIME_H
#define RCR_BENCH_CPU_TIME_H

#include <stdlib.h>
#include <time.h>

static inline double cpu_time_used(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static inline int compare_times(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Return the median of @count times, 1 or more; sorts @time. */
static inline double median_time(double *time, unsigned int count)
{
	qsort(time, count, sizeof(*time), compare_times);
	return time[count / 2];
}

#endif
