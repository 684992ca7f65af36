// SPDX-License-Identifier: GPL-2.0-only
/*
 * limits.c - maximum and contention level of the resource that a meter measures.
 *
 * Userspace sets one of each for a place, from a calibration or from the hardware's data.
 */
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "board/board.h"
#include "meter.h"

static struct rcr_place_limits *find_limits(const struct rcr_meter *m, u32 place)
{
	unsigned int i;

	for (i = 0; i < m->sets; i++)
		if (m->set[i].place == place)
			return &m->set[i];
	return NULL;
}

/* Return: limits that were set for a place, or NULL. Context: under rcr_meters_lock. */
const struct rcr_limits *rcr_limits_find(const struct rcr_meter *m, u32 place)
{
	const struct rcr_place_limits *at = find_limits(m, place);

	return at ? &at->limits : NULL;
}

/* Find the limits of a place, or allocate them. Return: NULL if out of memory. */
static struct rcr_place_limits *make_limits(struct rcr_meter *m, u32 place)
{
	struct rcr_place_limits *at = find_limits(m, place), *set;

	if (at)
		return at;
	set = krealloc(m->set, (m->sets + 1) * sizeof(*set), GFP_KERNEL);
	if (!set)
		return NULL;
	m->set = set;
	at = &set[m->sets++];
	*at = (struct rcr_place_limits){ .place = place };
	return at;
}

static void update_limited_flag(struct rcr_meter *m)
{
	unsigned int i;

	m->spec.flags &= ~RCR_METER_LIMITED;
	for (i = 0; i < m->sets; i++)
		if (m->set[i].limits.maximum || m->set[i].limits.contention)
			m->spec.flags |= RCR_METER_LIMITED;
}

/* Apply the new limits to the value on the board, without waiting for a new value. */
static void reapply_limits(const struct rcr_meter *m, unsigned int i)
{
	unsigned int entry = rcr_board_first_entry(m->number) + i;
	struct rcr_board_value v;

	if (rcr_board_load(entry, m->serial, &v))
		return;
	v.utilization = 0;
	v.verdict = RCR_VERDICT_NONE;
	rcr_limits_judge(&m->instance[i].limits, &v);
	rcr_board_write(entry, &v);
}

static void apply_limits(struct rcr_meter *m, const struct rcr_place_limits *at)
{
	unsigned int i;

	for (i = 0; i < m->instances; i++)
		if (m->instance[i].place == at->place) {
			m->instance[i].limits = at->limits;
			reapply_limits(m, i);
		}
	update_limited_flag(m);
	rcr_board_begin_change();
	rcr_bind_show(m);
	rcr_board_end_change();
}

static int set_limits(struct rcr_meter *m, u32 place, const s64 *maximum,
		      const s64 *contention, struct rcr_failure *f)
{
	struct rcr_place_limits *at = make_limits(m, place);

	if (!at)
		return rcr_fail(f, -ENOMEM, RCR_REASON_NO_MEMORY);
	if (maximum)
		at->limits.maximum = *maximum;
	if (contention)
		at->limits.contention = *contention;
	apply_limits(m, at);
	return 0;
}

/* True if the meter can have a value at a place; the places of a sleeping meter are unknown. */
static bool is_possible_place(const struct rcr_meter *m, u32 place)
{
	unsigned int i;

	for (i = 0; i < m->instances; i++)
		if (m->instance[i].place == place)
			return true;
	return !m->live;
}

/**
 * rcr_meters_set_limits() - set the maximum and the contention level of a meter at a place
 * @name: name of the meter
 * @kind: enum rcr_place_kind
 * @number: number of the place
 * @maximum: largest value, not negative; 0: unknown; NULL: do not change it
 * @contention: contention level, likewise
 * @f: filled in on failure
 *
 * Context: may sleep.
 * Return: 0; -ENOENT for an unknown meter; -ENXIO if it has no values at such a place; -ENOMEM.
 */
int rcr_meters_set_limits(const char *name, u32 kind, u32 number, const s64 *maximum,
			  const s64 *contention, struct rcr_failure *f)
{
	struct rcr_meter *m;
	int place, err = -ENOENT;

	mutex_lock(&rcr_meters_lock);
	m = rcr_meters_look_up(name, f);
	if (!m)
		goto out;
	place = rcr_groups_find(kind, number);
	if (place < 0 || !is_possible_place(m, place))
		err = rcr_fail_with(f, -ENXIO, RCR_REASON_UNKNOWN_PLACE, "%s%u",
				    rcr_place_name(kind), number);
	else
		err = set_limits(m, place, maximum, contention, f);
out:
	mutex_unlock(&rcr_meters_lock);
	return err;
}
