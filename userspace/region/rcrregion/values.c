// SPDX-License-Identifier: GPL-2.0-or-later
/* values.c - every value of every process as CSV, and the statistics of them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

void values_print_file(const struct region_file *f, const char *region)
{
	struct region_total *totals = region_file_totals(f);
	char process[REGION_PROCESS_LEN];
	unsigned int i, k;

	if (!totals) {
		fail("out of memory");
		return;
	}
	region_file_process(f, process);
	for (i = 0; i < f->header.sets; i++) {
		struct region_file_set set = region_file_set(f, i);

		if (region && strcmp(set.name, region))
			continue;
		for (k = 0; totals[i].calls && k < f->header.counted; k++) {
			print_kind_value(set.name, region_file_event(f, k).name, "value", process,
					 totals[i].calls);
			printf("%" PRIu64 "\n", totals[i].value[k].sum);
		}
	}
	free(totals);
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
