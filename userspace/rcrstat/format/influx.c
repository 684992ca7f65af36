// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * influx.c - the line protocol of InfluxDB 1 and 2, one line for each counter of each CPU or unit.
 *
 *	rcrtool,producer=node17,component_id=17,place=cpu0,event=TOT_CYC
 *		total=123i,rate=1.0,status="ok" 1700000001000000000
 *
 * A total is left out if counts of the interval are missing, or if it needs more than 63 bits. The
 * field job is the number of the running job.
 */
#include <inttypes.h>
#include <string.h>

#include "config/node.h"
#include "format/format.h"
#include "format/values.h"
#include "interval/interval.h"

/* Prints a tag's key or value: escapes ',', ' ' and '='; a line break becomes a blank. */
static void print_tag_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (strchr(", =\n", *text))
			fputc('\\', out);
		fputc(*text == '\n' ? ' ' : *text, out);
	}
}

static void print_tag(FILE *out, const char *key, const char *value)
{
	fputc(',', out);
	print_tag_text(out, key);
	fputc('=', out);
	print_tag_text(out, value);
}

static void print_identity(FILE *out, const struct node *node)
{
	unsigned int i;

	/* Tags must not be empty, but a recording may have no producer. */
	if (*node->producer)
		print_tag(out, "producer", node->producer);
	if (node->has_component)
		fprintf(out, ",component_id=%" PRIu64, node->component);
	if (*node->cluster)
		print_tag(out, "cluster", node->cluster);
	for (i = 0; i < node->tags; i++) {
		fprintf(out, ",tag_%s=", node->tag[i].name);
		print_tag_text(out, node->tag[i].value);
	}
}

static void print_point(void *to, const struct value *value)
{
	const struct page *p = to;
	FILE *out = p->out;

	fputs("rcrtool", out);
	print_identity(out, p->node);
	print_tag(out, "place", value->place);
	print_tag(out, "event", value->event);
	fputc(' ', out);
	if (!value->gauge && value_is_ok(value) && value->total <= INT64_MAX)
		fprintf(out, "total=%" PRIu64 "i,", value->total);
	if (value->known && value_is_ok(value)) {
		fputs(value->gauge ? "value=" : "rate=", out);
		value_print_rate(out, value);
		fputc(',', out);
	}
	fprintf(out, "status=\"%s\"", value->status);
	if (p->job)
		fprintf(out, ",job=%" PRIu64 "i", p->job);
	fprintf(out, " %" PRIu64 "\n", intervals_wall_time(p->v));
}

static void influx_line(const struct page *p)
{
	values_visit(p->v, p->view, print_point, (void *)p);
}

const struct format format_influx = {
	.name = "influx",
	.chosen = true,
	.identified = true,
	.line = influx_line,
};
