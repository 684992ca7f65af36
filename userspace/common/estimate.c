// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * estimate.c - estimates the part of a task in the counts of a CPU, from the tasks that the samples
 * interrupted. A task is a process, a cgroup, or a job.
 *
 * For the samples i = 1..n of an interval, let d_i be the count since the sample before. All of d_i
 * is attributed to the task a that sample i interrupted:
 *
 *	y_i = d_i if sample i interrupted a, else 0		Y = sum y_i	D = sum d_i
 *
 * so that the parts of all tasks add up to D, which is exact. Y / D is a ratio of sums over a
 * systematic sample of the schedule: samples are taken on a grid of time that does not depend on
 * the schedule. The variance is estimated from the differences between successive residuals of the
 * ratio, e_i = y_i - Y / D * d_i. The estimate is right if the task changes at random from each
 * sample to the next, and too large if tasks run longer (Wolter, Introduction to Variance
 * Estimation, 8.2):
 *
 *	V = n / (2 (n - 1)) * sum over i = 2..n of (e_i - e_(i-1))^2
 *
 * V is 0 for a task that has the CPU alone. The tasks that ran between two samples are unknown: if
 * exactly one of the two samples at the ends of d_i interrupted the task, any part of d_i may
 * belong to it. If half of that is assumed,
 *
 *	M = 1/2 * sum of d_i over these i
 *
 * bounds the bias of tasks that count at different rates. If tasks alternate faster than samples
 * are taken, M is a large part of each Y, and their parts are reported as unknown. The time that a
 * task spends on CPUs, for which d is the time between the samples, has no such bias: M is 0. Over
 * CPUs, Y, V and M add up, and the standard error that is reported is
 *
 *	error = sqrt(sum V + (sum M)^2)
 *
 * An estimate is unknown if its error exceeds a tenth of it, or if the counter was not ok in one of
 * the samples. No estimator from these samples detects a schedule that is in step with the grid,
 * such as that of a timer with the same period.
 *
 * Pure: no input, no output, no clock. Compiled into the unit tests as well.
 */
#include <math.h>

#include "estimate.h"

/**
 * estimate_add() - add a sample to the part of a task
 * @e: the part
 * @cpu: all counts of the CPU, without the sample
 * @d: its count
 * @was: the sample before it interrupted the task
 * @is: it interrupted the task
 *
 * If neither sample interrupted the task, the call may be omitted.
 */
void estimate_add(struct estimate *e, const struct estimate_cpu *cpu, double d, bool was, bool is)
{
	double step = (is ? d : 0) - (was ? cpu->before : 0);

	e->count += is ? d : 0;
	e->mixed += was != is ? d / 2 : 0;
	if (!cpu->samples)
		return;
	e->steps += step * step;
	e->cross += step * (d - cpu->before);
}

void estimate_add_cpu(struct estimate_cpu *cpu, double d)
{
	if (cpu->samples)
		cpu->steps += (d - cpu->before) * (d - cpu->before);
	cpu->count += d;
	cpu->before = d;
	cpu->samples++;
}

double estimate_variance(const struct estimate *e, const struct estimate_cpu *cpu)
{
	double ratio = cpu->count > 0 ? e->count / cpu->count : 0, sum;

	if (cpu->samples < 2)
		return INFINITY;
	sum = e->steps - 2 * ratio * e->cross + ratio * ratio * cpu->steps;
	/* Rounding may make the sum negative. */
	return sum > 0 ? sum * cpu->samples / (2.0 * (cpu->samples - 1)) : 0;
}
