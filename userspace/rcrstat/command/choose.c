// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * choose.c - finds the events that option -e chooses, and counts them as long as they are needed.
 *
 * An event that the set counts already, under whatever name, is only read. Others are added to the
 * set by a hold, which ends with its descriptor.
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
#include "names.h"
#include "rcr_control.h"

/**
 * struct asked - what the user asks for
 * @words: the words of -e, with named sets replaced by their events
 * @event: the events in the module's form
 * @control: connection to the module
 * @state: state of the module
 * @names: dictionary of this machine
 */
struct asked {
	struct words words;
	char event[RCR_MAX_COUNTERS][RCR_EVENT_LEN];
	struct rcr_control *control;
	struct rcr_state state;
	struct names names;
};

static int refuse_request(const struct asked *a)
{
	return fail("%s", rcr_control_reason(a->control));
}

/* Not expected: every row was valid when it was imported. */
static void report_row(void *path, unsigned int line, const char *sentence)
{
	note_line(path, line, "%s", sentence);
}

static void learn_names(struct asked *a)
{
	unsigned int i;

	names_init(&a->names, a->state.family, report_row, (void *)names_dictionary());
	names_set_policy(&a->names, a->state.policy);
	for (i = 0; i < a->state.ncounters; i++)
		names_keep(&a->names, a->state.counter[i].event);
}

/*
 * Where the module counts one event of a unit with its own registers it counts all of them so,
 * which may change the meaning of other names: then they are resolved again.
 */
static int resolve_words(struct asked *a)
{
	bool again, kept = false;
	struct why why;
	unsigned int i;

	if (words_expand(&a->words, &a->names, &why))
		return fail("%s", why.text);
	do {
		again = kept;
		kept = false;
		for (i = 0; i < a->words.count; i++) {
			if (names_resolve(&a->names, a->words.word[i], a->event[i], &why))
				return fail("%s", why.text);
			if (!strchr(a->event[i], '='))
				return fail("'%s' has no name: write NAME=%s", a->event[i],
					    a->event[i]);
			kept |= !again && names_keep(&a->names, a->event[i]);
		}
	} while (kept);
	return 0;
}

/* True if both texts without "NAME=" are the same event. */
static bool is_same_code(const char *a, const char *b)
{
	struct code x, y;

	if (!code_parse(a, &x) || !code_parse(b, &y))
		return !strcmp(a, b);
	return !strcmp(x.unit, y.unit) && code_select(&x) == code_select(&y);
}

/* The running counter of an event in the module's form, or NULL. */
static const struct rcr_counter_state *find_running(const struct asked *a, const char *event)
{
	const char *raw = strchr(event, '=') + 1;
	unsigned int i;

	for (i = 0; i < a->state.ncounters; i++)
		if (a->state.counter[i].running && is_same_code(a->state.counter[i].event, raw))
			return &a->state.counter[i];
	return NULL;
}

/* True if changes are staged that a hold would take with it. */
static bool has_staged(const struct rcr_state *state)
{
	const struct rcr_counter_state *c;
	unsigned int i;

	for (i = 0; i < state->ncounters; i++) {
		c = &state->counter[i];
		if (c->staged != c->running && !c->held)
			return true;
	}
	return false;
}

static int refuse_add(const struct asked *a, const char *event)
{
	if (errno != EPERM)
		return refuse_request(a);
	return fail("%.*s is not counted yet, and counting it needs CAP_SYS_RAWIO: become root, or choose among the counters that 'rcrctl ls' lists",
		    (int)strcspn(event, "="), event);
}

/* Takes what was staged out of the set that is to come. */
static void unstage_events(struct asked *a, const char *const *events, unsigned int count)
{
	char name[RCR_NAME_LEN];
	unsigned int i;

	for (i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(events[i], "="), events[i]);
		rcr_control_remove(a->control, 0, name);
	}
}

static int hold_events(struct choice *c, struct asked *a, const char *const *events,
		       unsigned int count)
{
	if (has_staged(&a->state))
		return fail("staged changes would be counted as well: apply or drop them first, see 'rcrctl ls'");
	c->hold = open(RCR_DEVICE, O_RDONLY | O_CLOEXEC);
	if (c->hold < 0)
		return fail("%s: %s", RCR_DEVICE, strerror(errno));
	if (rcr_control_add(a->control, a->state.generation, events, count))
		return refuse_add(a, events[0]);
	if (!rcr_control_finalize(a->control, rcr_control_generation(a->control), c->hold))
		return 0;
	refuse_request(a);
	unstage_events(a, events, count);
	return EXIT_FAILURE;
}

/* Sets the labels, and holds what is not counted yet. */
static int choose_counters(struct choice *c, struct asked *a)
{
	const struct rcr_counter_state *running;
	const char *missing[RCR_MAX_COUNTERS];
	unsigned int i, count = 0;
	const char *event;

	for (i = 0; i < a->words.count; i++) {
		running = find_running(a, a->event[i]);
		event = a->event[i];
		/* A name of perf's is kept, although the event has another one in the set. */
		snprintf(c->counter[i], RCR_NAME_LEN, "%.*s", (int)strcspn(event, "="), event);
		if (running)
			strcpy(c->counter[i], running->name);
		snprintf(c->label[i], RCR_NAME_LEN, "%s", name_is_valid(a->words.word[i]) ?
			 a->words.word[i] : c->counter[i]);
		if (!running)
			missing[count++] = a->event[i];
	}
	c->count = a->words.count;
	return count ? hold_events(c, a, missing, count) : 0;
}

/* Of a saved stream the counters are chosen by name. */
static int choose_by_name(struct choice *c, const struct words *words)
{
	unsigned int i;

	for (i = 0; i < words->count; i++) {
		snprintf(c->label[i], sizeof(c->label[i]), "%s", words->word[i]);
		strcpy(c->counter[i], c->label[i]);
	}
	c->count = words->count;
	return 0;
}

static int choose_on_machine(struct choice *c, struct asked *a)
{
	int ret;

	a->control = rcr_control_open();
	if (!a->control)
		return fail("%s", rcr_control_open_error(errno));
	if (rcr_control_look(a->control, &a->state)) {
		ret = refuse_request(a);
	} else {
		learn_names(a);
		ret = resolve_words(a) ? EXIT_FAILURE : choose_counters(c, a);
		names_free(&a->names);
	}
	rcr_control_close(a->control);
	return ret;
}

/**
 * choice_open() - find the chosen counters, and count what is not counted yet
 * @c: the choice
 * @events: events, separated by commas; NULL: all counters
 * @device: stream that they are read from; NULL: /dev/rcrtool
 *
 * Returns 0, or EXIT_FAILURE after reporting an error.
 */
int choice_open(struct choice *c, const char *events, const char *device)
{
	static struct asked asked;
	struct why why;
	int ret;

	*c = (struct choice){ .hold = -1 };
	if (!events)
		return 0;
	if (words_split(&asked.words, events, &why))
		ret = fail("%s", why.text);
	else
		ret = device ? choose_by_name(c, &asked.words) : choose_on_machine(c, &asked);
	words_free(&asked.words);
	return ret;
}
