// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * metrics.c - computes metrics of a region with formulas, from its counts in all processes.
 *
 * If the events were split over ranks, the count of all processes is the mean of those that counted
 * the event, times the number of processes. "CPUs" in a formula are threads here.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "catalogue.h"
#include "derive_file.h"
#include "form_value.h"
#include "format/modes.h"
#include "message.h"
#include "print/columns.h"
#include "print/si.h"
#include "rcr.h"
#include "rcrregion/csv.h"
#include "rcrregion/metrics.h"

/* Decimal digits with which formulas are compiled. */
#define METRIC_DIGITS	6
#define METRIC_UNIT	1000000

/* Columns of a table before the metrics. */
#define METRIC_FIRST	3

/* Bandwidth of a node's memory: uses the formula of the family's meter in the catalogue. */
#define MEMORY_METRIC	"dram_mb_per_s"
#define MEMORY_METER	"mem_bw"

/* Built-in metrics. Of several with the same name, the first one whose counters exist is used. */
static const struct metric {
	const char *name;
	const char *formula;
} program_metrics[] = {
	{ "seconds", "tsc / tsc_hz / cpus" },
	{ "ipc", "instructions / cycles" },
	{ "mflops", "(rate(\"fp-scalar\") + 2 * rate(\"fp-packed-128\") + "
		    "4 * rate(\"fp-packed-256\") + 8 * rate(\"fp-packed-512\")) / 1000000" },
	{ "mflops", "(rate(\"fp-ops\") + rate(\"fp-packed\")) / 1000000" },
	{ "mflops", "rate(\"fp-ops\") / 1000000" },
	{ "mflops", "(rate(\"fp-add\") + rate(\"fp-multiply\") + rate(\"fp-divide\") + "
		    "rate(\"fp-multiply-add\")) / 1000000" },
	{ "mflops", "(rate(\"sse-add\") + rate(\"sse-multiply\") + rate(\"sse-divide\")) / "
		    "1000000" },
	{ "simd", "(\"fp-packed-128\" + \"fp-packed-256\" + \"fp-packed-512\") / "
		  "(\"fp-scalar\" + \"fp-packed-128\" + \"fp-packed-256\" + \"fp-packed-512\")" },
	{ "simd", "\"fp-packed\" / \"fp-ops\"" },
	{ "simd", "\"fp-width-packed\" / \"fp-width-all\"" },
	{ "flop_per_sse", "\"fp-ops\" / \"sse-instructions\"" },
	{ "miss_mb_per_s", "64 * rate(\"cache-misses\") / 1000000" },
	{ MEMORY_METRIC, NULL },
};

/**
 * struct metric_form - a formula that was compiled
 * @name: name of the metric
 * @formula: the formula; NULL: use that of MEMORY_METER
 * @line: its line in the file; 0: it is built in
 * @compiled: @form is filled in
 * @form: its form, for the TSC of the application
 */
static struct metric_form {
	const char *name;
	const char *formula;
	unsigned int line;
	bool compiled;
	struct rcr_form form;
} metric_forms[DERIVED_MOST];

static unsigned int metric_count;
static struct columns metric_table;
static bool is_metric_table;

/* Only checks the prefix: rcrtool's set determines which counters there are. */
static bool is_node_counter(const char *name)
{
	return !strncmp(name, NODE_PREFIX, strlen(NODE_PREFIX)) && strlen(name) < RCR_NAME_LEN;
}

bool metrics_has_counter(const char *name)
{
	return !strcmp(name, "tsc") || region_has_event(name) || is_node_counter(name);
}

static int find_region_counter(void *context, const char *name, char canonical[RCR_NAME_LEN],
			       bool *gauge)
{
	const struct metric_form *m = context;
	const char *prefix = "";

	if (!m->formula && strlen(name) < RCR_NAME_LEN - strlen(NODE_PREFIX))
		prefix = NODE_PREFIX;
	else if (!metrics_has_counter(name))
		return -1;
	snprintf(canonical, RCR_NAME_LEN, "%s%s", prefix, name);
	*gauge = false;
	return 0;
}

/* Finds a metric of an earlier line. */
static const struct rcr_form *find_region_metric(void *context, const char *name,
						 unsigned int *digits)
{
	const struct metric_form *last = context, *m;

	for (m = metric_forms; m < last; m++) {
		if (!m->compiled || strcmp(m->name, name))
			continue;
		*digits = METRIC_DIGITS;
		return &m->form;
	}
	return NULL;
}

/* True if a form can be computed without the counts of each thread. */
static bool is_joined_form(const struct rcr_form *form)
{
	return !form->per_cpu && form->above.reduction != RCR_REDUCE_MIN &&
	       form->above.reduction != RCR_REDUCE_MAX &&
	       form->below.reduction != RCR_REDUCE_MIN && form->below.reduction != RCR_REDUCE_MAX;
}

/* Compiles a formula; returns 0, or -1 with @reason filled in. */
static int compile_metric(struct metric_form *m, const char *formula, uint64_t tsc_hz,
			  char reason[RCR_SENTENCE_LEN])
{
	struct rcr_formula_names names = {
		.counter = find_region_counter, .meter = find_region_metric, .context = m,
		.tsc_hz = tsc_hz,
	};

	m->compiled = !rcr_formula_compile(formula, METRIC_DIGITS, &names, &m->form, reason,
					   RCR_SENTENCE_LEN);
	if (m->compiled && !is_joined_form(&m->form)) {
		m->compiled = false;
		snprintf(reason, RCR_SENTENCE_LEN, "joined files have no min, max or ratios of single CPUs: use sums");
	}
	return m->compiled ? 0 : -1;
}

/* True if the metric before it has the same name: both share a column. */
static bool is_alternative(const struct metric_form *m)
{
	return m > metric_forms && !strcmp(m[-1].name, m->name);
}

int metrics_take(const char *path)
{
	static struct derive derive;
	char reason[RCR_SENTENCE_LEN];
	struct metric_form *m;
	int status = derive_read(&derive, path), bad = 0;
	unsigned int i;

	metric_count = path ? derive.lines : sizeof(program_metrics) / sizeof(program_metrics[0]);
	for (i = 0; !status && i < metric_count; i++) {
		m = &metric_forms[i];
		*m = (struct metric_form){
			.name = path ? derive.line[i].name : program_metrics[i].name,
			.formula = path ? derive.line[i].formula : program_metrics[i].formula,
		};
		/* Only checks for errors, which do not depend on the TSC frequency. */
		if (m->formula && compile_metric(m, m->formula, 1000000000, reason)) {
			note_line(path, derive.line[i].number, "%s", reason);
			bad = EXIT_USAGE;
		}
	}
	return status ? status : bad;
}

int metrics_begin(const struct region_options *o)
{
	int status = metrics_take(o->derive);
	const struct metric_form *m;

	if (status)
		return status;
	metric_table = (struct columns){
		.heading = { "APPLICATION", "REGION", "PROCESSES" },
		.count = METRIC_FIRST,
		.right = ~3u,
	};
	is_metric_table = o->table;
	if (!o->table)
		fputs("application,region,processes", stdout);
	for (m = metric_forms; m < metric_forms + metric_count; m++) {
		if (is_alternative(m))
			continue;
		if (!o->table)
			printf(",%s", m->name);
		else if (metric_table.count == COLUMNS_LIMIT)
			return fail("a table has room for %d metrics: use --csv",
				    COLUMNS_LIMIT - METRIC_FIRST);
		else
			metric_table.heading[metric_table.count++] = m->name;
	}
	if (!o->table)
		putchar('\n');
	return 0;
}

/*
 * Finds the operands of a side. Returns false if the region lacks a counter, or if counters of the
 * node are not all from the same number of processes, so that they may be of different nodes.
 */
static bool bind_region_side(const struct metric_region *r, const struct rcr_form_side *side,
			     uint8_t operand[RCR_FORM_TERMS], uint64_t *processes)
{
	unsigned int i, k;

	for (i = 0; i < side->terms; i++) {
		for (k = 0; k < r->rows && strcmp(r->row[k].counter, side->term[i].name); k++)
			;
		if (k == r->rows || k >= RCR_MAX_COUNTERS)
			return false;
		operand[i] = k;
		if (!is_node_counter(r->row[k].counter))
			continue;
		*processes = *processes ? *processes : r->row[k].processes;
		if (r->row[k].processes != *processes)
			return false;
	}
	return true;
}

/* Computes a metric; returns false if it has no value. */
static bool compute_metric(const struct metric_region *r, const struct metric_form *m,
			   double *value)
{
	struct bound_form bound = { .form = m->form };
	uint64_t processes = 0;

	if (!m->compiled || !bind_region_side(r, &m->form.above, bound.above, &processes) ||
	    !bind_region_side(r, &m->form.below, bound.below, &processes) ||
	    !form_compute(&bound, &r->lane, 1, r->tsc_hz, 1, value))
		return false;
	*value /= METRIC_UNIT;
	if (!m->form.below.terms)
		*value *= r->scale;
	else if (!m->form.above.terms)
		*value /= r->scale;
	if (m->form.above.reduction == RCR_REDUCE_MEAN)
		*value /= r->threads;
	if (m->form.below.terms && m->form.below.reduction == RCR_REDUCE_MEAN)
		*value *= r->threads;
	return true;
}

/*
 * Returns the count of all processes. A counter of the node has the same rate for all of them: its
 * mean, times the time of one thread.
 */
static double total_of_row(const struct metric_region *r, const struct statistics *row, double time)
{
	if (is_node_counter(row->counter))
		return r->tsc_hz ? row->mean * time / r->tsc_hz : 0;
	return row->mean * r->processes;
}

/* Fills in the counts of a region; returns false if the time stamp counter is missing. */
static bool count_region(struct metric_region *r)
{
	const struct statistics *s, *tsc = NULL;
	double time, most = 0, total[RCR_MAX_COUNTERS];
	unsigned int i;

	for (s = r->row; s < r->row + r->rows; s++)
		tsc = strcmp(s->counter, "tsc") ? tsc : s;
	if (!tsc || !tsc->threads)
		return false;
	r->threads = tsc->threads;
	r->processes = tsc->processes;
	r->hosts = statistics_hosts(tsc);
	time = tsc->mean * r->processes / r->threads;
	for (i = 0; i < r->rows && i < RCR_MAX_COUNTERS; i++) {
		total[i] = total_of_row(r, &r->row[i], time);
		most = fmax(most, total[i] / 0x1p63);
		most = fmax(most, time ? total[i] * r->tsc_hz / time / 0x1p43 : 0);
	}
	for (r->scale = 1; r->scale < most; r->scale *= 2)
		;
	for (i = 0; i < r->rows && i < RCR_MAX_COUNTERS; i++) {
		r->lane.delta[i] = statistics_rounded(total[i] / r->scale);
		r->lane.time[i] = statistics_rounded(time);
	}
	return true;
}

bool metrics_next_region(const struct statistics_list *list, unsigned int *row,
			 struct metric_region *r)
{
	/* The rows of a region are consecutive. */
	while (*row < list->rows) {
		*r = (struct metric_region){ .row = &list->row[*row] };
		if (list->ns)
			r->tsc_hz = list->tsc / list->ns * 1e9 + 0.5;
		for (; *row < list->rows && !strcmp(list->row[*row].region, r->row->region); ++*row)
			r->rows++;
		if (count_region(r))
			return true;
	}
	return false;
}

/* Returns a mask of the boxes in the names of the node's counters: CAS0, CAS1 and so on. */
static uint32_t counted_boxes(const struct statistics_list *list)
{
	const struct statistics *s;
	uint32_t boxes = 0;
	const char *end;
	int box;

	for (s = list->row; s < list->row + list->rows; s++) {
		end = s->counter + strcspn(s->counter, "0123456789");
		if (is_node_counter(s->counter) && sscanf(end, "%2d", &box) == 1 &&
		    box < CATALOGUE_BOXES)
			boxes |= 1u << box;
	}
	return boxes;
}

/* Compiles MEMORY_METER of the CPUs' family, if the family is known and has this meter. */
static void compile_memory_metric(struct metric_form *m, const struct statistics_list *list,
				  uint64_t tsc_hz)
{
	char formula[CATALOGUE_FORMULA_LEN + 32], reason[RCR_SENTENCE_LEN];
	const struct catalogue_row *row = NULL;
	struct catalogue_way way;

	m->compiled = false;
	while (*list->family && (row = catalogue_next(row, list->family))) {
		if (strcmp(row->name, MEMORY_METER) ||
		    !catalogue_expand(row, counted_boxes(list), &way))
			continue;
		snprintf(formula, sizeof(formula), "(%s) / 1000000", way.formula);
		if (!compile_metric(m, formula, tsc_hz, reason))
			return;
	}
}

void metrics_compile(const struct statistics_list *list)
{
	uint64_t tsc_hz = list->ns ? list->tsc / list->ns * 1e9 + 0.5 : 0;
	char reason[RCR_SENTENCE_LEN];
	struct metric_form *m;

	tsc_hz = tsc_hz ? tsc_hz : 1;
	for (m = metric_forms; m < metric_forms + metric_count; m++) {
		if (m->formula)
			compile_metric(m, m->formula, tsc_hz, reason);
		else
			compile_memory_metric(m, list, tsc_hz);
	}
}

const char *metrics_name(unsigned int i)
{
	const struct metric_form *m;

	for (m = metric_forms; m < metric_forms + metric_count; m++)
		if (!is_alternative(m) && !i--)
			return m->name;
	return NULL;
}

bool metrics_value(const struct metric_region *r, const char *name, double *value)
{
	const struct metric_form *m;

	for (m = metric_forms; m < metric_forms + metric_count; m++)
		if (!strcmp(m->name, name) && compute_metric(r, m, value))
			return true;
	return false;
}

bool metrics_count(const struct metric_region *r, const char *counter, double *count)
{
	unsigned int i;

	for (i = 0; i < r->rows && strcmp(r->row[i].counter, counter); i++)
		;
	if (i == r->rows)
		return false;
	*count = r->row[i].mean * (is_node_counter(counter) ? 1 : r->processes);
	return true;
}

/* Writes the value of a metric; an empty text if it is not known. */
static void write_metric(const struct metric_region *r, const char *name, const char *format,
			 char text[32])
{
	double value;

	*text = 0;
	if (metrics_value(r, name, &value))
		snprintf(text, 32, format, value);
}

static void print_metric_row(const struct metric_region *r, const char *application)
{
	const char *name;
	char text[32];
	unsigned int i;

	csv_text(stdout, application);
	putchar(',');
	csv_text(stdout, r->row->region);
	printf(",%" PRIu64, r->processes);
	for (i = 0; (name = metrics_name(i)); i++) {
		write_metric(r, name, "%.9g", text);
		printf(",%s", text);
	}
	putchar('\n');
}

static void add_metric_row(const struct metric_region *r, const char *application)
{
	char text[COLUMNS_LIMIT][32], processes[SI_GROUPED_SIZE];
	const char *row[COLUMNS_LIMIT] = { application, r->row->region, processes };
	unsigned int i;

	si_grouped(processes, r->processes);
	for (i = METRIC_FIRST; i < metric_table.count; i++) {
		write_metric(r, metrics_name(i - METRIC_FIRST), "%.6g", text[i]);
		row[i] = *text[i] ? text[i] : "-";
	}
	columns_add(&metric_table, row);
}

void metrics_add(const struct statistics_list *list, const char *application)
{
	struct metric_region r;
	unsigned int row = 0;

	metrics_compile(list);
	while (metrics_next_region(list, &row, &r)) {
		if (is_metric_table)
			add_metric_row(&r, application);
		else
			print_metric_row(&r, application);
	}
}

int metrics_end(void)
{
	if (is_metric_table && columns_print(&metric_table, true, stdout))
		return fail("out of memory");
	return 0;
}
