// SPDX-License-Identifier: GPL-2.0-only
/*
 * poller.c NAME MANNER PERIOD_US SECONDS CPUS - a monitor in user space that reads the twelve
 * registers of each CPU once a period, with descriptors that it keeps open. Prints the share of the
 * periods in which it did so; it skips a period that has passed. MANNER:
 *	grid	one thread reads all CPUs, and sleeps until the next point of a grid
 *	pause	one thread reads all CPUs, and sleeps for a period after each pass
 *	each	a thread on each CPU reads that CPU, and sleeps like "grid"; the result is the
 *		average of the threads
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"
#include "registers.h"

#define CPUS 64

static int device[CPUS];
static uint64_t period, begin, end;
static bool pause_between;

/**
 * struct share - the CPUs that one thread reads
 * @first: the first of them
 * @cpus: number of CPUs
 * @pinned: the thread is bound to @first
 * @samples: number of times that it has read them
 */
struct share {
	unsigned int first, cpus;
	bool pinned;
	unsigned int samples;
};

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

static void read_all(const struct share *share)
{
	unsigned int cpu, i;
	uint64_t val;

	for (cpu = share->first; cpu < share->first + share->cpus; cpu++)
		for (i = 0; i < REGISTERS; i++)
			if (pread(device[cpu], &val, sizeof(val), REGISTER(i)) != sizeof(val))
				err(1, "register 0x%x", REGISTER(i));
}

static uint64_t next_due(void)
{
	uint64_t now = now_ns();

	return pause_between ? now + period : begin + ((now - begin) / period + 1) * period;
}

static void *poll_share(void *argument)
{
	struct share *share = argument;
	uint64_t due;

	if (share->pinned)
		pin(share->first);
	for (due = next_due(); due < end; due = next_due()) {
		sleep_until(due);
		read_all(share);
		share->samples++;
	}
	return NULL;
}

static unsigned int poll_each(unsigned int cpus)
{
	struct share share[CPUS] = { };
	unsigned int cpu, samples = 0;
	pthread_t thread[CPUS];

	for (cpu = 0; cpu < cpus; cpu++) {
		share[cpu] = (struct share){ .first = cpu, .cpus = 1, .pinned = true };
		if (pthread_create(&thread[cpu], NULL, poll_share, &share[cpu]))
			errx(1, "a thread for CPU %u", cpu);
	}
	for (cpu = 0; cpu < cpus; cpu++) {
		pthread_join(thread[cpu], NULL);
		samples += share[cpu].samples;
	}
	return samples / cpus;
}

static unsigned int poll_all(unsigned int cpus)
{
	struct share share = { .cpus = cpus };

	poll_share(&share);
	return share.samples;
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
	unsigned int cpus, samples;

	if (argc != 6 || atoi(argv[5]) > CPUS)
		errx(1, "usage: poller NAME MANNER PERIOD_US SECONDS CPUS");
	pause_between = !strcmp(argv[2], "pause");
	period = atoi(argv[3]) * 1000ull;
	cpus = atoi(argv[5]);
	open_devices(cpus);
	begin = now_ns();
	end = begin + atoi(argv[4]) * 1000000000ull;
	samples = strcmp(argv[2], "each") ? poll_all(cpus) : poll_each(cpus);
	printf("bench|%s|%.4f||%" PRIu64 "\n", argv[1],
	       samples / ((double)(end - begin) / period), (end - begin) / period);
	return 0;
}
