// SPDX-License-Identifier: GPL-2.0-only
/*
 * csv.c - one line an interval.
 *
 *	time,interval,lost,overruns,status,cpu0:TOT_CYC,cpu0:TOT_INS,...
 *
 * time is the end of the interval, seconds since 1970; interval its length in
 * seconds; lost the records that this reader lost and overruns the ticks that
 * the sampler missed in it, on all CPUs shown; status is ok, or a list of what
 * is not, as cpu1:TOT_CYC=foreign;cpu2=gap;node0=uneven; then rates per second,
 * empty where there is none. A counter that was not ok in any one sample of the
 * interval has none, for it would be too low: what was counted there is nowhere.
 * Names hold no character that CSV would have to quote. A line that begins with
 * # is a mark (see marks.c), or behind the header what is known to be wrong with
 * an event: "# note VEC_INS: no vector count: ...". With units the rates are
 *
 *	node0:TOT_CYC:sum,node0:TOT_CYC:mean,...:min,...:max,...:dev,node0:...
 */
#include <inttypes.h>

#include "aggregate.h"
#include "csv.h"
#include "deficiency.h"
#include "interval.h"
#include "units.h"
#include "wall.h"

#define SELECT_ENABLE 0x400000	/* of a general counter's control */

static const char *event_name(const struct intervals *v, unsigned int counter)
{
	return rcr_set_counter(v->set, counter)->name;
}

static void print_unit_names(FILE *out, const struct intervals *v,
			     const struct unit *unit)
{
	unsigned int counter, i;

	for (counter = 0; counter < v->set->ncounters; counter++)
		for (i = 0; i < STATS; i++)
			fprintf(out, ",%s:%s:%s", unit->name,
				event_name(v, counter), stats_name[i]);
}

/* Not of Intel's fixed counters, nor of the kernel's: these have no select. */
static const char *deficiency_of(const struct rcr_set *set, unsigned int counter)
{
	uint64_t select = rcr_set_counter(set, counter)->select;

	return select & SELECT_ENABLE ? rcr_deficiency(set->family, select) : NULL;
}

static void print_notes(FILE *out, const struct intervals *v)
{
	unsigned int counter;
	const char *text;

	for (counter = 0; counter < v->set->ncounters; counter++) {
		text = deficiency_of(v->set, counter);
		if (text)
			fprintf(out, "# note %s: %s\n", event_name(v, counter), text);
	}
}

void csv_header(FILE *out, const struct intervals *v, const struct units *units)
{
	unsigned int i, counter;

	fputs("time,interval,lost,overruns,status", out);
	for (i = 0; units && i < units->count; i++)
		print_unit_names(out, v, &units->unit[i]);
	for (i = 0; !units && i < v->cpus; i++)
		for (counter = 0; counter < v->set->ncounters; counter++)
			fprintf(out, ",cpu%u:%s", v->cpu[i].cpu,
				event_name(v, counter));
	fputc('\n', out);
	print_notes(out, v);
}

/* Returns what separates the next entry from this one. */
static const char *print_cpu_status(FILE *out, const struct intervals *v,
				    const struct cpu_interval *c,
				    const char *separator)
{
	enum rcr_status status;
	unsigned int counter;
	double rate;

	if (cpu_is_silent(c)) {
		fprintf(out, "%scpu%u=%s", separator, c->cpu,
			rcr_status_name(RCR_STATUS_GAP));
		return ";";
	}
	for (counter = 0; counter < v->set->ncounters; counter++) {
		status = intervals_rate(v, c, counter, &rate);
		if (status == RCR_STATUS_OK)
			continue;
		fprintf(out, "%scpu%u:%s=%s", separator, c->cpu,
			event_name(v, counter), rcr_status_name(status));
		separator = ";";
	}
	return separator;
}

static void print_status(FILE *out, const struct intervals *v,
			 const struct units *units)
{
	const char *separator = "";
	unsigned int i;

	for (i = 0; i < v->cpus; i++)
		separator = print_cpu_status(out, v, &v->cpu[i], separator);
	for (i = 0; units && i < units->count; i++) {
		if (!unit_is_uneven(v, &units->unit[i]))
			continue;
		fprintf(out, "%s%s=uneven", separator, units->unit[i].name);
		separator = ";";
	}
	if (!*separator)
		fputs("ok", out);
}

static void print_rates(FILE *out, const struct intervals *v,
			const struct cpu_interval *c)
{
	unsigned int counter;
	double rate;

	for (counter = 0; counter < v->set->ncounters; counter++) {
		if (intervals_rate(v, c, counter, &rate) == RCR_STATUS_OK)
			fprintf(out, ",%.1f", rate);
		else
			fputc(',', out);
	}
}

static void print_stats(FILE *out, const struct stats *s)
{
	unsigned int i;

	for (i = 0; i < STATS; i++)
		fprintf(out, ",%" PRIu64 ".%" PRIu64, stats_value(s, i) / 10,
			stats_value(s, i) % 10);
}

static void print_unit(FILE *out, const struct intervals *v,
		       const struct unit *unit)
{
	unsigned int counter;
	struct stats s;

	for (counter = 0; counter < v->set->ncounters; counter++) {
		if (unit_stats(v, unit, counter, &s))
			print_stats(out, &s);
		else
			fputs(",,,,,", out);
	}
}

void csv_line(FILE *out, const struct intervals *v, const struct units *units)
{
	unsigned int i;

	wall_seconds(out, intervals_wall_time(v));
	fprintf(out, ",%.6g", v->length / 1e9);
	fprintf(out, ",%" PRIu64 ",%" PRIu64 ",", intervals_lost(v),
		intervals_overruns(v));
	print_status(out, v, units);
	for (i = 0; units && i < units->count; i++)
		print_unit(out, v, &units->unit[i]);
	for (i = 0; !units && i < v->cpus; i++)
		print_rates(out, v, &v->cpu[i]);
	fputc('\n', out);
}
