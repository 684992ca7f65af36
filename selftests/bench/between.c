// SPDX-License-Identifier: GPL-2.0-only
/*
 * between.c SIZE SECONDS - prints the increment of the first counter between two ticks of a CPU
 * (minimum and median over all ticks of all CPUs), and the bytes that a reader receives per tick.
 * Sleeps without a reader, then reads the records that are still in the rings.
 */
#define _GNU_SOURCE
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"
#include "rcr.h"

#define CPUS 64
#define MOST 1000000

/* Values of each CPU's latest record, 0 before the first. */
static uint64_t latest[CPUS];

static uint64_t between[MOST];
static size_t count;
static uint64_t bytes, samples;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void take(const struct rcr_record *r)
{
	uint64_t *before = &latest[r->item.cpu % CPUS];

	if (*before && count < MOST)
		between[count++] = r->value[0] - *before;
	*before = r->value[0];
}

static void take_all(struct rcr_reader *reader, uint64_t begin, uint64_t end)
{
	const struct rcr_record *r;
	const struct rcr_item *item;
	int got;

	while ((got = rcr_next(reader, &item, 300)) == 1) {
		bytes += item->size;
		if (item->type == RCR_ITEM_LOST)
			errx(1, "records were lost");
		if (item->type != RCR_ITEM_SAMPLE)
			continue;
		samples++;
		r = (const struct rcr_record *)item;
		if (r->time > end)
			break;
		if (r->time >= begin)
			take(r);
	}
	if (got < 0)
		err(1, "the stream");
}

static void tell(const char *name, const char *size, double value, const char *unit,
		 size_t measurements)
{
	printf("bench|%s_%s|%.1f|%s|%zu|0\n", name, size, value, unit, measurements);
}

int main(int argc, char **argv)
{
	struct rcr_reader *reader;
	uint64_t begin, end, middle;

	if (argc != 3)
		errx(1, "usage: between SIZE SECONDS");
	begin = now_ns();
	sleep(atoi(argv[2]));
	end = now_ns();
	reader = rcr_open(NULL);
	if (!reader || rcr_rewind(reader))
		err(1, "the device");
	take_all(reader, begin, end);
	rcr_close(reader);
	middle = median(between, count);
	if (!count)
		errx(1, "no ticks");
	tell("executed", argv[1], middle, "instructions", count);
	tell("least_executed", argv[1], between[0], "instructions", count);
	tell("bytes", argv[1], (double)bytes / samples, "bytes", samples);
	return 0;
}
