// SPDX-License-Identifier: GPL-2.0-only
/*
 * jobcount.c - computes the counts that rcrjob must print from a recording of the stream, and
 * compares the recording with the virtual PMU's formula.
 *
 *	jobcount RECORDING <TICKS
 *
 * Each line of TICKS has a CPU and the numbers of the first and last tick of a job on it. Prints
 * for each counter and CPU
 *
 *	NAME CPU COUNT COMPLETENESS SHARED WRONG
 *
 * COUNT is the difference of the totals of the two records, COMPLETENESS the share of the time
 * between them in which the counter was ok, SHARED is 1 for a counter that CPUs share, and WRONG is
 * the number of pairs of consecutive records whose count does not match the formula. Before these
 * lines prints "mark KIND TEXT TIME" for each mark.
 */
#include <inttypes.h>

#include "rcr.h"
#include "stream.h"

#define MAX_CPUS 64

/* Results of a CPU between its two ticks. */
struct between {
	uint64_t first, last;
	bool begun;
	struct bracket before[RCR_MAX_COUNTERS];
	uint64_t begin, tsc, time[RCR_MAX_COUNTERS];
	uint64_t from[RCR_MAX_COUNTERS], to[RCR_MAX_COUNTERS];
	uint8_t status[RCR_MAX_COUNTERS];
	unsigned int wrong[RCR_MAX_COUNTERS];
};

static struct between cpus[MAX_CPUS];
static const struct rcr_set *set;

static void take_step(struct between *b, const struct rcr_record *r)
{
	const struct rcr_counter *c;
	uint64_t total;
	unsigned int i;
	bool ok;

	for (i = 0; i < set->ncounters; i++) {
		c = rcr_set_counter(set, i);
		total = rcr_record_total(set, r, i);
		ok = b->status[i] == RCR_STATUS_OK && statuses_of(set, r)[i] == RCR_STATUS_OK;
		if (!b->begun)
			b->from[i] = total;
		else if (!is_exact(c, r->item.cpu, ok, b->before[i], b->to[i],
				   bracket_of_counter(set, r, i), total))
			b->wrong[i]++;
		if (b->begun && ok)
			b->time[i] += r->tsc - b->tsc;
		b->to[i] = total;
		b->status[i] = statuses_of(set, r)[i];
		b->before[i] = bracket_of_counter(set, r, i);
	}
	if (!b->begun)
		b->begin = r->tsc;
	b->tsc = r->tsc;
	b->begun = true;
}

static void take_item(const struct rcr_item *item)
{
	const struct rcr_record *r = (const void *)item;
	const struct rcr_mark *m = (const void *)item;

	if (item->type == RCR_ITEM_MARK)
		printf("mark %s %s %" PRIu64 "\n", rcr_mark_kind_name(m->kind), m->text,
		       (uint64_t)m->time);
	if (item->type != RCR_ITEM_SAMPLE || item->cpu >= MAX_CPUS)
		return;
	if (r->tick >= cpus[item->cpu].first && r->tick <= cpus[item->cpu].last)
		take_step(&cpus[item->cpu], r);
}

static void print_counts(void)
{
	const struct between *b;
	unsigned int i;

	for (b = cpus; b < cpus + MAX_CPUS; b++)
		for (i = 0; b->begun && i < set->ncounters; i++)
			printf("%s %td %" PRIu64 " %.6f %d %u\n", rcr_set_counter(set, i)->name,
			       b - cpus, b->to[i] - b->from[i],
			       (double)b->time[i] / (b->tsc - b->begin),
			       rcr_set_counter(set, i)->scope != RCR_SCOPE_CPU, b->wrong[i]);
}

int main(int argc, char **argv)
{
	const struct rcr_item *item;
	struct rcr_reader *r = argc == 2 ? rcr_open(argv[1]) : NULL;
	uint64_t first, last;
	unsigned int cpu;

	if (!r) {
		if (argc == 2)
			perror(argv[1]);
		else
			fprintf(stderr, "usage: jobcount RECORDING <TICKS\n");
		return 1;
	}
	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		cpus[cpu].first = UINT64_MAX;
	while (scanf("%u %" SCNu64 " %" SCNu64, &cpu, &first, &last) == 3)
		if (cpu < MAX_CPUS)
			cpus[cpu] = (struct between){ .first = first, .last = last };
	set = rcr_reader_set(r);
	while (rcr_next(r, &item, 0) == 1 && item->type != RCR_ITEM_SET)
		take_item(item);
	print_counts();
	rcr_close(r);
	return 0;
}
