// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tacc_stats.c - the format of TACC Stats' monitor, as its stats_file.c writes it.
 *
 *	$tacc_stats 2.3
 *	$hostname node17
 *	!rcr_TOT_CYC total,E,W=64
 *
 *	1700000001.000000 4711 node17
 *	%begin 4711
 *	rcr_TOT_CYC cpu0 123
 *
 * Each counter is a separate type with one value, so that the row of a counter that is not ok can
 * be left out. Gauges have no E. An unknown job is "-".
 */
#include <ctype.h>
#include <inttypes.h>

#include "config/node.h"
#include "format/format.h"
#include "format/values.h"
#include "interval/interval.h"
#include "print/wall.h"

/* Prints a word, without blanks, which would end it; an empty one becomes "-". */
static void print_word(FILE *out, const char *text)
{
	if (!*text)
		fputc('-', out);
	for (; *text; text++)
		fputc(isspace((unsigned char)*text) ? '_' : *text, out);
}

static int tacc_stats_schema(const struct page *p)
{
	const struct node *node = p->node;
	unsigned int i;

	fputs("$tacc_stats 2.3\n$hostname ", p->out);
	print_word(p->out, node->producer);
	fputc('\n', p->out);
	if (node->has_component)
		fprintf(p->out, "$component_id %" PRIu64 "\n", node->component);
	if (*node->cluster)
		fprintf(p->out, "$cluster %s\n", node->cluster);
	for (i = 0; i < node->tags; i++)
		fprintf(p->out, "$tag.%s %s\n", node->tag[i].name, node->tag[i].value);
	for (i = 0; i < p->v->set->ncounters; i++) {
		if (!intervals_has(p->v, i))
			continue;
		fputs("!rcr_", p->out);
		print_word(p->out, rcr_set_counter(p->v->set, i)->name);
		fputs(p->v->gauges >> i & 1 ? " value,W=64\n" : " total,E,W=64\n", p->out);
	}
	return 0;
}

static void print_stats_row(void *to, const struct value *value)
{
	FILE *out = to;

	if (!value_is_ok(value))
		return;
	fputs("rcr_", out);
	print_word(out, value->event);
	fprintf(out, " %s %" PRIu64 "\n", value->place,
		value->gauge ? (value->tenths + 5) / 10 : value->total);
}

static void print_time(const struct page *p, uint64_t time)
{
	fputc('\n', p->out);
	wall_seconds(p->out, time);
	if (p->job)
		fprintf(p->out, " %" PRIu64 " ", p->job);
	else
		fputs(" - ", p->out);
	print_word(p->out, p->node->producer);
	fputc('\n', p->out);
}

static void tacc_stats_line(const struct page *p)
{
	print_time(p, intervals_wall_time(p->v));
	values_visit(p->v, p->view, print_stats_row, p->out);
}

/* Prints a mark as a group without rows: its time, kind and text. */
static void tacc_stats_mark(const struct page *p, const struct rcr_mark *mark)
{
	const char *text = mark->text;

	print_time(p, mark->time + p->v->offset);
	fprintf(p->out, "%%%s ", rcr_mark_kind_name(mark->kind));
	for (; *text; text++)
		fputc(iscntrl((unsigned char)*text) ? '?' : *text, p->out);
	fputc('\n', p->out);
}

const struct format format_tacc_stats = {
	.name = "tacc_stats",
	.chosen = true,
	.identified = true,
	.set = tacc_stats_schema,
	.line = tacc_stats_line,
	.mark = tacc_stats_mark,
};
