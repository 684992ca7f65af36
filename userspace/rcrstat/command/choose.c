// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * choose.c - finds the events and meters of options -e and -m, and lets the module count them.
 *
 * An event that the set already counts, under any name, is only read. Others are added to the set
 * by a hold, which ends when its descriptor is closed. An event that only other holders count is
 * held as well if possible, because it would otherwise end with their holds.
 *
 * A meter is computed from counters of the set, with the first of these that is usable:
 *  - the module's form, if the set has all of its counters
 *  - the first row of the family's catalogue whose events the machine can count
 *  - the module's form, with the names of its counters resolved to events
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/choice.h"
#include "command/words.h"
#include "message.h"
#include "meters.h"
#include "names.h"
#include "rcr_control.h"
#include "rcr_meters.h"
#include "staged_set.h"
#include "way.h"

/**
 * struct asked - events and meters that the user asks for
 * @words: the words of -e, with named sets replaced by their events
 * @meters: the words of -m
 * @event: the events in the module's form: first those of @words, then those of meters
 * @count: entries of @event
 * @session: connection to the module, its state, and the dictionary of this machine
 */
struct asked {
	struct words words;
	struct words meters;
	char event[RCR_MAX_COUNTERS][RCR_EVENT_LEN];
	unsigned int count;
	struct session session;
};

static int refuse_request(const struct asked *a)
{
	return fail("%s", rcr_control_reason(a->session.control));
}

static struct names *names_of(struct asked *a)
{
	return session_names(&a->session);
}

static void name_of_event(const char *event, char name[RCR_NAME_LEN])
{
	snprintf(name, RCR_NAME_LEN, "%.*s", (int)strcspn(event, "="), event);
}

/*
 * Drops repeated events. It is an error if the user has given different names to the same event.
 */
static int drop_repeated(struct asked *a)
{
	char first[RCR_NAME_LEN], second[RCR_NAME_LEN];
	unsigned int i, n, count = 0;

	for (i = 0; i < a->words.count; i++) {
		for (n = 0; n < count; n++)
			if (meter_same_count(a->event[n], a->event[i]))
				break;
		if (n == count) {
			words_move(&a->words, i, count);
			memmove(a->event[count++], a->event[i], RCR_EVENT_LEN);
			continue;
		}
		name_of_event(a->event[n], first);
		name_of_event(a->event[i], second);
		if (strchr(a->words.word[i], '=') && strcmp(first, second))
			return fail("'%s' is the same event as '%s': name it once", second, first);
	}
	a->words.count = count;
	return 0;
}

/*
 * If one event of a unit is only counted with the module's own registers, all events of the unit
 * are. This may change the meaning of other names, so all are resolved a second time.
 */
static int resolve_words(struct asked *a)
{
	bool again, kept = false;
	struct why why;
	unsigned int i;

	if (words_expand(&a->words, names_of(a), &why))
		return fail("%s", why.text);
	do {
		again = kept;
		kept = false;
		for (i = 0; i < a->words.count; i++) {
			if (names_resolve(names_of(a), a->words.word[i], a->event[i], &why))
				return fail("%s", why.text);
			if (!strchr(a->event[i], '='))
				return fail("'%s' has no name: write NAME=%s", a->event[i],
					    a->event[i]);
			kept |= !again && names_keep(names_of(a), a->event[i]);
		}
	} while (kept);
	if (drop_repeated(a))
		return EXIT_FAILURE;
	a->count = a->words.count;
	return 0;
}

/* Returns the running counter of an event in the module's form, or NULL. */
static const struct rcr_counter_state *find_running(const struct asked *a, const char *event)
{
	unsigned int i;

	for (i = 0; i < a->session.state.ncounters; i++)
		if (a->session.state.counter[i].running &&
		    meter_same_count(a->session.state.counter[i].event, event))
			return &a->session.state.counter[i];
	return NULL;
}

static int refuse_add(const struct asked *a, const char *event)
{
	if (errno != EPERM)
		return refuse_request(a);
	return fail("%.*s is not counted yet, and counting it needs CAP_SYS_RAWIO: become root, or choose among the counters that 'rcrctl ls' lists",
		    (int)strcspn(event, "="), event);
}

/* Internal status: an event was left out, try again without it. */
#define LEFT_OUT (-1)

/* Leaves out the last event that is not counted yet and is optional in its named set, if any. */
static bool leave_event_out(struct asked *a)
{
	unsigned int i = a->words.count;

	while (i && (!a->words.spared[i - 1] || find_running(a, a->event[i - 1])))
		i--;
	if (!i || a->meters.count)
		return false;
	note("%s does not fit in the free counters, and is left out", a->words.word[i - 1]);
	a->words.count--;
	for (a->count--; i <= a->count; i++) {
		words_move(&a->words, i, i - 1);
		strcpy(a->event[i - 1], a->event[i]);
	}
	return true;
}

/* Leaves out an optional event if there are too many; otherwise reports why they cannot be held. */
static int refuse_hold(struct asked *a, const char *first)
{
	if ((errno == ENOSPC || errno == ERANGE || errno == EBUSY) && leave_event_out(a))
		return LEFT_OUT;
	return first ? refuse_add(a, first) : refuse_request(a);
}

static int hold_events(struct choice *c, struct asked *a, const char *const *events,
		       unsigned int count)
{
	int status;

	if (has_staged_changes(&a->session.state))
		return fail("staged changes would be counted as well: apply or drop them first, see 'rcrctl ls'");
	c->hold = open(RCR_DEVICE, O_RDONLY | O_CLOEXEC);
	if (c->hold < 0)
		return fail("%s: %s", RCR_DEVICE, strerror(errno));
	if (rcr_control_add(a->session.control, a->session.state.generation, events, count))
		return refuse_hold(a, events[0]);
	if (!rcr_control_finalize(a->session.control, rcr_control_generation(a->session.control), c->hold))
		return 0;
	status = refuse_hold(a, NULL);
	unstage_events(a->session.control, events, count);
	return status;
}

/* Tries to hold events that other holders count; on failure, they are only read. */
static void share_events(struct choice *c, struct asked *a, const char *const *events,
			 unsigned int count)
{
	if (!count || has_staged_changes(&a->session.state))
		return;
	c->hold = open(RCR_DEVICE, O_RDONLY | O_CLOEXEC);
	if (c->hold >= 0 &&
	    !rcr_control_add(a->session.control, a->session.state.generation, events, count)) {
		if (!rcr_control_finalize(a->session.control,
					  rcr_control_generation(a->session.control), c->hold))
			return;
		unstage_events(a->session.control, events, count);
	}
	choice_close(c);
}

/* Finds or adds the entry of an event; returns its index, or -1 if the list is full. */
static int find_or_add_event(struct asked *a, const char *event)
{
	unsigned int i;

	for (i = 0; i < a->count; i++)
		if (meter_same_count(a->event[i], event))
			return i;
	if (a->count == RCR_MAX_COUNTERS)
		return -1;
	strcpy(a->event[a->count], event);
	return a->count++;
}

/* Writes the name that the counter of entry @i has, or will have, in the set. */
static void name_counter(const struct asked *a, unsigned int i, char name[RCR_NAME_LEN])
{
	const struct rcr_counter_state *running = find_running(a, a->event[i]);

	if (running)
		strcpy(name, running->name);
	else
		name_of_event(a->event[i], name);
}

static void rename_terms(struct rcr_form_side *side, const char *from, const char *to)
{
	unsigned int i;

	for (i = 0; i < side->terms; i++)
		if (!strcmp(side->term[i].name, from))
			strcpy(side->term[i].name, to);
}

/* Adds an event that a meter needs, and renames it in the meter's form as in the set. */
static int need_event(struct asked *a, struct meter *m, const char *event)
{
	char from[RCR_NAME_LEN], to[RCR_NAME_LEN];
	int i = find_or_add_event(a, event);

	if (i < 0)
		return fail("too many events: a set has at most %d counters", RCR_MAX_COUNTERS);
	name_of_event(event, from);
	name_counter(a, i, to);
	rename_terms(&m->bound.form.above, from, to);
	rename_terms(&m->bound.form.below, from, to);
	return 0;
}

static const struct rcr_counter_state *find_counter_state(const struct asked *a, const char *name)
{
	unsigned int i;

	for (i = 0; i < a->session.state.ncounters; i++)
		if (a->session.state.counter[i].running &&
		    !strcmp(a->session.state.counter[i].name, name))
			return &a->session.state.counter[i];
	return NULL;
}

/* Adds the events of one side of a meter's form, found by the names of the counters. */
static int need_terms(struct asked *a, struct meter *m, const struct rcr_form_side *side)
{
	const struct rcr_counter_state *running;
	char event[RCR_EVENT_LEN];
	unsigned int i;
	struct why why;

	for (i = 0; i < side->terms; i++) {
		running = find_counter_state(a, side->term[i].name);
		if (!*side->term[i].name)
			continue;
		if (running && snprintf(event, sizeof(event), "%s=%s", running->name,
					running->event) >= (int)sizeof(event))
			continue;
		if (!running && names_resolve(names_of(a), side->term[i].name, event, &why))
			return fail("meter '%s': %s", m->name, why.text);
		if (need_event(a, m, event))
			return EXIT_FAILURE;
	}
	return 0;
}

static int take_module_meter(struct asked *a, struct meter *m,
			     const struct rcr_meter_state *state)
{
	m->bound.form = state->form;
	m->digits = state->digits;
	snprintf(m->unit, sizeof(m->unit), "%s", state->unit);
	return need_terms(a, m, &state->form.above) || need_terms(a, m, &state->form.below) ?
	       EXIT_FAILURE : 0;
}

static int take_family_meter(struct asked *a, struct meter *m, const struct meter_way *way)
{
	unsigned int i;

	m->bound.form = way->form;
	m->digits = way->row->digits;
	snprintf(m->unit, sizeof(m->unit), "%s", way->row->unit);
	for (i = 0; i < way->count; i++)
		if (need_event(a, m, way->event[i]))
			return EXIT_FAILURE;
	return 0;
}

static int refuse_chosen_meter(const char *name, int error)
{
	switch (error) {
	case ENOENT:
		return fail("unknown meter '%s': 'rcrctl meter ls -a' lists those of this machine", name);
	case EEXIST:
		return fail("meter '%s' needs a name that the set has for another event: remove that event",
			    name);
	case ENODEV:
		return fail("meter '%s' needs events that this machine cannot count", name);
	default:
		return EXIT_FAILURE;
	}
}

static int choose_meter(struct asked *a, struct meter *m, const char *name,
			const struct rcr_meters *all)
{
	const struct rcr_meter_state *state = rcr_meters_find(all, name);
	static struct meter_way way;

	if (strlen(name) >= sizeof(m->name))
		return refuse_chosen_meter(name, ENOENT);
	strcpy(m->name, name);
	if (state && state->flags & RCR_METER_POSTED)
		return fail("meter '%s' is posted by a program, not computed from counters: read it with 'rcrctl meter show %s'",
			    name, name);
	if (state && !*state->reason)
		return take_module_meter(a, m, state);
	if (!meter_choose_way(&a->session, all, name, &way))
		return take_family_meter(a, m, &way);
	return state ? take_module_meter(a, m, state) : refuse_chosen_meter(name, errno);
}

static int choose_meters(struct choice *c, struct asked *a)
{
	static struct rcr_meters all;
	unsigned int i;

	if (!a->meters.count)
		return 0;
	if (rcr_control_meters(a->session.control, &all))
		return refuse_request(a);
	for (i = 0; i < a->meters.count; i++)
		if (choose_meter(a, &c->meters.meter[i], a->meters.word[i], &all))
			return EXIT_FAILURE;
	c->meters.count = i;
	return 0;
}

/* Checks that the hold has not displaced any chosen event of the default set. */
static int check_displaced(struct choice *c, struct asked *a)
{
	unsigned int i;

	if (session_look(&a->session))
		return EXIT_FAILURE;
	for (i = 0; i < a->count; i++) {
		if (find_running(a, a->event[i]))
			continue;
		/* Close the hold, so that the state shows which events are counted without it. */
		choice_close(c);
		if (!session_look(&a->session) && leave_event_out(a))
			return LEFT_OUT;
		return fail("no counter is left for %s: leave out one of the other events",
			    c->label[i]);
	}
	return 0;
}

/* Uses the user's name of an event as its label, whatever it is called in the set. */
static void label_of_word(const char *word, const char *event, char label[RCR_NAME_LEN])
{
	if (name_is_valid(word) && strlen(word) < RCR_NAME_LEN)
		strcpy(label, word);
	else
		name_of_event(event, label);
}

/* Appends the events that only other holders count, with their names; returns the new number. */
static unsigned int add_shared(struct asked *a, const char **events, unsigned int count)
{
	static char text[RCR_MAX_COUNTERS][RCR_NAME_LEN + RCR_EVENT_LEN];
	const struct rcr_counter_state *running;
	unsigned int i;

	for (i = 0; i < a->count; i++) {
		running = find_running(a, a->event[i]);
		if (!running || !running->held)
			continue;
		snprintf(text[i], sizeof(text[i]), "%s=%s", running->name, running->event);
		events[count++] = text[i];
	}
	return count;
}

/* Sets the labels, and holds events that the set does not count yet; returns LEFT_OUT to retry. */
static int choose_fitting(struct choice *c, struct asked *a)
{
	const char *missing[RCR_MAX_COUNTERS];
	unsigned int i, count = 0, all;
	int status;

	for (i = 0; i < a->count; i++) {
		name_counter(a, i, c->counter[i]);
		c->shown[i] = i < a->words.count;
		if (c->shown[i])
			label_of_word(a->words.word[i], a->event[i], c->label[i]);
		else
			strcpy(c->label[i], c->counter[i]);
		if (!find_running(a, a->event[i]))
			missing[count++] = a->event[i];
	}
	c->count = a->count;
	all = add_shared(a, missing, count);
	if (!count) {
		share_events(c, a, missing, all);
		return 0;
	}
	status = hold_events(c, a, missing, all);
	return status ? status : check_displaced(c, a);
}

static int choose_counters(struct choice *c, struct asked *a)
{
	int status = choose_fitting(c, a);

	while (status == LEFT_OUT) {
		choice_close(c);
		status = session_look(&a->session);
		if (!status)
			status = choose_fitting(c, a);
	}
	return status;
}

/* Chooses counters of a saved stream, of which only the names are known. */
static int choose_by_name(struct choice *c, const struct asked *a)
{
	unsigned int i;

	for (i = 0; i < a->words.count; i++)
		choice_add_name(c, a->words.word[i]);
	for (i = 0; i < a->meters.count; i++)
		snprintf(c->meters.meter[i].name, RCR_METER_NAME_LEN, "%s", a->meters.word[i]);
	c->meters.count = a->meters.count;
	return 0;
}

static int choose_on_machine(struct choice *c, struct asked *a)
{
	int ret = session_look(&a->session);

	if (!ret && a->words.count)
		ret = resolve_words(a);
	if (!ret)
		ret = choose_meters(c, a);
	if (!ret)
		ret = choose_counters(c, a);
	session_close(&a->session);
	return ret;
}

static int split_lists(struct asked *a, const char *events, const char *meters)
{
	struct why why;

	if ((events && words_split(&a->words, events, &why)) ||
	    (meters && words_split(&a->meters, meters, &why)))
		return fail("%s", why.text);
	words_unique(&a->meters);
	if (a->meters.count > METERS_MOST)
		return fail("at most %d meters can be shown at once", METERS_MOST);
	return 0;
}

/**
 * choice_open() - find the chosen events and meters, and count those that are not counted yet
 * @c: the choice
 * @events: events, separated by commas; NULL: all counters, or none if @meters is set
 * @meters: meters, separated by commas; NULL: none
 * @device: stream to read; NULL: /dev/rcrtool
 *
 * Returns 0, or EXIT_FAILURE after reporting an error.
 */
int choice_open(struct choice *c, const char *events, const char *meters, const char *device)
{
	static struct asked asked;
	int ret;

	*c = (struct choice){ .hold = -1, .chosen = events || meters, .saved = device };
	if (!c->chosen)
		return 0;
	ret = split_lists(&asked, events, meters);
	if (!ret)
		ret = device ? choose_by_name(c, &asked) : choose_on_machine(c, &asked);
	words_free(&asked.words);
	words_free(&asked.meters);
	return ret;
}
