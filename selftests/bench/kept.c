// SPDX-License-Identifier: GPL-2.0-only
/*
 * kept.c NAME COUNT PERIOD_US COUNTERS CPU... - measures the way in which LIKWID's direct access
 * and tacc_stats read registers: open the msr device of each CPU once, then call pread() for each
 * control and each count. Runs on CPU 1 if there is one; the kernel reads other CPUs by an
 * interrupt.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

#include "measure.h"
#include "registers.h"

#define CPUS 64

static int device[CPUS];
static unsigned int cpus, registers;

static void read_all(void *unused)
{
	unsigned int cpu, i;
	uint64_t val;

	(void)unused;
	for (cpu = 0; cpu < cpus; cpu++)
		for (i = 0; i < registers; i++) {
			if (pread(device[cpu], &val, sizeof(val), REGISTER(i)) != sizeof(val))
				err(1, "register 0x%x", REGISTER(i));
			use(val);
		}
}

static void open_device(const char *cpu)
{
	char path[64];

	snprintf(path, sizeof(path), REGISTER_PATH, (unsigned int)atoi(cpu));
	device[cpus] = open(path, O_RDONLY);
	if (device[cpus++] < 0)
		err(1, "%s", path);
}

int main(int argc, char **argv)
{
	int i;

	if (argc < 6 || argc > 5 + CPUS)
		errx(1, "usage: kept NAME COUNT PERIOD_US COUNTERS CPU...");
	registers = 2 * atoi(argv[4]);
	for (i = 5; i < argc; i++)
		open_device(argv[i]);
	pin_here();
	measure(argv[1], atoi(argv[2]), 1, atoi(argv[3]), read_all, NULL);
	return 0;
}
