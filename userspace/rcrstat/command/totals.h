/* SPDX-License-Identifier: GPL-2.0-or-later */
/* totals.h - counts of the whole machine while a command ran. */
#ifndef RCRSTAT_TOTALS_H
#define RCRSTAT_TOTALS_H

#include "interval/view.h"

/**
 * struct total - one counter
 * @name: as in the set
 * @unit: enum rcr_unit
 * @sets: counter sets that had it
 * @incomplete: it was interrupted, or a set lacked it, so that @count is too low
 * @gauge: @count is the latest value
 * @cycles: it counts cycles, for the ratio
 * @instructions: it counts instructions in the same modes
 * @count: sum over all CPUs, or over the units that share it
 * @time: time that it counted, ns, on average over these
 */
struct total {
	char name[RCR_NAME_LEN];
	unsigned int unit;
	unsigned int sets;
	bool incomplete;
	bool gauge;
	bool cycles;
	bool instructions;
	uint64_t count;
	double time;
};

/**
 * struct totals - all chosen counters
 * @count: entries of @total
 * @total: in order of the set
 * @time: time between the samples, ns, on average over the CPUs
 * @sets: counter sets that were read
 */
struct totals {
	unsigned int count;
	struct total total[2 * RCR_MAX_COUNTERS];
	double time;
	unsigned int sets;
};

void totals_add(struct totals *t, const struct intervals *v, const struct view *view);
double total_rate(const struct total *t);
bool totals_ratio(const struct totals *t, double *ratio);

#endif
