// SPDX-License-Identifier: GPL-2.0-only
/*
 * meter.c - what can be done with meters: which words there are, and those that are one
 * request.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "meter.h"

int meters_look(struct session *s, struct rcr_meters *meters)
{
	int status = session_open(s);

	if (!status)
		status = done(s, rcr_control_meters(s->control, meters));
	return status;
}

const struct rcr_meter_state *meters_find(struct session *s, struct rcr_meters *meters,
					  const char *name)
{
	const struct rcr_meter_state *m;

	if (meters_look(s, meters))
		return NULL;
	m = rcr_meters_find(meters, name);
	if (!m)
		fail("there is no meter \"%s\"; see 'rcrctl meter ls -a'", name);
	return m;
}

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

static const char *const mixes[RCR_MIXES] = {
	[RCR_MIX_READ] = "read",
	[RCR_MIX_WRITE] = "write",
	[RCR_MIX_COPY] = "copy",
	[RCR_MIX_RANDOM] = "random",
};

const char *meter_mix_name(uint32_t mix)
{
	return mix < RCR_MIXES ? mixes[mix] : "unknown";
}

static int do_meter_remove(struct call *c)
{
	struct session *s = c->session;
	int status = session_open(s);

	return status ? status :
	       done(s, rcr_control_meter_remove(s->control, s->generation, c->args[0]));
}

static int do_meter_reset(struct call *c)
{
	const char *name = strcmp(c->args[0], "all") ? c->args[0] : NULL;
	struct session *s = c->session;
	int status = session_open(s);

	return status ? status :
	       done(s, rcr_control_meter_reset(s->control, s->generation, name));
}

/**
 * struct limits - what the command line says of a resource
 * @name: of the meter
 * @mix: enum rcr_mix, or RCR_METER_ANY
 * @is_machine: the maximum is the machine's
 * @maximum: as it was written, or NULL
 * @contention: likewise
 */
struct limits {
	const char *name;
	uint32_t mix;
	bool is_machine;
	const char *maximum;
	const char *contention;
};

static int take_mix(struct limits *l, const char *word)
{
	uint32_t i;

	l->is_machine = !strcmp(word, "machine");
	for (i = 0; i < RCR_MIXES; i++)
		if (!strcmp(word, mixes[i]))
			l->mix = i;
	if (l->is_machine || l->mix != RCR_METER_ANY)
		return EXIT_SUCCESS;
	return wrong("--mix \"%s\" is none of read, write, copy, random and machine", word);
}

static int parse_limits(const struct call *c, struct limits *l)
{
	int i, status = EXIT_SUCCESS;

	memset(l, 0, sizeof(*l));
	l->mix = RCR_METER_ANY;
	l->name = c->args[0];
	for (i = 1; !status && i + 1 < c->count; i += 2) {
		if (!strcmp(c->args[i], "--maximum"))
			l->maximum = c->args[i + 1];
		else if (!strcmp(c->args[i], "--contention"))
			l->contention = c->args[i + 1];
		else if (!strcmp(c->args[i], "--mix"))
			status = take_mix(l, c->args[i + 1]);
		else
			return wrong("meter max: option \"%s\" is unknown", c->args[i]);
	}
	if (!status && i < c->count)
		return wrong("%s needs a value", c->args[i]);
	return status;
}

static int check_meter_max(struct call *c)
{
	struct quantity q;
	struct limits l;
	struct why why;
	int status = parse_limits(c, &l);

	if (status)
		return status;
	if (l.mix == RCR_METER_ANY && !l.is_machine)
		return wrong("meter max needs --mix: read, write, copy, random or machine");
	if (l.is_machine && (!l.maximum || l.contention))
		return wrong("of the machine a --maximum is known, and no --contention");
	if ((l.maximum && quantity_parse(l.maximum, &q, &why)) ||
	    (l.contention && quantity_parse(l.contention, &q, &why)))
		return wrong("%s", why.text);
	return EXIT_SUCCESS;
}

/* What was written as a value of the meter; EXIT_SUCCESS, or after a sentence. */
static int as_value(const struct rcr_meter_state *m, const char *text, int64_t *value)
{
	struct quantity_scale scale = {
		.unit = m->unit, .digits = m->digits, .maximum = m->theoretical,
	};
	struct quantity q;
	struct why why;

	if (!quantity_parse(text, &q, &why) && !quantity_value(&q, &scale, value, &why))
		return EXIT_SUCCESS;
	return fail("%s", why.text);
}

static int do_meter_max(struct call *c)
{
	static struct rcr_meters meters;
	struct session *s = c->session;
	struct rcr_meter_maximum max = { 0 };
	const struct rcr_meter_state *m;
	struct limits l;

	parse_limits(c, &l);
	m = meters_find(s, &meters, l.name);
	if (!m)
		return EXIT_FAILURE;
	max.theoretical = l.is_machine;
	max.mix = l.mix;
	max.has_maximum = l.maximum || l.contention;
	max.has_contention = l.maximum || l.contention;
	/* What is not said stays as it was. */
	if (l.mix != RCR_METER_ANY) {
		max.maximum = m->maximum[l.mix];
		max.contention = m->contention[l.mix];
	}
	if ((l.maximum && as_value(m, l.maximum, &max.maximum)) ||
	    (l.contention && as_value(m, l.contention, &max.contention)))
		return EXIT_FAILURE;
	return done(s, rcr_control_meter_maximum(s->control, s->generation, m->name, &max));
}

static bool parse_place_number(const char *text, uint32_t *place)
{
	unsigned long val;
	char *end;

	val = strtoul(text, &end, 10);
	*place = val;
	return *text >= '0' && *text <= '9' && !*end && val <= UINT32_MAX;
}

static int check_meter_post(struct call *c)
{
	struct quantity q;
	struct why why;
	uint32_t place;

	if (c->count != 2 && (c->count != 4 || strcmp(c->args[2], "--place")))
		return wrong("meter post takes a name, a value, and --place with a number");
	if (c->count == 4 && !parse_place_number(c->args[3], &place))
		return wrong("--place \"%s\" is no number: 0 is the machine, 1 the first place that the meter is over",
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

	if (!m || as_value(m, c->args[1], &value))
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
	{ "show", 1, 1, do_meter_show, NULL },
	{ "add", 1, ANY_NUMBER, do_meter_add, check_meter_add },
	{ "load", 0, 0, do_meter_load, NULL },
	{ "remove", 1, 1, do_meter_remove, NULL },
	{ "reset", 1, 1, do_meter_reset, NULL },
	{ "max", 1, ANY_NUMBER, do_meter_max, check_meter_max },
	{ "post", 1, ANY_NUMBER, do_meter_post, check_meter_post },
};

/* The word that a command line means, and what follows it. */
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
		return wrong("meter \"%s\" is none of ls, show, add, load, remove, reset, max and post",
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
