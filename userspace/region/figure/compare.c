// SPDX-License-Identifier: GPL-2.0-or-later
/* compare.c - compares metrics and counts of regions in several runs, and ratios to the first. */
#define _GNU_SOURCE
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "derive_file.h"
#include "figure/chart.h"
#include "figure/figure.h"
#include "message.h"
#include "print/columns.h"
#include "rcrregion/application.h"
#include "rcrregion/csv.h"
#include "rcrregion/metrics.h"

#define COMPARE_VALUES	(DERIVED_MOST + 3)
#define COMPARE_RUNS	256

/* Most charts of a figure: more would be illegible. */
#define COMPARE_CHARTS	12

/* Columns of a table before the runs. */
#define COMPARE_FIRST	2

/* Fewest runs that are drawn as lines, if their labels are numbers. */
#define LINES_FROM	3

/* Units of metrics, for the axes; other metrics have none. */
static const struct {
	const char *name;
	const char *unit;
} compare_units[] = {
	{ "seconds", "s" }, { "ipc", "instructions a cycle" }, { "mflops", "Mflop/s" },
	{ "mflops_per_node", "Mflop/s" }, { "simd", "share" },
	{ "flop_per_sse", "operations" }, { "miss_mb_per_s", "MB/s" }, { "miss_mb_per_node", "MB" },
	{ "dram_mb_per_s", "MB/s" }, { "dram_mb_per_node", "MB" },
};

/**
 * struct compare_run - a run
 * @label: its label
 * @processes: number of processes
 * @nodes: number of machines that they ran on
 * @with_kernel: counts include those in the kernel
 */
struct compare_run {
	char *label;
	unsigned int processes;
	unsigned int nodes;
	bool with_kernel;
};

/**
 * struct compare_region - a region
 * @name: its name
 * @has: by run: true if the run has the region
 * @amount: amount V of run R is number V * runs + R; NAN: not known
 */
struct compare_region {
	char *name;
	bool has[COMPARE_RUNS];
	double *amount;
};

/**
 * struct comparison - all runs that are compared
 * @run: the runs
 * @runs: entries of @run
 * @name: names of the metrics and counters
 * @names: entries of @name
 * @chosen: @name is from option --by
 * @region: the regions, in the order in which they were found
 * @regions: entries of @region
 */
struct comparison {
	struct compare_run run[COMPARE_RUNS];
	unsigned int runs;
	const char *name[COMPARE_VALUES];
	unsigned int names;
	bool chosen;
	struct compare_region *region;
	unsigned int regions;
};

static bool is_metric_name(const char *name)
{
	const char *metric;
	unsigned int i;

	if (!strcmp(name, "mflops_per_node") || !strcmp(name, "miss_mb_per_node") ||
	    !strcmp(name, "dram_mb_per_node"))
		return true;
	for (i = 0; (metric = metrics_name(i)); i++)
		if (!strcmp(metric, name))
			return true;
	return false;
}

/* Adds the names of option --by; returns 0 or EXIT_USAGE. */
static int take_compared_names(struct comparison *c, char *list)
{
	char *name, *rest;
	unsigned int i;

	for (name = strtok_r(list, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		for (i = 0; i < c->names && strcmp(c->name[i], name); i++)
			;
		if (i < c->names)
			return wrong("'%s' is named twice", name);
		if (!is_metric_name(name) && !metrics_has_counter(name))
			return wrong("'%s' is neither a metric nor a counter: see METRICS and MODES in rcrregion(1)",
				     name);
		if (c->names == COMPARE_VALUES)
			return wrong("--by has more than %d names", COMPARE_VALUES);
		c->name[c->names++] = name;
	}
	return c->names ? 0 : wrong("--by needs names of metrics or counters");
}

/* Takes the names of option --by, or all metrics; returns 0 or an exit status. */
static int choose_compared(struct comparison *c, const struct region_options *o, char **list)
{
	int status = metrics_take(o->derive);
	const char *name;
	unsigned int i;

	if (status)
		return status;
	if (o->by) {
		c->chosen = true;
		*list = strdup(o->by);
		return *list ? take_compared_names(c, *list) : fail("out of memory");
	}
	for (i = 0; (name = metrics_name(i)); i++)
		c->name[c->names++] = name;
	if (!o->derive) {
		c->name[c->names++] = "mflops_per_node";
		c->name[c->names++] = "miss_mb_per_node";
		c->name[c->names++] = "dram_mb_per_node";
	}
	return 0;
}

/* Returns a metric or count of a region; NAN if it is not known. */
static double compared_amount(const struct metric_region *r, const char *name)
{
	double value, seconds;

	/* A metric of --derive overrides a built-in one. */
	if (metrics_value(r, name, &value))
		return value;
	if (!strcmp(name, "mflops_per_node"))
		return metrics_value(r, "mflops", &value) ? value / r->hosts : NAN;
	if (!strcmp(name, "miss_mb_per_node"))
		return metrics_count(r, "cache-misses", &value) ? 64 * value / 1e6 / r->hosts : NAN;
	if (!strcmp(name, "dram_mb_per_node"))
		return metrics_value(r, "dram_mb_per_s", &value) &&
		       metrics_value(r, "seconds", &seconds) ? value * seconds : NAN;
	return metrics_count(r, name, &value) ? value : NAN;
}

/* Finds or adds a region; returns NULL if memory ran out. */
static struct compare_region *find_compared_region(struct comparison *c, const char *name)
{
	struct compare_region *r;
	unsigned int i;

	for (r = c->region; r < c->region + c->regions; r++)
		if (!strcmp(r->name, name))
			return r;
	r = reallocarray(c->region, c->regions + 1, sizeof(*r));
	if (!r)
		return NULL;
	c->region = r;
	r += c->regions;
	*r = (struct compare_region){ .name = strdup(name),
				      .amount = calloc(c->names * c->runs, sizeof(double)) };
	c->regions++;
	if (!r->name || !r->amount)
		return NULL;
	for (i = 0; i < c->names * c->runs; i++)
		r->amount[i] = NAN;
	return r;
}

static int add_compared_regions(struct comparison *c, unsigned int run,
				const struct application *app)
{
	struct compare_region *region;
	struct metric_region r;
	unsigned int row = 0, i;

	metrics_compile(&app->list);
	while (metrics_next_region(&app->list, &row, &r)) {
		region = find_compared_region(c, r.row->region);
		if (!region)
			return fail("out of memory");
		region->has[run] = true;
		for (i = 0; i < c->names; i++)
			region->amount[i * c->runs + run] = compared_amount(&r, c->name[i]);
	}
	return 0;
}

/* Joins the directory of a run; sets @left_out if it skipped files. Returns 0 or an exit status. */
static int take_run(struct comparison *c, unsigned int run, const char *directory,
		    const struct region_options *o, bool *left_out)
{
	struct application app = { };
	int status = application_join(&app, directory, o);

	/* Other regions can be compared even if one run lacks this one. */
	if (!status)
		status = add_compared_regions(c, run, &app);
	c->run[run].processes = app.files;
	c->run[run].nodes = app.hosts;
	c->run[run].with_kernel = app.with_kernel;
	*left_out |= !!app.left_out;
	application_free(&app);
	return status;
}

/* Splits LABEL=DIRECTORY; returns the directory, or NULL after reporting an error. */
static const char *take_label(struct comparison *c, unsigned int run, const char *word)
{
	const char *equals = strchr(word, '='), *slash = strchr(word, '/');
	bool labelled = equals && equals > word && (!slash || slash > equals);
	unsigned int i;

	c->run[run].label = labelled ? strndup(word, equals - word) : figure_label(word);
	if (!c->run[run].label) {
		fail("out of memory");
		return NULL;
	}
	for (i = 0; i < run; i++) {
		if (!strcmp(c->run[i].label, c->run[run].label)) {
			wrong("two runs have the label '%s': write LABEL=DIRECTORY",
			      c->run[run].label);
			return NULL;
		}
	}
	return labelled ? equals + 1 : word;
}

/* Reads all runs; returns 0 or an exit status. */
static int take_runs(struct comparison *c, const struct region_options *o, bool *left_out)
{
	const char *directory[COMPARE_RUNS];
	unsigned int i;
	int status = 0;

	for (i = 0; o->words[i]; i++)
		;
	if (i > COMPARE_RUNS)
		return wrong("there are more than %d runs", COMPARE_RUNS);
	c->runs = i;
	for (i = 0; i < c->runs; i++) {
		directory[i] = take_label(c, i, o->words[i]);
		if (!directory[i])
			return EXIT_USAGE;
	}
	for (i = 0; !status && i < c->runs; i++)
		status = take_run(c, i, directory[i], o, left_out);
	return status;
}

static double compared_ratio(const struct comparison *c, const struct compare_region *r,
			     unsigned int name, unsigned int run)
{
	double first = r->amount[name * c->runs], amount = r->amount[name * c->runs + run];

	return first > 0 || first < 0 ? amount / first : NAN;
}

/* Returns the number of runs in which an amount is known. */
static unsigned int count_known(const struct comparison *c, const struct compare_region *r,
				unsigned int name)
{
	unsigned int i, known = 0;

	for (i = 0; i < c->runs; i++)
		known += !isnan(r->amount[name * c->runs + i]);
	return known;
}

/* Prints, for each region, the runs that lack it. */
static void note_missing_regions(const struct comparison *c)
{
	const struct compare_region *r;
	size_t size;
	char *text;
	unsigned int i;
	FILE *out;

	for (r = c->region; r < c->region + c->regions; r++) {
		out = open_memstream(&text, &size);
		if (!out)
			return;
		for (i = 0; i < c->runs; i++)
			if (!r->has[i])
				fprintf(out, "%s'%s'", ftell(out) ? ", " : "", c->run[i].label);
		if (fclose(out))
			return;
		if (size)
			note("the region '%s' is not in %s", r->name, text);
		free(text);
	}
}

/* Warns if only some runs include counts in the kernel. */
static void note_other_counts(const struct comparison *c)
{
	unsigned int i;

	for (i = 1; i < c->runs; i++)
		if (c->run[i].processes && c->run[0].processes &&
		    c->run[i].with_kernel != c->run[0].with_kernel)
			note("counts of '%s' include those in the kernel, those of '%s' do not: ratios of them are not comparable",
			     c->run[c->run[0].with_kernel ? 0 : i].label,
			     c->run[c->run[0].with_kernel ? i : 0].label);
}

/* Drops metrics that no region has in two runs; returns EXIT_FAILURE if none is left. */
static int drop_unknown(struct comparison *c)
{
	unsigned int i, n = 0, best, known, k;

	for (i = 0; i < c->names; i++) {
		for (k = 0, best = 0; k < c->regions; k++) {
			known = count_known(c, &c->region[k], i);
			best = known > best ? known : best;
		}
		if (best < 2 && c->chosen)
			note("%s is not known of two runs of a region", c->name[i]);
		if (best < 2 && !c->chosen)
			continue;
		for (k = 0; k < c->regions; k++)
			memmove(&c->region[k].amount[n * c->runs],
				&c->region[k].amount[i * c->runs], c->runs * sizeof(double));
		c->name[n++] = c->name[i];
	}
	c->names = n;
	for (i = 0, known = 0; i < c->names; i++)
		for (k = 0; k < c->regions; k++)
			known += count_known(c, &c->region[k], i) > 1;
	return known ? 0 : fail("nothing can be compared: no region and metric is known of two runs");
}

static void print_compare_csv(const struct comparison *c)
{
	const struct compare_region *r;
	unsigned int i, k;
	double amount, ratio;

	puts("region,metric,run,processes,nodes,amount,ratio");
	for (r = c->region; r < c->region + c->regions; r++) {
		for (i = 0; i < c->names; i++) {
			for (k = 0; k < c->runs; k++) {
				amount = r->amount[i * c->runs + k];
				ratio = compared_ratio(c, r, i, k);
				csv_text(stdout, r->name);
				printf(",%s,", c->name[i]);
				csv_text(stdout, c->run[k].label);
				printf(",%u,%u,", c->run[k].processes, c->run[k].nodes);
				if (!isnan(amount))
					printf("%.9g", amount);
				putchar(',');
				if (!isnan(ratio))
					printf("%.9g", ratio);
				putchar('\n');
			}
		}
	}
}

static void add_compare_row(const struct comparison *c, struct columns *table,
			    const struct compare_region *r, unsigned int name, bool first)
{
	const char *text[COLUMNS_LIMIT] = { first ? r->name : "", c->name[name] };
	char cell[COLUMNS_LIMIT][48];
	unsigned int i;
	double amount, ratio;

	for (i = 0; i < c->runs; i++) {
		amount = r->amount[name * c->runs + i];
		ratio = compared_ratio(c, r, name, i);
		if (isnan(amount))
			strcpy(cell[i], "-");
		else if (!i)
			snprintf(cell[i], sizeof(cell[i]), "%.6g", amount);
		else if (isnan(ratio))
			snprintf(cell[i], sizeof(cell[i]), "%.6g (-)", amount);
		else
			snprintf(cell[i], sizeof(cell[i]), "%.6g (%.2f)", amount, ratio);
		text[COMPARE_FIRST + i] = cell[i];
	}
	columns_add(table, text);
}

static int print_compare_table(const struct comparison *c)
{
	struct columns table = {
		.count = COMPARE_FIRST + c->runs,
		.heading = { "REGION", "METRIC" },
		.right = ~3u,
	};
	const struct compare_region *r;
	unsigned int i, known;

	if (COMPARE_FIRST + c->runs > COLUMNS_LIMIT)
		return fail("a table has room for %d runs: use --csv",
			    COLUMNS_LIMIT - COMPARE_FIRST);
	for (i = 0; i < c->runs; i++)
		table.heading[COMPARE_FIRST + i] = c->run[i].label;
	for (r = c->region; r < c->region + c->regions; r++)
		for (i = 0, known = 0; i < c->names; i++)
			if (c->chosen || count_known(c, r, i))
				add_compare_row(c, &table, r, i, !known++);
	return columns_print(&table, true, stdout) ? fail("out of memory") : 0;
}

/* True if all labels are numbers, with or without a unit, such as sizes or process counts. */
static bool has_numeric_labels(const struct comparison *c)
{
	unsigned int i;

	for (i = 0; i < c->runs; i++)
		if (!isdigit((unsigned char)*c->run[i].label))
			return false;
	return c->runs >= LINES_FROM;
}

static const char *compared_unit(const char *name)
{
	unsigned int i;

	for (i = 0; i < sizeof(compare_units) / sizeof(compare_units[0]); i++)
		if (!strcmp(compare_units[i].name, name))
			return compare_units[i].unit;
	return "";
}

/**
 * struct compare_charts - the charts of a figure
 * @chart: a chart for each metric
 * @title: titles of the charts
 * @count: number of charts
 */
struct compare_charts {
	struct chart chart[COMPARE_CHARTS];
	char title[COMPARE_CHARTS][128];
	unsigned int count;
};

static void compare_script(FILE *out, const char *picture, const void *from)
{
	const struct compare_charts *charts = from;

	charts_script(out, picture, charts->chart, charts->count);
}

/* Fills in the values of a chart, in which regions are either lines or categories of bars. */
static void fill_chart(const struct comparison *c, const struct chart *chart, unsigned int name,
		       bool ratios, double *value)
{
	bool lines = chart->kind == CHART_LINES;
	unsigned int i, k;

	for (i = 0; i < c->regions; i++)
		for (k = 0; k < c->runs; k++)
			value[lines ? k * c->regions + i : i * c->runs + k] =
				ratios ? compared_ratio(c, &c->region[i], name, k) :
					 c->region[i].amount[name * c->runs + k];
}

static void begin_chart(const struct comparison *c, struct chart *chart, char **labels,
			char **regions)
{
	bool lines = has_numeric_labels(c);

	*chart = (struct chart){
		.kind = lines ? CHART_LINES : CHART_GROUPS,
		.series = lines ? c->regions : c->runs,
		.categories = lines ? c->runs : c->regions,
		.series_name = lines ? regions : labels,
		.category_name = lines ? labels : regions,
	};
}

static int draw_comparison(const struct comparison *c, const struct region_options *o)
{
	unsigned int size = c->regions * c->runs, i;
	static struct compare_charts charts;
	char **names = calloc(c->regions + c->runs, sizeof(*names));
	double *value = calloc(c->names * size, sizeof(*value));
	int status;

	for (i = 0; names && i < c->runs + c->regions; i++)
		names[i] = i < c->runs ? c->run[i].label : c->region[i - c->runs].name;
	for (i = 0; names && value && i < c->names; i++) {
		struct chart *chart = &charts.chart[i];

		begin_chart(c, chart, names, names + c->runs);
		snprintf(charts.title[i], sizeof(charts.title[i]), "%s%s%s", c->name[i],
			 o->ratios ? ", ratio to " : "", o->ratios ? c->run[0].label : "");
		chart->title = charts.title[i];
		chart->unit = o->ratios ? "ratio" : compared_unit(c->name[i]);
		chart->value = value + i * size;
		fill_chart(c, chart, i, o->ratios, value + i * size);
	}
	charts.count = c->names;
	status = names && value ? figure_draw(o, compare_script, &charts) : fail("out of memory");
	free(names);
	free(value);
	return status;
}

static int show_comparison(const struct comparison *c, const struct region_options *o)
{
	int status = 0;

	if (o->output && (c->names > COMPARE_CHARTS || c->regions * c->runs > FIGURE_DRAWN))
		return fail("a figure has room for %d metrics, and %d bars of each: choose with --by and --region",
			    COMPARE_CHARTS, FIGURE_DRAWN);
	if (figure_prints(o) && o->table)
		status = print_compare_table(c);
	else if (figure_prints(o))
		print_compare_csv(c);
	return status || !o->output ? status : draw_comparison(c, o);
}

static void free_comparison(struct comparison *c)
{
	while (c->regions--) {
		free(c->region[c->regions].name);
		free(c->region[c->regions].amount);
	}
	free(c->region);
	while (c->runs--)
		free(c->run[c->runs].label);
}

int region_compare(const struct region_options *o)
{
	static struct comparison c;
	bool left_out = false;
	char *list = NULL;
	int status = choose_compared(&c, o, &list);

	if (!status)
		status = take_runs(&c, o, &left_out);
	if (!status) {
		note_missing_regions(&c);
		note_other_counts(&c);
		status = drop_unknown(&c);
	}
	if (!status)
		status = show_comparison(&c, o);
	free_comparison(&c);
	free(list);
	return status ? status : left_out;
}
