// SPDX-License-Identifier: GPL-2.0-only
/*
 * meters.c - adds meters, binds them to the set, and removes them.
 *
 * There are RCR_METERS_MAX slots. A meter sleeps while the set lacks one of its counters. A
 * meter that is added together with its counters is added first, asleep: if the counters do
 * not fit it is removed; if it is refused afterwards they remain counted. The control
 * subsystem knows no meters. Interfaces learn of added and removed meters from a notifier
 * chain, which is called without the lock.
 */
#include <linux/bits.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "board/board.h"
#include "control/control.h"
#include "ring/run.h"
#include "meter.h"

/* Held while meters or their values are read or changed. */
DEFINE_MUTEX(rcr_meters_lock);
struct rcr_meter *rcr_meters[RCR_METERS_MAX];
BLOCKING_NOTIFIER_HEAD(rcr_meters_chain);
u32 rcr_meters_changes = 1;		/* always odd: netlink dumps treat 0 as no version */

static u32 next_serial;
static bool starved;			/* a meter sleeps for lack of memory */
static bool ungrouped;			/* a meter lacks a place for lack of memory */

/* Notify of a changed list, which the listeners read. */
static void announce_meters(void)
{
	blocking_notifier_call_chain(&rcr_meters_chain, 0, NULL);
}

/* Find a meter by name, or NULL. Context: under rcr_meters_lock. */
struct rcr_meter *rcr_meters_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < RCR_METERS_MAX; i++)
		if (rcr_meters[i] && !strcmp(rcr_meters[i]->spec.name, name))
			return rcr_meters[i];
	return NULL;
}

/* Like rcr_meters_find(), but record the failure. Context: under rcr_meters_lock. */
struct rcr_meter *rcr_meters_look_up(const char *name, struct rcr_failure *f)
{
	struct rcr_meter *m = rcr_meters_find(name);

	if (!m)
		rcr_fail_with(f, -ENOENT, RCR_REASON_NO_METER, "%s", name);
	return m;
}

static int check_name(const char *name, struct rcr_failure *f)
{
	const char *c = name;

	if (!isascii(*c) || (!isalpha(*c) && *c != '_'))
		return rcr_fail_with(f, -EINVAL, RCR_REASON_METER_NAME, "%s", name);
	while (isascii(*c) && (isalnum(*c) || *c == '_' || *c == '.'))
		c++;
	return *c ? rcr_fail_with(f, -EINVAL, RCR_REASON_METER_NAME, "%s", name) : 0;
}

static int check_unit(const char *unit, struct rcr_failure *f)
{
	const char *c = unit;

	while (isprint(*c) && isascii(*c))
		c++;
	return *c ? rcr_fail_with(f, -EINVAL, RCR_REASON_BAD_UNIT, "%s", unit) : 0;
}

static int check_scale(u64 scale, struct rcr_failure *f)
{
	u64 period = rcr_spans_run()->timing.period;

	return scale >= period ? 0 : rcr_fail_with(f, -EINVAL, RCR_REASON_SHORT_SCALE,
						   "%llu%llu", scale, period);
}

/* Check a definition except for its form. */
static int check_spec(const struct rcr_meter_spec *spec, struct rcr_failure *f)
{
	int err = check_name(spec->name, f) ?: check_unit(spec->unit, f) ?:
		  check_scale(spec->scale, f);

	if (err)
		return err;
	if (rcr_meters_find(spec->name))
		return rcr_fail_with(f, -EEXIST, RCR_REASON_METER_EXISTS, "%s", spec->name);
	return 0;
}

static struct rcr_form *copy_form(const struct rcr_form *form)
{
	return kmemdup(form, struct_size(form, term, rcr_form_terms(form)), GFP_KERNEL);
}

static int find_slot(void)
{
	unsigned int i;

	for (i = 0; i < RCR_METERS_MAX; i++)
		if (!rcr_meters[i])
			return i;
	return -ENOSPC;
}

static void free_meter(struct rcr_meter *m)
{
	if (m->span)
		rcr_span_put(m->span);
	kfree(m->spec.form);
	kfree(m->set);
	kfree(m);
}

static struct rcr_meter *alloc_meter(const struct rcr_meter_spec *spec, struct rcr_failure *f)
{
	struct rcr_meter *m = kzalloc(sizeof(*m), GFP_KERNEL);

	if (!m) {
		rcr_fail(f, -ENOMEM, RCR_REASON_NO_MEMORY);
		return NULL;
	}
	m->spec = *spec;
	if (!spec->form)
		return m;
	m->spec.form = copy_form(spec->form);
	if (!m->spec.form)
		rcr_fail(f, -ENOMEM, RCR_REASON_NO_MEMORY);
	else
		m->span = rcr_span_get(spec->scale, f);
	if (m->span)
		return m;
	free_meter(m);
	return NULL;
}

static u32 make_serial(void)
{
	return ++next_serial ?: ++next_serial;
}

static struct rcr_meter *make_meter(const struct rcr_meter_spec *spec, struct rcr_failure *f)
{
	struct rcr_meter *m;
	int slot = find_slot();

	if (slot < 0) {
		rcr_fail_with(f, -ENOSPC, RCR_REASON_METERS_FULL, "%u", RCR_METERS_MAX);
		return NULL;
	}
	m = alloc_meter(spec, f);
	if (!m)
		return NULL;
	m->number = slot;
	m->serial = make_serial();
	rcr_meters[slot] = m;
	rcr_meters_changes += 2;
	return m;
}

static void unlist_meter(struct rcr_meter *m)
{
	rcr_meters[m->number] = NULL;
	rcr_meters_changes += 2;
	rcr_unbind(m);
	free_meter(m);
}

static void publish_meter(const struct rcr_meter *m)
{
	rcr_board_begin_change();
	rcr_bind_show(m);
	rcr_board_end_change();
}

static void remove_from_board(struct rcr_meter *m)
{
	rcr_board_begin_change();
	rcr_board_clear_meter(m->number);
	rcr_board_end_change();
	unlist_meter(m);
}

static void publish_place(unsigned int n, const struct rcr_group *g)
{
	rcr_board_place(n, g->kind, g->number, g->parent);
}

static void publish_places(void)
{
	unsigned int g;

	rcr_board_begin_change();
	for (g = 0; g < rcr_groups_count(); g++)
		publish_place(g, rcr_groups_get(g));
	rcr_board_end_change();
}

/* True if a counter of the meter restarts in @run: its past values are of another counter. */
static bool has_restarted(const struct rcr_meter *m, const struct rcr_run *run)
{
	const struct rcr_counter_set *set = &run->set;
	unsigned int i, k;

	for (i = 0; m->spec.form && i < rcr_form_terms(m->spec.form); i++)
		for (k = 0; k < set->count; k++)
			if (!strcmp(set->counter[k].name, m->spec.form->term[i].name) &&
			    !(set->kept & BIT(k)))
				return true;
	return false;
}

/* True if the meter now has values at another kind of place, which readers must look up. */
static bool has_moved(const struct rcr_meter *m, u32 over)
{
	return m->live && m->over != over;
}

/* Clear a meter's entries, whose values are of other counters, until it is published again. */
static void clear_entries(struct rcr_meter *m)
{
	rcr_board_begin_change();
	rcr_board_clear_meter(m->number);
	rcr_board_end_change();
}

/* Bind a meter to a run. Return: true if readers of its entries must look it up again. */
static bool bind_meter(struct rcr_meter *m, const struct rcr_run *run, bool begins_anew)
{
	bool was = m->live, moved;
	u32 over = m->over;

	if (was && begins_anew) {
		rcr_unbind(m);
		clear_entries(m);
	}
	if (rcr_bind(m, run) == -ENOMEM)
		starved = true;
	moved = was && has_moved(m, over);
	if (moved)
		m->serial = make_serial();
	/* A posted meter keeps its values. */
	if (was ? !rcr_meter_is_posted(m) : m->live)
		publish_meter(m);
	return moved;
}

static void publish_state(const struct rcr_run *run)
{
	if (!run || run->set.failure.error || !run->set.count)
		rcr_board_heartbeat(RCR_BOARD_STOPPED, 0);
}

/* Notifier: bind all meters to a new run. May sleep. */
static int follow_run(struct notifier_block *block, unsigned long unused, void *data)
{
	struct rcr_run *run = data;
	bool moved = false;
	unsigned int i;

	if (!run)
		return NOTIFY_OK;
	mutex_lock(&rcr_meters_lock);
	rcr_spans_follow(rcr_run_get(run));
	starved = false;
	rcr_meters_changes += 2;
	for (i = 0; i < RCR_METERS_MAX; i++)
		if (rcr_meters[i])
			moved |= bind_meter(rcr_meters[i], run, has_restarted(rcr_meters[i], run));
	publish_state(run);
	mutex_unlock(&rcr_meters_lock);
	if (moved)
		announce_meters();
	return NOTIFY_OK;
}

static struct notifier_block run_listener = { .notifier_call = follow_run };

static void bind_starved(void)
{
	unsigned int i;

	starved = false;
	for (i = 0; i < RCR_METERS_MAX; i++)
		if (rcr_meters[i] && !rcr_meters[i]->live &&
		    rcr_meters[i]->why.error == -ENOMEM)
			bind_meter(rcr_meters[i], rcr_spans_run(), false);
}

static void regroup_meters(void)
{
	unsigned int i;

	ungrouped = rcr_spans_regroup();
	publish_places();
	for (i = 0; i < RCR_METERS_MAX; i++) {
		if (!rcr_meters[i] || !rcr_meters[i]->live)
			continue;
		if (rcr_bind_groups(rcr_meters[i]))
			ungrouped = true;
		else
			publish_meter(rcr_meters[i]);
	}
}

/**
 * rcr_meters_catch_up() - add CPUs that came online for the first time, and retry allocations
 *
 * Called before meters are read.
 *
 * Context: under rcr_meters_lock; may sleep.
 */
void rcr_meters_catch_up(void)
{
	if (starved)
		bind_starved();
	if (rcr_groups_update() || ungrouped)
		regroup_meters();
}

/* Create a meter; it sleeps if a counter is missing. Return: its number, or -errno. */
static int insert_meter(const struct rcr_meter_spec *spec, struct rcr_failure *f)
{
	int err = check_spec(spec, f);
	struct rcr_meter *m;

	if (err)
		return err;
	m = make_meter(spec, f);
	if (!m)
		return f->error;
	err = rcr_bind(m, rcr_spans_run());
	if (err && err != -ENOENT) {
		rcr_fail_like(f, err, &m->why);
		unlist_meter(m);
		return err;
	}
	publish_meter(m);
	return m->number;
}

/**
 * rcr_meters_add() - add a meter
 * @spec: its definition
 * @f: filled in on failure
 *
 * Context: may sleep.
 * Return: its number; -EINVAL, -EEXIST, -ENOSPC, -ENOMEM.
 */
int rcr_meters_add(const struct rcr_meter_spec *spec, struct rcr_failure *f)
{
	int number;

	mutex_lock(&rcr_meters_lock);
	rcr_meters_catch_up();
	number = insert_meter(spec, f);
	mutex_unlock(&rcr_meters_lock);
	if (number >= 0)
		announce_meters();
	return number;
}

static int remove_meter(const char *name, struct rcr_failure *f)
{
	struct rcr_meter *m = rcr_meters_look_up(name, f);
	int number;

	if (!m)
		return -ENOENT;
	number = m->number;
	remove_from_board(m);
	return number;
}

/**
 * rcr_meters_remove() - remove a meter
 * @name: its name
 * @f: filled in on failure
 *
 * Context: may sleep.
 * Return: 0 or -ENOENT.
 */
int rcr_meters_remove(const char *name, struct rcr_failure *f)
{
	int number;

	mutex_lock(&rcr_meters_lock);
	number = remove_meter(name, f);
	mutex_unlock(&rcr_meters_lock);
	if (number < 0)
		return number;
	announce_meters();
	return 0;
}

/* Check, before events are programmed for a form, that they complete it. */
static int check_form(const struct rcr_form *form, const struct rcr_event *event,
		      unsigned int count, struct rcr_failure *f)
{
	int err;

	mutex_lock(&rcr_meters_lock);
	err = rcr_bind_check(form, &rcr_spans_run()->set, event, count, f);
	mutex_unlock(&rcr_meters_lock);
	return err;
}

static int check_sleeping(const char *name, const struct rcr_event *event, unsigned int count,
			  struct rcr_failure *f)
{
	const struct rcr_meter *m;
	int err;

	mutex_lock(&rcr_meters_lock);
	m = rcr_meters_look_up(name, f);
	if (!m)
		err = -ENOENT;
	else if (rcr_meter_is_posted(m))
		err = rcr_fail_with(f, -EINVAL, RCR_REASON_IS_POSTED, "%s", name);
	else
		err = rcr_bind_check(m->spec.form, &rcr_spans_run()->set, event, count, f);
	mutex_unlock(&rcr_meters_lock);
	return err;
}

/*
 * Count the events of a sleeping meter. Return: its number if it is live or only lacks memory,
 * for which rcr_meters_catch_up() retries; or -errno.
 */
static int extend_for_meter(u32 *generation, const char *name, const struct rcr_event *event,
			    unsigned int count, struct rcr_failure *f)
{
	int ret = rcr_control_extend(generation, event, count, f);
	const struct rcr_meter *m;

	if (ret)
		return ret;
	mutex_lock(&rcr_meters_lock);
	m = rcr_meters_find(name);
	if (!m)
		ret = rcr_fail(f, -ENOENT, RCR_REASON_METER_REMOVED);
	else if (m->live || m->why.error == -ENOMEM)
		ret = m->number;
	else
		ret = rcr_fail_like(f, m->why.error, &m->why);
	mutex_unlock(&rcr_meters_lock);
	return ret;
}

/**
 * rcr_meters_wake() - count the events that a sleeping meter lacks
 * @generation: generation that the caller has read, or RCR_ANY_GENERATION; on success that of
 *	the change
 * @name: name of the meter
 * @event: events with the names that it lacks
 * @count: number of events
 * @f: filled in on failure
 *
 * Context: may sleep.
 * Return: its number; -ENOENT, -EINVAL; -errno of rcr_control_extend(), or, if it still sleeps,
 * of the reason.
 */
int rcr_meters_wake(u32 *generation, const char *name, const struct rcr_event *event,
		    unsigned int count, struct rcr_failure *f)
{
	return check_sleeping(name, event, count, f) ?:
	       extend_for_meter(generation, name, event, count, f);
}

/**
 * rcr_meters_add_with() - add a meter and the events that it needs
 * @generation: generation that the caller has read, or RCR_ANY_GENERATION; on success that of
 *	the change
 * @spec: definition of the meter
 * @event: events that are not counted yet, with different names
 * @count: number of events
 * @f: filled in on failure
 *
 * Context: may sleep.
 * Return: the meter's number, or -errno of rcr_control_extend() or rcr_meters_add().
 */
int rcr_meters_add_with(u32 *generation, const struct rcr_meter_spec *spec,
			const struct rcr_event *event, unsigned int count,
			struct rcr_failure *f)
{
	int ret = check_form(spec->form, event, count, f);

	if (!ret)
		ret = rcr_meters_add(spec, f);
	if (ret < 0)
		return ret;
	ret = extend_for_meter(generation, spec->name, event, count, f);
	if (ret < 0)
		rcr_meters_remove(spec->name, f);
	return ret;
}

static void reset_meter(struct rcr_meter *m)
{
	unsigned int i;

	for (i = 0; i < m->instances; i++) {
		if (rcr_meter_is_posted(m))
			rcr_posted_reset(&m->instance[i].posted);
		else
			rcr_past_reset(&m->instance[i].past);
	}
}

/**
 * rcr_meters_reset() - reset the highest value of a meter, and its posted values
 * @name: its name; NULL: all meters
 * @f: filled in on failure
 *
 * Context: may sleep.
 * Return: 0 or -ENOENT.
 */
int rcr_meters_reset(const char *name, struct rcr_failure *f)
{
	struct rcr_meter *m = NULL;
	unsigned int i;

	mutex_lock(&rcr_meters_lock);
	if (name)
		m = rcr_meters_look_up(name, f);
	/* Read all samples up to now, so that the new highest value excludes them. */
	rcr_pass_begin();
	for (i = 0; i < RCR_METERS_MAX; i++)
		if (rcr_meters[i] && (rcr_meters[i] == m || !name)) {
			rcr_pass_evaluate_all(rcr_meters[i]);
			reset_meter(rcr_meters[i]);
		}
	rcr_pass_end();
	mutex_unlock(&rcr_meters_lock);
	return name && !m ? -ENOENT : 0;
}

static void unlist_all_meters(void)
{
	unsigned int i;

	for (i = 0; i < RCR_METERS_MAX; i++)
		if (rcr_meters[i])
			unlist_meter(rcr_meters[i]);
}

/**
 * rcr_meters_init() - allocate the board, without meters
 * @sampled: CPUs that are sampled whenever they are online
 *
 * Context: may sleep; the first set has been programmed.
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
	err = rcr_spans_init();
	if (err)
		goto err_board;
	rcr_run_register_notifier(&run_listener);
	mutex_lock(&rcr_meters_lock);
	publish_places();
	rcr_spans_follow(rcr_run_get_current());
	publish_state(rcr_spans_run());
	mutex_unlock(&rcr_meters_lock);
	return 0;
err_board:
	rcr_board_exit();
err_groups:
	rcr_groups_exit();
	return err;
}

/* Remove all meters. Context: may sleep; all interfaces are closed. */
void rcr_meters_exit(void)
{
	rcr_run_unregister_notifier(&run_listener);
	unlist_all_meters();
	rcr_spans_exit();
	rcr_board_exit();
	rcr_groups_exit();
}
