// SPDX-License-Identifier: GPL-2.0-or-later
/* list.c - prints the events that can be counted on this machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "help/pager.h"
#include "list.h"
#include "message.h"
#include "print/columns.h"
#include "print/json.h"
#include "verbs.h"

/* The known defect of an event follows on a line of its own, indented. */
static int print_list(const struct list *l, bool heading)
{
	struct columns table = {
		.count = 4, .heading = { "NAME", "REGISTERS", "SOURCE", "DESCRIPTION" },
		.least = { 4, 9, 8 },
	};
	const struct listed *each;
	const char *cell[4];
	char text[512];

	for (each = l->listed; each < l->listed + l->count; each++) {
		cell[0] = each->name;
		cell[1] = each->registers;
		cell[2] = each->source;
		cell[3] = each->description;
		columns_add(&table, cell);
		if (!each->deficiency)
			continue;
		snprintf(text, sizeof(text), "    %s", each->deficiency);
		columns_add_line(&table, text);
	}
	if (columns_print(&table, heading, stdout))
		return fail("out of memory");
	return EXIT_SUCCESS;
}

static void print_list_json(const struct list *l)
{
	struct json j = { .out = stdout };
	const struct listed *each;

	json_open(&j, NULL, '[');
	for (each = l->listed; each < l->listed + l->count; each++) {
		json_open(&j, NULL, '{');
		json_text(&j, "name", each->name);
		json_text(&j, "source", each->source);
		json_text(&j, "registers", each->registers);
		json_text(&j, "description", each->description);
		json_text(&j, "deficiency", each->deficiency);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	putchar('\n');
}

static int refuse_empty(const struct list *l)
{
	char event[RCR_EVENT_LEN];
	struct why why;

	if (!l->glob)
		return fail("no event of this machine is known");
	if (!strpbrk(l->glob, "*?[") &&
	    names_resolve(session_names(l->session), l->glob, event, &why))
		return fail("%s", why.text);
	return fail("no event matches '%s'%s", l->glob,
		    l->all ? "" : "; --all also lists events that no counter here can count");
}

/**
 * struct list_output - options about the output
 * @json: as JSON
 * @heading: with a heading
 */
struct list_output {
	bool json;
	bool heading;
};

/* Options may precede or follow the name. */
static int read_arguments(struct call *c, struct list *l, struct list_output *o)
{
	for (; c->count; c->count--, c->args++) {
		if (!strcmp(c->args[0], "--json"))
			o->json = true;
		else if (!strcmp(c->args[0], "--all"))
			l->all = true;
		else if (!strcmp(c->args[0], "--noheadings"))
			o->heading = false;
		else if (!l->glob && c->args[0][0] != '-')
			l->glob = c->args[0];
		else
			return wrong("list takes --all, --json, --noheadings and one name, such as \"*CACHE*\"");
	}
	return EXIT_SUCCESS;
}

static int print_events(struct call *c, bool heading)
{
	struct list l = { .session = c->session };
	struct list_output o = { .heading = heading };
	int status = read_arguments(c, &l, &o);

	if (status)
		return status;
	list_collect(&l);
	if (!l.count) {
		status = refuse_empty(&l);
	} else {
		pager_start();
		if (o.json)
			print_list_json(&l);
		else
			status = print_list(&l, o.heading);
	}
	list_free(&l);
	return status;
}

int do_events(struct call *c)
{
	return print_events(c, true);
}

/* The verb for scripts: it prints the heading on a terminal only. */
int do_list(struct call *c)
{
	return print_events(c, isatty(STDOUT_FILENO));
}
