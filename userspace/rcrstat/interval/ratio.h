/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ratio.h - instructions per cycle, from two counters of a set. */
#ifndef RCRSTAT_RATIO_H
#define RCRSTAT_RATIO_H

#include <stdbool.h>

#include "interval/view.h"

/**
 * struct ratio - two counters whose quotient is reported
 * @known: the set has both
 * @above: index of the counter of instructions
 * @below: index of the counter of cycles
 */
struct ratio {
	bool known;
	unsigned int above;
	unsigned int below;
};

struct ratio ratio_find(const struct rcr_set *set);
bool ratio_cpu(const struct ratio *r, const struct intervals *v,
	       const struct cpu_interval *c, double *value);
bool ratio_unit(const struct ratio *r, const struct intervals *v, const struct view *view,
		const struct unit *u, double *value);

#endif
