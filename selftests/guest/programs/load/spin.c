// SPDX-License-Identifier: GPL-2.0-only
/*
 * spin.c NUMBER MILLISECONDS - spins in user mode on CPU 0, where the
 * virtual PMU writes down as steps NUMBER what the kernel does to it
 * (vpmu/steps.h), for a time by the time stamp counter, which counts instructions
 * there. Prints how long each interruption was by the loop's own clock: instructions
 * from one round to the next, without the round. NUMBER 0: nothing is written down.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "steps.h"
#include "tsc.h"

#define MOST 4096

/* A round of the loop takes fewer instructions, and an interruption more. */
#define ROUND 100

static uint64_t gap[MOST];
static unsigned int gaps;

static int tell(int fd, uint64_t number)
{
	return pwrite(fd, &number, sizeof(number), VPMU_STEPS_MSR) != sizeof(number);
}

/* Record the rounds that were interrupted; return the length of the last other one. */
static uint64_t spin(uint64_t time)
{
	uint64_t first = rdtsc(), last = first, round = 0, now;

	while ((now = rdtsc()) - first < time) {
		if (now - last < ROUND)
			round = now - last;
		else if (gaps < MOST)
			gap[gaps++] = now - last;
		last = now;
	}
	return round;
}

int main(int argc, char **argv)
{
	int fd = open("/dev/cpu/0/msr", O_RDWR);
	unsigned int i;
	uint64_t round;

	if (argc != 3 || fd < 0) {
		fprintf(stderr, "spin NUMBER MILLISECONDS, as root\n");
		return 1;
	}
	/* Let any other runnable task run at once. */
	if (nice(19) == -1) {
		perror("spin: nice");
		return 1;
	}
	/* Touch the pages before the first measurement. */
	spin(1000000);
	gaps = 0;
	if (tell(fd, strtoull(argv[1], NULL, 0))) {
		perror("spin: the register of steps");
		return 1;
	}
	round = spin(strtoull(argv[2], NULL, 0) * 1000000);
	tell(fd, 0);
	for (i = 0; i < gaps; i++)
		printf("%llu ", (unsigned long long)(gap[i] - round));
	putchar('\n');
	return 0;
}
