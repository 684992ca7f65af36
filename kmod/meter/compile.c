// SPDX-License-Identifier: GPL-2.0-only
/*
 * compile.c - what the names in a meter's formula stand for: counters of the set,
 * what the module counts itself, other meters.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "set/counter_set.h"
#include "event_text.h"
#include "pmu/event.h"
#include "compile.h"

static const char *const extras[RCR_EXTRAS] = {
	[RCR_EXTRA_SAMPLER_CYCLES - RCR_MAX_COUNTERS] = "sampler_cycles",
	[RCR_EXTRA_METER_CYCLES - RCR_MAX_COUNTERS] = "meter_cycles",
	[RCR_EXTRA_NET_RX_BYTES - RCR_MAX_COUNTERS] = "net_rx_bytes",
	[RCR_EXTRA_NET_TX_BYTES - RCR_MAX_COUNTERS] = "net_tx_bytes",
	[RCR_EXTRA_NET_RX_PACKETS - RCR_MAX_COUNTERS] = "net_rx_packets",
	[RCR_EXTRA_NET_TX_PACKETS - RCR_MAX_COUNTERS] = "net_tx_packets",
	[RCR_EXTRA_NET_DROPPED - RCR_MAX_COUNTERS] = "net_dropped",
};

/* The narrowest place of each scope. */
static const u8 place_of_scope[] = {
	[RCR_SCOPE_CPU] = RCR_PLACE_CPU,
	[RCR_SCOPE_CORE] = RCR_PLACE_CORE,
	[RCR_SCOPE_LLC] = RCR_PLACE_LLC,
	[RCR_SCOPE_DIE] = RCR_PLACE_DIE,
	[RCR_SCOPE_PACKAGE] = RCR_PLACE_PACKAGE,
};

static const char *const place_names[] = {
	[RCR_PLACE_MACHINE] = "machine", [RCR_PLACE_NODE] = "node",
	[RCR_PLACE_PACKAGE] = "package", [RCR_PLACE_DIE] = "die",
	[RCR_PLACE_LLC] = "llc", [RCR_PLACE_CORE] = "core", [RCR_PLACE_CPU] = "cpu",
};

struct lookup {
	const struct rcr_binding *binding;
	u64 inside;
	bool no_memory;		/* to look for a name, which may be known or not */
};

static int find_counter(const struct rcr_counter_set *set, const char *name)
{
	unsigned int i;

	for (i = 0; i < set->count; i++)
		if (!strcmp(set->counter[i].name, name))
			return i;
	return -ENOENT;
}

/* A counter of the same event by another name is as good. */
static int find_event(const struct rcr_counter_set *set, struct rcr_event *e)
{
	unsigned int i;

	for (i = 0; i < set->count; i++) {
		strscpy(e->name, set->event[i].name, sizeof(e->name));
		if (rcr_event_same(e, &set->event[i]))
			return i;
	}
	return -ENOENT;
}

/* @name in a text of events, "NAME=event:...;NAME2=...": its event. */
static int find_own(const char *own, const char *name, struct rcr_event *e)
{
	struct rcr_event *all;
	struct rcr_failure f = { };
	int i, n, err = -ENOENT;

	all = kcalloc(RCR_MAX_COUNTERS, sizeof(*all), GFP_KERNEL);
	if (!all)
		return -ENOMEM;
	n = rcr_events_parse(own, all, RCR_MAX_COUNTERS, &f);
	for (i = 0; i < n; i++) {
		if (strcmp(all[i].name, name))
			continue;
		*e = all[i];
		err = 0;
	}
	kfree(all);
	return err;
}

static int find_own_counter(const struct rcr_binding *b, const char *name)
{
	struct rcr_event *e;
	int ret;

	if (!b->own)
		return -ENOENT;
	e = kmalloc(sizeof(*e), GFP_KERNEL);
	if (!e)
		return -ENOMEM;
	ret = find_own(b->own, name, e) ?: find_event(b->set, e);
	kfree(e);
	return ret;
}

static int find_extra(const char *name)
{
	unsigned int i;

	for (i = 0; i < RCR_EXTRAS; i++)
		if (!strcmp(extras[i], name))
			return RCR_MAX_COUNTERS + i;
	return -ENOENT;
}

static int resolve_counter(void *context, const char *name, bool *gauge)
{
	struct lookup *l = context;
	const struct rcr_binding *b = l->binding;
	int i = find_counter(b->set, name);

	if (i < 0)
		i = find_own_counter(b, name);
	l->no_memory |= i == -ENOMEM;
	*gauge = i >= 0 && b->set->counter[i].unit == RCR_UNIT_MILLIDEGREE;
	return i >= 0 ? i : find_extra(name);
}

static const char *resolve_meter(void *context, const char *name)
{
	struct lookup *l = context;
	const struct rcr_meter *m;
	unsigned int i;

	for (i = 0; i < RCR_METERS_MAX; i++) {
		m = l->binding->meters[i];
		if (!m || rcr_meter_is_posted(m) || strcmp(m->spec.name, name))
			continue;
		l->inside |= BIT_ULL(i) | m->inside;
		return m->spec.formula;
	}
	return NULL;
}

/**
 * rcr_compile() - reads a formula
 * @b: what its names can stand for
 * @text: the formula
 * @formula: gets it
 * @inside: gets the meters that it stands on, bit n for meter n
 * @f: gets the reason when it fails
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, -ENOENT, -E2BIG as rcr_formula_parse(); -ENOMEM.
 */
int rcr_compile(const struct rcr_binding *b, const char *text, struct rcr_formula *formula,
		u64 *inside, struct rcr_failure *f)
{
	struct lookup l = { .binding = b };
	const struct rcr_formula_names names = {
		.counter = resolve_counter,
		.meter = resolve_meter,
		.context = &l,
	};
	int err = rcr_formula_parse(formula, text, &names, f);

	*inside = l.inside;
	if (!l.no_memory)
		return err;
	memset(f, 0, sizeof(*f));	/* that a name is unknown need not be so */
	return rcr_failf(f, -ENOMEM, "There is no memory to read the formula.");
}

static u32 place_of(const struct rcr_binding *b, unsigned int operand)
{
	if (operand == RCR_EXTRA_SAMPLER_CYCLES)
		return RCR_PLACE_CPU;
	if (operand >= RCR_MAX_COUNTERS)
		return RCR_PLACE_MACHINE;
	return place_of_scope[b->set->counter[operand].scope];
}

/* Of which place the CPUs tell operand @i together. */
u32 rcr_compile_place(const struct rcr_binding *b, const struct rcr_formula *formula,
		      unsigned int i)
{
	return place_of(b, formula->operand[i].counter);
}

/* The widest of the places that its counters are of: it can be told there. */
u32 rcr_compile_narrowest(const struct rcr_binding *b, const struct rcr_formula *formula)
{
	u32 place = RCR_PLACE_CPU;
	unsigned int i;

	for (i = 0; i < formula->operands; i++)
		place = min(place, place_of(b, formula->operand[i].counter));
	return place;
}

/* Can it be told over those places? 0, or -EINVAL. */
int rcr_compile_check_over(const struct rcr_binding *b, const struct rcr_formula *formula,
			   u32 over, struct rcr_failure *f)
{
	u32 narrowest = rcr_compile_narrowest(b, formula);

	if (over <= narrowest)
		return 0;
	return rcr_failf(f, -EINVAL,
		"Its counters are shared by all of a %s: it cannot be told over a %s.",
		place_names[narrowest], place_names[over]);
}
