// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * load.c - adds the meters of the machine's family to the module.
 *
 * A meter may have several ways to measure it. The best one whose events are already counted is
 * chosen, else the best one whose events this machine can count. A meter whose counters are not in
 * the set is inactive until they are.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "catalogue.h"
#include "message.h"
#include "meters.h"
#include "native.h"
#include "way.h"

/* Time scale of catalogue meters, unless the sampling period is longer. */
#define SCALE_NS 1000000000ull

/* Held while meters are added, so that other instances find all of them. */
#define LOCK "/run/rcrtool.meters"

/* Attempts if the set changes while meters are added. */
#define TRIES 64

/**
 * struct way - one way to measure a meter
 * @row: row of the catalogue
 * @expanded: the row for the boxes of this machine
 * @text: its events
 * @events: pointers to @text
 * @count: entries of @text
 */
struct way {
	const struct catalogue_row *row;
	struct catalogue_way expanded;
	char text[RCR_MAX_COUNTERS][RCR_EVENT_LEN];
	const char *events[RCR_MAX_COUNTERS];
	unsigned int count;
};

/*
 * Finds the event to count for @event of the catalogue, "NAME=UNIT:event:...": if the kernel may
 * count the unit, that is the event of its driver.
 */
static void resolve_event(struct session *s, const char *event, char resolved[RCR_EVENT_LEN])
{
	const char *what = strchr(event, '=') + 1;
	struct why why;

	if (!strncmp(what, "event:", 6) || !strncmp(what, "register:", 9) ||
	    names_resolve(session_names(s), event, resolved, &why))
		strcpy(resolved, event);
}

static void first_event(const struct catalogue_way *w, char event[RCR_EVENT_LEN])
{
	snprintf(event, RCR_EVENT_LEN, "%.*s", (int)strcspn(w->events, ";"), w->events);
}

/* Finds the boxes of the unit that a row adds up: those whose first event can be counted here. */
static uint32_t find_boxes(struct session *s, const struct catalogue_row *row)
{
	char event[RCR_EVENT_LEN], resolved[RCR_EVENT_LEN];
	struct catalogue_way one;
	uint64_t counters;
	uint32_t boxes = 0;
	unsigned int n;

	for (n = 0; n < CATALOGUE_BOXES; n++) {
		catalogue_expand(row, 1u << n, &one);
		first_event(&one, event);
		resolve_event(s, event, resolved);
		if (!rcr_control_where(s->control, resolved, &counters))
			boxes |= 1u << n;
	}
	return boxes;
}

/* find_boxes() with a cache, as consecutive rows mostly belong to one unit. */
static uint32_t known_boxes(struct session *s, const struct catalogue_row *row)
{
	static char unit[RCR_UNIT_LEN];
	static uint32_t boxes;
	const char *name = strchr(row->events, '=') + 1;
	size_t len = strcspn(name, ":");

	if (len == strlen(unit) && !strncmp(name, unit, len))
		return boxes;
	boxes = find_boxes(s, row);
	snprintf(unit, sizeof(unit), "%.*s", (int)len, name);
	return boxes;
}

/* Expands a row and splits its events; returns false if they do not fit: the row is unusable. */
static bool split_events(struct session *s, struct way *w, const struct catalogue_row *row)
{
	uint32_t boxes = catalogue_has_boxes(row) ? known_boxes(s, row) : 0;
	const char *at = w->expanded.events;
	size_t len;

	w->row = row;
	w->count = 0;
	if (!catalogue_expand(row, boxes, &w->expanded))
		return false;
	for (; *at && w->count < RCR_MAX_COUNTERS; w->count++) {
		len = strcspn(at, ";");
		snprintf(w->text[w->count], RCR_EVENT_LEN, "%.*s", (int)len, at);
		w->events[w->count] = w->text[w->count];
		at += len + (at[len] == ';');
	}
	return !*at;
}

static int compile_way(struct session *s, const struct rcr_meters *meters, const struct way *w,
		       struct rcr_form *form)
{
	const struct meanings m = { s, meters, w->events, w->count };
	struct why why;

	if (!meter_compile(&m, w->expanded.formula, w->row->digits, form, &why))
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

/* True if the machine can count all events, by registers or by a driver of the kernel. */
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

/* True if the set counts another event under one of the names: the value would be wrong. */
static bool is_taken(struct session *s, const struct way *w)
{
	char event[RCR_EVENT_LEN], name[RCR_NAME_LEN];
	const struct rcr_counter_state *counter;
	unsigned int i;

	for (i = 0; i < w->count; i++) {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(w->events[i], "="), w->events[i]);
		counter = meter_counter(s, name);
		if (!counter || meter_same_event(counter->event, w->events[i]))
			continue;
		resolve_event(s, w->events[i], event);
		if (!meter_same_event(counter->event, event))
			return true;
	}
	return false;
}

/* Usefulness of a way, in ascending order. */
enum rank { WAY_TAKEN, WAY_IMPOSSIBLE, WAY_POSSIBLE, WAY_COUNTED };

static enum rank rank_way(struct session *s, const struct way *w, const struct rcr_form *form)
{
	if (is_taken(s, w))
		return WAY_TAKEN;
	if (is_counted(s, form))
		return WAY_COUNTED;
	return can_count(s, w) ? WAY_POSSIBLE : WAY_IMPOSSIBLE;
}

/* Returns the family as in the catalogue: followed by the core PMU, as models may differ. */
static const char *catalogue_family(const struct session *s)
{
	static char name[2 * RCR_METER_NAME_LEN];

	snprintf(name, sizeof(name), "%s %s", s->state.family, native_pmu());
	return name;
}

/* Returns the next row of the same meter, or NULL: the rows of a meter are consecutive. */
static const struct catalogue_row *next_way(const struct session *s,
					    const struct catalogue_row *row)
{
	const struct catalogue_row *next = catalogue_next(row, catalogue_family(s));

	return next && !strcmp(next->name, row->name) ? next : NULL;
}

/*
 * Chooses the best way to measure the meter of row @first, and fills in its form and rank; of ways
 * with equal rank the first one. Returns EXIT_SUCCESS, or EXIT_FAILURE after reporting an error.
 */
static int choose_way(struct session *s, const struct rcr_meters *meters,
		      const struct catalogue_row *first, struct way *best, struct rcr_form *form,
		      enum rank *highest)
{
	enum rank rank;
	const struct catalogue_row *row;
	static struct rcr_form other;
	static struct way way;

	*highest = WAY_TAKEN;
	for (row = first; row && *highest < WAY_COUNTED; row = next_way(s, row)) {
		if (!split_events(s, &way, row))
			continue;
		if (compile_way(s, meters, &way, &other))
			return EXIT_FAILURE;
		rank = rank_way(s, &way, &other);
		if (rank <= *highest)
			continue;
		*highest = rank;
		*best = way;
		*form = other;
	}
	return EXIT_SUCCESS;
}

/**
 * meter_choose_way() - choose how to measure a meter of the family
 * @s: the session, after session_look()
 * @meters: the module's meters
 * @name: name of the meter
 * @found: filled in
 *
 * Returns 0; or -1 with errno: ENOENT the family has no such meter, EEXIST the set counts other
 * events under its names, ENODEV this machine cannot count it, EINVAL after reporting an error.
 */
int meter_choose_way(struct session *s, const struct rcr_meters *meters, const char *name,
		     struct meter_way *found)
{
	const struct catalogue_row *row = catalogue_next(NULL, catalogue_family(s));
	static struct way way;
	enum rank rank;
	unsigned int i;

	while (row && strcmp(row->name, name))
		row = catalogue_next(row, catalogue_family(s));
	if (!row)
		errno = ENOENT;
	else if (choose_way(s, meters, row, &way, &found->form, &rank))
		errno = EINVAL;
	else if (rank < WAY_POSSIBLE)
		errno = rank == WAY_TAKEN ? EEXIST : ENODEV;
	else
		errno = 0;
	if (errno)
		return -1;
	found->row = way.row;
	found->count = way.count;
	for (i = 0; i < way.count; i++)
		resolve_event(s, way.events[i], found->event[i]);
	return 0;
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

/* True if the meter is one of the ways of the catalogue, so that another may replace it. */
static bool is_catalogued(struct session *s, const struct rcr_meters *meters,
			  const struct catalogue_row *first, const struct rcr_meter_state *m)
{
	static struct rcr_form form;
	static struct way way;
	const struct catalogue_row *row;

	for (row = first; row; row = next_way(s, row)) {
		if (split_events(s, &way, row) && !compile_way(s, meters, &way, &form) &&
		    is_same_form(&form, &m->form))
			return true;
	}
	return false;
}

static uint64_t family_scale(const struct session *s)
{
	return s->state.period_ns > SCALE_NS ? s->state.period_ns : SCALE_NS;
}

/* True if the meter is unchanged since it was added, so that replacing it loses no settings. */
static bool is_untouched(const struct session *s, const struct catalogue_row *row,
			 const struct rcr_meter_state *m)
{
	return !(m->flags & RCR_METER_LIMITED) && m->scale_ns == family_scale(s) &&
	       m->type == RCR_TIME_AVERAGE && m->digits == row->digits &&
	       !strcmp(m->unit, row->unit) &&
	       !(m->flags & RCR_METER_PUBLIC) == !row->is_public;
}

/* Adds a meter. Returns 0, or -1 with errno. */
static int add_way(struct session *s, const struct way *w, const struct rcr_form *form)
{
	const struct rcr_meter_request r = {
		.name = w->row->name,
		.form = form,
		.unit = w->row->unit,
		.scale_ns = family_scale(s),
		.type = RCR_TIME_AVERAGE,
		.over = RCR_METER_ANY,
		.digits = w->row->digits,
		.is_public = w->row->is_public,
	};
	int ret = rcr_control_meter_add(s->control, s->state.generation, &r, NULL);

	/* Another rcrctl may have added it meanwhile. */
	return ret && errno == EEXIST ? 0 : ret;
}

/*
 * Adds a meter of the family. An existing meter is kept, unless it is inactive and would be active
 * if measured in another way. A meter that does not compile is skipped after reporting an error.
 * Returns 0, or -1 with errno.
 */
static int load_meter(struct session *s, const struct rcr_meters *meters,
		      const struct catalogue_row *first)
{
	static struct rcr_form form;
	static struct way way;
	const struct rcr_meter_state *old = rcr_meters_find(meters, first->name);
	enum rank rank;

	if (old && (!*old->reason || old->flags & RCR_METER_POSTED))
		return 0;
	if (choose_way(s, meters, first, &way, &form, &rank) || rank == WAY_TAKEN)
		return 0;
	if (!old)
		return add_way(s, &way, &form);
	if (is_same_form(&form, &old->form) || rank < WAY_COUNTED ||
	    !is_catalogued(s, meters, first, old) || !is_untouched(s, first, old))
		return 0;
	if (rcr_control_meter_remove(s->control, s->state.generation, old->name) &&
	    errno != ENOENT)
		return -1;
	return add_way(s, &way, &form);
}

static int load_rows(struct session *s, const struct rcr_meters *meters)
{
	const struct catalogue_row *row, *before = NULL;
	int ret = 0;

	for (row = catalogue_next(NULL, catalogue_family(s)); row && !ret;
	     row = catalogue_next(row, catalogue_family(s))) {
		if (!before || strcmp(before->name, row->name))
			ret = load_meter(s, meters, row);
		before = row;
	}
	return ret;
}

/* Takes the lock. Returns its descriptor, or -1 if it cannot be opened (only root can). */
static int lock_meters(void)
{
	int lock = open(LOCK, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (lock >= 0)
		flock(lock, LOCK_EX);
	return lock;
}

static void drop_lock(int lock)
{
	if (lock >= 0)
		close(lock);
}

static int load_all(struct session *s)
{
	static struct rcr_meters meters;
	int lock = lock_meters(), tries = 0, ret;

	do
		ret = rcr_control_look(s->control, &s->state) ||
		      rcr_control_meters(s->control, &meters) || load_rows(s, &meters);
	while (ret && errno == ESTALE && ++tries < TRIES);
	ret = done(s, ret);
	drop_lock(lock);
	return ret;
}

int meters_load(struct session *s)
{
	int status = session_open(s);

	return status ? status : load_all(s);
}

static bool has_computed(const struct rcr_meters *meters)
{
	unsigned int i;

	for (i = 0; i < meters->count; i++)
		if (!(meters->meter[i].flags & RCR_METER_POSTED))
			return true;
	return false;
}

/* Adding a meter needs CAP_SYS_RAWIO: probe for it with a request that changes nothing. */
static bool may_load(struct session *s)
{
	return !rcr_control_meter_remove(s->control, 0, "") || errno != EPERM;
}

void meters_load_first(struct session *s)
{
	static struct rcr_meters meters;

	/* Load only once: a batch may post thousands of values. */
	if (s->has_meters)
		return;
	s->has_meters = true;
	if (!session_has_module(s) || rcr_control_meters(s->control, &meters) || !may_load(s))
		return;
	/* Another rcrctl may be adding them: wait for it. */
	if (has_computed(&meters))
		drop_lock(lock_meters());
	else
		load_all(s);
}

bool meter_catalogued_event(struct session *s, const char *meter, const char *name,
			    char event[RCR_EVENT_LEN])
{
	const struct catalogue_row *row = catalogue_next(NULL, catalogue_family(s));
	static struct way way;
	unsigned int i;

	for (; row; row = catalogue_next(row, catalogue_family(s))) {
		if (strcmp(row->name, meter))
			continue;
		split_events(s, &way, row);
		for (i = 0; i < way.count; i++)
			if (meter_event_is_named(way.events[i], name)) {
				resolve_event(s, way.events[i], event);
				return true;
			}
	}
	return false;
}
