// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ls.c - prints the running and the staged counters.
 *
 * One line per counter, beginning with its name. A line that differs between the two sets ends in
 * "staged" or "removed", one of a held set in "held". A heading is printed on a terminal only.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events.h"
#include "message.h"
#include "print/columns.h"
#include "print/json.h"
#include "print/wrap.h"
#include "sysfs/pmu_raw.h"
#include "rcr.h"
#include "set/set_text.h"
#include "show/rates.h"
#include "verbs.h"

/* NULL if there is no status. */
static const char *status_name(uint32_t status)
{
	return status ? rcr_status_name(status) : NULL;
}

/* By its event or, if that is unknown, by the value of its control register. */
static const char *counter_deficiency(const char *family, const struct rcr_counter_state *c)
{
	if (*c->event)
		return names_deficiency(family, c->event);
	return c->running ? rcr_deficiency(family, c->select) : NULL;
}

const char *set_change(const struct rcr_counter_state *c)
{
	if (!c->running)
		return c->held ? "waits for the end of a hold" : "staged";
	if (c->staged)
		return NULL;
	return c->held ? "held" : "removed";
}

const char *set_status(const struct rcr_counter_state *c, char *text, size_t size)
{
	const char *status = c->running ? status_name(c->status) : NULL;

	if (!status)
		return "-";
	snprintf(text, size, "%s%s%s", status, *c->cpus ? ":" : "", c->cpus);
	return text;
}

const char *set_event(const char *family, const struct rcr_counter_state *c, bool defects,
		      char *text, size_t size)
{
	const char *defect = defects ? counter_deficiency(family, c) : NULL;
	char event[RCR_EVENT_LEN];

	snprintf(text, size, "%s%s%s%s", *c->event ? pmu_readable(c->event, event) : "-",
		 defect ? "  (" : "", defect ? defect : "", defect ? ")" : "");
	return text;
}

/* Writes how the general counters of a core are used, and how many are free. */
static void write_core(const struct rcr_state *s, FILE *out)
{
	bool on = s->core_watchdog == RCR_WATCHDOG_ON;
	uint32_t held = s->core_used + s->core_others + on;
	uint32_t unused = s->core_counters > held ? s->core_counters - held : 0;

	if (!s->core_counters)
		return;
	if (on)
		fprintf(out, "; core counters: %u used, 1 watchdog", s->core_used);
	else
		fprintf(out, "; core counters: %u of %u used", s->core_used, s->core_counters);
	if (s->core_others)
		fprintf(out, ", %u held by others", s->core_others);
	fprintf(out, ", %u free%s", unused, unused && s->core_watchdog == RCR_WATCHDOG_OFF ?
		" (1 for the watchdog)" : "");
}

void print_set_line(const struct rcr_state *state)
{
	unsigned int columns = wrap_columns(stdout);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	fprintf(out, "generation %u, %s, source %s, period %g ms%s%s", state->generation,
		state->family, state->source, state->period_ns / 1e6,
		state->held ? ", held by " : "", state->holders);
	write_core(state, out);
	if (!fclose(out))
		wrap_print(stdout, text, 0, 2, columns);
	free(text);
	if (!state->error)
		return;
	fputs("nothing is counted: ", stdout);
	wrap_print(stdout, state->reason, strlen("nothing is counted: "), 2, columns);
}

static void add_counter_line(struct columns *t, const char *family,
			     const struct rcr_counter_state *c)
{
	const char *change = set_change(c), *cell[] = { c->name, "-", "-", "-", "-", "-" };
	char select[32], control[32], counter[32], status[RCR_CPUS_LEN + 32];
	char event[RCR_EVENT_LEN + 256], text[RCR_EVENT_LEN + 320];

	snprintf(select, sizeof(select), "%#" PRIx64, c->select);
	snprintf(control, sizeof(control), "%#" PRIx64, c->control);
	snprintf(counter, sizeof(counter), "%#" PRIx64, c->counter);
	if (c->running)
		cell[1] = select;
	if (c->running && c->control) {
		cell[2] = control;
		cell[3] = counter;
	}
	cell[4] = set_status(c, status, sizeof(status));
	snprintf(text, sizeof(text), "%s%s%s",
		 set_event(family, c, true, event, sizeof(event)), change ? "  " : "",
		 change ? change : "");
	cell[5] = text;
	columns_add(t, cell);
}

static int print_counter_table(const struct rcr_state *state)
{
	struct columns table = {
		.count = 6,
		.heading = { "NAME", "SELECT", "CONTROL", "COUNTER", "STATUS", "EVENT" },
	};
	unsigned int i;

	print_set_line(state);
	for (i = 0; i < state->ncounters; i++)
		add_counter_line(&table, state->family, &state->counter[i]);
	if (columns_print(&table, isatty(STDOUT_FILENO) && state->ncounters, stdout))
		return fail("out of memory");
	return EXIT_SUCCESS;
}

static void rate_json(struct json *j, const struct rate *rate)
{
	char number[32] = "null";

	if (rate)
		snprintf(number, sizeof(number), "%.1f", rate->per_second);
	json_decimal(j, "rate", number);
}

static void counter_json(struct json *j, const char *family,
			 const struct rcr_counter_state *c, const struct rates *r)
{
	json_open(j, NULL, '{');
	json_text(j, "name", c->name);
	json_text(j, "event", c->event);
	json_bool(j, "running", c->running);
	json_bool(j, "staged", c->staged);
	json_bool(j, "held", c->held);
	if (c->running) {
		json_number(j, "select", c->select);
		json_number(j, "control", c->control);
		json_number(j, "counter", c->counter);
		json_text(j, "status", status_name(c->status));
		json_text(j, "cpus", c->cpus);
	}
	if (r)
		rate_json(j, c->running ? rates_find(r, c->name) : NULL);
	json_text(j, "deficiency", counter_deficiency(family, c));
	json_close(j, '}');
}

void print_set_json(const struct rcr_state *state, const struct rates *r)
{
	struct json j = { .out = stdout };
	unsigned int i;

	json_open(&j, NULL, '{');
	json_number(&j, "generation", state->generation);
	json_text(&j, "family", state->family);
	json_text(&j, "source", state->source);
	json_number(&j, "period_ns", state->period_ns);
	json_bool(&j, "held", state->held);
	json_text(&j, "holders", state->holders);
	json_number(&j, "core_counters", state->core_counters);
	json_number(&j, "core_used", state->core_used);
	json_number(&j, "core_watchdog", state->core_watchdog);
	json_number(&j, "core_others", state->core_others);
	json_number(&j, "error", state->error);
	json_text(&j, "reason", state->reason);
	json_open(&j, "counters", '[');
	for (i = 0; i < state->ncounters; i++)
		counter_json(&j, state->family, &state->counter[i], r);
	json_close(&j, ']');
	json_close(&j, '}');
	putchar('\n');
}

int check_ls(struct call *c)
{
	if (!c->count || (c->count == 1 && !strcmp(c->args[0], "--json")))
		return EXIT_SUCCESS;
	return wrong("ls takes no argument but --json");
}

int do_ls(struct call *c)
{
	bool json = take_option(c, "--json");
	int status = session_look(c->session);

	if (status)
		return status;
	if (!json)
		return print_counter_table(&c->session->state);
	print_set_json(&c->session->state, NULL);
	return EXIT_SUCCESS;
}
