// SPDX-License-Identifier: GPL-2.0-or-later
/* view.c - selects the units for which counters are reported. */
#include "interval/view.h"

/* Returns the kind of unit that shares the counters of a scope; all CPUs if it is unknown. */
static enum grouping sharer_of_scope(unsigned int scope)
{
	switch (scope) {
	case RCR_SCOPE_DIE:
		return PER_DIE;
	case RCR_SCOPE_PACKAGE:
		return PER_PACKAGE;
	case RCR_SCOPE_LLC:
		return PER_LLC;
	case RCR_SCOPE_CORE:
		return PER_CORE;
	default:
		return PER_ALL;
	}
}

static bool has_scope(const struct rcr_set *set, unsigned int scope)
{
	unsigned int i;

	for (i = 0; i < set->ncounters; i++)
		if (counter_scope(set, i) == scope)
			return true;
	return false;
}

static bool holds_one(const struct units *units, const struct unit *part)
{
	unsigned int i;

	for (i = 0; i < units->count; i++)
		if (unit_holds(&units->unit[i], part))
			return true;
	return false;
}

static bool holds_all(const struct units *units, const struct units *parts)
{
	unsigned int i;

	for (i = 0; i < parts->count; i++)
		if (!holds_one(units, &parts->unit[i]))
			return false;
	return true;
}

/**
 * view_init() - find the units to report
 * @view: the view
 * @v: intervals with the CPUs and the set
 * @per: how CPUs are grouped
 * @root: TOPOLOGY_ROOT, or a tree like it
 *
 * Returns 0, or -1 with errno ENOMEM.
 */
int view_init(struct view *view, const struct intervals *v, enum grouping per,
	      const char *root)
{
	unsigned int scope;
	int ret = 0;

	*view = (struct view){ .grouped = per != PER_CPU };
	if (view->grouped)
		ret = units_init(&view->per, v, per, root);
	for (scope = RCR_SCOPE_CPU + 1; !ret && scope < SCOPES; scope++) {
		if (!has_scope(v->set, scope))
			continue;
		ret = units_init(&view->shares[scope], v, sharer_of_scope(scope), root);
		view->holds[scope] = view->grouped &&
				     holds_all(&view->per, &view->shares[scope]);
	}
	if (ret)
		view_free(view);
	return ret;
}

void view_free(struct view *view)
{
	unsigned int scope;

	units_free(&view->per);
	for (scope = 0; scope < SCOPES; scope++)
		units_free(&view->shares[scope]);
}

/* True if the counters of a scope are reported per sharing unit. */
bool view_is_apart(const struct view *view, unsigned int scope)
{
	return scope != RCR_SCOPE_CPU && !view->holds[scope];
}

/**
 * view_stats() - statistics of one counter of a unit in the current interval
 * @view: the view
 * @v: the intervals
 * @u: a unit of @view->per that includes the counter, or the whole machine
 * @counter: index of the counter
 * @s: output buffer; set if true is returned
 */
bool view_stats(const struct view *view, const struct intervals *v,
		const struct unit *u, unsigned int counter, struct stats *s)
{
	unsigned int scope = counter_scope(v->set, counter);

	if (scope == RCR_SCOPE_CPU)
		return unit_stats(v, u, counter, s);
	return shared_stats(v, u, &view->shares[scope], counter, s);
}
