// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * report.c - prints the counts of a command.
 *
 *	CPU 0-3, with all other work there, while this ran for 10.003215 s: sleep 10
 *
 *	                         TOTAL         RATE
 *	IPC                      0.987
 *	cycles          40,480,297,151     4.048G/s
 *	instructions    39,935,462,500     3.994G/s
 *	energy-pkg             123.4 J      12.34 W
 *
 * The output goes to standard error, or to the file of option -o.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "command/report.h"
#include "command/totals.h"
#include "format/cell.h"
#include "format/meter_rows.h"
#include "message.h"
#include "meter/meters.h"
#include "options.h"
#include "output_file.h"
#include "parse/cpulist.h"
#include "print/columns.h"
#include "print/si.h"

#define TOTAL_WIDTH	20
#define RATE_WIDTH	10

static FILE *report;

/* Opens the file before the command is started; 0, or EXIT_FAILURE after reporting an error. */
int report_open(const struct options *options)
{
	report = options->output ? output_file_open(options->output, NULL) : stderr;
	return report ? 0 : EXIT_FAILURE;
}

static void add_total_row(struct columns *table, const struct total *t)
{
	char total[32] = "-", rate[40] = "-";
	struct cell cell = { };

	if (!t->incomplete && t->gauge) {
		snprintf(total, sizeof(total), "%.1f C", t->count / 1e3);
		*rate = 0;
	} else if (!t->incomplete) {
		cell_set_rate(&cell, t->unit, total_rate(t) * 10 + 0.5);
		if (t->unit == RCR_UNIT_NANOJOULE) {
			snprintf(total, sizeof(total), "%.6g J", t->count / 1e9);
			snprintf(rate, sizeof(rate), "%s W", cell.text);
		} else {
			si_grouped(total, t->count);
			snprintf(rate, sizeof(rate), "%s/s", cell.text);
		}
	}
	columns_add(table, (const char *[]){ t->name, total, rate });
}

/* Computes a meter over the whole run; it has no value if the set changed meanwhile. */
static struct meter_value measure_meter(const struct meter *meter, const struct intervals *v,
					const struct totals *t)
{
	const struct unit whole = units_whole(v);

	if (t->sets != 1)
		return (struct meter_value){ .status = RCR_STATUS_GAP };
	return meter_compute(meter, v, &whole, METER_AVERAGE);
}

static void add_total_of_meter(struct columns *table, const struct meter *meter,
			       const struct intervals *v, const struct totals *t)
{
	struct meter_value value = measure_meter(meter, v, t);
	struct cell cell = { .text = "-" };
	char text[64];

	if (value.status == RCR_STATUS_OK)
		cell_set_ratio(&cell, value.value);
	snprintf(text, sizeof(text), "%s%s%s", cell.text, strcmp(meter->unit, "1") ? " " : "",
		 strcmp(meter->unit, "1") ? meter->unit : "");
	columns_add(table, (const char *[]){ meter->name, text, "" });
}

static void report_cpus(const struct intervals *v)
{
	static bool cpu[CPU_LIMIT];
	unsigned int i;

	for (i = 0; i < v->cpus; i++)
		if (v->cpu[i].cpu < CPU_LIMIT)
			cpu[v->cpu[i].cpu] = true;
	cpulist_print(report, cpu);
}

static void report_heading(const struct options *o, const struct child *c,
			   const struct intervals *v)
{
	unsigned int i;

	fputs("CPU ", report);
	report_cpus(v);
	fprintf(report, ", with all other work there, while this ran for %.6f s:",
		(c->end - c->begin) / 1e9);
	for (i = 0; o->command[i]; i++)
		fprintf(report, " %s", o->command[i]);
	fputs("\n\n", report);
}

static void report_table(const struct totals *t, const struct intervals *v)
{
	struct columns table = {
		.count = 3, .heading = { "", "TOTAL", "RATE" }, .right = 1 << 1 | 1 << 2,
		.least = { strlen("IPC"), TOTAL_WIDTH, RATE_WIDTH },
	};
	char text[32];
	double ratio;
	unsigned int i;

	if (totals_ratio(t, &ratio)) {
		snprintf(text, sizeof(text), "%.3f", ratio);
		columns_add(&table, (const char *[]){ "IPC", text, "" });
	}
	for (i = 0; i < v->meters->count; i++)
		add_total_of_meter(&table, &v->meters->meter[i], v, t);
	for (i = 0; i < t->count; i++)
		add_total_row(&table, &t->total[i]);
	columns_print(&table, true, report);
	fprintf(report, "\ncounted for %.6f s, from the last sample before to the first one after\n",
		t->time / 1e9);
}

static void report_json_meters(const struct totals *t, const struct intervals *v)
{
	struct meter_value value;
	const struct meter *meter;
	unsigned int i;

	fputs(", \"meters\": [", report);
	for (i = 0; i < v->meters->count; i++) {
		meter = &v->meters->meter[i];
		value = measure_meter(meter, v, t);
		fprintf(report, "%s{\"name\": \"%s\", \"unit\": \"%s\", \"value\": ", i ? ", " : "",
			meter->name, meter->unit);
		if (value.status == RCR_STATUS_OK)
			fprintf(report, "%.*f}", (int)meter->digits, value.value);
		else
			fputs("null}", report);
	}
	fputs("]", report);
}

static void report_json(const struct child *c, const struct totals *t, uint64_t lost,
			const struct intervals *v)
{
	const struct total *each;
	double ratio;
	unsigned int i;

	fprintf(report, "{\"status\": %d, \"elapsed\": %.9f, \"counted\": %.9f, \"lost\": %" PRIu64,
		c->status, (c->end - c->begin) / 1e9, t->time / 1e9, lost);
	if (totals_ratio(t, &ratio))
		fprintf(report, ", \"ipc\": %.6f", ratio);
	else
		fputs(", \"ipc\": null", report);
	fputs(", \"counters\": [", report);
	for (i = 0; i < t->count; i++) {
		each = &t->total[i];
		fprintf(report, "%s{\"name\": \"%s\", \"unit\": \"%s\", ", i ? ", " : "",
			each->name, each->gauge ? "mC" :
			each->unit == RCR_UNIT_NANOJOULE ? "nJ" : "");
		if (each->incomplete)
			fputs("\"total\": null, \"rate\": null}", report);
		else if (each->gauge)
			fprintf(report, "\"total\": %" PRIu64 ", \"rate\": null}", each->count);
		else
			fprintf(report, "\"total\": %" PRIu64 ", \"rate\": %.1f}", each->count,
				total_rate(each));
	}
	fprintf(report, "], \"sets\": %u", t->sets);
	if (v->meters->count)
		report_json_meters(t, v);
	fputs("}\n", report);
}

/* Prints which meters have no value, and why counts may be incomplete. */
static void report_notes(const struct totals *t, uint64_t lost, const char *problems,
			 const struct intervals *v)
{
	struct meter_value value;
	bool incomplete = !t->sets;
	unsigned int i;

	for (i = 0; t->sets == 1 && i < v->meters->count; i++) {
		value = measure_meter(&v->meters->meter[i], v, t);
		if (value.status != RCR_STATUS_OK)
			meter_rows_reason(report, v, &v->meters->meter[i], "all", &value);
	}

	for (i = 0; i < t->count; i++)
		incomplete |= t->total[i].incomplete;
	if (incomplete)
		fputs(problems, report);
	if (t->sets > 1)
		fprintf(report, "the counter set was changed: there were %u, and nothing was counted between two\n",
			t->sets);
	if (lost)
		fprintf(report, "%" PRIu64 " records were overwritten before they were read: interruptions in that time are not known\n",
			lost);
}

/**
 * report_print() - print the counts, and close the file
 * @options: the command line
 * @c: the command, which has ended
 * @t: the counts
 * @lost: records that were lost
 * @v: intervals with the CPUs
 * @problems: sentences about counts that are missing
 */
void report_print(const struct options *options, const struct child *c,
		  const struct totals *t, uint64_t lost, const struct intervals *v,
		  const char *problems)
{
	if (output_file_begin(report))
		fail("%s: %s", options->output, strerror(errno));
	if (options->json) {
		report_json(c, t, lost, v);
	} else {
		report_heading(options, c, v);
		report_table(t, v);
		report_notes(t, lost, problems, v);
	}
	if (fflush(report) || ferror(report))
		fail("%s: %s", options->output ? options->output : "standard error",
		     strerror(errno));
	if (report != stderr)
		fclose(report);
}
