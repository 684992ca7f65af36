// SPDX-License-Identifier: GPL-2.0-only
/*
 * meter_catalogue.c - adds the meters of the machine's family to the module.
 *
 * A meter may be measured in several ways. The best one whose events are counted is taken,
 * else the best one whose events this machine can count. A meter whose counters are not in
 * the set sleeps there until they are.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue.h"
#include "message.h"
#include "meter.h"

/* Catalogue meters are over a second. */
#define TIMESCALE (1000000 | RCR_TIME_AVERAGE)

/**
 * struct way - one way to measure a meter, with its events apart
 * @row: of the catalogue
 * @text: the events
 * @events: the same
 * @count: how many
 */
struct way {
	const struct catalogue_row *row;
	char text[RCR_MAX_COUNTERS][RCR_EVENT_LEN];
	const char *events[RCR_MAX_COUNTERS];
	unsigned int count;
};

static void split_events(struct way *w, const struct catalogue_row *row)
{
	const char *at = row->events ? row->events : "";
	size_t len;

	w->row = row;
	for (w->count = 0; *at && w->count < RCR_MAX_COUNTERS; w->count++) {
		len = strcspn(at, ";");
		snprintf(w->text[w->count], RCR_EVENT_LEN, "%.*s", (int)len, at);
		w->events[w->count] = w->text[w->count];
		at += len + (at[len] == ';');
	}
}

static int compile_way(struct session *s, const struct rcr_meters *meters, const struct way *w,
		       struct rcr_form *form)
{
	const struct meanings m = { s, meters, w->events, w->count };
	struct why why;

	if (!meter_compile(&m, w->row->formula, w->row->digits, form, &why))
		return EXIT_SUCCESS;
	return fail("%s: %s", w->row->name, why.text);
}

static bool is_side_counted(const struct session *s, const struct rcr_form_side *side)
{
	unsigned int i;

	for (i = 0; i < side->terms; i++)
		if (*side->term[i].name && !meter_counter(s, side->term[i].name))
			return false;
	return true;
}

static bool is_counted(const struct session *s, const struct rcr_form *form)
{
	return is_side_counted(s, &form->above) && is_side_counted(s, &form->below);
}

/*
 * What is counted for @event of the catalogue, "NAME=UNIT:event:...": where the kernel may
 * count a unit, that is the event of its driver, if it is known by NAME.
 */
static void resolve_event(struct session *s, const char *event, char resolved[RCR_EVENT_LEN])
{
	const struct names *names = session_names(s);
	const char *what = strchr(event, '=') + 1;
	char name[RCR_NAME_LEN];
	struct why why;

	strcpy(resolved, event);
	if (!strncmp(what, "event:", 6) || !strncmp(what, "register:", 9) ||
	    !strcmp(names->policy, "msr"))
		return;
	snprintf(name, sizeof(name), "%.*s", (int)(what - 1 - event), event);
	if (names_resolve(names, name, resolved, &why))
		strcpy(resolved, event);
}

/* Can the machine count it, by the module's registers or by a driver of the kernel? */
static bool can_count(struct session *s, const struct way *w)
{
	char event[RCR_EVENT_LEN];
	uint64_t counters;
	unsigned int i;

	for (i = 0; i < w->count; i++) {
		resolve_event(s, w->events[i], event);
		if (rcr_control_where(s->control, event, &counters))
			return false;
	}
	return true;
}

/* How good a way is now. */
enum rank { WAY_IMPOSSIBLE, WAY_POSSIBLE, WAY_COUNTED };

static enum rank rank_way(struct session *s, const struct way *w, const struct rcr_form *form)
{
	if (is_counted(s, form))
		return WAY_COUNTED;
	return can_count(s, w) ? WAY_POSSIBLE : WAY_IMPOSSIBLE;
}

/* The next row of the same meter, whose rows follow each other, or NULL. */
static const struct catalogue_row *next_way(const struct session *s,
					    const struct catalogue_row *row)
{
	const struct catalogue_row *next = catalogue_next(row, s->state.family);

	return next && !strcmp(next->name, row->name) ? next : NULL;
}

/*
 * The best way to measure the meter of @first, the first one of several that are as good,
 * with its form. EXIT_SUCCESS, or EXIT_FAILURE after a sentence.
 */
static int choose_way(struct session *s, const struct rcr_meters *meters,
		      const struct catalogue_row *first, struct way *best, struct rcr_form *form)
{
	enum rank rank, highest = WAY_IMPOSSIBLE;
	const struct catalogue_row *row;
	static struct rcr_form other;
	static struct way way;

	for (row = first; row && highest < WAY_COUNTED; row = next_way(s, row)) {
		split_events(&way, row);
		if (compile_way(s, meters, &way, &other))
			return EXIT_FAILURE;
		/* Without another way it does not matter. */
		rank = next_way(s, first) ? rank_way(s, &way, &other) : WAY_POSSIBLE;
		if (row != first && rank <= highest)
			continue;
		highest = rank;
		*best = way;
		*form = other;
	}
	return EXIT_SUCCESS;
}

static bool is_same_side(const struct rcr_form_side *a, const struct rcr_form_side *b)
{
	unsigned int i;

	if (a->terms != b->terms || a->reduction != b->reduction)
		return false;
	for (i = 0; i < a->terms; i++)
		if (strcmp(a->term[i].name, b->term[i].name) ||
		    a->term[i].kind != b->term[i].kind || a->term[i].weight != b->term[i].weight)
			return false;
	return true;
}

static bool is_same_form(const struct rcr_form *a, const struct rcr_form *b)
{
	return a->per_cpu == b->per_cpu && a->numerator == b->numerator &&
	       a->denominator == b->denominator && is_same_side(&a->above, &b->above) &&
	       is_same_side(&a->below, &b->below);
}

/* Is it a way of the catalogue, so that another one may replace it? */
static bool is_catalogued(struct session *s, const struct rcr_meters *meters,
			  const struct catalogue_row *first, const struct rcr_meter_state *m)
{
	static struct rcr_form form;
	static struct way way;
	const struct catalogue_row *row;

	for (row = first; row; row = next_way(s, row)) {
		split_events(&way, row);
		if (!compile_way(s, meters, &way, &form) && is_same_form(&form, &m->form))
			return true;
	}
	return false;
}

static int add_way(struct session *s, const struct way *w, const struct rcr_form *form)
{
	const struct rcr_meter_request r = {
		.name = w->row->name,
		.form = form,
		.unit = w->row->unit,
		.timescale = TIMESCALE,
		.over = RCR_METER_ANY,
		.digits = w->row->digits,
		.is_public = w->row->is_public,
	};

	/* Another rcrctl may have added it meanwhile. */
	if (!rcr_control_meter_add(s->control, 0, &r, NULL) || errno == EEXIST)
		return EXIT_SUCCESS;
	return done(s, -1);
}

/* A meter of the family that is there already stays, unless it sleeps and need not. */
static int load_meter(struct session *s, const struct rcr_meters *meters,
		      const struct catalogue_row *first)
{
	static struct rcr_form form;
	static struct way way;
	const struct rcr_meter_state *old = rcr_meters_find(meters, first->name);

	if (old && (!*old->reason || old->flags & RCR_METER_POSTED))
		return EXIT_SUCCESS;
	if (choose_way(s, meters, first, &way, &form))
		return EXIT_FAILURE;
	if (!old)
		return add_way(s, &way, &form);
	if (is_same_form(&form, &old->form) || !is_counted(s, &form) ||
	    !is_catalogued(s, meters, first, old))
		return EXIT_SUCCESS;
	if (rcr_control_meter_remove(s->control, 0, old->name) && errno != ENOENT)
		return done(s, -1);
	return add_way(s, &way, &form);
}

static int load_all(struct session *s, const struct rcr_meters *meters)
{
	const struct catalogue_row *row, *before = NULL;
	int status = EXIT_SUCCESS;

	for (row = catalogue_next(NULL, s->state.family); row && !status;
	     row = catalogue_next(row, s->state.family)) {
		if (!before || strcmp(before->name, row->name))
			status = load_meter(s, meters, row);
		before = row;
	}
	return status;
}

int do_meter_load(struct call *c)
{
	static struct rcr_meters meters;
	struct session *s = c->session;
	int status = session_look(s);

	if (!status)
		status = done(s, rcr_control_meters(s->control, &meters));
	return status ? status : load_all(s, &meters);
}

static bool has_computed(const struct rcr_meters *meters)
{
	unsigned int i;

	for (i = 0; i < meters->count; i++)
		if (!(meters->meter[i].flags & RCR_METER_POSTED))
			return true;
	return false;
}

/* The right to add a meter is CAP_SYS_RAWIO: a request that changes nothing asks for it. */
static bool may_load(struct session *s)
{
	return !rcr_control_meter_remove(s->control, 0, "") || errno != EPERM;
}

void meters_load_first(struct session *s)
{
	static struct rcr_meters meters;

	if (session_has_module(s) && !rcr_control_meters(s->control, &meters) &&
	    !has_computed(&meters) && may_load(s) && !rcr_control_look(s->control, &s->state))
		load_all(s, &meters);
}

bool meter_catalogued_event(struct session *s, const char *meter, const char *name,
			    char event[RCR_EVENT_LEN])
{
	const struct catalogue_row *row = catalogue_next(NULL, s->state.family);
	size_t len = strlen(name);
	static struct way way;
	unsigned int i;

	for (; row; row = catalogue_next(row, s->state.family)) {
		if (strcmp(row->name, meter))
			continue;
		split_events(&way, row);
		for (i = 0; i < way.count; i++)
			if (!strncmp(way.events[i], name, len) && way.events[i][len] == '=') {
				resolve_event(s, way.events[i], event);
				return true;
			}
	}
	return false;
}
