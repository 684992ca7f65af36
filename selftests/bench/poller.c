// SPDX-License-Identifier: GPL-2.0-only
/*
 * poller.c NAME PERIOD_US SECONDS CPUS - a monitor in user space that wants to read the
 * twelve registers of each CPU once a period, by descriptors that it keeps, and how
 * many of the periods it gets to. A period that has passed is left out.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"
#include "registers.h"

#define CPUS 64

static int device[CPUS];

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void sleep_until(uint64_t ns)
{
	struct timespec t = { ns / 1000000000, ns % 1000000000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

static void read_all(unsigned int cpus)
{
	unsigned int cpu, i;
	uint64_t val;

	for (cpu = 0; cpu < cpus; cpu++)
		for (i = 0; i < REGISTERS; i++)
			if (pread(device[cpu], &val, sizeof(val), REGISTER(i)) != sizeof(val))
				err(1, "register 0x%x", REGISTER(i));
}

static void open_devices(unsigned int cpus)
{
	unsigned int cpu;
	char path[64];

	for (cpu = 0; cpu < cpus; cpu++) {
		snprintf(path, sizeof(path), REGISTER_PATH, cpu);
		device[cpu] = open(path, O_RDONLY);
		if (device[cpu] < 0)
			err(1, "%s", path);
	}
}

int main(int argc, char **argv)
{
	unsigned int cpus, samples = 0;
	uint64_t period, due, begin, end;

	if (argc != 5 || atoi(argv[4]) > CPUS)
		errx(1, "NAME PERIOD_US SECONDS CPUS");
	period = atoi(argv[2]) * 1000ull;
	cpus = atoi(argv[4]);
	open_devices(cpus);
	begin = now_ns();
	end = begin + atoi(argv[3]) * 1000000000ull;
	for (due = begin + period; due < end; samples++) {
		sleep_until(due);
		read_all(cpus);
		due = begin + ((now_ns() - begin) / period + 1) * period;
	}
	printf("bench|%s|%.4f||%" PRIu64 "\n", argv[1],
	       samples / ((double)(end - begin) / period), (end - begin) / period);
	return 0;
}
