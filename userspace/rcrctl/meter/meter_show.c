// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * meter_show.c - prints all values of a meter as "key: value" lines, like its file in debugfs:
 * those of the machine first, then one line for each place.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "message.h"
#include "meter.h"
#include "rcr.h"

static void print_value(const char *key, int64_t value, unsigned int digits)
{
	char text[QUANTITY_LEN];

	printf("%s: %s\n", key, quantity_text(text, value, digits));
}

/* Prints "-" for 0, which means that the value is unknown. */
static void print_known(const char *key, int64_t value, unsigned int digits)
{
	if (value)
		print_value(key, value, digits);
	else
		printf("%s: -\n", key);
}

static const char *meter_status_text(uint32_t status)
{
	return status ? rcr_status_name(status) : "undefined";
}

static void print_limits(const struct rcr_board_meter *m, const struct rcr_board_value *v)
{
	print_known("max", v->maximum, m->digits);
	print_known("contention", v->contention, m->digits);
	if (v->maximum && v->current_status == RCR_STATUS_OK)
		printf("utilization: %u.%04u%%\n", v->utilization / 10000,
		       v->utilization % 10000);
	else
		puts("utilization: -");
}

static void print_machine(const struct rcr_board_meter *m, const struct rcr_board_value *v)
{
	const char *verdict = meter_verdict_name(v->verdict);

	printf("name: %s\n", m->name);
	printf("number: %u\n", m->number);
	printf("unit: %s\n", m->unit);
	printf("scale_ns: %" PRIu64 "\n", (uint64_t)m->scale_ns);
	printf("type: %s\n", board_time_name(m->type));
	print_value("current", v->current_value, m->digits);
	printf("current_status: %s\n", meter_status_text(v->current_status));
	print_value("average", v->average, m->digits);
	print_value("sum", v->sum, m->digits);
	print_value("peak", v->peak, m->digits);
	print_value("highest", v->highest, m->digits);
	printf("unseen: %" PRIu64 "\n", (uint64_t)v->unseen);
	print_limits(m, v);
	print_value("updated", v->time, 9);
	printf("window_ns: %" PRIu64 "\n", (uint64_t)(v->time - v->begin));
	printf("counted_ns: %" PRIu64 "\n", (uint64_t)v->counted_ns);
	printf("verdict: %s\n", verdict ? verdict : "-");
	printf("status: %s\n", meter_status_text(v->status));
}

static void print_place(const struct rcr_blackboard *b, const struct rcr_board_meter *m,
			unsigned int entry)
{
	struct rcr_meter at = { .entry = entry, .serial = m->serial };
	const struct rcr_board_entry *e = rcr_board_entry(b, entry);
	const struct rcr_board_place *p = e ? rcr_board_place(b, e->place) : NULL;
	char number[4][QUANTITY_LEN];
	struct rcr_board_value v;

	if (!p || rcr_board_read(b, &at, &v))
		return;
	printf("%s %u: current %s average %s sum %s peak %s",
	       rcr_place_kind_name(p->kind), p->number,
	       quantity_text(number[0], v.current_value, m->digits),
	       quantity_text(number[1], v.average, m->digits),
	       quantity_text(number[2], v.sum, m->digits),
	       quantity_text(number[3], v.peak, m->digits));
	if (v.maximum && v.current_status == RCR_STATUS_OK)
		printf(" utilization %u.%04u%%", v.utilization / 10000, v.utilization % 10000);
	printf(" %s\n", meter_status_text(v.status));
}

static int report_no_value(const char *name)
{
	switch (errno) {
	case ESTALE:
		return fail("sampling is stopped, so '%s' has no current values: see 'rcrctl ls'",
			    name);
	case ENODATA:
		return fail("the meter '%s' has no value yet", name);
	}
	return fail("%s: %s", name, strerror(errno));
}

static int show_meter(const struct rcr_blackboard *b, const char *name)
{
	struct rcr_board_meter m;
	struct rcr_board_value v;
	struct rcr_meter meter;
	unsigned int i;
	int status = board_find(b, name, RCR_PLACE_MACHINE, 0, &meter);

	if (status)
		return status;
	if (!board_describe(b, &meter, &m))
		return fail("the meter '%s' was removed meanwhile", name);
	if (rcr_board_subscribe_meter(b, &m, 0) || rcr_board_read(b, &meter, &v))
		return report_no_value(name);
	print_machine(&m, &v);
	for (i = 1; i < m.entries; i++)
		print_place(b, &m, m.first + i);
	return EXIT_SUCCESS;
}

int check_meter_show(struct call *c)
{
	if (c->count == 1 || !strcmp(c->args[0], "--json") || !strcmp(c->args[1], "--json"))
		return EXIT_SUCCESS;
	return wrong("meter show takes one argument, and --json");
}

int do_meter_show(struct call *c)
{
	struct rcr_blackboard *b;
	int status;

	if (c->count == 2)
		return meter_show_json(c, c->args[!strcmp(c->args[0], "--json")]);
	b = board_open();
	if (!b)
		return EXIT_FAILURE;
	status = show_meter(b, c->args[0]);
	rcr_board_close(b);
	return status;
}
