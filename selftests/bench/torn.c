// SPDX-License-Identifier: GPL-2.0-only
/*
 * torn.c METER READS CPU... - reads a meter that is updated continuously, in a process on each CPU,
 * and counts torn values.
 *
 * A value that is mixed from two updates has the time of one of them, but differs from the value of
 * the same time that was read just before or after it. Time must not go backwards, either.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"
#include "rcr_board.h"

/* No entry is written at shorter intervals. */
#define SHORTEST_NS	1000000

/* Results of all readers. */
static struct found {
	uint64_t reads, ticks, torn, missed;
} *found;

static struct rcr_meter find_meter_entry(const struct rcr_blackboard *b, const char *name)
{
	struct rcr_meter meter;

	if (!b || rcr_board_find(b, name, RCR_PLACE_MACHINE, 0, &meter) ||
	    rcr_board_subscribe(b, &meter, SHORTEST_NS))
		err(1, "%s", name);
	return meter;
}

static void read_often(const char *name, uint64_t reads)
{
	struct rcr_blackboard *b = rcr_board_open(NULL);
	struct rcr_meter meter = find_meter_entry(b, name);
	struct rcr_board_value value, before = { };
	struct found here = { };

	while (here.reads + here.missed < reads) {
		if (rcr_board_read(b, &meter, &value)) {
			if (errno != EAGAIN)
				err(1, "%s", name);
			here.missed++;
			continue;
		}
		here.reads++;
		here.ticks += value.time != before.time;
		if (value.time < before.time ||
		    (value.time == before.time && memcmp(&value, &before, sizeof(value))))
			here.torn++;
		before = value;
	}
	__atomic_fetch_add(&found->reads, here.reads, __ATOMIC_RELAXED);
	__atomic_fetch_add(&found->ticks, here.ticks, __ATOMIC_RELAXED);
	__atomic_fetch_add(&found->torn, here.torn, __ATOMIC_RELAXED);
	__atomic_fetch_add(&found->missed, here.missed, __ATOMIC_RELAXED);
}

static void start_reader(const char *name, uint64_t reads, unsigned int cpu)
{
	switch (fork()) {
	case -1:
		err(1, "fork");
	case 0:
		pin(cpu);
		read_often(name, reads);
		_exit(0);
	}
}

int main(int argc, char **argv)
{
	int i, status, failed = 0;

	if (argc < 4)
		errx(1, "usage: torn METER READS CPU...");
	found = mmap(NULL, sizeof(*found), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (found == MAP_FAILED)
		err(1, "memory");
	for (i = 3; i < argc; i++)
		start_reader(argv[1], strtoull(argv[2], NULL, 10) / (argc - 3), atoi(argv[i]));
	while (wait(&status) > 0)
		failed |= status;
	if (failed)
		errx(1, "a reader failed");
	printf("bench|torn|%" PRIu64 "|values|%" PRIu64 "\n", found->torn, found->reads);
	printf("bench|torn_ticks|%" PRIu64 "|ticks|%" PRIu64 "\n", found->ticks, found->reads);
	printf("bench|torn_missed|%" PRIu64 "|reads|%" PRIu64 "\n", found->missed,
	       found->reads);
	return 0;
}
