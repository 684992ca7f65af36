// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chrome.c - the trace format of Chrome (JSON object format), for chrome://tracing and Perfetto.
 *
 * The rate of each counter of each CPU or unit is a counter track; a mark is a global instant
 * event. Times are microseconds since 1970. A missing rate has no event: viewers show the previous
 * value until the next event.
 */
#include <inttypes.h>

#include "config/node.h"
#include "format/format.h"
#include "format/values.h"
#include "interval/interval.h"
#include "interval/units.h"
#include "print/json.h"

static void print_when(FILE *out, uint64_t time)
{
	unsigned int fraction = time % 1000;

	fprintf(out, "\"ts\": %" PRIu64 ".%03u", time / 1000, fraction);
}

/* Writes the names and tags of the node, once, before all events. */
static int chrome_begin(const struct page *p)
{
	struct json j = { .out = p->out };
	const struct node *node = p->node;
	unsigned int i;

	if (p->sets)
		return 0;
	json_open(&j, NULL, '{');
	json_open(&j, "otherData", '{');
	json_text(&j, "producer", *node->producer ? node->producer : NULL);
	if (node->has_component)
		json_number(&j, "component_id", node->component);
	else
		json_text(&j, "component_id", NULL);
	json_text(&j, "cluster", *node->cluster ? node->cluster : NULL);
	json_open(&j, "tags", '{');
	for (i = 0; i < node->tags; i++)
		json_text(&j, node->tag[i].name, node->tag[i].value);
	json_close(&j, '}');
	json_close(&j, '}');
	/* Write a first event, so that all others can be preceded by a comma. */
	fputs(",\n\"traceEvents\": [\n{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 0, \"args\": {", p->out);
	j.further = false;
	json_text(&j, "name", node->producer);
	fputs("}}", p->out);
	return 0;
}

static void print_rate_event(void *to, const struct value *value)
{
	const struct page *p = to;
	struct json j = { .out = p->out };
	char name[UNIT_NAME + RCR_NAME_LEN + 2];

	if (!value->known || !value_is_ok(value))
		return;
	snprintf(name, sizeof(name), "%s %s", value->place, value->event);
	fputs(",\n{", p->out);
	json_text(&j, "name", name);
	fputs(", \"ph\": \"C\", \"pid\": 0, ", p->out);
	print_when(p->out, intervals_wall_time(p->v));
	fputs(value->gauge ? ", \"args\": {\"value\": " : ", \"args\": {\"rate\": ", p->out);
	value_print_rate(p->out, value);
	fputs("}}", p->out);
}

static void chrome_line(const struct page *p)
{
	values_visit(p->v, p->view, print_rate_event, (void *)p);
}

static void chrome_mark(const struct page *p, const struct rcr_mark *mark)
{
	struct json j = { .out = p->out };

	fprintf(p->out, ",\n{\"ph\": \"i\", \"s\": \"g\", \"pid\": 0, ");
	print_when(p->out, mark->time + p->v->offset);
	fputs(", ", p->out);
	json_text(&j, "name", rcr_mark_kind_name(mark->kind));
	fputs(", \"args\": {", p->out);
	j.further = false;
	json_text(&j, "text", mark->text);
	fputs("}}", p->out);
}

static int chrome_end(const struct page *p)
{
	fputs("\n]}\n", p->out);
	return 0;
}

const struct format format_chrome = {
	.name = "chrome",
	.chosen = true,
	.identified = true,
	.single = true,
	.set = chrome_begin,
	.line = chrome_line,
	.mark = chrome_mark,
	.end = chrome_end,
};
