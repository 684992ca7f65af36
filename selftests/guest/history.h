/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * history.h - a stream that was written to a file, as the counts of each CPU between
 * its samples: for a judge of what is made of them.
 */
#ifndef RCR_GUEST_HISTORY_H
#define RCR_GUEST_HISTORY_H

#include <sys/stat.h>

#include "stream.h"

#define CPUS 8
#define RUNS 64

/**
 * struct run - what was sampled from one set to the next
 * @set: the set
 * @sample: the samples of each CPU, in their order
 * @samples: how many
 * @first: the earliest tick
 * @last: the latest
 * @begin: time of the first
 * @end: time of the last
 */
struct run {
	const struct rcr_set *set;
	const struct rcr_record **sample[CPUS];
	unsigned int samples[CPUS];
	uint64_t first, last;
	uint64_t begin, end;
};

/* A grid point: its time in a run, and its number there. */
struct moment {
	uint64_t time;
	uint64_t tick;
	unsigned int run;
};

static struct run runs[RUNS];
static unsigned int run_count;
static struct moment *moments;
static size_t moment_count;
static unsigned int lost_records;

static inline void add_sample(struct run *run, const struct rcr_record *r)
{
	unsigned int *n = &run->samples[r->item.cpu];

	if (!(*n & (*n - 1)))
		run->sample[r->item.cpu] = realloc(run->sample[r->item.cpu],
						   (*n ? 2 * *n : 1) * sizeof(r));
	run->sample[r->item.cpu][(*n)++] = r;
	if (!run->first || r->tick < run->first)
		run->first = r->tick;
	if (r->tick > run->last)
		run->last = r->tick;
	if (!run->begin || r->time < run->begin)
		run->begin = r->time;
	if (r->time > run->end)
		run->end = r->time;
}

static inline void take_item(const struct rcr_item *item)
{
	if (item->type == RCR_ITEM_SET && run_count < RUNS)
		runs[run_count++].set = (const void *)item;
	else if (item->type == RCR_ITEM_LOST)
		lost_records++;
	else if (item->type == RCR_ITEM_SAMPLE && run_count && item->cpu < CPUS)
		add_sample(&runs[run_count - 1], (const void *)item);
}

static inline int compare_moments(const void *a, const void *b)
{
	const struct moment *m = a, *n = b;

	return m->time < n->time ? -1 : m->time > n->time;
}

/* Where ticks were missed they lie a period apart, back from the sample. */
static inline void list_moments(unsigned int n, unsigned int cpu)
{
	const struct run *run = &runs[n];
	uint64_t from, k;
	unsigned int i;

	for (i = 0; i < run->samples[cpu]; i++) {
		const struct rcr_record *r = run->sample[cpu][i];

		from = i ? run->sample[cpu][i - 1]->tick + 1 : r->tick;
		moments = realloc(moments, (moment_count + r->tick - from + 1) * sizeof(*moments));
		for (k = from; k <= r->tick; k++)
			moments[moment_count++] = (struct moment){
				r->time - (r->tick - k) * run->set->period_ns, k, n
			};
	}
}

static inline bool load_history(const char *path)
{
	FILE *in = fopen(path, "r");
	size_t at, size;
	struct stat st;
	unsigned int n, cpu;
	char *bytes;

	if (!in || fstat(fileno(in), &st))
		return false;
	bytes = malloc(st.st_size + 1);
	size = fread(bytes, 1, st.st_size, in);
	fclose(in);
	for (at = 0; at + sizeof(struct rcr_item) <= size;) {
		const struct rcr_item *item = (const void *)(bytes + at);

		/* A reader that was ended may have left a part of the last one. */
		if (item->size < sizeof(*item) || item->size > size - at)
			break;
		take_item(item);
		at += item->size;
	}
	for (n = 0; n < run_count; n++)
		for (cpu = 0; cpu < CPUS; cpu++)
			list_moments(n, cpu);
	qsort(moments, moment_count, sizeof(*moments), compare_moments);
	return run_count;
}

/* The grid point at @time, or the first within @slack behind it; NULL: there is none. */
static inline const struct moment *find_moment(uint64_t time, uint64_t slack)
{
	size_t low = 0, high = moment_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (moments[middle].time < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low < moment_count && moments[low].time - time <= slack ? &moments[low] : NULL;
}

/*
 * Up to which tick CPUs came into a run: meters begin with those that are there, and what
 * another has told of an earlier tick is in none.
 */
static inline uint64_t all_there(const struct run *run)
{
	uint64_t most = 0, second;
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		if (run->samples[cpu] < 2)
			continue;
		second = run->sample[cpu][1]->tick;
		if (second > most && run->sample[cpu][1]->time < run->begin + 300000000)
			most = second;
	}
	return most;
}

/* The counter of that name in a run; -1: it is not counted. */
static inline int find_counter(const struct run *run, const char *name)
{
	unsigned int i;

	for (i = 0; i < run->set->ncounters; i++)
		if (!strcmp(counters_of(run->set)[i].name, name))
			return i;
	return -1;
}

/* When a counter was read, as near as a bracket tells. */
static inline double read_at(const struct run *run, const struct rcr_record *r,
			     unsigned int counter)
{
	struct bracket b = bracket_of_counter(run->set, r, counter);

	return ((double)b.begin + b.end) / 2;
}

#endif
