/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * view.h - by which parts of the machine what is counted is told.
 *
 * A counter of a CPU's own is told by CPU, or by what the CPUs are put together
 * by. One that CPUs share is told by the unit that shares it, or by what holds
 * such units whole; nobody can tell which of its CPUs it counted for.
 */
#ifndef RCRSTAT_VIEW_H
#define RCRSTAT_VIEW_H

#include "aggregate.h"
#include "shared.h"
#include "units.h"

/**
 * struct view - by what it is told
 * @grouped: CPUs are put together; else each stands for itself
 * @per: what they are put together by; none where they are not
 * @shares: by scope: the units that share counters; none where there is no such
 *	counter
 * @holds: by scope: each of @shares lies in one of @per, which tells its counters
 */
struct view {
	bool grouped;
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
