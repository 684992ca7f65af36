// SPDX-License-Identifier: GPL-2.0-only
/*
 * span.c - evaluates meters on request: for files, netlink requests and perf, and for the
 * mappings and watches of kmod/watch. Without a request nothing here runs.
 *
 * A span holds the counts of the CPUs in the parts of one time scale, read from the marks of
 * the ticks, and the windows of the places. An evaluation reads only the CPUs of its place.
 * All values evaluated in one pass are computed from the same samples.
 *
 * Everything is protected by rcr_meters_lock.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <asm/tsc.h>

#include "board/board.h"
#include "ring/run.h"
#include "ring/scale.h"
#include "meter.h"

static struct rcr_span spans[RCR_SCALES];
static struct rcr_run *run;			/* of the histories */
static struct rcr_record_layout layout;		/* of its records */
static struct rcr_workspace workspace;
static u32 pass;				/* not 0 */
static u64 pass_began;				/* TSC */
static struct rcr_meters_state state;

/* Return: the run that meters are bound to; NULL before the first one. */
const struct rcr_run *rcr_spans_run(void)
{
	return run;
}

const struct rcr_record_layout *rcr_spans_layout(void)
{
	return &layout;
}

/* True if any counter is sampled. */
static bool is_sampled(void)
{
	return run && !run->set.failure.error && run->set.count;
}

static u64 sum_lost(const struct rcr_span *s)
{
	unsigned int lane;
	u64 lost = 0;

	for (lane = 0; s->history && lane < rcr_groups_lanes(); lane++)
		lost += s->history[lane].lost;
	return lost;
}

static void free_histories(struct rcr_span *s)
{
	unsigned int lane;

	if (!s->history)
		return;
	state.lost += sum_lost(s);
	for (lane = 0; lane < rcr_groups_lanes(); lane++)
		rcr_history_free(&s->history[lane]);
	kvfree(s->history);
	s->history = NULL;
}

/* Allocate the history of each CPU, or none. */
static int make_histories(struct rcr_span *s)
{
	unsigned int lane;

	s->history = kvcalloc(rcr_groups_lanes(), sizeof(*s->history), GFP_KERNEL);
	if (!s->history)
		return -ENOMEM;
	for (lane = 0; lane < rcr_groups_lanes(); lane++) {
		const struct rcr_ring_memory *m = &run->ring[rcr_groups_cpu(lane)];

		if (rcr_history_init(&s->history[lane], &layout, s->scale, m->ring, m->marks)) {
			free_histories(s);
			return -ENOMEM;
		}
	}
	return 0;
}

static void free_view(struct rcr_view *v)
{
	if (v)
		kvfree(v->lane);
	kfree(v);
}

/* Point the view of a place at the histories of @s. */
static void fill_view(const struct rcr_span *s, struct rcr_view *v)
{
	unsigned int i;

	v->scale = s->scale;
	v->period = run->timing.period;
	v->tsc_hz = (u64)tsc_khz * 1000;
	v->anew++;
	for (i = 0; i < v->lanes; i++)
		v->lane[i].history = &s->history[v->lane[i].lane];
}

/* Add the new CPUs of a place to its view, which is unchanged on failure. */
static int resize_view(unsigned int place, struct rcr_view *v)
{
	unsigned int lane, n = 0, lanes = rcr_groups_get(place)->lanes;
	struct rcr_view_lane *all;

	if (v->lanes == lanes)
		return 0;
	all = kvcalloc(lanes, sizeof(*all), GFP_KERNEL);
	if (!all)
		return -ENOMEM;
	for (lane = 0; lane < rcr_groups_lanes(); lane++)
		if (rcr_groups_has(place, lane))
			all[n++].lane = lane;
	kvfree(v->lane);
	v->lane = all;
	v->lanes = n;
	return 0;
}

static int make_view(struct rcr_span *s, unsigned int place)
{
	struct rcr_view *v = kzalloc(sizeof(*v), GFP_KERNEL);

	if (!v || resize_view(place, v)) {
		kfree(v);
		return -ENOMEM;
	}
	fill_view(s, v);
	s->view[place] = v;
	return 0;
}

/* Add new CPUs to all views of a span. Return: 0, or -ENOMEM if a view lacks a CPU. */
static int refill_views(struct rcr_span *s)
{
	unsigned int place;
	int err = 0;

	for (place = 0; s->history && place < rcr_groups_count(); place++) {
		if (!s->view[place])
			continue;
		err = resize_view(place, s->view[place]) ?: err;
		fill_view(s, s->view[place]);
	}
	return err;
}

static void free_views(struct rcr_span *s)
{
	unsigned int place;

	for (place = 0; s->view && place < rcr_groups_max(); place++)
		free_view(s->view[place]);
	kvfree(s->view);
}

static void end_span(struct rcr_span *s)
{
	rcr_scale_drop(s->scale);
	free_histories(s);
	free_views(s);
	memset(s, 0, sizeof(*s));
}

static struct rcr_span *find_span(u64 scale)
{
	unsigned int i;

	for (i = 0; i < RCR_SCALES; i++)
		if (spans[i].scale == scale)
			return &spans[i];
	return NULL;
}

/**
 * rcr_span_get() - take a reference to the span of a time scale
 * @scale: the time scale, ns, not 0
 * @f: filled in on failure
 *
 * For a new time scale, ticks write marks from their next sample on.
 *
 * Context: under rcr_meters_lock; may sleep.
 * Return: the span; NULL with -ENOSPC in @f if there are RCR_SCALES others, or with -ENOMEM.
 */
struct rcr_span *rcr_span_get(u64 scale, struct rcr_failure *f)
{
	struct rcr_span *s = find_span(scale) ?: find_span(0);

	if (!s || (!s->users && rcr_scale_use(scale))) {
		rcr_fail_with(f, -ENOSPC, RCR_REASON_SCALES_FULL, "%u", RCR_SCALES);
		return NULL;
	}
	if (!s->users++) {
		s->scale = scale;
		s->view = kvcalloc(rcr_groups_max(), sizeof(*s->view), GFP_KERNEL);
		if (!s->view) {
			rcr_span_put(s);
			rcr_fail(f, -ENOMEM, RCR_REASON_NO_MEMORY);
			return NULL;
		}
	}
	return s;
}

/* Drop a reference. Context: under rcr_meters_lock; may sleep. */
void rcr_span_put(struct rcr_span *s)
{
	if (!--s->users)
		end_span(s);
}

/**
 * rcr_span_prepare() - allocate the windows of the machine and of the places of a kind
 * @s: the span
 * @kind: enum rcr_place_kind
 *
 * Context: under rcr_meters_lock; may sleep.
 * Return: 0; -ENOMEM: windows allocated so far are kept; -ENODATA if nothing is counted.
 */
int rcr_span_prepare(struct rcr_span *s, u32 kind)
{
	unsigned int place;

	if (!is_sampled())
		return -ENODATA;
	if (!s->history && (make_histories(s) || refill_views(s)))
		return -ENOMEM;
	for (place = 0; place < rcr_groups_count(); place++) {
		if (s->view[place] || (place && rcr_groups_get(place)->kind != kind))
			continue;
		if (make_view(s, place))
			return -ENOMEM;
	}
	return 0;
}

/**
 * rcr_spans_regroup() - add new CPUs to the windows of their places
 *
 * Context: under rcr_meters_lock; may sleep.
 * Return: 0, or -ENOMEM: the caller retries later.
 */
int rcr_spans_regroup(void)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < RCR_SCALES; i++)
		if (spans[i].users)
			err = refill_views(&spans[i]) ?: err;
	return err;
}

static void set_layout(void)
{
	unsigned int i;

	layout.count = run->set.count;
	layout.slow = run->set.slow;
	layout.slow_offset = rcr_run_slow_offset(run);
	layout.gauges = 0;
	for (i = 0; i < run->set.count; i++)
		if (run->set.counter[i].unit == RCR_UNIT_MILLIDEGREE)
			layout.gauges |= BIT(i);
}

/**
 * rcr_spans_follow() - switch to another run
 * @now: the run, whose reference is passed; NULL at unload
 *
 * Past values of places are kept. Histories are allocated again when needed; they begin with the
 * marks that were copied from the previous run.
 *
 * Context: under rcr_meters_lock; may sleep. The caller then binds the meters to the new run.
 */
void rcr_spans_follow(struct rcr_run *now)
{
	unsigned int i;

	for (i = 0; i < RCR_SCALES; i++)
		free_histories(&spans[i]);
	rcr_run_put(run);
	run = now;
	if (!now)
		return;
	set_layout();
	for (i = 0; i < RCR_SCALES; i++)
		if (spans[i].users && is_sampled() && !make_histories(&spans[i]))
			refill_views(&spans[i]);
}

/**
 * rcr_pass_begin() - begin a pass: all evaluations until rcr_pass_end() use the same samples
 *
 * Context: under rcr_meters_lock until rcr_pass_end().
 */
void rcr_pass_begin(void)
{
	pass_began = rdtsc();
	pass = pass + 1 ?: 1;
}

void rcr_pass_end(void)
{
	state.passes++;
	state.cycles += rdtsc() - pass_began;
}

/* The sampling period, ns; 0: nothing is sampled. */
u64 rcr_pass_period(void)
{
	return is_sampled() ? run->timing.period : 0;
}

static void update_history(struct rcr_history *h)
{
	if (h->pass == pass)
		return;
	h->pass = pass;
	rcr_history_update(h, ktime_get_ns());
}

/**
 * rcr_pass_view() - update the window of a meter at a place
 * @m: a live meter
 * @place: number of the instance
 *
 * Context: in a pass.
 * Return: the window, up to the newest samples of its CPUs.
 */
const struct rcr_view *rcr_pass_view(struct rcr_meter *m, unsigned int place)
{
	u32 group = m->instance[place].place;
	struct rcr_span *s = m->span;
	struct rcr_view *v = s->view[group];
	unsigned int i;

	if (v->pass == pass)
		return v;
	v->pass = pass;
	for (i = 0; i < v->lanes; i++)
		update_history(&s->history[v->lane[i].lane]);
	rcr_view_update(v);
	return v;
}

/* Return: the workspace that all evaluations share. Context: in a pass. */
struct rcr_workspace *rcr_pass_workspace(void)
{
	return &workspace;
}

/**
 * rcr_pass_evaluate() - update the values of a meter at a place on the board
 * @m: the meter; nothing is done if it is not live
 * @place: number of the instance
 *
 * Context: in a pass.
 */
void rcr_pass_evaluate(struct rcr_meter *m, unsigned int place)
{
	struct rcr_instance *i = &m->instance[place];
	struct rcr_board_value v;

	/* A place has no CPU until its first one comes online. */
	if (!rcr_meter_is_counted(m) || i->pass == pass || !rcr_groups_get(i->place)->lanes)
		return;
	i->pass = pass;
	rcr_value_update(&i->past, &m->binding, rcr_pass_view(m, place), &workspace, &v);
	state.evaluations++;
	/* There is no sample yet. */
	if (!v.time)
		return;
	rcr_limits_judge(&i->limits, &v);
	rcr_board_write(rcr_board_first_entry(m->number) + place, &v);
}

/* Evaluate a meter at all of its places. Context: in a pass; may sleep. */
void rcr_pass_evaluate_all(struct rcr_meter *m)
{
	unsigned int i;

	for (i = 0; i < m->instances; i++) {
		rcr_pass_evaluate(m, i);
		cond_resched();
	}
}

/* Copy the statistics. Context: under rcr_meters_lock. */
void rcr_pass_state(struct rcr_meters_state *copy)
{
	unsigned int i;

	*copy = state;
	for (i = 0; i < RCR_SCALES; i++)
		copy->lost += sum_lost(&spans[i]);
}

/* Allocate the workspace. Context: may sleep; after rcr_groups_init(). Return: 0 or -ENOMEM. */
int rcr_spans_init(void)
{
	return rcr_workspace_init(&workspace, rcr_groups_lanes(), rcr_groups_max());
}

/* Free all spans. Context: no meter is left; may sleep. */
void rcr_spans_exit(void)
{
	rcr_spans_follow(NULL);
	rcr_workspace_free(&workspace);
}
