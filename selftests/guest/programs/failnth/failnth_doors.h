/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * failnth_doors.h - one function for each interface, which opens it, reads or maps it,
 * and closes it. Each returns 0, or -1 with errno.
 */
#ifndef RCR_GUEST_FAILNTH_DOORS_H
#define RCR_GUEST_FAILNTH_DOORS_H

#include <dirent.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "failnth_state.h"

#define FAR	0x100000000000ul

/* Open a file and read from it once. */
static int open_and_read(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK);
	ssize_t got;
	int error;

	if (fd < 0)
		return -1;
	got = read(fd, buffer, sizeof(buffer));
	error = errno;
	close(fd);
	errno = error;
	return got < 0 && error != EAGAIN ? -1 : 0;
}

static int do_device(void)
{
	return open_and_read(DEVICE);
}

/* Only open the board: without a watch there is nothing to read. */
static int do_board(void)
{
	int fd = open(BOARD, O_RDONLY);

	return fd < 0 ? -1 : close(fd);
}

/* Read the files of a directory whose names begin with @beginning. */
static int read_all(const char *folder, const char *beginning)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	char path[512];
	int ret = 0;

	must(!d, folder);
	while (!ret && (e = readdir(d))) {
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		if (e->d_type == DT_REG && !strncmp(e->d_name, beginning, strlen(beginning)))
			ret = open_and_read(path);
	}
	closedir(d);
	return ret;
}

static int do_files(void)
{
	return read_all("/sys/kernel/debug/rcrtool", "status") ?:
	       read_all("/sys/kernel/debug/rcrtool", "counters") ?:
	       read_all("/sys/kernel/debug/rcrtool", "threads");
}

static int do_cpu_files(void)
{
	return read_all("/sys/kernel/debug/rcrtool/cpu0", "");
}

static int do_meter_files(void)
{
	return read_all("/sys/kernel/debug/rcrtool/meters", "c");
}

/* Map far away from other mappings, so that page tables must be allocated. */
static int map_and_unmap(int fd, size_t size, int protection, uint64_t offset)
{
	void *at = mmap((void *)FAR, size, protection, MAP_SHARED | MAP_FIXED, fd, offset);

	return at == MAP_FAILED ? -1 : munmap(at, size);
}

static int do_map_ring(void)
{
	return map_and_unmap(reader, set.ring_bytes, PROT_READ, set.ring_bytes);
}

static int do_map_board(void)
{
	return map_and_unmap(board, 65536, PROT_READ, RCR_BOARD_ALL);
}

static const struct rcr_board *whole_board(void)
{
	static const struct rcr_board *b;

	if (!b)
		b = mmap(NULL, 65536, PROT_READ, MAP_SHARED, board, RCR_BOARD_ALL);
	must(b == MAP_FAILED, BOARD);
	return b;
}

static void see_board(void)
{
	whole_board();
}

/* Return a watch of the first meter that has an entry. */
static struct rcr_watch some_watch(void)
{
	const struct rcr_board *b = whole_board();
	const struct rcr_board_meter *m = (const void *)((const char *)b + b->meter_offset);
	struct rcr_watch w = { .size = sizeof(w), .bound = 1ll << 62, .back = 1ll << 61 };
	unsigned int i;

	for (i = 0; i < b->meters; i++) {
		if (!m[i].serial || !m[i].entries)
			continue;
		w.entry = m[i].first;
		w.serial = m[i].serial;
		break;
	}
	return w;
}

static int do_watch(void)
{
	struct rcr_watch w = some_watch();
	int fd = open(BOARD, O_RDWR), ret, error;

	if (fd < 0)
		return -1;
	ret = ioctl(fd, RCR_BOARD_WATCH, &w);
	error = errno;
	close(fd);
	errno = error;
	return ret;
}

#endif
