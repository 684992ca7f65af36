// SPDX-License-Identifier: GPL-2.0-only
/*
 * reopen.c NAME COUNT - reads registers as LDMS's sampler of an Interlagos does: for
 * each value it makes the path, opens the device, reads and closes, and does all of
 * that twice, because it first checks whether the control is still its own.
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
		errx(1, "NAME COUNT");
	here = pin_here();
	for (i = 0; i < COUNTERS; i++)
		control[i] = read_register(REGISTER(2 * i));
	measure(argv[1], atoi(argv[2]), 1, PERIOD_US, read_all, control);
	return 0;
}
