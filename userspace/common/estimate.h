/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate.h - the part of a task in the counts of a CPU, with its error, from samples. */
#ifndef RCR_ESTIMATE_H
#define RCR_ESTIMATE_H

#include <stdbool.h>

/* A part with a larger relative error is not known. */
#define ESTIMATE_ERROR_MOST	0.1

/**
 * struct estimate_cpu - all counts of a CPU, see estimate.c
 * @samples: n
 * @before: d of the last sample
 * @count: D
 * @steps: sum of the squares of the differences of d
 */
struct estimate_cpu {
	unsigned int samples;
	double before;
	double count;
	double steps;
};

/**
 * struct estimate - the part of a task in them
 * @count: Y
 * @steps: sum of the squares of the differences of y
 * @cross: sum of the products of the differences of y and d
 * @mixed: M
 */
struct estimate {
	double count;
	double steps;
	double cross;
	double mixed;
};

/* Adds a sample to the part of a task, before estimate_add_cpu() adds it to the CPU. */
void estimate_add(struct estimate *e, const struct estimate_cpu *cpu, double d, bool was, bool is);
void estimate_add_cpu(struct estimate_cpu *cpu, double d);

/* V of estimate.c; infinite if there are less than two samples. */
double estimate_variance(const struct estimate *e, const struct estimate_cpu *cpu);

#endif
