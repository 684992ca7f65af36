// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * statistics.c - statistics of a count over processes, without storing the counts: mean and
 * deviation by Welford's method (Technometrics 4, 1962).
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rcrregion/statistics.h"

static int compare_names(const struct statistics *s, const char *region, const char *counter)
{
	int order = strverscmp(s->region, region);

	return order ? order : strverscmp(s->counter, counter);
}

/* Finds or adds the row of a counter; returns NULL if memory ran out. */
static struct statistics *find_statistics(struct statistics_list *list, const char *region,
					  const char *counter)
{
	unsigned int low = 0, high = list->rows, middle;
	struct statistics *row;
	int order;

	while (low < high) {
		middle = (low + high) / 2;
		order = compare_names(&list->row[middle], region, counter);
		if (!order)
			return &list->row[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (list->rows == list->room) {
		list->room = list->room ? 2 * list->room : 64;
		row = realloc(list->row, list->room * sizeof(*row));
		if (!row)
			return NULL;
		list->row = row;
	}
	row = &list->row[low];
	memmove(row + 1, row, (list->rows++ - low) * sizeof(*row));
	*row = (struct statistics){ .min = UINT64_MAX };
	strcpy(row->region, region);
	strcpy(row->counter, counter);
	return row;
}

static void add_count(struct statistics *s, const struct region_total *total, uint64_t count,
		      const char *process)
{
	double off = count - s->mean;

	s->processes++;
	s->calls += total->calls;
	s->threads += total->threads;
	s->mean += off / s->processes;
	s->squares += off * (count - s->mean);
	if (s->processes == 1 || count < s->min ||
	    (count == s->min && strverscmp(process, s->min_process) < 0))
		strcpy(s->min_process, process);
	if (s->processes == 1 || count > s->max ||
	    (count == s->max && strverscmp(process, s->max_process) < 0))
		strcpy(s->max_process, process);
	s->min = count < s->min ? count : s->min;
	s->max = count > s->max ? count : s->max;
}

/* Passes the counts of a set, and the rates of the node's counters, to @take. */
static int each_set_count(const struct region_file *f, const char *region, const char *process,
			  const struct region_total *total, statistics_count *take, void *to)
{
	char name[COUNTER_NAME_LEN];
	unsigned int k;
	double rate;
	int ret = 0;

	for (k = 0; total->calls && k < f->header.counted && !ret; k++)
		ret = take(to, region, region_file_event(f, k).name, process, total,
			   total->value[k].sum);
	for (k = 0; k < f->header.node_counters && !ret; k++) {
		if (region_total_rate(f, total, k, name, &rate))
			ret = take(to, region, name, process, total, statistics_rounded(rate));
	}
	return ret;
}

int statistics_each_count(const struct region_file *f, const char *region,
			  statistics_count *take, void *to)
{
	struct region_total *totals = region_file_totals(f);
	char process[REGION_PROCESS_LEN];
	unsigned int i;
	int ret = 0;

	if (!totals)
		return -1;
	region_file_process(f, process);
	for (i = 0; i < f->header.sets && !ret; i++) {
		struct region_file_set set = region_file_set(f, i);

		if (region && strcmp(set.name, region))
			continue;
		ret = each_set_count(f, set.name, process, &totals[i], take, to);
	}
	free(totals);
	return ret;
}

/* Adds the machine of a count; returns 0, or -1 if memory ran out. */
static int add_host_bit(struct statistics *s, unsigned int host)
{
	unsigned int words = host / 64 + 1;
	uint64_t *bits;

	if (s->host_words < words) {
		words = 2 * words;
		bits = realloc(s->host, words * sizeof(*bits));
		if (!bits)
			return -1;
		memset(bits + s->host_words, 0, (words - s->host_words) * sizeof(*bits));
		s->host = bits;
		s->host_words = words;
	}
	s->host[host / 64] |= 1ull << host % 64;
	return 0;
}

unsigned int statistics_hosts(const struct statistics *s)
{
	unsigned int i, hosts = 0;

	for (i = 0; i < s->host_words; i++)
		hosts += __builtin_popcountll(s->host[i]);
	return hosts;
}

static int add_region_count(void *to, const char *region, const char *counter,
			    const char *process, const struct region_total *total, uint64_t count)
{
	struct statistics_list *list = to;
	struct statistics *row = find_statistics(list, region, counter);

	if (!row || add_host_bit(row, list->host))
		return -1;
	add_count(row, total, count, process);
	return 0;
}

static void note_family(struct statistics_list *list, const char *family)
{
	if (!*family)
		return;
	if (!list->families++)
		strcpy(list->family, family);
	else if (strcmp(list->family, family))
		*list->family = 0;
}

int statistics_add_file(struct statistics_list *list, const struct region_file *f,
			const char *region, unsigned int host)
{
	list->host = host;
	list->tsc += f->header.end_tsc - f->header.begin_tsc;
	list->ns += (int64_t)(f->header.end_ns - f->header.begin_ns);
	note_family(list, f->header.family);
	return statistics_each_count(f, region, add_region_count, list);
}

double statistics_deviation(const struct statistics *s)
{
	return s->processes ? sqrt(s->squares / s->processes) : 0;
}

uint64_t statistics_rounded(double number)
{
	return number < 0x1p64 ? number + 0.5 : UINT64_MAX;
}

void statistics_free(struct statistics_list *list)
{
	while (list->rows)
		free(list->row[--list->rows].host);
	free(list->row);
	*list = (struct statistics_list){ };
}
