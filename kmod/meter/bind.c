// SPDX-License-Identifier: GPL-2.0-only
/*
 * bind.c - binds a meter to a set: its form to counters, its places to groups, its values
 * to entries of the blackboard.
 *
 * A meter whose counters continue in the next set keeps its past values. The windows belong to
 * the span.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "board/board.h"
#include "ring/run.h"
#include "meter.h"

/* Kind of place whose CPUs share a counter, by the scope of the counter. */
static const u8 place_of_scope[] = {
	[RCR_SCOPE_CPU] = RCR_PLACE_CPU,
	[RCR_SCOPE_CORE] = RCR_PLACE_CORE,
	[RCR_SCOPE_LLC] = RCR_PLACE_LLC,
	[RCR_SCOPE_DIE] = RCR_PLACE_DIE,
	[RCR_SCOPE_PACKAGE] = RCR_PLACE_PACKAGE,
};

static int find_counter(const struct rcr_counter_set *set, const char *name)
{
	unsigned int i;

	if (!*name)
		return RCR_OPERAND_SPENT;
	for (i = 0; i < set->count; i++)
		if (!strcmp(set->counter[i].name, name))
			return i;
	return -ENOENT;
}

/* Return: enum rcr_place_kind of a counter's scope. */
static u32 place_of(const struct rcr_counter_set *set, unsigned int counter)
{
	return counter == RCR_OPERAND_SPENT ? RCR_PLACE_CPU :
					      place_of_scope[set->counter[counter].scope];
}

/* Look up the counter of each operand by the name in the form. */
static int find_counters(const struct rcr_form *form, const struct rcr_counter_set *set,
			 u8 *counter, struct rcr_failure *f)
{
	unsigned int i;
	int found;

	for (i = 0; i < rcr_form_terms(form); i++) {
		const struct rcr_term *t = &form->term[i];
		bool gauge = t->kind == RCR_TERM_GAUGE;

		found = find_counter(set, t->name);
		if (found < 0)
			return rcr_fail_with(f, -ENOENT, RCR_REASON_METER_LACKS, "%s", t->name);
		if (((u64)rcr_spans_layout()->gauges >> found & 1) != gauge)
			return rcr_fail_with(f, -EINVAL, RCR_REASON_GAUGE, "%s", t->name);
		counter[t->operand] = found;
	}
	return 0;
}

/* Narrowest kind of place that can have values: that of the widest scope of the counters. */
static u32 narrowest_place(const struct rcr_form *form, const struct rcr_counter_set *set,
			   const u8 *counter)
{
	u32 place = RCR_PLACE_CPU;
	unsigned int i;

	for (i = 0; i < form->operands; i++)
		place = min(place, place_of(set, counter[i]));
	return place;
}

/* Choose the kind of the meter's places. Return: an enum rcr_place_kind, or -EINVAL. */
static int choose_place(const struct rcr_meter *m, const struct rcr_counter_set *set,
			const u8 *counter, struct rcr_failure *f)
{
	u32 narrowest = narrowest_place(m->spec.form, set, counter);

	if (m->spec.over == RCR_OVER_NARROWEST)
		return narrowest;
	if (m->spec.over <= narrowest)
		return m->spec.over;
	return rcr_fail_with(f, -EINVAL, RCR_REASON_SHARED_PLACE, "%s%s",
			     rcr_place_name(narrowest), rcr_place_name(m->spec.over));
}

static int no_memory(struct rcr_meter *m)
{
	return rcr_fail(&m->why, -ENOMEM, RCR_REASON_NO_MEMORY);
}

/* Initialize an instance, which is zeroed: it has no past values. */
static void make_instance(const struct rcr_meter *m, struct rcr_instance *i, u32 place)
{
	const struct rcr_limits *limits = rcr_limits_find(m, place);

	i->place = place;
	if (limits)
		i->limits = *limits;
}

/**
 * rcr_bind_groups() - create an instance of a meter for each place of its kind
 * @m: the meter
 *
 * Existing instances keep their past values.
 *
 * Context: may sleep.
 * Return: 0, or -ENOMEM and nothing has changed.
 */
int rcr_bind_groups(struct rcr_meter *m)
{
	unsigned int g, n = 0, most = rcr_groups_lanes() + 1;
	struct rcr_instance *all;
	u32 *place;

	all = kvcalloc(most, sizeof(*all) + sizeof(*place), GFP_KERNEL);
	if (!all)
		return -ENOMEM;
	place = (u32 *)&all[most];
	for (g = 0; g < rcr_groups_count(); g++)
		if (!g || rcr_groups_get(g)->kind == m->over) {
			place[n] = g;
			make_instance(m, &all[n++], g);
		}
	if (rcr_board_grow(m->number, n) || (m->span && rcr_span_prepare(m->span, m->over))) {
		kvfree(all);
		return -ENOMEM;
	}
	if (m->instance)
		memcpy(all, m->instance, min(n, m->instances) * sizeof(*all));
	kvfree(m->instance);
	m->instance = all;
	m->place = place;
	m->instances = n;
	m->bound++;
	return 0;
}

static void clear_instances(struct rcr_meter *m)
{
	kvfree(m->instance);
	m->instance = NULL;
	m->place = NULL;
	m->instances = 0;
}

/* Allocate everything that a live meter needs, or nothing. */
static int alloc_live_meter(struct rcr_meter *m, u32 over)
{
	if (m->instance && m->over != over)
		clear_instances(m);
	m->over = over;
	if (m->span && rcr_span_prepare(m->span, over))
		return no_memory(m);
	if (!m->instance && rcr_bind_groups(m))
		return no_memory(m);
	m->live = true;
	return 0;
}

/* Userspace chooses the kind of places of a posted meter; by default it is the machine. */
static int bind_posted(struct rcr_meter *m)
{
	u32 over = m->spec.over == RCR_OVER_NARROWEST ? RCR_PLACE_MACHINE : m->spec.over;

	if (m->live)
		return 0;
	memset(&m->why, 0, sizeof(m->why));
	return alloc_live_meter(m, over);
}

static int bind_form(struct rcr_meter *m, const struct rcr_counter_set *set)
{
	const u16 *sharing[RCR_FORM_OPERANDS];
	const struct rcr_form *form = m->spec.form;
	u8 counter[RCR_FORM_OPERANDS];
	unsigned int i;
	int over, err;

	/* Without counters no CPU has rings, although each set counts the cost of ticks. */
	if (!rcr_pass_period())
		return rcr_fail(&m->why, -ENOENT, RCR_REASON_NOTHING_COUNTED);
	err = find_counters(form, set, counter, &m->why);
	if (err)
		return err;
	over = choose_place(m, set, counter, &m->why);
	if (over < 0)
		return over;
	for (i = 0; i < form->operands; i++)
		sharing[i] = rcr_groups_sharing(place_of(set, counter[i]));
	err = alloc_live_meter(m, over);
	if (err)
		return err;
	rcr_binding_init(&m->binding, form, counter, sharing, rcr_spans_layout());
	return 0;
}

/**
 * rcr_bind() - bind a meter to the counters of a run
 * @m: the meter; if it cannot be bound it sleeps, and its @why has the reason
 * @run: the run
 *
 * Context: may sleep.
 * Return: 0; -ENOENT if a counter is missing; -EINVAL, -ENOMEM.
 */
int rcr_bind(struct rcr_meter *m, const struct rcr_run *run)
{
	int err;

	if (rcr_meter_is_posted(m))
		return bind_posted(m);
	/* The old binding refers to another set. */
	m->live = false;
	memset(&m->why, 0, sizeof(m->why));
	err = bind_form(m, &run->set);
	if (err)
		clear_instances(m);
	return err;
}

/**
 * rcr_bind_check() - check whether a meter could be bound to a set with additional events
 * @form: form of the meter
 * @set: the current set
 * @event: the additional events
 * @count: number of these events
 * @f: filled in on failure
 *
 * Return: 0, or -ENOENT if a counter would be missing.
 */
int rcr_bind_check(const struct rcr_form *form, const struct rcr_counter_set *set,
		   const struct rcr_event *event, unsigned int count, struct rcr_failure *f)
{
	unsigned int i, k;

	for (i = 0; i < rcr_form_terms(form); i++) {
		const char *name = form->term[i].name;

		if (find_counter(set, name) >= 0)
			continue;
		for (k = 0; k < count && strcmp(event[k].name, name); k++)
			;
		if (k == count)
			return rcr_fail_with(f, -ENOENT, RCR_REASON_METER_LACKS, "%s", name);
	}
	return 0;
}

/* Write a meter's definition to the board. Context: after rcr_board_begin_change(). */
void rcr_bind_show(const struct rcr_meter *m)
{
	struct rcr_board_meter up = {
		.serial = m->serial,
		.number = m->number,
		.digits = m->spec.digits,
		.type = m->spec.type,
		.scale_ns = m->spec.scale,
		.over = m->live ? m->over : RCR_PLACE_MACHINE,
		.flags = m->spec.flags,
		.first = rcr_board_first_entry(m->number),
		.entries = m->live ? m->instances : 0,
	};

	strscpy(up.name, m->spec.name, sizeof(up.name));
	strscpy(up.unit, m->spec.unit, sizeof(up.unit));
	rcr_board_set_meter(&up, m->place);
}

/* Put a meter to sleep. Context: may sleep. */
void rcr_unbind(struct rcr_meter *m)
{
	clear_instances(m);
	m->live = false;
}
