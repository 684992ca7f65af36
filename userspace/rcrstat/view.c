// SPDX-License-Identifier: GPL-2.0-only
/*
 * view.c - by which parts of the machine what is counted is told.
 */
#include "view.h"

/* What shares the counters of a scope; of one that is not known anything may. */
static enum grouping sharer(unsigned int scope)
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
 * view_init() - finds the parts
 * @view: the view
 * @v: has the CPUs and the set
 * @per: what to put the CPUs together by
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
		ret = units_init(&view->shares[scope], v, sharer(scope), root);
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

/* Are the counters of a scope told by the units that share them? */
bool view_is_apart(const struct view *view, unsigned int scope)
{
	return scope != RCR_SCOPE_CPU && !view->holds[scope];
}

/**
 * view_stats() - one counter of a part of the machine in the present interval
 * @view: the view
 * @v: the intervals
 * @u: the part: one of @view->per that tells the counter, or the whole
 * @counter: which counter
 * @s: set when there is something to tell
 */
bool view_stats(const struct view *view, const struct intervals *v,
		const struct unit *u, unsigned int counter, struct stats *s)
{
	unsigned int scope = counter_scope(v->set, counter);

	if (scope == RCR_SCOPE_CPU)
		return unit_stats(v, u, counter, s);
	return shared_stats(v, u, &view->shares[scope], counter, s);
}
