// SPDX-License-Identifier: GPL-2.0-only
/*
 * meters.c - the meters there are: made, bound to what is counted, taken away.
 *
 * There are RCR_METERS_MAX slots. A meter sleeps while the set lacks one of its counters.
 * Interfaces hear of meters that come or go by a chain, which is called without the lock.
 */
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "board.h"
#include "ring/run.h"
#include "ring/scale.h"
#include "bind.h"
#include "engine.h"
#include "groups.h"
#include "meters.h"
#include "vet.h"
#include "watch.h"

/* Held while meters, their values, or the engine's place are looked at or changed. */
DEFINE_MUTEX(rcr_meters_lock);
struct rcr_meter *rcr_meters[RCR_METERS_MAX];
BLOCKING_NOTIFIER_HEAD(rcr_meters_chain);
u32 rcr_meters_changes = 1;		/* grows by 2, as netlink takes 0 for no number */

static u32 next_serial;
static bool starved;			/* one sleeps for want of memory */
static bool ungrouped;			/* one is not told for all its places, likewise */

/* Which they are now they see for themselves. */
static void tell(void)
{
	blocking_notifier_call_chain(&rcr_meters_chain, 0, NULL);
}

/* By its name, or NULL. Context: under the lock. */
struct rcr_meter *rcr_meters_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < RCR_METERS_MAX; i++)
		if (rcr_meters[i] && !strcmp(rcr_meters[i]->spec.name, name))
			return rcr_meters[i];
	return NULL;
}

/* The same, and the reason where there is none. */
struct rcr_meter *rcr_meters_look_up(const char *name, struct rcr_failure *f)
{
	struct rcr_meter *m = rcr_meters_find(name);

	if (!m)
		rcr_fail_with(f, -ENOENT, RCR_REASON_NO_METER, "%s", name);
	return m;
}

static struct rcr_form *copy_form(const struct rcr_form *form)
{
	return kmemdup(form, struct_size(form, term, rcr_form_terms(form)), GFP_KERNEL);
}

static struct rcr_meter *make(const struct rcr_meter_spec *spec)
{
	struct rcr_form *form;
	struct rcr_meter *m;
	unsigned int i;

	for (i = 0; i < RCR_METERS_MAX && rcr_meters[i]; i++)
		;
	if (i == RCR_METERS_MAX)
		return ERR_PTR(-ENOSPC);
	m = kzalloc(sizeof(*m), GFP_KERNEL);
	form = spec->form ? copy_form(spec->form) : NULL;
	if (!m || (spec->form && !form)) {
		kfree(form);
		kfree(m);
		return ERR_PTR(-ENOMEM);
	}
	m->number = i;
	m->serial = ++next_serial ?: ++next_serial;
	m->spec = *spec;
	m->spec.form = form;
	m->maxima.mix = RCR_MIX_MEASURED;
	/* No meter needs them yet: one of a ninth time scale goes without. */
	m->marked = !rcr_scale_use(rcr_meter_scale(spec));
	rcr_meters[i] = m;
	rcr_meters_changes += 2;
	return m;
}

static void unmake(struct rcr_meter *m)
{
	rcr_meters[m->number] = NULL;
	rcr_meters_changes += 2;
	rcr_unbind(m);
	if (m->marked)
		rcr_scale_drop(rcr_meter_scale(&m->spec));
	kfree(m->spec.form);
	kfree(m);
}

static void show(const struct rcr_meter *m)
{
	rcr_board_begin_change();
	rcr_bind_show(m);
	rcr_board_end_change();
}

static void take_down(struct rcr_meter *m)
{
	unsigned int i, first = rcr_board_first_entry(m->number);

	rcr_board_begin_change();
	rcr_board_clear_meter(m->number);
	rcr_board_end_change();
	for (i = 0; i < m->instances; i++)
		rcr_watch_gone(first + i);
	unmake(m);
}

static void show_places(void)
{
	unsigned int g;

	rcr_board_begin_change();
	for (g = 0; g < rcr_groups_count(); g++)
		rcr_board_place(g, rcr_groups_get(g));
	rcr_board_end_change();
}

static void bind(struct rcr_meter *m, const struct rcr_run *run)
{
	bool was = m->live;

	if (rcr_bind(m, run) == -ENOMEM)
		starved = true;
	/* A posted one stands there as before, with its values. */
	if (was ? !rcr_meter_is_posted(m) : m->live)
		show(m);
}

/* The set has changed: which meters it has counters for. Context: under the lock. */
void rcr_meters_bind_all(const struct rcr_run *run)
{
	unsigned int i;

	starved = false;
	rcr_meters_changes += 2;
	for (i = 0; i < RCR_METERS_MAX; i++)
		if (rcr_meters[i])
			bind(rcr_meters[i], run);
}

static void bind_starved(const struct rcr_run *run)
{
	unsigned int i;

	starved = false;
	for (i = 0; i < RCR_METERS_MAX; i++) {
		struct rcr_meter *m = rcr_meters[i];

		if (!m || m->live || m->why.error != -ENOMEM)
			continue;
		bind(m, run);
		rcr_engine_begin_meter(i);
	}
}

static void regroup(void)
{
	unsigned int i;

	ungrouped = false;
	show_places();
	for (i = 0; i < RCR_METERS_MAX; i++) {
		if (!rcr_meters[i] || !rcr_meters[i]->live)
			continue;
		if (rcr_bind_groups(rcr_meters[i]))
			ungrouped = true;
		else
			show(rcr_meters[i]);
	}
}

/**
 * rcr_meters_look_after() - what meters had no memory for is tried again
 * @run: what is counted
 * @came: CPUs have come for the first time
 *
 * Context: under the lock; may sleep.
 */
void rcr_meters_look_after(const struct rcr_run *run, bool came)
{
	if (starved)
		bind_starved(run);
	if (came || ungrouped)
		regroup();
}

static struct rcr_meter *make_checked(const struct rcr_meter_spec *spec,
				      const struct rcr_run *run, struct rcr_failure *f)
{
	int err = rcr_meter_vet(spec, run, f);
	struct rcr_meter *m;

	if (err)
		return ERR_PTR(err);
	m = make(spec);
	if (PTR_ERR_OR_ZERO(m) == -ENOSPC)
		rcr_fail_with(f, -ENOSPC, RCR_REASON_METERS_FULL, "%u", RCR_METERS_MAX);
	else if (IS_ERR(m))
		rcr_fail(f, PTR_ERR(m), RCR_REASON_NO_MEMORY);
	return m;
}

/* One that lacks a counter sleeps until the set has it. */
static int add(const struct rcr_meter_spec *spec, struct rcr_failure *f)
{
	const struct rcr_run *run = rcr_engine_run();
	struct rcr_meter *m = make_checked(spec, run, f);
	int err;

	if (IS_ERR(m))
		return PTR_ERR(m);
	err = rcr_bind(m, run);
	if (err && err != -ENOENT) {
		rcr_fail_like(f, err, &m->why);
		unmake(m);
		return err;
	}
	rcr_engine_begin_meter(m->number);
	show(m);
	return m->number;
}

/**
 * rcr_meters_add() - makes a meter
 * @spec: what it is
 * @f: gets the reason when it fails
 *
 * Context: may sleep.
 * Return: its number; -EINVAL, -EEXIST, -ENOSPC, -ENOMEM.
 */
int rcr_meters_add(const struct rcr_meter_spec *spec, struct rcr_failure *f)
{
	int number;

	mutex_lock(&rcr_meters_lock);
	rcr_engine_refresh();	/* it begins now */
	number = add(spec, f);
	mutex_unlock(&rcr_meters_lock);
	if (number >= 0)
		tell();
	return number;
}

/**
 * rcr_meters_foresee() - makes a meter whose counters are to come
 * @spec: what it is
 * @serial: gets its serial, for rcr_meters_admit()
 * @f: gets the reason when it fails
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, -EEXIST, -ENOSPC, -ENOMEM.
 */
int rcr_meters_foresee(const struct rcr_meter_spec *spec, u32 *serial,
		       struct rcr_failure *f)
{
	struct rcr_meter *m;

	mutex_lock(&rcr_meters_lock);
	m = make_checked(spec, rcr_engine_run(), f);
	if (!IS_ERR(m)) {
		rcr_fail(&m->why, -ENODATA, RCR_REASON_METER_PENDING);
		*serial = m->serial;
	}
	mutex_unlock(&rcr_meters_lock);
	return PTR_ERR_OR_ZERO(m);
}

static struct rcr_meter *find_serial(u32 serial)
{
	unsigned int i;

	for (i = 0; i < RCR_METERS_MAX; i++)
		if (rcr_meters[i] && rcr_meters[i]->serial == serial)
			return rcr_meters[i];
	return NULL;
}

/* One that only wants for memory has that in a moment: see rcr_meters_look_after(). */
static int come_alive(struct rcr_meter *m, struct rcr_failure *f)
{
	int err = m->live ? 0 : rcr_bind(m, rcr_engine_run());

	if (err == -ENOMEM)
		starved = true;
	else if (err)
		return rcr_fail_like(f, err, &m->why);
	rcr_engine_begin_meter(m->number);
	show(m);
	return 0;
}

static int admit(u32 serial, int err, struct rcr_failure *f)
{
	struct rcr_meter *m = find_serial(serial);

	if (!m)
		return rcr_fail(f, -ENOENT, RCR_REASON_METER_REMOVED);
	err = err ?: come_alive(m, f);
	if (!err)
		return m->number;
	take_down(m);
	return err;
}

/**
 * rcr_meters_admit() - its counters have come, or not
 * @serial: of a meter that was foreseen
 * @err: 0, or why they have not: then there is no such meter any more
 * @f: gets the reason when it fails
 *
 * Context: may sleep.
 * Return: its number; @err, -ENOENT, or why it cannot live with them.
 */
int rcr_meters_admit(u32 serial, int err, struct rcr_failure *f)
{
	int number;

	mutex_lock(&rcr_meters_lock);
	rcr_engine_refresh();
	number = admit(serial, err, f);
	mutex_unlock(&rcr_meters_lock);
	/* Also of one that is gone: who looked meanwhile may have seen it. */
	tell();
	return number;
}

static int remove(const char *name, struct rcr_failure *f)
{
	struct rcr_meter *m = rcr_meters_look_up(name, f);
	int number;

	if (!m)
		return -ENOENT;
	number = m->number;
	take_down(m);
	return number;
}

/**
 * rcr_meters_remove() - takes a meter away
 * @name: its name
 * @f: gets the reason when it fails
 *
 * Context: may sleep.
 * Return: 0 or -ENOENT.
 */
int rcr_meters_remove(const char *name, struct rcr_failure *f)
{
	int number;

	mutex_lock(&rcr_meters_lock);
	number = remove(name, f);
	mutex_unlock(&rcr_meters_lock);
	if (number < 0)
		return number;
	tell();
	return 0;
}

static void forget_all(void)
{
	unsigned int i;

	for (i = 0; i < RCR_METERS_MAX; i++)
		if (rcr_meters[i])
			unmake(rcr_meters[i]);
}

/**
 * rcr_meters_init() - makes the blackboard, without a meter
 * @sampled: the CPUs that are sampled whenever they are online
 *
 * Context: may sleep; something is counted, or nothing on purpose.
 * Return: 0 or -ENOMEM.
 */
int rcr_meters_init(const struct cpumask *sampled)
{
	int err;

	err = rcr_groups_init(sampled);
	if (err)
		return err;
	err = rcr_board_init(rcr_groups_lanes(), rcr_groups_max());
	if (err)
		goto err_groups;
	mutex_lock(&rcr_meters_lock);
	show_places();
	mutex_unlock(&rcr_meters_lock);
	return 0;
err_groups:
	rcr_groups_exit();
	return err;
}

/* The engine has stopped, and nobody looks any more. May sleep. */
void rcr_meters_exit(void)
{
	forget_all();
	rcr_board_exit();
	rcr_groups_exit();
}
