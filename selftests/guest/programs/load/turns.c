// SPDX-License-Identifier: GPL-2.0-only
/*
 * turns.c - turns CPU BEGIN LENGTH PERIOD COUNT: works on a CPU in COUNT periods of PERIOD ms
 * (CLOCK_MONOTONIC), from BEGIN ms after the begin of each for LENGTH ms. Prints the CPU and the
 * nanoseconds that it ran there. With LENGTH equal to PERIOD it works without a pause.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t read_clock(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void sleep_until(uint64_t time)
{
	struct timespec t = { .tv_sec = time / 1000000000, .tv_nsec = time % 1000000000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL))
		;
}

int main(int argc, char **argv)
{
	uint64_t number[4], begin, used, turn;
	cpu_set_t cpus;
	int i;

	if (argc != 6) {
		fprintf(stderr, "usage: turns CPU BEGIN LENGTH PERIOD COUNT\n");
		return 1;
	}
	for (i = 0; i < 4; i++)
		number[i] = strtoull(argv[i + 2], NULL, 10) * (i < 3 ? 1000000 : 1);
	CPU_ZERO(&cpus);
	CPU_SET(atoi(argv[1]), &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		return 1;
	used = read_clock(CLOCK_PROCESS_CPUTIME_ID);
	begin = (read_clock(CLOCK_MONOTONIC) / number[2] + 1) * number[2] + number[0];
	for (turn = 0; turn < number[3]; turn++, begin += number[2]) {
		sleep_until(begin);
		while (read_clock(CLOCK_MONOTONIC) < begin + number[1])
			;
	}
	printf("%s %llu\n", argv[1],
	       (unsigned long long)(read_clock(CLOCK_PROCESS_CPUTIME_ID) - used));
	return 0;
}
