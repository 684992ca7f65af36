// SPDX-License-Identifier: GPL-2.0-only
/*
 * machine.c - operations on other files than those of the module: perf events of its PMU, CPU
 * hotplug, and a change of the user.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/perf_event.h>

#include "calls.h"

#define NOBODY	65534
#define CPUS	2

struct known_entry known_entry;

/* perf type of the module's PMU, which differs after each load. */
static uint32_t own_type(void)
{
	FILE *f = fopen("/sys/bus/event_source/devices/rcrtool/type", "re");
	unsigned int type = 0;

	if (!f)
		return 0;
	if (fscanf(f, "%u", &type) != 1)
		type = 0;
	fclose(f);
	return type;
}

/* Return: perf_event_attr.config for a value of an existing meter, or @a. */
static uint64_t config_of(const struct op *op)
{
	if (op->flags & 1)
		return op->a;
	return known_entry.meter | (uint64_t)known_entry.place << 16 | op->a % 6 << 32;
}

int machine_open_event(const struct op *op, int group)
{
	struct perf_event_attr attr = {
		.type = own_type(), .size = sizeof(attr), .config = config_of(op),
		.read_format = op->target & 15, .disabled = op->target >> 4 & 1,
		.inherit = op->target >> 5 & 1, .pinned = op->target >> 6 & 1,
	};
	/* Count a CPU, a thread on any CPU, or a thread on one CPU. */
	int pid = op->flags & 2 ? 0 : -1, cpu = op->flags & 4 ? -1 : (int)(op->b % CPUS);

	if (op->flags & 8)
		attr.sample_period = op->c;
	if (op->flags & 16)
		attr.config1 = op->b;
	return syscall(SYS_perf_event_open, &attr, pid, cpu, op->flags & 32 ? group : -1,
		       PERF_FLAG_FD_CLOEXEC);
}

int machine_switch_event(const struct op *op, int fd)
{
	static const unsigned long requests[] = {
		PERF_EVENT_IOC_ENABLE, PERF_EVENT_IOC_DISABLE, PERF_EVENT_IOC_RESET,
		PERF_EVENT_IOC_REFRESH, PERF_EVENT_IOC_PERIOD, PERF_EVENT_IOC_ID,
	};
	uint64_t number = op->a;
	/* The last two requests take a pointer. */
	unsigned int which = op->target % 6;

	return ioctl(fd, requests[which], which < 4 ? number & 1 : (unsigned long)&number);
}

/* Fails in the worker of nobody, which has given up root for good. */
int machine_set_user(bool root)
{
	return seteuid(root ? 0 : NOBODY);
}

int machine_set_cpu(bool online)
{
	int fd = open("/sys/devices/system/cpu/cpu1/online", O_WRONLY | O_CLOEXEC);
	ssize_t put;

	if (fd < 0)
		return -1;
	put = write(fd, online ? "1" : "0", 1);
	close(fd);
	return put == 1 ? 0 : -1;
}
