// SPDX-License-Identifier: GPL-2.0-only
/*
 * bind.c - binds a meter to a set: its formula to counters, its places to groups,
 * its values to entries of the blackboard.
 *
 * A meter whose formula comes out as it was before keeps its history: the set has
 * changed around it.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "board.h"
#include "ring/run.h"
#include "bind.h"
#include "catalogue.h"
#include "compile.h"
#include "groups.h"

static const char *family_of(const struct rcr_run *run)
{
	return run->set.machine ? run->set.machine->family->name : "";
}

/* As this machine would tell it, in the way that @c says. */
static void take_way(struct rcr_meter *m, const struct rcr_catalogued *c)
{
	strscpy(m->spec.formula, c->formula, sizeof(m->spec.formula));
	strscpy(m->spec.unit, c->unit, sizeof(m->spec.unit));
	m->spec.digits = c->digits;
	m->spec.flags = c->flags | RCR_METER_OWN;
}

static int compile(struct rcr_meter *m, struct rcr_formula *formula, u64 *inside,
		   const struct rcr_binding *b)
{
	memset(&m->why, 0, sizeof(m->why));
	return rcr_compile(b, m->spec.formula, formula, inside, &m->why);
}

/* The first way that the set has counters for; none: the first way there is. */
static int compile_own(struct rcr_meter *m, struct rcr_formula *formula, u64 *inside,
		       struct rcr_binding *b, const char *family)
{
	const struct rcr_catalogued *c, *first = NULL;
	int err;

	for (c = rcr_catalogue_next(NULL, family); c; c = rcr_catalogue_next(c, family)) {
		if (strcmp(c->name, m->spec.name))
			continue;
		first = first ?: c;
		take_way(m, c);
		b->own = c->events;
		err = compile(m, formula, inside, b);
		/* For want of memory no other way is the better one. */
		if (!err || err == -ENOMEM)
			return err;
	}
	take_way(m, first);
	b->own = first->events;
	return compile(m, formula, inside, b);
}

static bool same_formula(const struct rcr_formula *a, const struct rcr_formula *b)
{
	unsigned int i;

	if (a->nodes != b->nodes || a->operands != b->operands ||
	    memcmp(a->node, b->node, a->nodes * sizeof(a->node[0])))
		return false;
	for (i = 0; i < a->operands; i++)
		if (a->operand[i].gauge != b->operand[i].gauge)
			return false;
	return true;
}

static int make_room(struct rcr_meter *m)
{
	/* A posted meter has a value for each place instead, and the machine. */
	unsigned int lanes = rcr_groups_lanes() + rcr_meter_is_posted(m);

	m->lane_status = kvcalloc(lanes, sizeof(*m->lane_status), GFP_KERNEL);
	if (!m->lane_status)
		return -ENOMEM;
	return rcr_window_init(&m->window, lanes, max_t(u32, m->formula.operands, 1));
}

static int no_memory(struct rcr_meter *m)
{
	return rcr_failf(&m->why, -ENOMEM, "There is no memory for it now.");
}

/* An instance that is new begins without a past. */
static void make_instance(struct rcr_instance *i, u32 place)
{
	unsigned int part;

	memset(i, 0, sizeof(*i));
	i->group = rcr_groups_get(place);
	i->place = place;
	i->status = RCR_STATUS_GAP;
	for (part = 0; part < RCR_WINDOW_MARKS; part++)
		i->peak[part] = S64_MIN;
}

/**
 * rcr_bind_groups() - a meter is told for each group of its kind
 * @m: the meter
 *
 * Those that it has been told for go on.
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM, and nothing has changed.
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
			make_instance(&all[n++], g);
		}
	if (m->instance)
		memcpy(all, m->instance, min(n, m->instances) * sizeof(*all));
	kvfree(m->instance);
	m->instance = all;
	m->place = place;
	m->instances = n;
	return 0;
}

static void forget(struct rcr_meter *m)
{
	rcr_window_free(&m->window);
	kvfree(m->lane_status);
	kvfree(m->instance);
	m->lane_status = NULL;
	m->instance = NULL;
	m->place = NULL;
	m->instances = 0;
}

static u64 operands_of(const struct rcr_formula *f)
{
	unsigned int i;
	u64 uses = 0;

	for (i = 0; i < f->operands; i++)
		uses |= BIT_ULL(f->operand[i].counter);
	return uses;
}

/* Everything that a live meter has, or nothing. */
static int come_alive(struct rcr_meter *m, const struct rcr_formula *formula, u32 over)
{
	bool goes_on = m->instance && m->over == over &&
		       same_formula(&m->formula, formula);

	m->formula = *formula;
	m->uses = operands_of(formula);
	m->over = over;
	if (!goes_on) {
		forget(m);
		if (make_room(m) || rcr_bind_groups(m)) {
			forget(m);
			return no_memory(m);
		}
	}
	m->live = true;
	return 0;
}

/* A posted meter has one value a place, as a gauge of one lane would. */
static int bind_posted(struct rcr_meter *m)
{
	struct rcr_formula one = { .operands = 1 };
	u32 over = m->spec.over == RCR_OVER_NARROWEST ? RCR_PLACE_MACHINE : m->spec.over;

	if (m->live)
		return 0;
	memset(&m->why, 0, sizeof(m->why));
	return come_alive(m, &one, over);
}

static int bind_formula(struct rcr_meter *m, const struct rcr_run *run,
			struct rcr_meter *const *meters, struct rcr_formula *formula)
{
	struct rcr_binding b = { .set = &run->set, .meters = meters };
	u32 over = m->spec.over;
	unsigned int i;
	u64 inside;
	int err;

	if (m->spec.flags & RCR_METER_OWN)
		err = compile_own(m, formula, &inside, &b, family_of(run));
	else
		err = compile(m, formula, &inside, &b);
	if (err)
		return err;
	if (over == RCR_OVER_NARROWEST)
		over = rcr_compile_narrowest(&b, formula);
	err = rcr_compile_check_over(&b, formula, over, &m->why);
	if (err)
		return err;
	m->inside = inside;
	for (i = 0; i < formula->operands; i++)
		m->sharing[i] = rcr_groups_first(rcr_compile_place(&b, formula, i));
	return come_alive(m, formula, over);
}

/**
 * rcr_bind() - binds a meter to what is counted
 * @m: the meter; when it cannot be, it sleeps and says why
 * @run: what is counted
 * @meters: all meters, by number
 *
 * Context: may sleep.
 * Return: 0; -ENOENT a counter is missing, -EINVAL, -E2BIG, -ENOMEM.
 */
int rcr_bind(struct rcr_meter *m, const struct rcr_run *run,
	     struct rcr_meter *const *meters)
{
	struct rcr_formula *formula;
	int err;

	if (rcr_meter_is_posted(m))
		return bind_posted(m);
	/* What it was bound to is not what is counted: it does not go on so. */
	m->live = false;
	memset(&m->why, 0, sizeof(m->why));
	formula = kzalloc(sizeof(*formula), GFP_KERNEL);
	err = formula ? bind_formula(m, run, meters, formula) : no_memory(m);
	if (err)
		forget(m);
	else
		rcr_window_set_scale(&m->window, rcr_meter_scale(&m->spec), run->timing.period);
	kfree(formula);
	return err;
}

/* Puts a meter up on the blackboard as it is now. Context: in a change of that. */
void rcr_bind_show(const struct rcr_meter *m)
{
	struct rcr_board_meter up = {
		.serial = m->serial,
		.number = m->number,
		.digits = m->spec.digits,
		.timescale = m->spec.timescale,
		.over = m->live ? m->over : RCR_PLACE_MACHINE,
		.flags = m->spec.flags,
		.first = rcr_board_first_entry(m->number),
		.entries = m->live ? m->instances : 0,
	};

	strscpy(up.name, m->spec.name, sizeof(up.name));
	strscpy(up.unit, m->spec.unit, sizeof(up.unit));
	rcr_board_set_meter(&up, m->place);
}

/* The meter goes: nothing of it is left but itself. May sleep. */
void rcr_unbind(struct rcr_meter *m)
{
	forget(m);
	m->live = false;
}
