// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * set.c - the verbs "add", which stages events, and "set", which counts exactly these events.
 *
 * Both accept events and named sets (@flops). "set" is remove all, add and finalize in one: each
 * step fails if the generation has changed since the step before it, and if one is refused the
 * previously staged set is restored. @flops and @mem use as many counters as the processor has;
 * their last events are left out if others hold some of these.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control/event.h"
#include "message.h"
#include "meters.h"
#include "set/staged.h"
#include "verbs.h"

/**
 * struct wanted - events of a command line
 * @word: the event as given
 * @event: the event in the module's form
 * @named: it is part of a named set
 * @spared: it is left out if it does not fit
 * @count: entries of these arrays
 */
struct wanted {
	const char *word[RCR_MAX_COUNTERS];
	char event[RCR_MAX_COUNTERS][RCR_EVENT_LEN];
	bool named[RCR_MAX_COUNTERS];
	bool spared[RCR_MAX_COUNTERS];
	unsigned int count;
};

static int want_event(struct wanted *w, const char *word, bool named, bool spared)
{
	if (w->count == RCR_MAX_COUNTERS)
		return fail("a set has at most %d counters", RCR_MAX_COUNTERS);
	w->word[w->count] = word;
	w->named[w->count] = named;
	w->spared[w->count++] = spared;
	return EXIT_SUCCESS;
}

static int want_set(struct call *c, struct wanted *w, const char *name)
{
	const char *const *word;
	unsigned int i;
	int status = EXIT_SUCCESS;
	struct why why;

	word = names_set(session_names(c->session), name, &why);
	if (!word)
		return fail("%s", why.text);
	for (i = 0; word[i] && !status; i++)
		status = want_event(w, word[i], true, names_can_spare(name, i));
	return status;
}

static int collect_wanted(struct call *c, struct wanted *w)
{
	int i, status = EXIT_SUCCESS;
	const char *word;

	w->count = 0;
	for (i = 0; i < c->count && !status; i++) {
		word = without_key(c->args[i], "metricname");
		status = *word == '@' ? want_set(c, w, word) :
				       want_event(w, word, false, false);
	}
	return status;
}

/*
 * If the module programs the registers of a unit itself for one event, it does so for all events of
 * the unit, which can change what other names resolve to: then resolve all again.
 */
static int resolve_all(struct call *c, struct wanted *w)
{
	struct names *names = session_names(c->session);
	bool kept = false, again = false;
	struct why why;
	unsigned int i;

	do {
		again = kept;
		kept = false;
		for (i = 0; i < w->count; i++) {
			if (names_resolve(names, w->word[i], w->event[i], &why))
				return fail("%s", why.text);
			if (!again)
				kept |= names_keep(names, w->event[i]);
		}
	} while (kept);
	return EXIT_SUCCESS;
}

/* Checks the fields of events in the module's form, and that no name occurs twice. */
static int check_wanted(const struct wanted *w)
{
	static char all[RCR_MAX_COUNTERS * (RCR_EVENT_LEN + 2)];
	struct rcr_event_spec events[RCR_MAX_COUNTERS];
	char why[RCR_SENTENCE_LEN];
	size_t length = 0;
	unsigned int i;

	*all = 0;
	for (i = 0; i < w->count; i++)
		length += snprintf(all + length, sizeof(all) - length, "%s; ", w->event[i]);
	if (w->count && rcr_event_parse(all, events, RCR_MAX_COUNTERS, why, sizeof(why)) < 0)
		return fail("%s", why);
	return EXIT_SUCCESS;
}

/* Keeps only events in the raw form, which mean the same on every machine. */
static void keep_raw_words(struct call *c)
{
	int i, count = 0;

	for (i = 0; i < c->count; i++)
		if (strstr(c->args[i], "event:"))
			c->args[count++] = c->args[i];
	c->count = count;
}

int check_set_words(struct call *c)
{
	static struct wanted w;
	int status;

	if (c->count > RCR_MAX_COUNTERS)
		return fail("a set has at most %d counters", RCR_MAX_COUNTERS);
	if (!*session_names(c->session)->family)
		keep_raw_words(c);
	status = collect_wanted(c, &w);
	if (!status)
		status = resolve_all(c, &w);
	return status ? status : check_wanted(&w);
}

/* True if the event is already staged under its name. */
static bool is_staged(const struct rcr_state *state, const char *event)
{
	size_t len = strcspn(event, "=");
	const struct rcr_counter_state *each;
	unsigned int i;

	for (i = 0; i < state->ncounters; i++) {
		each = &state->counter[i];
		if (each->staged && strlen(each->name) == len &&
		    !strncmp(each->name, event, len) && event[len])
			return meter_same_count(each->event, event + len + 1);
	}
	return false;
}

static int add_wanted(struct session *s, uint32_t generation, const struct wanted *w,
		      const struct rcr_state *staged)
{
	const char *events[RCR_MAX_COUNTERS];
	unsigned int i, count = 0;

	for (i = 0; i < w->count; i++)
		if (!w->named[i] || !staged || !is_staged(staged, w->event[i]))
			events[count++] = w->event[i];
	return count ? rcr_control_add(s->control, generation, events, count) : 0;
}

int do_add(struct call *c)
{
	static struct wanted w;
	struct session *s = c->session;
	int status;

	status = collect_wanted(c, &w);
	if (!status)
		status = resolve_all(c, &w);
	if (!status)
		status = session_look(s);
	return status ? status : done(s, add_wanted(s, s->generation, &w, &s->state));
}

/* Replaces and programs the staged set, if @generation is still current; 0, or -1 with errno. */
static int count_wanted(struct session *s, uint32_t generation, const struct wanted *w)
{
	if (rcr_control_remove(s->control, generation, NULL) ||
	    add_wanted(s, generation + 1, w, NULL))
		return -1;
	return rcr_control_finalize(s->control, generation + 2, -1);
}

/* Removes the last event that may be left out; false if there is none. */
static bool leave_word_out(struct wanted *w)
{
	unsigned int i = w->count;

	while (i && !w->spared[i - 1])
		i--;
	if (!i)
		return false;
	note("%s does not fit in the free counters, and is left out", w->word[i - 1]);
	for (w->count--; i <= w->count; i++) {
		w->word[i - 1] = w->word[i];
		w->named[i - 1] = w->named[i];
		w->spared[i - 1] = w->spared[i];
		strcpy(w->event[i - 1], w->event[i]);
	}
	return true;
}

static int replace_staged(struct session *s, struct wanted *w)
{
	uint32_t generation = s->generation ? s->generation : s->state.generation;
	int status = 0;

	while (count_wanted(s, generation, w)) {
		status = errno;
		if (status != ENOSPC && status != ERANGE && status != EBUSY)
			break;
		if (!leave_word_out(w))
			break;
		generation = rcr_control_generation(s->control);
		status = 0;
	}
	if (!status)
		return EXIT_SUCCESS;
	done(s, -1);
	/* Do not overwrite a set that another process has staged meanwhile. */
	if (status != ESTALE)
		session_restage(s);
	return EXIT_FAILURE;
}

void set_delay_signals(sigset_t *before)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, before);
}

int do_set(struct call *c)
{
	static struct wanted w;
	struct session *s = c->session;
	sigset_t before;
	int status;

	status = collect_wanted(c, &w);
	if (!status)
		status = resolve_all(c, &w);
	if (!status)
		status = session_look(s);
	if (status)
		return status;
	set_delay_signals(&before);
	status = replace_staged(s, &w);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}
