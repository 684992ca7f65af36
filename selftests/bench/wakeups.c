// SPDX-License-Identifier: GPL-2.0-only
/*
 * wakeups.c NAME SECONDS - measures how often per second poll() wakes a reader of the whole stream,
 * from its voluntary context switches.
 */
#define _GNU_SOURCE
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"
#include "rcr.h"

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static long times_slept(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return used.ru_nvcsw;
}

int main(int argc, char **argv)
{
	struct rcr_reader *reader = rcr_open(NULL);
	const struct rcr_item *item;
	uint64_t samples = 0;
	double begin, end;
	long slept;
	int got;

	if (argc != 3 || !reader)
		errx(1, "usage: wakeups NAME SECONDS; the module must be loaded");
	slept = times_slept();
	begin = now_s();
	end = begin + atoi(argv[2]);
	while (now_s() < end && (got = rcr_next(reader, &item, 1000)) >= 0)
		samples += got && item->type == RCR_ITEM_SAMPLE;
	if (!samples)
		errx(1, "there were no samples");
	printf("bench|%s|%.1f||%" PRIu64 "|0\n", argv[1],
	       (times_slept() - slept) / (now_s() - begin), samples);
	rcr_close(reader);
	return 0;
}
