// SPDX-License-Identifier: GPL-2.0-only
/*
 * gridded.c UNTIL STEP - prints when CPUs are sampled by the wall clock, until it is UNTIL
 * (seconds); at STEP it sets the wall clock forward by one second. Prints a line per sample:
 *
 *	CPU POINT REST TICK OVERRUNS SKIPPED EPOCH
 *
 * POINT * period + REST is the time of the sample plus the kernel's offset of the wall clock from
 * CLOCK_MONOTONIC; REST must be 0. EPOCH is 1 after the CPU's record of the step.
 */
#include <inttypes.h>

#include "stream.h"

/* Return the exact offset of CLOCK_REALTIME on CPU 0 from /proc/timer_list, ns. */
static int64_t kernel_offset(void)
{
	FILE *f = fopen("/proc/timer_list", "r");
	bool realtime = false;
	long long offset = 0;
	char line[256];

	if (!f)
		exit(1);
	while (!offset && fgets(line, sizeof(line), f)) {
		if (strstr(line, "ktime_get_real"))
			realtime = true;
		if (realtime)
			sscanf(line, " .offset: %lld", &offset);
	}
	fclose(f);
	return offset;
}

static time_t wall_second(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec;
}

static void step_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec++;
	if (clock_settime(CLOCK_REALTIME, &t))
		exit(1);
}

#define MOST	65536
#define CPUS	64

/* Samples are printed at the end, so that output does not delay reads. */
static struct point {
	uint64_t time, tick;
	uint32_t cpu, overruns, skipped, epoch;
} point[MOST];

int main(int argc, char **argv)
{
	static uint64_t buffer[65536 / sizeof(uint64_t)];
	time_t until = argc == 3 ? atoll(argv[1]) : 0, step = argc == 3 ? atoll(argv[2]) : 0;
	unsigned int points = 0, i, epoch[CPUS] = { 0 };
	int64_t offset[2] = { kernel_offset() };
	const struct rcr_record *r;
	struct rcr_set *set;
	bool stepped = false;
	ssize_t got, at;
	int fd;

	set = open_stream(&fd, 0);
	if (!set || argc != 3)
		return 1;
	while (wall_second() < until) {
		if (!stepped && wall_second() >= step) {
			step_clock();
			stepped = true;
		}
		got = read(fd, buffer, sizeof(buffer));
		for (at = 0; at < got; at += r->item.size) {
			r = (const void *)((const char *)buffer + at);
			if (r->item.type == RCR_ITEM_LOST)
				return 1;
			if (r->item.type == RCR_ITEM_CLOCK)
				epoch[r->item.cpu % CPUS]++;
			if (r->item.type == RCR_ITEM_SAMPLE && points < MOST)
				point[points++] = (struct point){
					r->time, r->tick, r->item.cpu, r->overruns, r->skipped,
					epoch[r->item.cpu % CPUS],
				};
		}
	}
	offset[1] = kernel_offset();
	printf("period %" PRIu64 " step %" PRId64 "\n", (uint64_t)set->period_ns,
	       offset[1] - offset[0]);
	for (i = 0; i < points; i++) {
		const struct point *p = &point[i];
		uint64_t wall = p->time + offset[!!p->epoch], period = set->period_ns;

		printf("%u %" PRIu64 " %" PRIu64 " %" PRIu64 " %u %u %u\n", p->cpu,
		       wall / period, wall % period, p->tick, p->overruns, p->skipped, p->epoch);
	}
	return 0;
}
