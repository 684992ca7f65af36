// SPDX-License-Identifier: GPL-2.0-or-later
/* on.c - runs a command each time a meter crosses a bound. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "board.h"
#include "parse/condition.h"
#include "parse/number.h"
#include "crossings.h"
#include "message.h"
#include "meter/meter.h"
#include "verbs.h"

/**
 * struct on - parsed command line
 * @condition: the bound
 * @kind: kind of the place
 * @number: number of the place
 * @most: number of crossings; 0: unlimited
 * @command: command to run
 */
struct on {
	struct condition condition;
	enum rcr_place_kind kind;
	unsigned int number;
	uint64_t most;
	char **command;
};

static int take_on_value(struct on *on, const char *option, const char *text)
{
	if (!strcmp(option, "--place") && !board_parse_place(text, &on->kind, &on->number))
		return wrong("invalid --place '%s': use for example machine, node0 or cpu3", text);
	if (!strcmp(option, "--count") && !number_parse_range(text, 1, UINT64_MAX, &on->most))
		return wrong("invalid --count '%s': use 1 or more", text);
	return EXIT_SUCCESS;
}

static bool is_option(const char *word)
{
	return !strcmp(word, "--place") || !strcmp(word, "--count");
}

/* Parses the options between the condition and "--". */
static int take_options(struct on *on, char **words, int count)
{
	int i, status;

	for (i = 0; i < count; i += 2) {
		if (!is_option(words[i]))
			return wrong("on: unexpected argument '%s': a condition is one argument, in quotes; --place, --count or -- may follow",
				     words[i]);
		if (i + 1 == count)
			return wrong("%s needs a value", words[i]);
		status = take_on_value(on, words[i], words[i + 1]);
		if (status)
			return status;
	}
	return EXIT_SUCCESS;
}

static int parse_on(const struct call *c, struct on *on)
{
	struct why why;
	int end = 1;

	memset(on, 0, sizeof(*on));
	if (condition_parse(c->args[0], &on->condition, &why))
		return wrong("%s", why.text);
	while (end < c->count && strcmp(c->args[end], "--"))
		end++;
	on->command = c->args + end + 1;
	if (end + 1 >= c->count)
		return wrong("on needs -- and a command");
	return take_options(on, c->args + 1, end - 1);
}

int check_on(struct call *c)
{
	struct on on;

	if (c->session->batch)
		return wrong("on cannot be used in a batch: it runs until a signal");
	return parse_on(c, &on);
}

/**
 * struct watched - a meter that is watched
 * @b: the board
 * @meter: handle of the meter
 * @name: name of the meter
 * @stale: the last read failed with ESTALE
 * @text: why no more crossings will come
 */
struct watched {
	struct rcr_blackboard *b;
	struct rcr_meter meter;
	const char *name;
	bool stale;
	char text[160];
};

/* crossings.gone: returns why no more crossings will come, or NULL. */
static const char *find_end_reason(void *to)
{
	struct watched *w = to;
	struct rcr_board_value value;
	struct rcr_board_meter m;
	bool before = w->stale;

	w->stale = rcr_board_read(w->b, &w->meter, &value) && errno == ESTALE;
	/* Require two failures in a row: a change of the set takes a moment. */
	if (!w->stale || !before)
		return NULL;
	if (!board_describe(w->b, &w->meter, &m) || !m.entries) {
		snprintf(w->text, sizeof(w->text), "the meter '%s' or one of its counters was removed",
			 w->name);
		return w->text;
	}
	/* Values are only late: the machine slept, or the module's workers are starved. */
	if (__atomic_load_n(&rcr_board_head(w->b)->state, __ATOMIC_RELAXED) == RCR_BOARD_RUNNING)
		return NULL;
	snprintf(w->text, sizeof(w->text), "sampling was stopped: see 'rcrctl ls'");
	return w->text;
}

static int report_watch_error(const char *name)
{
	switch (errno) {
	case ENOTTY:
		/*
		 * The board is the public one: without RCR_BOARD that means that the device could
		 * not be opened.
		 */
		if (getenv("RCR_BOARD"))
			break;
		__attribute__((fallthrough));
	case EPERM:
	case EACCES:
		return fail("waiting for a meter requires root or the group of %s",
			    board_path());
	case ESTALE:
		return fail("the meter '%s' was removed meanwhile", name);
	}
	return fail("%s: %s", board_path(), strerror(errno));
}

/* Converts the condition to a watch of the meter. */
static int make_watch(const struct on *on, const struct watched *w,
		      const struct rcr_board_meter *m, struct rcr_watch *watch)
{
	struct quantity_scale scale = { .unit = m->unit, .digits = m->digits };
	struct rcr_board_value value;
	struct why why;

	if (!rcr_board_read(w->b, &w->meter, &value))
		scale.maximum = value.maximum;
	else if (errno == ESTALE)
		return fail("sampling is stopped: see 'rcrctl ls'");
	if (condition_watch(&on->condition, &scale, watch, &why))
		return fail("%s", why.text);
	return EXIT_SUCCESS;
}

static int serve_crossings(const struct on *on, struct watched *w)
{
	struct rcr_watch watch;
	struct rcr_board_meter m;
	struct crossings c = {
		.most = on->most, .command = on->command, .gone = find_end_reason, .to = w,
	};
	int status = board_find(w->b, w->name, on->kind, on->number, &w->meter);

	if (status)
		return status;
	if (!board_describe(w->b, &w->meter, &m))
		return fail("the meter '%s' was removed meanwhile", w->name);
	status = make_watch(on, w, &m, &watch);
	if (status)
		return status;
	c.meter = m.name;
	c.digits = m.digits;
	c.fd = rcr_board_watch(w->b, &watch, &w->meter);
	if (c.fd < 0)
		return report_watch_error(w->name);
	status = crossings_serve(&c);
	close(c.fd);
	return status;
}

int do_on(struct call *c)
{
	struct watched w = { 0 };
	struct on on;
	int status;

	parse_on(c, &on);
	w.name = on.condition.meter;
	meters_load_first(c->session);
	w.b = board_open();
	if (!w.b)
		return EXIT_FAILURE;
	status = serve_crossings(&on, &w);
	rcr_board_close(w.b);
	return status;
}
