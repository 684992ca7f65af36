// SPDX-License-Identifier: GPL-2.0-or-later
/* values.c - prints every value of every process as CSV, and statistics of the values. */
#include <inttypes.h>
#include <stdio.h>

#include "message.h"
#include "rcrregion/csv.h"
#include "rcrregion/values.h"

void values_print_head(void)
{
	puts("region,counter,kind,process,calls,value");
}

static void print_kind_value(const char *region, const char *counter, const char *kind,
			     const char *process, uint64_t calls)
{
	csv_text(stdout, region);
	putchar(',');
	csv_text(stdout, counter);
	printf(",%s,", kind);
	csv_text(stdout, process);
	printf(",%" PRIu64 ",", calls);
}

static int print_process_value(void *to, const char *region, const char *counter,
			       const char *process, const struct region_total *total,
			       uint64_t count)
{
	(void)to;
	print_kind_value(region, counter, "value", process, total->calls);
	printf("%" PRIu64 "\n", count);
	return 0;
}

void values_print_file(const struct region_file *f, const char *region)
{
	if (statistics_each_count(f, region, print_process_value, NULL))
		fail("out of memory");
}

void values_print_statistics(const struct statistics_list *list)
{
	const struct statistics *s;

	for (s = list->row; s < list->row + list->rows; s++) {
		print_kind_value(s->region, s->counter, "min", s->min_process, s->calls);
		printf("%" PRIu64 "\n", s->min);
		print_kind_value(s->region, s->counter, "max", s->max_process, s->calls);
		printf("%" PRIu64 "\n", s->max);
		print_kind_value(s->region, s->counter, "mean", "", s->calls);
		printf("%.15g\n", s->mean);
		print_kind_value(s->region, s->counter, "deviation", "", s->calls);
		printf("%.15g\n", statistics_deviation(s));
	}
}
