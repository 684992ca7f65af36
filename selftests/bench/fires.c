// SPDX-License-Identifier: GPL-2.0-only
/*
 * fires.c NAME SECONDS - checks that the ticks that fired and the overruns add up to the elapsed
 * time. Sleeps without a reader, then reads the records that are still in the rings.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"
#include "rcr.h"

#define CPUS 64

/* The first sample of a CPU since the beginning, and the ticks after it. */
static struct account {
	uint64_t first, last, fired, missed;
} account[CPUS];

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void take(const struct rcr_record *r, uint64_t begin, uint64_t end)
{
	struct account *a = &account[r->item.cpu % CPUS];

	if (r->time < begin || r->time > end)
		return;
	if (a->first) {
		a->fired++;
		a->missed += r->overruns + r->skipped;
	} else {
		a->first = r->time;
	}
	a->last = r->time;
}

static void take_all(struct rcr_reader *reader, uint64_t begin, uint64_t end)
{
	const struct rcr_item *item;
	int got;

	while ((got = rcr_next(reader, &item, 300)) == 1) {
		if (item->type == RCR_ITEM_LOST || item->type == RCR_ITEM_CLOCK)
			errx(1, "records were lost, or the clock was set");
		if (item->type != RCR_ITEM_SAMPLE)
			continue;
		take((const struct rcr_record *)item, begin, end);
		if (((const struct rcr_record *)item)->time > end)
			break;
	}
	if (got < 0)
		err(1, "the stream");
}

static void tell(const char *name, const struct rcr_set *set, uint64_t elapsed)
{
	uint64_t periods = 0, fired = 0, missed = 0, off = 0, here;
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		const struct account *a = &account[cpu];

		if (!rcr_set_has_cpu(set, cpu))
			continue;
		here = (a->last - a->first) / set->period_ns;
		off += llabs((long long)(a->fired + a->missed - here));
		/* Compare their sum with the number of periods that this program's clock gives. */
		if (here + 50 < elapsed / set->period_ns)
			off += elapsed / set->period_ns - here;
		periods += here;
		fired += a->fired;
		missed += a->missed;
	}
	printf("bench|%s_off|%" PRIu64 "|ticks|%" PRIu64 "\n", name, off, periods);
	printf("bench|%s_share|%.4f||%" PRIu64 "\n", name, (double)fired / periods,
	       periods);
	printf("bench|%s_missed|%" PRIu64 "|ticks|%" PRIu64 "\n", name, missed, periods);
}

int main(int argc, char **argv)
{
	struct rcr_reader *reader;
	uint64_t begin, end;

	if (argc != 3)
		errx(1, "usage: fires NAME SECONDS");
	begin = now_ns();
	sleep(atoi(argv[2]));
	end = now_ns();
	reader = rcr_open(NULL);
	if (!reader || rcr_rewind(reader))
		err(1, "the device");
	take_all(reader, begin, end);
	tell(argv[1], rcr_reader_set(reader), end - begin);
	rcr_close(reader);
	return 0;
}
