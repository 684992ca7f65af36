// SPDX-License-Identifier: GPL-2.0-or-later
/* perf_event.c - hardware events of perf. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "perf_event.h"

/* CPU time in which two events are both counted, even if they take turns on one counter. */
#define BUSY_NS 50000000ull

int perf_event_start(uint64_t event, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = event,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.exclude_kernel = cpu == THIS_PROCESS,
		.exclude_hv = cpu == THIS_PROCESS,
	};

	return syscall(SYS_perf_event_open, &attr, cpu == THIS_PROCESS ? 0 : -1, cpu, -1,
		       PERF_FLAG_FD_CLOEXEC);
}

/* Tests whether a pinned event can count, as librcrregion needs it; returns 0 or an errno. */
static int try_pinned_event(uint64_t event)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = event,
		.pinned = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	uint64_t count;
	ssize_t got;

	if (fd < 0)
		return errno;
	/* read() returns 0 if no counter is free for a pinned event. */
	got = read(fd, &count, sizeof(count));
	close(fd);
	return got == sizeof(count) ? 0 : EAGAIN;
}

int perf_event_try(void)
{
	int error = try_pinned_event(PERF_COUNT_HW_INSTRUCTIONS);

	/* A virtual machine may offer cycles without instructions. */
	return error && !try_pinned_event(PERF_COUNT_HW_CPU_CYCLES) ? 0 : error;
}

bool perf_event_read(int fd, struct perf_count *count)
{
	return read(fd, count, sizeof(*count)) == sizeof(*count) && count->running;
}

static uint64_t cpu_time_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static bool watchdog_is_off(void)
{
	FILE *f = fopen("/proc/sys/kernel/nmi_watchdog", "re");
	bool off = f && getc(f) == '0';

	if (f)
		fclose(f);
	return off;
}

bool perf_counts_cycles(void)
{
	/* While the watchdog is off, the first event has its counter: test a second one. */
	int count = watchdog_is_off() ? 2 : 1, fd[2], i;
	uint64_t end = cpu_time_ns() + BUSY_NS;
	struct perf_count cycles;
	bool all = true;

	for (i = 0; i < count; i++)
		fd[i] = perf_event_start(PERF_COUNT_HW_CPU_CYCLES, THIS_PROCESS);
	while (cpu_time_ns() < end)
		;
	for (i = 0; i < count; i++) {
		all &= fd[i] < 0 || !perf_event_read(fd[i], &cycles) || cycles.value;
		if (fd[i] >= 0)
			close(fd[i]);
	}
	return all;
}
