/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view.h - selects the units for which counters are reported.
 *
 * A CPU's own counter is reported per CPU or per group of CPUs. A shared counter is reported per
 * sharing unit, or per group that contains such units whole; which of its CPUs caused a count is
 * not known.
 */
#ifndef RCRSTAT_VIEW_H
#define RCRSTAT_VIEW_H

#include "interval/aggregate.h"
#include "interval/shared.h"
#include "interval/units.h"

/**
 * struct view - units to report
 * @grouped: CPUs are grouped; otherwise each is reported by itself
 * @band: a table has the smallest, the median and the largest rate instead of each CPU
 * @per: the groups; empty if CPUs are not grouped
 * @shares: units that share counters, by scope; empty if the set has no such counter
 * @holds: by scope: each of @shares is contained in one of @per, which includes its
 *	counters
 */
struct view {
	bool grouped;
	bool band;
	struct units per;
	struct units shares[SCOPES];
	bool holds[SCOPES];
};

int view_init(struct view *view, const struct intervals *v, enum grouping per,
	      const char *root);
void view_free(struct view *view);
bool view_is_apart(const struct view *view, unsigned int scope);
bool view_stats(const struct view *view, const struct intervals *v,
		const struct unit *u, unsigned int counter, struct stats *s);

#endif
