// SPDX-License-Identifier: GPL-2.0-only
/*
 * spin.c NUMBER MILLISECONDS - spins in user mode on CPU 0, while the virtual PMU logs what the
 * kernel does there as steps NUMBER (vpmu/steps.h; 0: no log). Time is that of the TSC, which
 * counts instructions in this guest. Prints the length of each interruption in instructions: the
 * time from one round of the loop to the next, less that of an uninterrupted round.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "steps.h"
#include "tsc.h"

#define MOST 4096

/* A round of the loop takes fewer instructions than this, an interruption more. */
#define ROUND 100

static uint64_t gap[MOST];
static unsigned int gaps;

static int tell(int fd, uint64_t number)
{
	return pwrite(fd, &number, sizeof(number), VPMU_STEPS_MSR) != sizeof(number);
}

/* Record the rounds that were interrupted; return the length of the last one that was not. */
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
		fprintf(stderr, "usage (as root): spin NUMBER MILLISECONDS\n");
		return 1;
	}
	/* Let other runnable tasks run immediately. */
	if (nice(19) == -1) {
		perror("spin: nice");
		return 1;
	}
	/* Touch the pages before the first measurement. */
	spin(1000000);
	gaps = 0;
	if (tell(fd, strtoull(argv[1], NULL, 0))) {
		perror("spin: cannot write the register of steps");
		return 1;
	}
	round = spin(strtoull(argv[2], NULL, 0) * 1000000);
	tell(fd, 0);
	for (i = 0; i < gaps; i++)
		printf("%llu ", (unsigned long long)(gap[i] - round));
	putchar('\n');
	return 0;
}
