// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * show.c - the verb "show", which is the default: prints the set, one line per counter, with its
 * rate and its staged change.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "names.h"
#include "print/columns.h"
#include "set/set_text.h"
#include "set/staged.h"
#include "show/rates.h"
#include "verbs.h"

/**
 * struct show_options - options of the verb
 * @verbose: with registers and known defects
 * @json: as JSON
 * @plain: without headings
 */
struct show_options {
	bool verbose;
	bool json;
	bool plain;
};

static int parse_show(const struct call *c, struct show_options *o)
{
	int i;

	memset(o, 0, sizeof(*o));
	for (i = 0; i < c->count; i++) {
		if (!strcmp(c->args[i], "-v") || !strcmp(c->args[i], "--verbose"))
			o->verbose = true;
		else if (!strcmp(c->args[i], "--json"))
			o->json = true;
		else if (!strcmp(c->args[i], "--noheadings"))
			o->plain = true;
		else
			return wrong("show takes no argument but -v, --noheadings and --json");
	}
	return EXIT_SUCCESS;
}

int check_show(struct call *c)
{
	struct show_options o;

	return parse_show(c, &o);
}

/* "CONTROL=SELECT COUNTER", "SELECT" if the counter has no control register, or "-". */
static const char *registers_of(const struct rcr_counter_state *c, char text[64])
{
	if (!c->running)
		return "-";
	if (c->control)
		snprintf(text, 64, "%#" PRIx64 "=%#" PRIx64 " %#" PRIx64, c->control, c->select,
			 c->counter);
	else
		snprintf(text, 64, "%#" PRIx64, c->select);
	return text;
}

static void add_counter_row(struct columns *t, const struct rcr_state *state,
			    const struct rcr_counter_state *c, const struct rates *r)
{
	char status[RCR_CPUS_LEN + 32], rate[RATE_LEN], registers[64];
	char event[RCR_EVENT_LEN + 256];
	const char *change = set_change(c), *cell[COLUMNS_LIMIT];
	unsigned int n = 0;

	cell[n++] = c->name;
	cell[n++] = set_status(c, status, sizeof(status));
	cell[n++] = c->running ? rate_text(rates_find(r, c->name), rate) : "-";
	cell[n++] = change ? change : "-";
	if (t->count > 5)
		cell[n++] = registers_of(c, registers);
	cell[n++] = set_event(state->family, c, t->count > 5, event, sizeof(event));
	columns_add(t, cell);
}

static int print_counter_rows(const struct rcr_state *state, const struct rates *r,
			      const struct show_options *o)
{
	struct columns table = {
		.count = 5, .heading = { "NAME", "STATUS", "RATE", "CHANGE", "EVENT" },
	};
	unsigned int i;

	if (o->verbose) {
		table.heading[table.count - 1] = "REGISTERS";
		table.heading[table.count++] = "EVENT";
	}
	for (i = 0; i < state->ncounters; i++)
		add_counter_row(&table, state, &state->counter[i], r);
	if (columns_print(&table, !o->plain && state->ncounters, stdout))
		return fail("out of memory");
	return EXIT_SUCCESS;
}

int do_show(struct call *c)
{
	static struct rates rates;
	struct show_options o;
	int status = session_look(c->session);
	const struct rcr_state *state = &c->session->state;

	parse_show(c, &o);
	if (status)
		return status;
	rates_read(&rates, RATES_ALL);
	if (o.json) {
		print_set_json(state, &rates);
		return EXIT_SUCCESS;
	}
	if (!o.plain)
		print_set_line(state);
	status = print_counter_rows(state, &rates, &o);
	if (!status && !o.plain && isatty(STDOUT_FILENO) && staged_differs(state))
		printf("\n'rcrctl apply' counts the staged set, 'rcrctl discard' drops it\n");
	return status;
}
