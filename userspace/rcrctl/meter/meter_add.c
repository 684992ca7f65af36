// SPDX-License-Identifier: GPL-2.0-or-later
/* meter_add.c - adds a meter to the module, and the events of its formula to the set. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "formula.h"
#include "message.h"
#include "meter.h"
#include "parse/period.h"

/* Default number of decimal digits. */
#define USUAL_DIGITS 6

/* Cycles spent in sampling ticks; a name that needs no event. */
#define SAMPLER_CYCLES "sampler_cycles"

/* Attempts if the set changes between reading it and the request. */
#define TRIES 64

/**
 * struct wish - parsed command line
 * @request: request to the module
 * @formula: formula of a new computed meter, or NULL
 * @posted: values of the meter are posted
 */
struct wish {
	struct rcr_meter_request request;
	const char *formula;
	bool posted;
};

/* TIME[,sum|average|peak|current] */
static int take_scale(struct wish *w, const char *text)
{
	const char *comma = strchr(text, ',');
	char span[PERIOD_LEN];

	snprintf(span, sizeof(span), "%.*s", (int)strcspn(text, ","), text);
	if (!period_parse(span, &w->request.scale_ns))
		return wrong("invalid --scale '%s': add a unit, for example 10ms, 1s or 60min",
			     text);
	if (comma && !board_parse_time_name(comma + 1, &w->request.type))
		return wrong("invalid --scale '%s': use current, average, sum or peak",
			     comma + 1);
	if (!w->request.scale_ns || w->request.scale_ns > RCR_SCALE_MAX_NS)
		return wrong("--scale '%s' is too long: the maximum is a day, 1440min", span);
	return EXIT_SUCCESS;
}

static int take_over(struct wish *w, const char *text)
{
	enum rcr_place_kind kind;

	if (rcr_place_kind_parse(text, &kind))
		return wrong("invalid --over '%s': use machine, node, package, die, llc, core or cpu",
			     text);
	w->request.over = kind;
	return EXIT_SUCCESS;
}

static int take_digits(struct wish *w, const char *text)
{
	if (*text < '0' || *text > '9' || text[1])
		return wrong("invalid --digits '%s': use a number from 0 to 9", text);
	w->request.digits = *text - '0';
	return EXIT_SUCCESS;
}

static int take_unit(struct wish *w, const char *text)
{
	if (!*text || strlen(text) >= RCR_METER_UNIT_LEN)
		return wrong("invalid --unit '%s': a unit has 1 to %d characters", text,
			     RCR_METER_UNIT_LEN - 1);
	w->request.unit = text;
	return EXIT_SUCCESS;
}

static const struct {
	const char *name;
	int (*take)(struct wish *w, const char *text);
} options[] = {
	{ "--scale", take_scale },
	{ "--over", take_over },
	{ "--digits", take_digits },
	{ "--unit", take_unit },
};

/* Parses an option with a value; returns -1 if it is another option. */
static int take_valued(struct wish *w, const char *option, const char *text)
{
	size_t i;

	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (strcmp(option, options[i].name))
			continue;
		return text ? options[i].take(w, text) : wrong("%s needs a value", option);
	}
	return -1;
}

static int take_wish_word(struct wish *w, const char *word)
{
	if (!w->request.name)
		w->request.name = word;
	else if (!w->formula)
		w->formula = word;
	else
		return wrong("meter add takes a name and a formula; the formula is one argument, in quotes");
	return EXIT_SUCCESS;
}

static int parse_wish(const struct call *c, struct wish *w)
{
	int i, status;

	memset(w, 0, sizeof(*w));
	w->request.type = RCR_METER_ANY;
	w->request.over = RCR_METER_ANY;
	w->request.digits = RCR_METER_ANY;
	for (i = 0; i < c->count; i++) {
		const char *word = c->args[i];

		if (!strcmp(word, "--public")) {
			w->request.is_public = true;
			continue;
		}
		if (!strcmp(word, "--posted")) {
			w->posted = true;
			continue;
		}
		status = take_valued(w, word, i + 1 < c->count ? c->args[i + 1] : NULL);
		if (status >= 0)
			i++;
		else if (!strncmp(word, "--", 2))
			status = wrong("meter add: unknown option '%s'", word);
		else
			status = take_wish_word(w, word);
		if (status)
			return status;
	}
	return EXIT_SUCCESS;
}

int check_meter_words(struct call *c, const char **name, const char **formula, bool *posted)
{
	static struct formula_names names;
	struct wish w;
	struct why why;
	int status = parse_wish(c, &w);

	if (status)
		return status;
	if (!w.request.name)
		return wrong("meter add needs a name");
	if (w.posted && w.formula)
		return wrong("a posted meter has no formula");
	if (w.formula && formula_find_names(w.formula, &names, &why))
		return wrong("%s", why.text);
	*name = w.request.name;
	*formula = w.formula;
	*posted = w.posted;
	return EXIT_SUCCESS;
}

int check_meter_add(struct call *c)
{
	const char *name, *formula;
	bool posted;

	return check_meter_words(c, &name, &formula, &posted);
}

/**
 * struct needs - requirements of a formula
 * @session: the session
 * @meters: existing meters
 * @names: names in the formula
 * @instead: for each name: the name of its counter if that differs, else NULL
 * @formula: the formula with the names of counters
 * @form: compiled @formula
 * @event: events to be added to the set
 * @events: pointers to @event
 * @count: entries of @event
 */
struct needs {
	struct session *session;
	struct rcr_meters meters;
	struct formula_names names;
	const char *instead[FORMULA_NAMES];
	char formula[RCR_FORMULA_LEN];
	struct rcr_form form;
	char event[RCR_MAX_COUNTERS][RCR_EVENT_LEN];
	const char *events[RCR_MAX_COUNTERS];
	unsigned int count;
};

/* True if the name is a running counter, a meter or SAMPLER_CYCLES. */
static bool is_known_name(const struct needs *n, const char *name)
{
	return meter_counter(n->session, name) || rcr_meters_find(&n->meters, name) ||
	       !strcmp(name, SAMPLER_CYCLES);
}

/* Writes the counter's name: the part of @event before the "=". */
static void write_counter_name(const char *event, char name[RCR_EVENT_LEN])
{
	snprintf(name, RCR_EVENT_LEN, "%.*s", (int)strcspn(event, "="), event);
}

static bool is_needed_already(const struct needs *n, const char *event)
{
	unsigned int i;

	for (i = 0; i < n->count; i++)
		if (!strcmp(n->event[i], event))
			return true;
	return false;
}

/* Resolves a name of the formula: adds its event to the set if it is not counted yet. */
static int need_name(struct needs *n, unsigned int i)
{
	const char *word = n->names.name[i].text;
	char event[RCR_EVENT_LEN], name[RCR_EVENT_LEN];
	struct why why;

	n->instead[i] = NULL;
	if (is_known_name(n, word))
		return EXIT_SUCCESS;
	if (names_resolve(session_names(n->session), word, event, &why))
		return fail("%s", why.text);
	write_counter_name(event, name);
	if (strcmp(name, word)) {
		n->instead[i] = strdup(name);
		if (!n->instead[i])
			return fail("%s", strerror(ENOMEM));
	}
	if (is_known_name(n, name) || is_needed_already(n, event))
		return EXIT_SUCCESS;
	if (n->count == RCR_MAX_COUNTERS)
		return fail("the formula names more than the %d counters of a set",
			    RCR_MAX_COUNTERS);
	strcpy(n->event[n->count], event);
	n->events[n->count] = n->event[n->count];
	n->count++;
	return EXIT_SUCCESS;
}

static void free_needs(struct needs *n)
{
	unsigned int i;

	for (i = 0; i < n->names.count; i++)
		free((char *)n->instead[i]);
	n->count = 0;
}

static int need_all(struct needs *n)
{
	unsigned int i;
	int status = EXIT_SUCCESS;

	memset(n->instead, 0, sizeof(n->instead));
	for (i = 0; !status && i < n->names.count; i++)
		status = need_name(n, i);
	return status;
}

/* All events of a unit must be counted the same way: if one allows one way only, resolve again. */
static int resolve_names(struct needs *n)
{
	int status = need_all(n);
	bool kept = false;
	unsigned int i;

	for (i = 0; i < n->count; i++)
		kept |= names_keep(session_names(n->session), n->event[i]);
	if (status || !kept)
		return status;
	free_needs(n);
	return need_all(n);
}

static int find_needs(struct needs *n, const char *formula)
{
	struct why why;
	int status;

	if (formula_find_names(formula, &n->names, &why))
		return fail("%s", why.text);
	status = resolve_names(n);
	if (!status && formula_replace(formula, &n->names, n->instead, n->formula, &why))
		status = fail("%s", why.text);
	return status;
}

/* The form and the events of @r are valid only for the generation that was read. */
static int send_meter(struct session *s, const struct rcr_meter_request *r)
{
	uint32_t seen = r->form || r->nevents ? s->state.generation : 0;
	int ret = rcr_control_meter_add(s->control, s->generation ? s->generation : seen, r, NULL);

	return ret && errno == ESTALE && !s->generation ? METER_LOOK_AGAIN : done(s, ret);
}

static int add_with_formula(struct needs *n, struct wish *w)
{
	struct rcr_meter_request *r = &w->request;
	int status = find_needs(n, w->formula);
	const struct meanings m = { n->session, &n->meters, n->events, n->count };
	struct why why;

	if (r->digits == RCR_METER_ANY)
		r->digits = USUAL_DIGITS;
	if (!status && !meter_compile(&m, n->formula, r->digits, &n->form, &why)) {
		r->form = &n->form;
		r->events = n->events;
		r->nevents = n->count;
		status = send_meter(n->session, r);
	} else if (!status && (errno == EDOM || errno == ENOENT)) {
		status = meter_add_parts(&m, r, n->formula, &why);
	} else if (!status) {
		status = fail("%s", why.text);
	}
	free_needs(n);
	return status;
}

/* Adds an event that an inactive meter needs: from the catalogue, else by its name. */
static int need_term(struct needs *n, const char *meter, const char *name)
{
	char *event = n->event[n->count];
	struct why why;

	if (!*name || meter_counter(n->session, name))
		return EXIT_SUCCESS;
	if (n->count == RCR_MAX_COUNTERS)
		return fail("the meter needs more than the %d counters of a set",
			    RCR_MAX_COUNTERS);
	if (!meter_catalogued_event(n->session, meter, name, event) &&
	    names_resolve(session_names(n->session), name, event, &why))
		return fail("%s", why.text);
	if (is_needed_already(n, event))
		return EXIT_SUCCESS;
	n->events[n->count++] = event;
	return EXIT_SUCCESS;
}

static int need_side(struct needs *n, const char *meter, const struct rcr_form_side *side)
{
	int status = EXIT_SUCCESS;
	unsigned int i;

	for (i = 0; i < side->terms && !status; i++)
		status = need_term(n, meter, side->term[i].name);
	return status;
}

/* Adds the counters that an inactive meter needs. */
static int activate_meter(struct needs *n, struct rcr_meter_request *r)
{
	const struct rcr_meter_state *m = rcr_meters_find(&n->meters, r->name);
	int status;

	if (!m || m->flags & RCR_METER_POSTED)
		return fail("no meter '%s' waits for its counters: add a formula, or --posted",
			    r->name);
	if (!*m->reason)
		return EXIT_SUCCESS;
	status = need_side(n, m->name, &m->form.above);
	if (!status)
		status = need_side(n, m->name, &m->form.below);
	r->name = m->name;
	r->events = n->events;
	r->nevents = n->count;
	return status ? status : send_meter(n->session, r);
}

static int try_to_add(struct call *c)
{
	static struct needs n;
	struct wish w;
	int status;

	parse_wish(c, &w);
	n.session = c->session;
	n.count = 0;
	n.names.count = 0;
	if (w.posted) {
		status = session_open(c->session);
		return status ? status : send_meter(c->session, &w.request);
	}
	status = session_look(c->session);
	if (!status)
		status = meters_look(c->session, &n.meters);
	if (status)
		return status;
	return w.formula ? add_with_formula(&n, &w) : activate_meter(&n, &w.request);
}

int do_meter_add(struct call *c)
{
	int status, tries = 0;

	do
		status = try_to_add(c);
	while (status == METER_LOOK_AGAIN && ++tries < TRIES);
	return status == METER_LOOK_AGAIN ? done(c->session, -1) : status;
}
