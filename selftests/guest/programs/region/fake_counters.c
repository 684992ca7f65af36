// SPDX-License-Identifier: GPL-2.0-only
/*
 * fake_counters.c - preloaded: replaces perf events by memfds, for tests of librcrregion on
 * machines without counters. They have no page for rdpmc; each read of a group adds 1,000 to the
 * counts. With FAKE_MISSED=N the events have not run for some time before read N; with
 * FAKE_SIGNAL=N SIGUSR2 interrupts read N.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EVENTS 65536

/* A group: inode of its leader, and number of events. */
static struct fake_group {
	ino_t leader;
	unsigned int events;
} groups[EVENTS];

static unsigned int group_count;
static uint64_t reads;

/* Return whether @read has reached the number in an environment variable. */
static bool is_read(const char *variable, uint64_t read)
{
	const char *value = getenv(variable);

	return value && read >= strtoull(value, NULL, 10);
}

static struct fake_group *find_group(int fd)
{
	unsigned int i, n = __atomic_load_n(&group_count, __ATOMIC_ACQUIRE);
	struct stat st;

	if (fstat(fd, &st))
		return NULL;
	for (i = 0; i < n && i < EVENTS; i++)
		if (groups[i].leader == st.st_ino)
			return &groups[i];
	return NULL;
}

static int open_fake_event(int leader)
{
	int fd = memfd_create("fake", MFD_CLOEXEC);
	struct stat st;

	if (fd < 0 || ftruncate(fd, 4096) || fstat(fd, &st))
		return fd;
	if (leader >= 0 && find_group(leader))
		find_group(leader)->events++;
	groups[__atomic_fetch_add(&group_count, 1, __ATOMIC_ACQ_REL)] =
		(struct fake_group){ st.st_ino, 1 };
	return fd;
}

long syscall(long number, ...)
{
	long (*real)(long number, ...) = dlsym(RTLD_NEXT, "syscall");
	long arg[6];
	va_list args;
	int i;

	va_start(args, number);
	for (i = 0; i < 6; i++)
		arg[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_perf_event_open)
		return open_fake_event(arg[3]);
	return real(number, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}

int ioctl(int fd, unsigned long request, ...)
{
	int (*real)(int fd, unsigned long request, ...) = dlsym(RTLD_NEXT, "ioctl");
	struct fake_group *group;
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	group = (request >> 8 & 0xff) == '$' ? find_group(fd) : NULL;
	if (group && request == PERF_EVENT_IOC_ID)
		*(uint64_t *)arg = group->leader;
	return group ? 0 : real(fd, request, arg);
}

ssize_t read(int fd, void *data, size_t size)
{
	ssize_t (*real)(int fd, void *data, size_t size) = dlsym(RTLD_NEXT, "read");
	struct fake_group *group = size == 9 * sizeof(uint64_t) ? find_group(fd) : NULL;
	uint64_t *count = data, n;
	unsigned int i;

	if (!group)
		return real(fd, data, size);
	n = __atomic_add_fetch(&reads, 1, __ATOMIC_RELAXED);
	if (is_read("FAKE_SIGNAL", n) && !is_read("FAKE_SIGNAL", n - 1))
		raise(SIGUSR2);
	count[0] = group->events;
	count[1] = n * 1000;
	count[2] = n * 1000 - (is_read("FAKE_MISSED", n) ? 500 : 0);
	for (i = 0; i < group->events; i++)
		count[3 + i] = n * 1000;
	return (3 + group->events) * sizeof(*count);
}
