// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * track.c - read perf rings. rcrd reads them only when it wakes up for other reasons. Until then a
 * full ring loses records; the kernel reports their number in the ring.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/netlink.h>

#include "file.h"
#include "parse/cpulist.h"
#include "where/track.h"

#define PRESENT		"/sys/devices/system/cpu/present"
#define ONLINE		"online@/devices/system/cpu/cpu%u"
#define UEVENTS		1	/* the kernel's multicast group */
#define EVERY_CPU	UINT_MAX
#define RING_BYTES	(128u << 10)
#define FEW_BYTES	(32u << 10)	/* per ring, with more than MANY_CPUS */
#define MANY_CPUS	128

static void close_events(struct track *t)
{
	unsigned int i;

	for (i = 0; i < t->rings; i++) {
		munmap(t->ring[i].page, sysconf(_SC_PAGESIZE) + t->bytes);
		close(t->ring[i].fd);
	}
	free(t->ring);
	t->ring = NULL;
	t->rings = 0;
}

/* Returns 0, 1 if the CPU is offline, or -1 with errno. */
static int open_ring(struct track *t, unsigned int cpu)
{
	struct perf_event_attr attr;
	void *page;
	int fd;

	change_init_attr(&attr);
	fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return errno == ENODEV ? 1 : -1;
	page = mmap(NULL, sysconf(_SC_PAGESIZE) + t->bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
		    fd, 0);
	if (page == MAP_FAILED) {
		close(fd);
		return -1;
	}
	t->ring[t->rings++] = (struct track_ring){ .cpu = cpu, .fd = fd, .page = page };
	return 0;
}

/* Find the CPUs that are present, online or offline. Returns their number, or 0 on failure. */
static unsigned int find_cpus(bool present[CPU_LIMIT])
{
	char list[4096];
	unsigned int i, count = 0;

	if (!file_line(PRESENT, list, sizeof(list)) || !cpulist_parse(list, present))
		return 0;
	for (i = 0; i < CPU_LIMIT; i++)
		count += present[i];
	return count;
}

static int open_uevents(void)
{
	struct sockaddr_nl at = { .nl_family = AF_NETLINK, .nl_groups = UEVENTS };
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			NETLINK_KOBJECT_UEVENT);

	if (fd < 0 || !bind(fd, (struct sockaddr *)&at, sizeof(at)))
		return fd;
	close(fd);
	return -1;
}

void track_open(struct track *t)
{
	static bool present[CPU_LIMIT];
	unsigned int cpus = find_cpus(present), i;
	int ret = 0;

	/* Open uevents before the events, so as to miss no CPU that comes online. */
	*t = (struct track){
		.bytes = cpus > MANY_CPUS ? FEW_BYTES : RING_BYTES, .uevents = open_uevents(),
	};
	t->ring = calloc(cpus + 1, sizeof(t->ring[0]));
	for (i = 0; t->ring && i < CPU_LIMIT && ret >= 0; i++) {
		ret = present[i] ? open_ring(t, i) : 0;
		t->absent += ret > 0;
	}
	if (t->rings && ret >= 0)
		return;
	because(&t->missing, "cannot track mappings of processes: perf_event_open: %s",
		strerror(errno));
	close_events(t);
	if (t->uevents >= 0)
		close(t->uevents);
	t->uevents = -1;
}

/* Copy bytes from position @from on, which may wrap around. */
static void copy_out(const struct track *t, const struct track_ring *r, uint64_t from, void *to,
		     size_t size)
{
	const char *data = (const char *)r->page + r->page->data_offset;
	size_t at = from % t->bytes, first = size < t->bytes - at ? size : t->bytes - at;

	memcpy(to, data + at, first);
	memcpy((char *)to + first, data, size - first);
}

/* Copy the next record of a ring. Returns its size, or 0 if there is none. */
static size_t peek_record(const struct track *t, const struct track_ring *r, void *record)
{
	uint64_t head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = r->page->data_tail;
	struct perf_event_header h;

	if (head - tail < sizeof(h) || head - tail > t->bytes)
		return 0;
	copy_out(t, r, tail, &h, sizeof(h));
	if (h.size < sizeof(h) || h.size > head - tail)
		return 0;
	copy_out(t, r, tail, record, h.size);
	return h.size;
}

static void drop_record(struct track_ring *r, size_t size)
{
	r->next = 0;
	__atomic_store_n(&r->page->data_tail, r->page->data_tail + size, __ATOMIC_RELEASE);
}

static uint64_t record_buffer[UINT16_MAX / sizeof(uint64_t) + 1];

/* The ring with the oldest record; NULL if all are empty. */
static struct track_ring *oldest_ring(struct track *t)
{
	struct track_ring *oldest = NULL;
	unsigned int i;
	size_t size;

	for (i = 0; i < t->rings; i++) {
		struct track_ring *r = &t->ring[i];

		/* A damaged record has time 0; 1 makes it the oldest, to be dropped first. */
		if (!r->next) {
			size = peek_record(t, r, record_buffer);
			if (!size)
				continue;
			r->next = change_time(record_buffer, size) | 1;
		}
		if (!oldest || r->next < oldest->next)
			oldest = r;
	}
	return oldest;
}

void track_read(struct track *t, uint64_t until, track_take take, void *to)
{
	struct track_ring *r;
	struct change c;
	size_t size;

	if (until <= t->read_ns)
		return;
	t->read_ns = until;
	while ((r = oldest_ring(t)) && r->next <= until) {
		size = peek_record(t, r, record_buffer);
		change_read(&c, record_buffer, size);
		take(to, &c);
		drop_record(r, size);
	}
}

static void enable_events(struct track *t, unsigned int cpu)
{
	unsigned int i;

	for (i = 0; i < t->rings; i++)
		if (cpu == EVERY_CPU || t->ring[i].cpu == cpu)
			ioctl(t->ring[i].fd, PERF_EVENT_IOC_ENABLE, 0);
}

void track_online(struct track *t)
{
	struct sockaddr_nl from;
	socklen_t size;
	char text[2048];
	unsigned int cpu;
	ssize_t got;

	do {
		size = sizeof(from);
		got = recvfrom(t->uevents, text, sizeof(text) - 1, 0, (struct sockaddr *)&from,
			       &size);
		text[got > 0 ? got : 0] = 0;
		/* The kernel has port 0. In a burst, it drops messages that do not fit. */
		if (got < 0 && errno == ENOBUFS)
			enable_events(t, EVERY_CPU);
		else if (got > 0 && !from.nl_pid && sscanf(text, ONLINE, &cpu) == 1)
			enable_events(t, cpu);
	} while (got >= 0 || errno == ENOBUFS || errno == EINTR);
}

/* Returns false if the permission to read its mappings is missing. */
static bool scan_process(uint32_t tgid, track_take take, void *to)
{
	struct change c = { .kind = CHANGE_EXEC, .tgid = tgid };
	char path[64], *line = NULL;
	size_t room = 0;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%u/comm", tgid);
	if (file_line(path, path, sizeof(path)))
		snprintf(c.name, sizeof(c.name), "%.15s", path);
	take(to, &c);
	snprintf(path, sizeof(path), "/proc/%u/maps", tgid);
	in = fopen(path, "re");
	if (!in)
		return errno != EACCES && errno != EPERM;
	while (getline(&line, &room, in) > 0)
		if (change_read_maps(&c, tgid, line))
			take(to, &c);
	free(line);
	fclose(in);
	return true;
}

unsigned int track_scan(track_take take, void *to)
{
	DIR *all = opendir("/proc");
	unsigned int refused = 0;
	struct dirent *entry;

	while (all && (entry = readdir(all))) {
		unsigned long tgid = strtoul(entry->d_name, NULL, 10);

		if (tgid && tgid <= INT32_MAX)
			refused += !scan_process(tgid, take, to);
	}
	if (all)
		closedir(all);
	return refused;
}
