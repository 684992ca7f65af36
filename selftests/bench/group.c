// SPDX-License-Identifier: GPL-2.0-only
/*
 * group.c NAME COUNT CPU - measures one read() of a group of six perf events that count on CPU, by
 * a program on CPU 1, or on CPU 0 if there is no other.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "measure.h"
#include "registers.h"

/* The events of selftests/bench/guest.sh, in the same order. */
static const uint64_t select_of[COUNTERS] = { 0x76, 0xc0, 0x141, 0x29, 0xc2, 0xc3 };

struct values {
	uint64_t count, enabled, running, value[COUNTERS];
};

static int open_event(uint64_t select, int cpu, int leader)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.size = sizeof(attr),
		.config = select,
		.pinned = leader < 0,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, leader, 0);

	if (fd < 0)
		err(1, "event 0x%" PRIx64 " of CPU %d", select, cpu);
	return fd;
}

static void read_group(void *leader)
{
	struct values v;

	if (read(*(int *)leader, &v, sizeof(v)) != sizeof(v))
		errx(1, "the group does not count");
}

int main(int argc, char **argv)
{
	struct values v;
	int leader = -1, cpu, fd, i;

	if (argc != 4)
		errx(1, "usage: group NAME COUNT CPU");
	cpu = atoi(argv[3]);
	pin_here();
	for (i = 0; i < COUNTERS; i++) {
		fd = open_event(select_of[i], cpu, leader);
		leader = i ? leader : fd;
	}
	measure(argv[1], atoi(argv[2]), 1, PERIOD_US, read_group, &leader);
	if (read(leader, &v, sizeof(v)) != sizeof(v) || v.count != COUNTERS ||
	    v.running != v.enabled || !v.value[0])
		errx(1, "the group has not counted all the time");
	return 0;
}
