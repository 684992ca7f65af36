/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * entries.h - reads and subscribes to entries of blackboard 1 without librcr, as documented in
 * sections 7 to 10 of Documentation/dev/interface.md.
 */
#ifndef RCR_GUEST_ENTRIES_H
#define RCR_GUEST_ENTRIES_H

#include <inttypes.h>
#include <time.h>
#include <sys/ioctl.h>
#include <linux/rcrtool.h>

#include "boarddev.h"
#include "tsc.h"

static inline void board_die(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	exit(1);
}

static inline uint64_t board_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static inline int board_open(void)
{
	int fd = open(BOARD, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		board_die(BOARD);
	return fd;
}

/* Map the whole board read-only; the descriptor stays open. */
static inline const struct rcr_board *board_map(int fd)
{
	const struct rcr_board *b = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, RCR_BOARD_ALL);
	uint64_t bytes;

	if (b == MAP_FAILED)
		board_die("cannot map the head of the board");
	bytes = b->bytes;
	munmap((void *)b, PAGE);
	b = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, RCR_BOARD_ALL);
	if (b == MAP_FAILED)
		board_die("cannot map the whole board");
	return b;
}

static inline const void *board_element(const struct rcr_board *b, uint32_t offset,
					uint32_t size, uint32_t n)
{
	return (const char *)b + offset + (size_t)n * size;
}

static inline const struct rcr_board_entry *board_entry(const struct rcr_board *b, uint32_t n)
{
	return board_element(b, b->entry_offset, b->entry_size, n);
}

/* Find a meter by name; NULL if there is none. */
static inline const struct rcr_board_meter *board_meter(const struct rcr_board *b,
							const char *name)
{
	const struct rcr_board_meter *m;
	uint32_t i;

	for (i = 0; i < b->meters; i++) {
		m = board_element(b, b->meter_offset, b->meter_size, i);
		if (m->serial && !strcmp(m->name, name))
			return m;
	}
	return NULL;
}

/* Return whether a place is the one named "machine", "package1" and so on. */
static inline bool board_is_place(const struct rcr_board_place *p, const char *name)
{
	static const char *const kinds[] = {
		"machine", "node", "package", "die", "llc", "core", "cpu",
	};
	size_t length;

	if (p->kind >= sizeof(kinds) / sizeof(kinds[0]))
		return false;
	length = strlen(kinds[p->kind]);
	return !strncmp(name, kinds[p->kind], length) &&
	       (unsigned int)atoi(name + length) == p->number;
}

/* Return the number of a meter's entry for a place. */
static inline uint32_t board_find(const struct rcr_board *b, const char *meter,
				  const char *place)
{
	const struct rcr_board_meter *m = board_meter(b, meter);
	uint32_t i;

	for (i = 0; m && i < m->entries; i++)
		if (board_is_place(board_element(b, b->place_offset, b->place_size,
						 board_entry(b, m->first + i)->place), place))
			return m->first + i;
	errno = ENOENT;
	board_die(meter);
	return 0;
}

/* Read an entry; return the version of the value, or 0 if there is none yet. */
static inline uint64_t board_read(const struct rcr_board_entry *e, struct rcr_board_value *v)
{
	uint64_t version;

	do {
		version = __atomic_load_n(&e->head, __ATOMIC_ACQUIRE);
		memcpy(v, (const void *)&e->slot[version % 2], sizeof(*v));
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (__atomic_load_n(&e->reserved, __ATOMIC_RELAXED) >= version + 2);
	return version;
}

/* Return whether the heartbeat of the board is too old. */
static inline bool board_is_stale(const struct rcr_board *b)
{
	uint64_t beat = __atomic_load_n(&b->heartbeat, __ATOMIC_RELAXED);

	return __atomic_load_n(&b->state, __ATOMIC_RELAXED) != RCR_BOARD_RUNNING ||
	       rdtsc() - beat > __atomic_load_n(&b->stale_after, __ATOMIC_RELAXED);
}

/* Return 0 or an error number. */
static inline int board_subscribe(int fd, uint32_t entry, uint32_t serial, uint32_t flags,
				  uint64_t interval_ns)
{
	struct rcr_subscription s = {
		.size = sizeof(s), .flags = flags, .entry = entry, .serial = serial,
		.interval_ns = interval_ns,
	};

	return ioctl(fd, RCR_BOARD_SUBSCRIBE, &s) ? errno : 0;
}

#endif
