// SPDX-License-Identifier: GPL-2.0-or-later
/* join.c - prints statistics over the files of a directory. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "print/columns.h"
#include "print/si.h"
#include "rcrregion/application.h"
#include "rcrregion/csv.h"
#include "rcrregion/metrics.h"
#include "rcrregion/options.h"
#include "rcrregion/statistics.h"
#include "rcrregion/values.h"

#define JOIN_COLUMNS	10

static void print_csv_statistics(const struct statistics_list *list)
{
	const struct statistics *s;

	puts("region,counter,processes,calls,min,min_process,max,max_process,mean,deviation");
	for (s = list->row; s < list->row + list->rows; s++) {
		csv_text(stdout, s->region);
		putchar(',');
		csv_text(stdout, s->counter);
		printf(",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", s->processes, s->calls, s->min);
		csv_text(stdout, s->min_process);
		printf(",%" PRIu64 ",", s->max);
		csv_text(stdout, s->max_process);
		printf(",%.15g,%.15g\n", s->mean, statistics_deviation(s));
	}
}

static int print_join_table(const struct statistics_list *list)
{
	struct columns c = {
		.count = JOIN_COLUMNS,
		.heading = { "REGION", "COUNTER", "PROCESSES", "CALLS", "MIN", "BY", "MAX", "BY", "MEAN",
			     "DEVIATION" },
		.right = 0x3fc,
	};
	char number[6][SI_GROUPED_SIZE];
	const struct statistics *s;

	for (s = list->row; s < list->row + list->rows; s++) {
		bool same = s > list->row && !strcmp(s[-1].region, s->region);
		const char *row[JOIN_COLUMNS] = {
			same ? "" : s->region, s->counter, number[0], number[1], number[2],
			s->min_process, number[3], s->max_process, number[4], number[5],
		};

		si_grouped(number[0], s->processes);
		si_grouped(number[1], s->calls);
		si_grouped(number[2], s->min);
		si_grouped(number[3], s->max);
		si_grouped(number[4], statistics_rounded(s->mean));
		si_grouped(number[5], statistics_rounded(statistics_deviation(s)));
		columns_add(&c, row);
	}
	return columns_print(&c, true, stdout) ? fail("out of memory") : 0;
}

static int print_joined(const struct application *app, const char *name,
			const struct region_options *o)
{
	int status = 0;

	if (o->form == REGION_METRICS)
		metrics_add(&app->list, name);
	else if (o->form == REGION_EVERY_VALUE)
		values_print_statistics(&app->list);
	else if (o->table)
		status = print_join_table(&app->list);
	else
		print_csv_statistics(&app->list);
	return status;
}

/* Joins one directory, and prints it. */
static int print_application(const char *name, const struct region_options *o)
{
	struct application app = { };
	int status = application_join(&app, name, o);

	if (!status)
		status = print_joined(&app, name, o);
	if (!status)
		status = !!app.left_out;
	application_free(&app);
	return status;
}

int region_join(const struct region_options *o)
{
	int status = o->form == REGION_METRICS ? metrics_begin(o) : 0, one;
	char **name;

	if (status)
		return status;
	if (o->form == REGION_EVERY_VALUE)
		values_print_head();
	for (name = o->words; *name; name++) {
		one = print_application(*name, o);
		status = status ? status : one;
	}
	if (o->form == REGION_METRICS && metrics_end())
		status = EXIT_FAILURE;
	return status;
}
