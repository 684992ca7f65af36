// SPDX-License-Identifier: GPL-2.0-or-later
/* show.c - prints files: a table for each, or the rows of all as CSV. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "print/columns.h"
#include "print/si.h"
#include "rcrregion/csv.h"
#include "rcrregion/file.h"
#include "rcrregion/metrics.h"
#include "rcrregion/options.h"
#include "rcrregion/statistics.h"

#define SHOW_COLUMNS	8

/* Print for which part of the time the node's counters are known if it is less than this. */
#define NODE_PART	0.9

/* Prints the columns of a row that precede its count. */
static void print_csv_begin(const struct region_file *f, const char *path, const char *region,
			    const char *counter, const struct region_total *total)
{
	char process[REGION_PROCESS_LEN];

	region_file_process(f, process);
	csv_text(stdout, path);
	printf(",%d,", !!(f->header.flags & REGION_COMPLETE));
	csv_text(stdout, process);
	putchar(',');
	csv_text(stdout, region);
	putchar(',');
	csv_text(stdout, counter);
	printf(",%u,%" PRIu64 ",%" PRIu64, total->threads, total->calls, total->lost);
}

static void print_csv_set(const struct region_file *f, const char *path, const char *region,
			  const struct region_total *total)
{
	char name[COUNTER_NAME_LEN];
	const struct region_value *v;
	unsigned int k;
	double rate;

	for (k = 0; total->calls && k < f->header.counted; k++) {
		v = &total->value[k];
		print_csv_begin(f, path, region, region_file_event(f, k).name, total);
		printf(",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", v->sum, v->min, v->max);
	}
	for (k = 0; k < f->header.node_counters; k++) {
		if (!region_total_rate(f, total, k, name, &rate))
			continue;
		print_csv_begin(f, path, region, name, total);
		/* A rate per second has no lowest and highest call. */
		printf(",%.0f,,\n", rate);
	}
}

static void print_csv_rows(const struct region_file *f, const char *path,
			   const struct region_total *totals)
{
	unsigned int i;

	for (i = 0; i < f->header.sets; i++)
		print_csv_set(f, path, region_file_set(f, i).name, &totals[i]);
}

static void add_node_rows(struct columns *c, const struct region_file *f,
			  const struct region_total *total)
{
	char name[COUNTER_NAME_LEN], rate_text[SI_GROUPED_SIZE + 2], text[128];
	const char *row[SHOW_COLUMNS] = { "", name, "", "", rate_text, "", "", "" };
	double rate, part = 1;
	unsigned int k;

	for (k = 0; k < f->header.node_counters; k++) {
		if (!region_total_rate(f, total, k, name, &rate))
			continue;
		si_grouped(rate_text, statistics_rounded(rate));
		strcat(rate_text, "/s");
		columns_add(c, row);
		part = fmin(part, total->node[k].cycles / total->value[0].sum);
	}
	if (part < NODE_PART) {
		snprintf(text, sizeof(text), "  the node's counters cover %.0f %% of this time",
			 100 * part);
		columns_add_line(c, text);
	}
}

static void add_show_rows(struct columns *c, const struct region_file *f, unsigned int set,
			  const struct region_total *total)
{
	char number[6][SI_GROUPED_SIZE], text[128];
	const struct region_value *v;
	unsigned int k;

	for (k = 0; total->calls && k < f->header.counted; k++) {
		struct region_file_set name = region_file_set(f, set);
		struct region_file_event event = region_file_event(f, k);
		const char *row[SHOW_COLUMNS] = {
			k ? "" : name.name, event.name, number[0], number[1], number[2], number[3],
			number[4], number[5],
		};

		v = &total->value[k];
		si_grouped(number[0], total->threads);
		si_grouped(number[1], total->calls);
		si_grouped(number[2], v->sum);
		si_grouped(number[3], v->sum / total->calls);
		si_grouped(number[4], v->min);
		si_grouped(number[5], v->max);
		columns_add(c, row);
	}
	add_node_rows(c, f, total);
	if (total->lost) {
		snprintf(text, sizeof(text), "  %" PRIu64 " calls not counted: the counters were taken away",
			 total->lost);
		columns_add_line(c, text);
	}
	if (total->open)
		columns_add_line(c, "  the last section of a thread had not ended, and is not counted");
}

static const char *why_no_node(unsigned int error)
{
	switch (error) {
	case ENOENT:
		return "rcrtool was not loaded";
	case EACCES:
		return "only members of the group rcrtool can read them";
	case ENODATA:
		return "rcrtool's set had none: add those of memory with 'rcrctl meter add mem_bw'";
	case EAGAIN:
		return "rcrtool had not sampled its set yet";
	case E2BIG:
		return "more than 64 CPUs read them";
	default:
		return strerror(error);
	}
}

/* Prints a description of the process, and the cost of the calls. */
static void print_show_head(const struct region_file *f, const char *path)
{
	const struct region_header *h = &f->header;
	struct region_file_event event;
	unsigned int i;

	printf("%s: %s", path, h->command);
	if (h->rank >= 0)
		printf(", rank %d", h->rank);
	printf(", %s, pid %u, mode %s", h->host, h->pid, h->mode);
	if (h->groups)
		printf(", group %u of %u", h->group, h->groups);
	printf(", %s, %.3f s", h->flags & REGION_WITH_KERNEL ? "user and kernel" : "user",
	       (int64_t)(h->end_ns - h->begin_ns) / 1e9);
	if (!(h->flags & REGION_COMPLETE))
		printf(", INCOMPLETE: signal %u (%s) ended it", h->signal, strsignal(h->signal));
	fputs("\nRCR_Start and RCR_Stop add:", stdout);
	for (i = 0; i < h->counted; i++) {
		event = region_file_event(f, i);
		printf("%s %.0f %s", i ? "," : "", event.cost / 1e3, event.name);
	}
	putchar('\n');
	for (i = h->counted; i < h->events; i++) {
		event = region_file_event(f, i);
		printf("%s%s", i > h->counted ? ", " : "Not counted: ", event.name);
	}
	if (h->events > h->counted)
		putchar('\n');
	if (h->node_error == EOVERFLOW)
		printf("Only the first %u counters of the node are read, so dram_mb_per_s is not known\n",
		       h->node_counters);
	else if (h->node_error && h->node_counters)
		puts("Counters of the node were read until the set of rcrtool was changed");
	else if (h->node_error)
		printf("No counters of the node: %s\n", why_no_node(h->node_error));
}

static int print_show_table(const struct region_file *f, const char *path,
			    const struct region_total *totals)
{
	struct columns c = {
		.count = SHOW_COLUMNS,
		.heading = { "REGION", "COUNTER", "THREADS", "CALLS", "TOTAL", "MEAN", "MIN",
			     "MAX" },
		.right = 0xfc,
	};
	unsigned int i;

	print_show_head(f, path);
	for (i = 0; i < f->header.sets; i++)
		add_show_rows(&c, f, i, &totals[i]);
	return columns_print(&c, true, stdout) ? fail("out of memory") : 0;
}

static int show_totals(const struct region_file *f, const char *path, bool table)
{
	struct region_total *totals = region_file_totals(f);
	static bool shown;
	int status = 0;

	if (!totals)
		return fail("out of memory");
	if (table) {
		if (shown)
			putchar('\n');
		shown = true;
		status = print_show_table(f, path, totals);
	} else {
		print_csv_rows(f, path, totals);
	}
	free(totals);
	return status;
}

static int show_metrics(const struct region_file *f, const char *path, const char *region)
{
	struct statistics_list list = { };
	int status = 0;

	if (statistics_add_file(&list, f, region, 0))
		status = fail("out of memory");
	else
		metrics_add(&list, path);
	statistics_free(&list);
	return status;
}

int region_show(const struct region_options *o)
{
	bool metrics = o->form == REGION_METRICS;
	int status = metrics ? metrics_begin(o) : 0;
	struct region_file file;
	struct why why;
	char **path;

	if (status)
		return status;
	if (!metrics && !o->table)
		puts("file,complete,process,region,counter,threads,calls,lost,total,min,max");
	for (path = o->words; *path; path++) {
		if (region_file_read(&file, *path, &why)) {
			status = fail("%s: %s", *path, why.text);
			continue;
		}
		if (metrics ? show_metrics(&file, *path, o->region) :
			      show_totals(&file, *path, o->table))
			status = EXIT_FAILURE;
		region_file_free(&file);
	}
	if (metrics && metrics_end())
		status = EXIT_FAILURE;
	return status;
}
