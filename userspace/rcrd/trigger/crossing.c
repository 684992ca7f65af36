// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * crossing.c - watch bounds of meters. Each watch has a descriptor of /dev/rcrboard, through which
 * the module wakes up rcrd. The board's count of changes shows, without a system call, whether
 * meters were added or removed, or their maxima or contention levels changed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "crossing.h"
#include "message.h"

/**
 * struct watch - a watched bound at a place
 * @source: event source of its descriptor
 * @what: the bound
 * @name: name of the meter
 * @unit: unit of its values
 * @digits: decimal digits of its values
 * @kind: kind of the place
 * @number: number of the place
 * @wanted: the current update still needs the watch
 */
struct watch {
	struct loop_source source;
	struct rcr_watch what;
	char name[RCR_METER_NAME_LEN];
	char unit[RCR_METER_UNIT_LEN];
	unsigned int digits;
	enum rcr_place_kind kind;
	unsigned int number;
	bool wanted;
};

/**
 * struct survey - an update of the watches
 * @c: the watches
 * @board: separate mapping; closing it ends the subscriptions of the update
 * @all: existing meters
 * @count: number of entries in @all
 * @waits: a meter has no value yet, so the update must be repeated
 * @wrong: why a bound cannot be watched, or empty
 */
struct survey {
	struct crossings *c;
	struct rcr_blackboard *board;
	struct rcr_board_meter all[RCR_METERS_MAX];
	int count;
	bool waits;
	struct why wrong;
};

static void close_watch(struct crossings *c, unsigned int i)
{
	struct watch *w = c->watch[i];

	loop_remove(c->loop, &w->source);
	close(w->source.fd);
	free(w);
	c->watch[i] = c->watch[--c->count];
}

static bool is_same(const struct rcr_watch *a, const struct rcr_watch *b)
{
	return a->entry == b->entry && a->serial == b->serial && a->flags == b->flags &&
	       a->bound == b->bound && a->back == b->back && a->hold_ns == b->hold_ns &&
	       a->window_ns == b->window_ns;
}

static int open_watch(struct survey *s, const struct watch *like, const struct rcr_meter *meter)
{
	struct crossings *c = s->c;
	struct watch *w;

	if (c->count == CROSSING_WATCHES)
		return because(&s->wrong, "cannot watch more than %d places: name the meters with --crossing",
			       CROSSING_WATCHES);
	w = malloc(sizeof(*w));
	if (!w)
		return because(&s->wrong, "%s", strerror(ENOMEM));
	*w = *like;
	w->source = c->model;
	w->source.fd = rcr_board_watch(s->board, &w->what, meter);
	if (w->source.fd < 0) {
		because(&s->wrong, "cannot watch the meter '%s': %s", w->name, strerror(errno));
	} else if (loop_add(c->loop, &w->source, EPOLLIN)) {
		because(&s->wrong, "epoll: %s", strerror(errno));
		close(w->source.fd);
	} else {
		c->watch[c->count++] = w;
		return 0;
	}
	free(w);
	return -1;
}

/* Keep the watch of a bound, or open one. */
static int keep_or_open_watch(struct survey *s, const struct rcr_board_meter *m,
			      const struct rcr_meter *meter, struct watch *like)
{
	unsigned int i;

	like->what.entry = meter->entry;
	like->what.serial = meter->serial;
	like->wanted = true;
	like->digits = m->digits;
	snprintf(like->name, sizeof(like->name), "%s", m->name);
	snprintf(like->unit, sizeof(like->unit), "%s", m->unit);
	for (i = 0; i < s->c->count; i++)
		if (is_same(&s->c->watch[i]->what, &like->what)) {
			s->c->watch[i]->wanted = true;
			return 0;
		}
	return open_watch(s, like, meter);
}

static const struct rcr_board_meter *find_serial(const struct survey *s, uint32_t serial)
{
	int i;

	for (i = 0; i < s->count; i++)
		if (s->all[i].serial == serial)
			return &s->all[i];
	return NULL;
}

static int explain_no_meter(struct survey *s, const struct rule *r)
{
	const char *name = r->condition.meter;

	switch (errno) {
	case ENOENT:
		return because(&s->wrong, "unknown meter '%s': see 'rcrctl meter ls -a'",
			       name);
	case ENODATA:
		return because(&s->wrong, "the meter '%s' has no values: 'rcrctl meter ls -a' shows why",
			       name);
	case ENXIO:
		return because(&s->wrong, "the meter '%s' has no values for %s %u: see 'rcrctl meter show %s'",
			       name, rcr_place_kind_name(r->kind), r->number, name);
	}
	return because(&s->wrong, "%s: %s", name, strerror(errno));
}

static int watch_rule(struct survey *s, const struct rule *r)
{
	struct watch like = { .kind = r->kind, .number = r->number };
	struct quantity_scale scale = { 0 };
	const struct rcr_board_meter *m;
	struct rcr_board_value value;
	struct rcr_meter meter;

	if (rcr_board_find(s->board, r->condition.meter, r->kind, r->number, &meter))
		return explain_no_meter(s, r);
	m = find_serial(s, meter.serial);
	if (!m) {
		errno = ESTALE;
		return explain_no_meter(s, r);
	}
	scale.unit = m->unit;
	scale.digits = m->digits;
	if (!rcr_board_read(s->board, &meter, &value))
		scale.maximum = value.maximum;
	else
		s->waits = true;
	if (condition_watch(&r->condition, &scale, &like.what, &s->wrong))
		return -1;
	return keep_or_open_watch(s, m, &meter, &like);
}

/* Contention begins at the level, but a bound must be exceeded: subtract 1. */
static int watch_level(struct survey *s, const struct rcr_board_meter *m,
		       const struct rcr_board_place *place)
{
	struct watch like = { .kind = place->kind, .number = place->number };
	struct rcr_board_value value;
	struct rcr_meter meter;

	if (rcr_board_find(s->board, m->name, place->kind, place->number, &meter) ||
	    meter.serial != m->serial || rcr_board_read(s->board, &meter, &value)) {
		s->waits = true;
		return 0;
	}
	if (!value.contention)
		return 0;
	like.what.bound = value.contention - 1;
	like.what.back = value.contention - 1;
	return keep_or_open_watch(s, m, &meter, &like);
}

static int watch_levels(struct survey *s, const struct rcr_board_meter *m)
{
	const struct rcr_board_entry *e;
	const struct rcr_board_place *place;
	uint32_t i;

	if (s->c->of_models && m->flags & RCR_METER_POSTED)
		return 0;
	for (i = 0; m->flags & RCR_METER_LIMITED && i < m->entries; i++) {
		e = rcr_board_entry(s->board, m->first + i);
		place = e ? rcr_board_place(s->board, e->place) : NULL;
		if (place && watch_level(s, m, place))
			return -1;
	}
	return 0;
}

static void watch_all(struct survey *s)
{
	struct crossings *c = s->c;
	int i;

	for (i = 0; i < (int)c->rules; i++)
		watch_rule(s, &c->rule[i]);
	for (i = 0; !c->rules && i < s->count; i++)
		if (watch_levels(s, &s->all[i]))
			break;
	if (!c->rules && !c->count && !s->waits && !*s->wrong.text)
		because(&s->wrong, "no meter has a contention level: set one with 'rcrctl meter max', or name a bound with --crossing");
}

/*
 * Close the watches that are no longer needed. Keep that of a sleeping meter, so that it does not
 * fire again when the meter wakes up. That of a removed meter ends by itself.
 */
static void drop_unwanted(struct survey *s)
{
	const struct rcr_board_meter *m;
	unsigned int i = s->c->count;

	while (i--) {
		m = find_serial(s, s->c->watch[i]->what.serial);
		if (!s->c->watch[i]->wanted && m && m->entries)
			close_watch(s->c, i);
	}
}

static struct rcr_blackboard *open_watched_board(struct why *why)
{
	struct rcr_blackboard *b = rcr_board_open(NULL);

	if (!b && (errno == EACCES || errno == EPERM))
		because(why, "%s does not belong to the group rcrtool: install the udev rule",
			RCR_BOARD_DEVICE);
	else if (!b)
		because(why, "%s: %s", RCR_BOARD_DEVICE, strerror(errno));
	return b;
}

/* Update the watches; those of unchanged bounds are kept. */
static int update_watches(struct crossings *c, struct why *why)
{
	static struct survey s;
	uint32_t changes;
	unsigned int i;

	s = (struct survey){ .c = c, .board = open_watched_board(why) };
	if (!s.board)
		return -1;
	changes = __atomic_load_n(&rcr_board_head(c->board)->changes, __ATOMIC_ACQUIRE);
	s.count = rcr_board_meters(s.board, s.all, RCR_METERS_MAX);
	for (i = 0; i < c->count; i++)
		c->watch[i]->wanted = false;
	watch_all(&s);
	if (!s.waits && !*s.wrong.text)
		drop_unwanted(&s);
	rcr_board_close(s.board);
	c->changes = s.waits || s.count < 0 ? changes | 1 : changes;
	*why = s.wrong;
	return *why->text ? -1 : 0;
}

/* Log a failure only once, and retry after the next change of the board. */
void crossings_renew(struct crossings *c)
{
	struct why why = { "" };

	if (!c->board ||
	    __atomic_load_n(&rcr_board_head(c->board)->changes, __ATOMIC_RELAXED) == c->changes)
		return;
	update_watches(c, &why);
	if (!c->of_models && *why.text && strcmp(why.text, c->amiss.text))
		note("crossing: %s", why.text);
	c->amiss = why;
}

void crossings_begin(struct crossings *c, struct loop *loop,
		     void (*ready)(void *arg, uint32_t events), void *arg)
{
	memset(c, 0, sizeof(*c));
	c->loop = loop;
	c->model = (struct loop_source){ -1, ready, arg };
}

static void close_watches(struct crossings *c)
{
	while (c->count)
		close_watch(c, c->count - 1);
}

int crossings_watch(struct crossings *c, const struct rule_lines *lines, bool strict,
		    struct why *why)
{
	struct crossings next = *c;
	unsigned int i;

	next.count = 0;
	for (i = 0; i < lines->count; i++)
		if (rule_parse(lines->text[i], &next.rule[i], why))
			return -1;
	next.rules = lines->count;
	*next.amiss.text = 0;
	if (!next.board)
		next.board = open_watched_board(&next.amiss);
	if (!next.board)
		return because(why, "cannot watch for crossings: %s", next.amiss.text);
	if (update_watches(&next, &next.amiss) && strict) {
		*why = next.amiss;
		close_watches(&next);
		if (!c->board)
			rcr_board_close(next.board);
		return -1;
	}
	if (!c->of_models && *next.amiss.text)
		note("crossing: %s", next.amiss.text);
	close_watches(c);
	*c = next;
	return 0;
}

void crossings_end(struct crossings *c)
{
	*c->amiss.text = 0;
	if (!c->board)
		return;
	close_watches(c);
	rcr_board_close(c->board);
	c->board = NULL;
}

static void fill_crossing(const struct watch *w, const struct rcr_crossing *x,
			  struct crossing *crossing)
{
	char value[QUANTITY_LEN];
	bool has_unit = *w->unit && strcmp(w->unit, "1");
	int size;

	crossing->time = x->time;
	crossing->lost = x->lost;
	quantity_text(value, x->value, w->digits);
	size = snprintf(crossing->text, sizeof(crossing->text),
			"trigger: %s crossed a bound at %s%s%s in %s", w->name, value,
			has_unit ? " " : "", has_unit ? w->unit : "", rcr_place_kind_name(w->kind));
	if (w->kind != RCR_PLACE_MACHINE && size < (int)sizeof(crossing->text))
		size += snprintf(crossing->text + size, sizeof(crossing->text) - size, "%u",
				 w->number);
	if (size >= (int)sizeof(crossing->text))
		crossing->text[sizeof(crossing->text) - 1] = 0;
}

bool crossings_next(struct crossings *c, struct crossing *crossing)
{
	struct rcr_crossing x;
	unsigned int i = c->count;
	int got;

	while (i--) {
		got = rcr_board_crossing(c->watch[i]->source.fd, 0, &x);
		if (got > 0) {
			fill_crossing(c->watch[i], &x, crossing);
			return true;
		}
		/* The meter was removed. Update again: one of the same name may have been added. */
		if (got < 0 && errno != EINTR) {
			close_watch(c, i);
			c->changes |= 1;
		}
	}
	return false;
}
