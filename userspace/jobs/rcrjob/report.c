// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * report.c - prints what a command did, for people.
 *
 *	CPU 0-3, with all other work there, while this ran for 3.003215 s: sleep 3
 *
 *	                         TOTAL         RATE  COMPLETE
 *	TOT_CYC         11,967,223,115     4.001G/s     100 %
 *	TOT_INS          7,311,004,271     3.948G/s    62.1 %
 *
 *	own part, estimated
 *	TOT_CYC          3,021,884,702  +- 9,218,420
 *	TOT_INS                      -
 *
 *	                     VALUE      MAXIMUM
 *	ipc                  0.987
 *	mem_bw          10.12G B/s    22.4G B/s    45.1 %  calibrated, copy
 *
 *	limit: mem_bw, 45.1 % of its maximum (calibrated, copy)
 *	counted from tick 1200, 4.1 ms after the start, to tick 1500, 0.9 ms before the end
 *	TOT_INS is not complete: foreign on CPU 2
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "message.h"
#include "output_file.h"
#include "print/columns.h"
#include "print/si.h"
#include "rcrjob/job.h"
#include "rcrjob/report.h"
#include "topology.h"

#define CELL_LEN 48

/* The texts of a row. */
struct job_row {
	char total[CELL_LEN];
	char rate[CELL_LEN];
	char complete[CELL_LEN];
};

/* Writes a share as a percentage, rounded down: 100 % means complete. */
static void put_share(char text[CELL_LEN], double share)
{
	snprintf(text, CELL_LEN, share == 1 ? "100 %%" : "%.1f %%", floor(share * 1000) / 10);
}

static void put_total(struct job_row *row, const struct rate_event *e, uint64_t count, double rate)
{
	char text[SI_GROUPED_SIZE];

	if (e->gauge) {
		snprintf(row->total, sizeof(row->total), "%.1f C", count / 1e3);
		*row->rate = 0;
	} else if (e->counter.unit == RCR_UNIT_NANOJOULE) {
		snprintf(row->total, sizeof(row->total), "%.6g J", count / 1e9);
		snprintf(row->rate, sizeof(row->rate), "%s W",
			 si_small(text, sizeof(text), rate / 1e9));
	} else {
		snprintf(row->total, sizeof(row->total), "%s", si_grouped(text, count));
		snprintf(row->rate, sizeof(row->rate), "%s/s", si_format(text, rate * 10 + 0.5));
	}
}

static struct job_row make_row(const struct rate_event *e, const struct rate_sum *sum)
{
	struct job_row row = { .total = "-", .rate = "-" };

	if (sum->counted)
		put_total(&row, e, sum->count, sum->per_second);
	put_share(row.complete, sum->completeness);
	return row;
}

static void add_row(struct columns *table, const char *name, const char *part,
		    const struct job_row *row)
{
	columns_add(table, (const char *[]){ name, part, row->total, row->rate, row->complete });
}

/* Adds a row for each part that has a whole counter; the parts are in order of their CPUs. */
static void add_parts(struct columns *table, const struct job *j, unsigned int event)
{
	char name[PLACE_NAME];
	struct rate_sum sum;
	struct job_row row;
	unsigned int cpu;

	for (cpu = 0; j->places.first && cpu < j->rate.ncpus; cpu++) {
		if (j->places.first[cpu] != cpu ||
		    !rate_sum(&j->rate, event, &j->places, cpu, &sum))
			continue;
		places_name(name, cpu, j->options->per, TOPOLOGY_ROOT);
		row = make_row(&j->rate.event[event], &sum);
		add_row(table, "", name, &row);
	}
}

static void report_events(FILE *out, const struct job *j)
{
	struct columns table = {
		.count = 5, .heading = { "", "", "TOTAL", "RATE", "COMPLETE" },
		.right = 1 << 2 | 1 << 3 | 1 << 4,
	};
	struct rate_sum sum;
	struct job_row row;
	const struct rate_event *e;
	unsigned int i;

	for (i = 0; i < j->rate.count; i++) {
		e = &j->rate.event[i];
		rate_sum(&j->rate, i, NULL, 0, &sum);
		row = make_row(e, &sum);
		add_row(&table, e->counter.name, "", &row);
		add_parts(&table, j, i);
	}
	columns_print(&table, true, out);
}

/* Prints the command's own part of each event that has an estimate, with its standard error. */
static void report_estimates(FILE *out, const struct job *j)
{
	struct columns table = {
		.count = 3, .heading = { "own part, estimated", "", "" }, .right = 1 << 1 | 1 << 2,
	};
	char why[JOB_REASON_LEN], count[CELL_LEN], error[CELL_LEN + 3], text[SI_GROUPED_SIZE];
	struct estimates_sum sum;
	unsigned int i;

	for (i = 0; i < j->rate.count; i++) {
		sum = job_estimate(j, i, why);
		if (sum.reason == ESTIMATES_SHARED)
			continue;
		strcpy(count, "-");
		*error = 0;
		if (sum.reason == ESTIMATES_KNOWN) {
			snprintf(count, sizeof(count), "%s", si_grouped(text, sum.count + 0.5));
			snprintf(error, sizeof(error), "+- %s", si_grouped(text, ceil(sum.error)));
		}
		columns_add(&table, (const char *[]){
			j->rate.event[i].counter.name, count, error });
	}
	fputc('\n', out);
	columns_print(&table, true, out);
}

static void report_rows(FILE *out, const struct job *j)
{
	struct columns table = {
		.count = 5, .heading = { "UNTIL", "", "TOTAL", "RATE", "" },
		.right = 1 << 0 | 1 << 2 | 1 << 3,
	};
	const struct rate_run *r = &j->rate;
	const struct rate_event *e;
	struct job_row row;
	char until[CELL_LEN];
	unsigned int i, n;
	uint64_t count;

	for (i = 0; i < r->rows; i++) {
		snprintf(until, sizeof(until), "%.6g s", (i + 1) * (r->row_ns / 1e9));
		for (n = 0; n < r->count; n++) {
			e = &r->event[n];
			if (e->gauge)
				continue;
			count = r->row[(size_t)i * RATE_EVENTS + n];
			put_total(&row, e, count, count / (r->row_ns / 1e9));
			*row.complete = 0;
			add_row(&table, until, e->counter.name, &row);
			*until = 0;
		}
	}
	fputc('\n', out);
	columns_print(&table, true, out);
}

/* Writes a value of a meter with its unit. */
static void put_quantity(char text[CELL_LEN], const struct job_meter *m, double value)
{
	char number[CELL_LEN];

	si_small(number, sizeof(number), fabs(value));
	snprintf(text, CELL_LEN, "%s%.20s%s%s", value < 0 ? "-" : "", number,
		 strcmp(m->unit, "1") ? " " : "", strcmp(m->unit, "1") ? m->unit : "");
}

static void report_meters(FILE *out, const struct job *j)
{
	struct columns table = {
		.count = 5, .heading = { "", "VALUE", "MAXIMUM", "", "" },
		.right = 1 << 1 | 1 << 2 | 1 << 3,
	};
	char value[CELL_LEN], maximum[CELL_LEN], share[CELL_LEN];
	const struct job_meter *m;

	for (m = j->meter; m < j->meter + j->meters; m++) {
		if (m->asleep)
			continue;
		*maximum = *share = 0;
		strcpy(value, "-");
		if (m->known)
			put_quantity(value, m, m->value);
		if (m->maximum > 0)
			put_quantity(maximum, m, m->maximum);
		if (m->known && m->maximum > 0)
			snprintf(share, sizeof(share), "%.1f %%", 100 * m->value / m->maximum);
		columns_add(&table, (const char *[]){ m->name, value, maximum, share, m->origin });
	}
	fputc('\n', out);
	columns_print(&table, true, out);
}

static void report_limit(FILE *out, const struct job *j)
{
	const struct job_meter *m = job_limiter(j);

	if (m)
		fprintf(out, "limit: %s, %.1f %% of its maximum (%s)\n", m->name,
			100 * m->value / m->maximum, *m->origin ? m->origin : "as it was set");
	else
		fputs("limit: not known, no meter with a value has a maximum: run rcrcal(8)\n",
		      out);
}

/* Prints the first and last tick of the first CPU, and whether those of other CPUs differ. */
static void report_ticks(FILE *out, const struct job *j)
{
	const struct rate_cpu *c, *some = NULL;
	bool same = true;
	unsigned int cpu;

	for (cpu = 0; cpu < j->rate.ncpus; cpu++) {
		c = &j->rate.cpu[cpu];
		if (!j->rate.wanted[cpu] || !c->first.valid)
			continue;
		some = some ? some : c;
		same &= c->first.tick == some->first.tick && c->last.tick == some->last.tick;
	}
	if (!some)
		return;
	fprintf(out, "counted from tick %llu, %.3f ms after the start, to tick %llu, %.3f ms before the end%s\n",
		(unsigned long long)some->first.tick,
		(some->first.time - j->rate.begin) / 1e6, (unsigned long long)some->last.tick,
		(j->rate.end - some->last.time) / 1e6,
		same ? "" : "; other CPUs at other ticks, see --json");
}

/* Prints why parts are not known: a single line if all events have the same reason. */
static void report_unknown_parts(FILE *out, const struct job *j)
{
	char why[JOB_REASON_LEN], first[JOB_REASON_LEN] = "";
	enum estimates_reason reason;
	unsigned int i;
	bool same = true;

	for (i = 0; i < j->rate.count; i++) {
		reason = job_estimate(j, i, why).reason;
		if (reason != ESTIMATES_SHARED && !*first)
			strcpy(first, *why ? why : "-");
		same &= reason == ESTIMATES_SHARED || !strcmp(first, why);
	}
	if (same && *first)
		fprintf(out, "the command's own part is not known: %s\n", first);
	for (i = 0; !same && i < j->rate.count; i++)
		if (job_estimate(j, i, why).reason > ESTIMATES_SHARED)
			fprintf(out, "the command's own part of %s is not known: %s\n",
				j->rate.event[i].counter.name, why);
}

static void report_reasons(FILE *out, const struct job *j)
{
	char why[JOB_REASON_LEN];
	struct rate_sum sum;
	unsigned int i, asleep = 0;

	for (i = 0; job_has_totals(j) && i < j->rate.count; i++) {
		rate_sum(&j->rate, i, NULL, 0, &sum);
		if (job_sum_reason(j, i, &sum, why))
			fprintf(out, "%s is not complete: %s\n", j->rate.event[i].counter.name,
				why);
	}
	if (job_has_totals(j) && j->has_estimates)
		report_unknown_parts(out, j);
	for (i = 0; job_has_totals(j) && i < j->meters; i++) {
		asleep += j->meter[i].asleep;
		if (!j->meter[i].asleep && *j->meter[i].reason)
			fprintf(out, "%s has no value: %s\n", j->meter[i].name,
				j->meter[i].reason);
	}
	if (asleep)
		fprintf(out, "%u meters have no value: add their events to the set with 'rcrctl meter add NAME'\n",
			asleep);
	for (i = 0; i < j->reasons; i++)
		fprintf(out, "%s\n", j->reason[i]);
	if (*j->mark)
		fprintf(out, "the run is marked in the stream as %s\n", j->mark);
}

static void report_text(FILE *out, const struct job *j)
{
	unsigned int i;

	fputs("CPU ", out);
	cpulist_print(out, j->cpu);
	fprintf(out, ", with all other work there, while this ran for %.6f s:",
		(j->rate.end - j->rate.begin) / 1e9);
	for (i = 0; j->options->command[i]; i++)
		fprintf(out, " %s", j->options->command[i]);
	fputs("\n\n", out);
	if (job_has_totals(j)) {
		report_events(out, j);
		if (j->has_estimates)
			report_estimates(out, j);
		if (j->rate.rows)
			report_rows(out, j);
		if (j->meters)
			report_meters(out, j);
		fputc('\n', out);
		report_limit(out, j);
		report_ticks(out, j);
	}
	report_reasons(out, j);
}

void report_job(FILE *out, const struct job *j)
{
	const char *name = j->options->output ? j->options->output : "standard error";

	if (output_file_begin(out))
		fail("%s: %s", name, strerror(errno));
	if (j->options->json)
		report_job_json(out, j);
	else
		report_text(out, j);
	if (fflush(out) || ferror(out))
		fail("%s: %s", name, strerror(errno));
}
