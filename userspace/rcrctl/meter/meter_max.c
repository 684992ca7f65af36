// SPDX-License-Identifier: GPL-2.0-or-later
/* meter_max.c - sets the limits of a meter's resource, at one place or at all places. */
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "message.h"
#include "meter.h"

/**
 * struct limit_wish - parsed command line
 * @name: name of the meter
 * @has_place: set the limits of the place @kind @number only
 * @kind: enum rcr_place_kind
 * @number: number of the place
 * @maximum: text of the maximum, or NULL
 * @contention: text of the contention level, or NULL
 */
struct limit_wish {
	const char *name;
	bool has_place;
	enum rcr_place_kind kind;
	unsigned int number;
	const char *maximum;
	const char *contention;
};

static int take_limit(struct limit_wish *w, const char *option, const char *text)
{
	if (!strcmp(option, "--maximum")) {
		w->maximum = text;
	} else if (!strcmp(option, "--contention")) {
		w->contention = text;
	} else if (!strcmp(option, "--at")) {
		w->has_place = board_parse_place(text, &w->kind, &w->number);
		if (!w->has_place)
			return wrong("invalid --at '%s': use for example machine, node0 or cpu3",
				     text);
	} else {
		return wrong("meter max: unknown option '%s'", option);
	}
	return EXIT_SUCCESS;
}

static int parse_limits(const struct call *c, struct limit_wish *w)
{
	int i, status = EXIT_SUCCESS;

	memset(w, 0, sizeof(*w));
	w->name = c->args[0];
	for (i = 1; !status && i + 1 < c->count; i += 2)
		status = take_limit(w, c->args[i], c->args[i + 1]);
	if (!status && i < c->count)
		return wrong("%s needs a value", c->args[i]);
	return status;
}

int check_meter_max(struct call *c)
{
	struct quantity q;
	struct limit_wish w;
	struct why why;
	int status = parse_limits(c, &w);

	if (status)
		return status;
	if (!w.maximum && !w.contention)
		return wrong("meter max needs --maximum or --contention");
	if ((w.maximum && quantity_parse(w.maximum, &q, &why)) ||
	    (w.contention && quantity_parse(w.contention, &q, &why)))
		return wrong("%s", why.text);
	return EXIT_SUCCESS;
}

/* The maximum that a percentage refers to unless --maximum is given; 0: not known. */
static int64_t known_maximum(const struct rcr_blackboard *b, const struct rcr_meter_state *m,
			     const struct limit_wish *w)
{
	struct rcr_board_value v;
	struct rcr_meter meter;

	if (!w->has_place || w->kind == RCR_PLACE_MACHINE)
		return m->maximum;
	if (rcr_board_find(b, m->name, w->kind, w->number, &meter) ||
	    rcr_board_read(b, &meter, &v))
		return 0;
	return v.maximum;
}

static int set_wished_limits(struct session *s, const struct rcr_blackboard *b,
			     const struct limit_wish *w)
{
	static struct rcr_meters meters;
	const struct rcr_meter_state *m = meters_find(s, &meters, w->name);
	struct rcr_meter_limits limits = {
		.kind = w->kind, .number = w->number,
		.has_maximum = w->maximum, .has_contention = w->contention,
	};
	int64_t known;

	if (!m)
		return EXIT_FAILURE;
	known = known_maximum(b, m, w);
	if (w->maximum && meter_value(m, known, w->maximum, &limits.maximum))
		return EXIT_FAILURE;
	if (w->contention && meter_value(m, w->maximum ? limits.maximum : known, w->contention,
					 &limits.contention))
		return EXIT_FAILURE;
	return w->has_place ? meter_set_place_limits(s, m, &limits) :
			      meter_set_limits(s, b, m, &limits);
}

int do_meter_max(struct call *c)
{
	struct rcr_blackboard *b = board_open();
	struct limit_wish w;
	int status;

	if (!b)
		return EXIT_FAILURE;
	parse_limits(c, &w);
	status = set_wished_limits(c->session, b, &w);
	rcr_board_close(b);
	return status;
}
