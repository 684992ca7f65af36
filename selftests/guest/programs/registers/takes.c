// SPDX-License-Identifier: GPL-2.0-only
/*
 * takes.c CPU REGISTER VALUE MS - acts as another program that writes a register of the module and
 * restores it after MS. Prints CLOCK_MONOTONIC, ns, before and after each of the two writes.
 */
#include "entries.h"

static int device;

static void write_register(uint32_t address, uint64_t val)
{
	printf("%" PRIu64, board_ns());
	if (pwrite(device, &val, sizeof(val), address) != sizeof(val))
		board_die("write");
	printf(" %" PRIu64, board_ns());
}

int main(int argc, char **argv)
{
	uint32_t address;
	char path[64];
	uint64_t old = 0;

	if (argc != 5)
		return 2;
	snprintf(path, sizeof(path), "/dev/cpu/%d/msr", atoi(argv[1]));
	device = open(path, O_RDWR);
	address = strtoul(argv[2], NULL, 0);
	if (device < 0 || pread(device, &old, sizeof(old), address) != sizeof(old))
		board_die(path);
	write_register(address, strtoull(argv[3], NULL, 0));
	putchar(' ');
	usleep(atof(argv[4]) * 1000);
	write_register(address, old);
	putchar('\n');
	return 0;
}
