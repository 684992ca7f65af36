// SPDX-License-Identifier: GPL-2.0-or-later
/* meter.c - the verb "meter": its subcommands, and those that are a single request. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "meter.h"
#include "parse/number.h"

const char *meter_verdict_name(uint32_t verdict)
{
	static const char *const names[] = {
		[RCR_VERDICT_OK] = "ok",
		[RCR_VERDICT_CONTENTION] = "contention",
		[RCR_VERDICT_BUSY] = "busy",
	};

	if (verdict < sizeof(names) / sizeof(names[0]) && names[verdict])
		return names[verdict];
	return NULL;
}

static int do_meter_remove(struct call *c)
{
	static struct rcr_meters meters;
	const struct rcr_meter_state *m = NULL;
	struct session *s = c->session;
	int status = session_open(s);

	if (status)
		return status;
	if (!rcr_control_meters(s->control, &meters))
		m = rcr_meters_find(&meters, c->args[0]);
	status = done(s, rcr_control_meter_remove(s->control, s->generation, c->args[0]));
	if (!status && m && m->flags & RCR_METER_POSTED)
		meter_remove_parts(s, m->name);
	return status;
}

static int do_meter_reset(struct call *c)
{
	const char *name = strcmp(c->args[0], "all") ? c->args[0] : NULL;
	struct session *s = c->session;
	int status = session_open(s);

	return status ? status :
	       done(s, rcr_control_meter_reset(s->control, s->generation, name));
}

static int do_meter_load(struct call *c)
{
	return meters_load(c->session);
}

static bool parse_place_number(const char *text, uint32_t *place)
{
	uint64_t number;

	if (!number_parse_range(text, 0, UINT32_MAX, &number))
		return false;
	*place = number;
	return true;
}

static int check_meter_post(struct call *c)
{
	struct quantity q;
	struct why why;
	uint32_t place;

	if (c->count != 2 && (c->count != 4 || strcmp(c->args[2], "--place")))
		return wrong("meter post takes a name, a value, and --place with a number");
	if (c->count == 4 && !parse_place_number(c->args[3], &place))
		return wrong("invalid --place '%s': 0 is the machine, 1 the first place that the meter is over",
			     c->args[3]);
	if (quantity_parse(c->args[1], &q, &why))
		return wrong("%s", why.text);
	return EXIT_SUCCESS;
}

static int do_meter_post(struct call *c)
{
	static struct rcr_meters meters;
	struct session *s = c->session;
	const struct rcr_meter_state *m = meters_find(s, &meters, c->args[0]);
	uint32_t place = 0;
	int64_t value;

	if (!m || meter_value(m, m->maximum, c->args[1], &value))
		return EXIT_FAILURE;
	if (c->count == 4)
		parse_place_number(c->args[3], &place);
	return done(s, rcr_control_meter_post(s->control, m->name, value, place));
}

#define ANY_NUMBER 1000000

static const struct word {
	const char *name;
	int least;
	int most;
	int (*run)(struct call *c);
	int (*check)(struct call *c);
} words[] = {
	{ "ls", 0, ANY_NUMBER, do_meter_ls, check_meter_ls },
	{ "show", 1, 2, do_meter_show, check_meter_show },
	{ "add", 1, ANY_NUMBER, do_meter_add, check_meter_add },
	{ "load", 0, 0, do_meter_load, NULL },
	{ "remove", 1, 1, do_meter_remove, NULL },
	{ "reset", 1, 1, do_meter_reset, NULL },
	{ "max", 1, ANY_NUMBER, do_meter_max, check_meter_max },
	{ "post", 1, ANY_NUMBER, do_meter_post, check_meter_post },
};

/* Finds the subcommand of a command line, and its arguments. */
static const struct word *find_word(const struct call *c, struct call *rest)
{
	size_t i;

	*rest = *c;
	if (!c->count || c->args[0][0] == '-')
		return &words[0];
	rest->count--;
	rest->args++;
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i].name, c->args[0]))
			return &words[i];
	return NULL;
}

int check_meter(struct call *c)
{
	struct call rest;
	const struct word *word = find_word(c, &rest);

	if (!word)
		return wrong("unknown command 'meter %s': use ls, show, add, load, remove, reset, max or post",
			     c->args[0]);
	if (rest.count < word->least)
		return wrong("meter %s needs a name", word->name);
	if (rest.count > word->most)
		return wrong(word->most ? "meter %s takes one argument" :
					  "meter %s takes no argument", word->name);
	return word->check ? word->check(&rest) : EXIT_SUCCESS;
}

int do_meter(struct call *c)
{
	struct call rest;

	meters_load_first(c->session);
	return find_word(c, &rest)->run(&rest);
}
