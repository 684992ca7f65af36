// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * csv.c - CSV output, one line per interval.
 *
 *	time,interval,lost,overruns,status,cpu0:TOT_CYC,cpu0:TOT_INS,...
 *
 * time is the end of the interval in seconds since 1970; interval is its length in seconds; lost
 * counts the records that this reader lost and overruns the ticks that the sampler missed, on all
 * selected CPUs. status is "ok" or a list of exceptions such as
 * cpu1:TOT_CYC=foreign;cpu2=gap;node0=uneven. Rates per second follow; a cell without a rate is
 * empty. A counter that was not ok in any sample of the interval has no rate, because the missed
 * counts are not recorded and the rate would be too low. A counter that breaks a relation (lint.h)
 * is "suspect" and keeps its rate. Names contain no characters that CSV must quote. A line that
 * begins with # is a mark (see marks.c) or, after the header, a known defect of an event: "# note
 * VEC_INS: no vector count: ...". With CPUs grouped, the rates are
 *
 *	node0:TOT_CYC:sum,node0:TOT_CYC:mean,...:min,...:max,...:dev,node0:...
 *
 * A counter that CPUs share has one column per sharing unit, after all others, unless the groups
 * contain these units whole:
 *
 *	package0/die0:L3_CACHE_MISSES,...,package0/die1:L3_CACHE_MISSES,...
 *
 * Meters follow (meter_rows.h). The identity of the node is last (identity.h).
 */
#include <inttypes.h>
#include <stdarg.h>

#include "interval/aggregate.h"
#include "format/meter_rows.h"
#include "format/task_rows.h"
#include "events.h"
#include "format/format.h"
#include "format/identity.h"
#include "format/marks.h"
#include "print/digits.h"
#include "interval/interval.h"
#include "interval/view.h"
#include "print/wall.h"

#define SELECT_ENABLE 0x400000	/* of a general counter's control */

static const char *event_name(const struct intervals *v, unsigned int counter)
{
	return rcr_set_counter(v->set, counter)->name;
}

static bool counts_in_scope(const struct intervals *v, unsigned int counter, unsigned int scope)
{
	return intervals_has(v, counter) && counter_scope(v->set, counter) == scope;
}

/* True if the counter has columns per CPU or per group, rather than per sharing unit. */
static bool has_cpu_columns(const struct intervals *v, const struct view *view,
			    unsigned int counter)
{
	return intervals_has(v, counter) &&
	       !view_is_apart(view, counter_scope(v->set, counter));
}

static void print_unit_names(FILE *out, const struct intervals *v,
			     const struct view *view, const struct unit *unit)
{
	unsigned int counter, i;

	for (counter = 0; counter < v->set->ncounters; counter++)
		for (i = 0; i < STATS && has_cpu_columns(v, view, counter); i++)
			fprintf(out, ",%s:%s:%s", unit->name,
				event_name(v, counter), stats_name[i]);
}

static void print_cpu_names(FILE *out, const struct intervals *v, unsigned int cpu)
{
	unsigned int counter;

	for (counter = 0; counter < v->set->ncounters; counter++)
		if (counts_in_scope(v, counter, RCR_SCOPE_CPU))
			fprintf(out, ",cpu%u:%s", cpu, event_name(v, counter));
}

/* Callback for one shared counter of one sharing unit. */
typedef void (*each_shared)(FILE *out, const struct intervals *v,
			    const struct unit *unit, unsigned int counter);

static void visit_shared(FILE *out, const struct intervals *v,
			 const struct units *units, unsigned int scope,
			 each_shared each)
{
	unsigned int i, counter;

	for (i = 0; i < units->count; i++)
		for (counter = 0; counter < v->set->ncounters; counter++)
			if (counts_in_scope(v, counter, scope))
				each(out, v, &units->unit[i], counter);
}

/* Calls @each for the counters that have a column per sharing unit. */
static void visit_apart(FILE *out, const struct intervals *v,
			const struct view *view, each_shared each)
{
	unsigned int scope;

	for (scope = 0; scope < SCOPES; scope++)
		if (view_is_apart(view, scope))
			visit_shared(out, v, &view->shares[scope], scope, each);
}

static void print_shared_name(FILE *out, const struct intervals *v,
			      const struct unit *unit, unsigned int counter)
{
	fprintf(out, ",%s:%s", unit->name, event_name(v, counter));
}

/*
 * Returns the known defect of a counter's event, or NULL. Intel's fixed counters and kernel
 * counters have no event select; shared units have other events.
 */
static const char *deficiency_of(const struct rcr_set *set, unsigned int counter)
{
	uint64_t select = rcr_set_counter(set, counter)->select;

	if (counter_scope(set, counter) != RCR_SCOPE_CPU)
		return NULL;
	return select & SELECT_ENABLE ? rcr_deficiency(set->family, select) : NULL;
}

static void print_notes(FILE *out, const struct intervals *v)
{
	unsigned int counter;
	const char *text;

	for (counter = 0; counter < v->set->ncounters; counter++) {
		text = intervals_has(v, counter) ? deficiency_of(v->set, counter) : NULL;
		if (text)
			fprintf(out, "# note %s: %s\n", event_name(v, counter), text);
	}
}

static int csv_header(const struct page *p)
{
	const struct intervals *v = p->v;
	const struct view *view = p->view;
	FILE *out = p->out;
	unsigned int i;

	if (v->tasks) {
		task_rows_header(p);
		return 0;
	}
	fputs("time,interval,lost,overruns,status", out);
	for (i = 0; view->grouped && i < view->per.count; i++)
		print_unit_names(out, v, view, &view->per.unit[i]);
	for (i = 0; !view->grouped && i < v->cpus; i++)
		print_cpu_names(out, v, v->cpu[i].cpu);
	visit_apart(out, v, view, print_shared_name);
	meter_rows_names(out, v, view);
	identity_names(out, p->node);
	fputc('\n', out);
	print_notes(out, v);
	meter_rows_units(out, v);
	return 0;
}

/**
 * struct list - entries of the status column
 * @out: output stream
 * @separator: printed before the next entry
 */
struct list {
	FILE *out;
	const char *separator;
};

__attribute__((format(printf, 2, 3)))
static void append_item(struct list *l, const char *format, ...)
{
	va_list args;

	fputs(l->separator, l->out);
	va_start(args, format);
	vfprintf(l->out, format, args);
	va_end(args);
	l->separator = ";";
}

/* A counter with status ok is listed only if its value is suspect. */
static const char *csv_status_text(enum rcr_status status)
{
	return status == RCR_STATUS_OK ? "suspect" : rcr_status_name(status);
}

static void print_cpu_status(struct list *l, const struct intervals *v,
			     const struct cpu_interval *c)
{
	enum rcr_status status;
	unsigned int counter;
	double rate;

	if (cpu_is_plain(v, c))
		return;
	if (cpu_is_silent(c)) {
		append_item(l, "cpu%u=%s", c->cpu, rcr_status_name(RCR_STATUS_GAP));
		return;
	}
	for (counter = 0; counter < v->set->ncounters; counter++) {
		if (!counts_in_scope(v, counter, RCR_SCOPE_CPU))
			continue;
		status = intervals_rate(v, c, counter, &rate);
		if (status != RCR_STATUS_OK || cpu_suspect(c, counter))
			append_item(l, "cpu%u:%s=%s", c->cpu, event_name(v, counter),
				    csv_status_text(status));
	}
}

/* Shared counters are listed per sharing unit, however CPUs are grouped. */
static void list_shared_status(struct list *l, const struct intervals *v,
			       const struct units *units, unsigned int counter)
{
	enum rcr_status status;
	unsigned int i;

	for (i = 0; i < units->count; i++) {
		status = shared_status(v, &units->unit[i], counter);
		if (status != RCR_STATUS_OK || shared_suspect(v, &units->unit[i], counter))
			append_item(l, "%s:%s=%s", units->unit[i].name, event_name(v, counter),
				    csv_status_text(status));
	}
}

static void put_meter_status(void *context, const char *place, const char *name,
			     const char *status)
{
	append_item(context, "%s:%s=%s", place, name, status);
}

static void print_status(FILE *out, const struct intervals *v,
			 const struct view *view)
{
	struct list l = { out, "" };
	unsigned int i, scope;

	for (i = 0; i < v->cpus; i++)
		print_cpu_status(&l, v, &v->cpu[i]);
	for (i = 0; i < v->set->ncounters; i++) {
		scope = counter_scope(v->set, i);
		if (intervals_has(v, i) && scope != RCR_SCOPE_CPU)
			list_shared_status(&l, v, &view->shares[scope], i);
	}
	for (i = 0; view->grouped && i < view->per.count; i++)
		if (unit_is_uneven(v, &view->per.unit[i]))
			append_item(&l, "%s=uneven", view->per.unit[i].name);
	meter_rows_exceptions(v, view, put_meter_status, &l);
	if (!*l.separator)
		fputs("ok", out);
}

/* Returns a mask of the counters of scope CPU: bit n for counter n. */
static uint32_t own_counters(const struct intervals *v)
{
	unsigned int counter;
	uint32_t own = 0;

	for (counter = 0; counter < v->set->ncounters; counter++)
		own |= (uint32_t)counts_in_scope(v, counter, RCR_SCOPE_CPU) << counter;
	return own;
}

static void print_rates(FILE *out, const struct intervals *v,
			const struct cpu_interval *c, uint32_t own)
{
	char text[RCR_MAX_COUNTERS * (1 + DIGITS_MOST)], *at = text;
	double rate[RCR_MAX_COUNTERS];
	uint32_t known = intervals_rates(v, c, rate);
	unsigned int counter;

	for (counter = 0; counter < v->set->ncounters; counter++) {
		if (!(own >> counter & 1))
			continue;
		*at++ = ',';
		if (known >> counter & 1)
			at = digits_put_rate(at, rate[counter]);
	}
	fwrite(text, 1, at - text, out);
}

static void print_tenths(FILE *out, uint64_t tenths)
{
	char text[1 + DIGITS_MOST] = ",";

	fwrite(text, 1, digits_put_tenths(text + 1, tenths) - text, out);
}

static void print_shared_rate(FILE *out, const struct intervals *v,
			      const struct unit *unit, unsigned int counter)
{
	uint64_t tenths;

	if (shared_rate(v, unit, counter, &tenths) == RCR_STATUS_OK)
		print_tenths(out, tenths);
	else
		fputc(',', out);
}

static void print_stats(FILE *out, const struct stats *s)
{
	unsigned int i;

	for (i = 0; i < STATS; i++)
		print_tenths(out, stats_value(s, i));
}

static void print_unit(FILE *out, const struct intervals *v,
		       const struct view *view, const struct unit *unit)
{
	unsigned int counter;
	struct stats s;

	for (counter = 0; counter < v->set->ncounters; counter++) {
		if (!has_cpu_columns(v, view, counter))
			continue;
		if (view_stats(view, v, unit, counter, &s))
			print_stats(out, &s);
		else
			fputs(",,,,,", out);
	}
}

static void csv_line(const struct page *p)
{
	const struct intervals *v = p->v;
	const struct view *view = p->view;
	FILE *out = p->out;
	uint32_t own = view->grouped ? 0 : own_counters(v);
	unsigned int i;

	if (v->tasks) {
		task_rows_csv(p);
		return;
	}
	wall_seconds(out, intervals_wall_time(v));
	fprintf(out, ",%.6g", v->length / 1e9);
	fprintf(out, ",%" PRIu64 ",%" PRIu64 ",", intervals_lost(v),
		intervals_overruns(v));
	print_status(out, v, view);
	for (i = 0; view->grouped && i < view->per.count; i++)
		print_unit(out, v, view, &view->per.unit[i]);
	for (i = 0; !view->grouped && i < v->cpus; i++)
		print_rates(out, v, &v->cpu[i], own);
	visit_apart(out, v, view, print_shared_rate);
	meter_rows_csv(out, v, view);
	identity_cells(out, p->node);
	fputc('\n', out);
}

static void csv_mark(const struct page *p, const struct rcr_mark *mark)
{
	mark_comment(p->out, mark, p->v->offset);
}

const struct format format_csv = {
	.name = "csv",
	.grouped = true,
	.chosen = true,
	.meters = true,
	.derives = true,
	.set = csv_header,
	.line = csv_line,
	.mark = csv_mark,
};
