// SPDX-License-Identifier: GPL-2.0-only
/*
 * reopen.c NAME COUNT - measures the way in which LDMS's sampler for Interlagos reads registers:
 * for each value it formats the path, opens the device, reads, and closes it, first for the
 * control, to check that it is unchanged, and then for the count.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

#include "measure.h"
#include "registers.h"

static unsigned int here;

static uint64_t read_register(unsigned int number)
{
	uint64_t val;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), REGISTER_PATH, here);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		err(1, "%s", path);
	if (pread(fd, &val, sizeof(val), number) != sizeof(val))
		err(1, "register 0x%x", number);
	close(fd);
	return val;
}

static void read_all(void *control)
{
	const uint64_t *expected = control;
	unsigned int i;

	for (i = 0; i < COUNTERS; i++)
		if (read_register(REGISTER(2 * i)) == expected[i])
			use(read_register(REGISTER(2 * i + 1)));
}

int main(int argc, char **argv)
{
	uint64_t control[COUNTERS];
	unsigned int i;

	if (argc != 3)
		errx(1, "usage: reopen NAME COUNT");
	here = pin_here();
	for (i = 0; i < COUNTERS; i++)
		control[i] = read_register(REGISTER(2 * i));
	measure(argv[1], atoi(argv[2]), 1, PERIOD_US, read_all, control);
	return 0;
}
