// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mix.c - draws the mix of floating-point operations, with a bar for each region of each
 * application. Kinds are those that the CPU counts: operations on AMD, vector widths on Intel.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/chart.h"
#include "figure/figure.h"
#include "message.h"
#include "print/columns.h"
#include "print/si.h"
#include "rcrregion/application.h"
#include "rcrregion/csv.h"
#include "rcrregion/metrics.h"

/**
 * struct mix_kind - a kind of operations
 * @name: its name
 * @counter: name of the counter
 * @less: name of a counter to subtract, because @counter includes other kinds; NULL: none
 * @family: a region must have all kinds of a family
 */
static const struct mix_kind {
	const char *name;
	const char *counter;
	const char *less;
	unsigned int family;
} mix_kinds[] = {
	{ "add, subtract", "fp-add", NULL, 0 },
	{ "multiply", "fp-multiply", NULL, 0 },
	{ "divide, root", "fp-divide", NULL, 0 },
	{ "multiply-add", "fp-multiply-add", NULL, 0 },
	{ "scalar", "fp-scalar", NULL, 1 },
	{ "packed, 128 bits", "fp-packed-128", NULL, 1 },
	{ "packed, 256 bits", "fp-packed-256", NULL, 1 },
	{ "packed, 512 bits", "fp-packed-512", NULL, 1 },
	{ "scalar", "fp-ops", "fp-packed", 2 },
	{ "packed", "fp-packed", NULL, 2 },
	{ "add, subtract", "sse-add", NULL, 3 },
	{ "multiply", "sse-multiply", NULL, 3 },
	{ "divide, root", "sse-divide", NULL, 3 },
};

#define MIX_KINDS	(sizeof(mix_kinds) / sizeof(mix_kinds[0]))
#define MIX_FAMILIES	4
#define MIX_COLUMNS	6

/**
 * struct mix_row - a region of an application
 * @application: label of the application
 * @region: name of the region
 * @processes: number of processes that have it
 * @count: operations by kind, of all processes; NAN: not counted
 * @all: sum of @count; 0: the kinds were not counted, or there were no operations
 */
struct mix_row {
	char *application;
	char *region;
	uint64_t processes;
	double count[MIX_KINDS];
	double all;
};

struct mix {
	struct mix_row *row;
	unsigned int rows;
};

/* Counts the kinds of a family; returns false if the region lacks one of them. */
static bool count_family(struct mix_row *row, const struct metric_region *r, unsigned int family)
{
	bool known = true;
	double count, less;
	unsigned int i;

	for (i = 0; i < MIX_KINDS; i++) {
		if (mix_kinds[i].family != family)
			continue;
		less = 0;
		known &= metrics_count(r, mix_kinds[i].counter, &count) &&
			 (!mix_kinds[i].less || metrics_count(r, mix_kinds[i].less, &less));
		row->count[i] = known ? fmax(count - less, 0) : NAN;
	}
	for (i = 0; i < MIX_KINDS; i++) {
		if (mix_kinds[i].family == family && !known)
			row->count[i] = NAN;
		else if (mix_kinds[i].family == family)
			row->all += row->count[i];
	}
	return known;
}

static int add_mix_row(void *to, const struct metric_region *r, const char *application)
{
	struct mix *m = to;
	struct mix_row *row = reallocarray(m->row, m->rows + 1, sizeof(*row));
	unsigned int i;

	if (!row)
		return -1;
	m->row = row;
	row += m->rows;
	*row = (struct mix_row){ .application = strdup(application),
				 .region = strdup(r->row->region), .processes = r->processes };
	if (!row->application || !row->region)
		return -1;
	m->rows++;
	for (i = 0; i < MIX_KINDS; i++)
		row->count[i] = NAN;
	for (i = 0; i < MIX_FAMILIES && !count_family(row, r, i); i++)
		;
	return 0;
}

static double mix_share(const struct mix_row *row, unsigned int kind)
{
	return row->all > 0 ? row->count[kind] / row->all : NAN;
}

/* Prints a line for each kind of a region; a region without any has one line, without a kind. */
static void print_mix_csv(const struct mix *m)
{
	const struct mix_row *row;
	unsigned int i, known;

	puts("application,region,processes,kind,count,share");
	for (row = m->row; row < m->row + m->rows; row++) {
		for (i = 0, known = 0; i <= MIX_KINDS; i++) {
			if (i == MIX_KINDS ? known : isnan(row->count[i]))
				continue;
			known++;
			csv_text(stdout, row->application);
			putchar(',');
			csv_text(stdout, row->region);
			printf(",%" PRIu64 ",", row->processes);
			if (i == MIX_KINDS) {
				puts(",,");
				break;
			}
			csv_text(stdout, mix_kinds[i].name);
			printf(",%.15g,", row->count[i]);
			if (row->all > 0)
				printf("%.9g", mix_share(row, i));
			putchar('\n');
		}
	}
}

static void add_mix_line(struct columns *c, const struct mix_row *row, unsigned int kind,
			 bool first)
{
	char processes[SI_GROUPED_SIZE], count[SI_GROUPED_SIZE] = "-", share[32] = "-";
	const char *text[MIX_COLUMNS] = {
		first ? row->application : "", first ? row->region : "", first ? processes : "",
		kind < MIX_KINDS ? mix_kinds[kind].name : "not counted", count, share,
	};

	si_grouped(processes, row->processes);
	if (kind < MIX_KINDS)
		si_grouped(count, row->count[kind] + 0.5);
	if (kind < MIX_KINDS && row->all > 0)
		snprintf(share, sizeof(share), "%.1f %%", 100 * mix_share(row, kind));
	columns_add(c, text);
}

static int print_mix_table(const struct mix *m)
{
	struct columns c = {
		.count = MIX_COLUMNS,
		.heading = { "APPLICATION", "REGION", "PROCESSES", "KIND", "COUNT", "SHARE" },
		.right = 0x34,
	};
	const struct mix_row *row;
	unsigned int i, known;

	for (row = m->row; row < m->row + m->rows; row++) {
		for (i = 0, known = 0; i < MIX_KINDS; i++)
			if (!isnan(row->count[i]))
				add_mix_line(&c, row, i, !known++);
		if (!known)
			add_mix_line(&c, row, MIX_KINDS, true);
	}
	return columns_print(&c, true, stdout) ? fail("out of memory") : 0;
}

static int print_mix(const struct mix *m, const struct region_options *o)
{
	if (figure_prints(o) && o->table)
		return print_mix_table(m);
	if (figure_prints(o))
		print_mix_csv(m);
	return 0;
}

/* Lists the kinds that any region has in @used; returns their number. */
static unsigned int find_used_kinds(const struct mix *m, unsigned int used[MIX_KINDS])
{
	unsigned int i, n = 0;
	const struct mix_row *row;

	for (i = 0; i < MIX_KINDS; i++) {
		for (row = m->row; row < m->row + m->rows && isnan(row->count[i]); row++)
			;
		if (row < m->row + m->rows)
			used[n++] = i;
	}
	return n;
}

static void mix_script(FILE *out, const char *picture, const void *from)
{
	const struct chart *c = from;

	charts_script(out, picture, c, 1);
}

/* Draws the figure; bars are named by application, region, or both. */
static int draw_mix(const struct mix *m, const struct region_options *o)
{
	unsigned int used[MIX_KINDS], kinds = find_used_kinds(m, used), i, k;
	double *value = calloc(m->rows * kinds + 1, sizeof(*value));
	char **names = calloc(m->rows + 1, sizeof(*names)), *series[MIX_KINDS];
	struct chart c = {
		.kind = CHART_STACKED, .title = "mix of floating-point operations",
		.unit = "% of all", .series = kinds, .categories = m->rows,
		.series_name = series, .category_name = names, .value = value,
	};
	bool whole = value && names, several = figure_has_applications(o);
	int status;

	for (k = 0; k < kinds; k++)
		series[k] = (char *)mix_kinds[used[k]].name;
	for (i = 0; whole && i < m->rows; i++) {
		const struct mix_row *row = &m->row[i];

		if (asprintf(&names[i], "%s%s%s", several ? row->application : "",
			     several && !o->region ? ": " : "",
			     several && o->region ? "" : row->region) < 0) {
			names[i] = NULL;
			whole = false;
		}
		for (k = 0; k < kinds; k++)
			value[i * kinds + k] = 100 * mix_share(row, used[k]);
	}
	status = whole ? figure_draw(o, mix_script, &c) : fail("out of memory");
	for (i = 0; names && i < m->rows; i++)
		free(names[i]);
	free(names);
	free(value);
	return status;
}

static void free_mix(struct mix *m)
{
	while (m->rows--) {
		free(m->row[m->rows].application);
		free(m->row[m->rows].region);
	}
	free(m->row);
}

int figure_mix(const struct region_options *o)
{
	unsigned int used[MIX_KINDS];
	struct mix m = { };
	int status = figure_regions(o, add_mix_row, &m, NULL);

	if (m.rows && !find_used_kinds(&m, used))
		status = fail("no region has counts of kinds of floating-point operations: count them with --mode=mix");
	else if (o->output && m.rows > FIGURE_DRAWN)
		status = fail("a figure has room for %d bars: choose with --region", FIGURE_DRAWN);
	else if (m.rows && (print_mix(&m, o) || (o->output && draw_mix(&m, o))))
		status = EXIT_FAILURE;
	free_mix(&m);
	return status;
}
