// SPDX-License-Identifier: GPL-2.0-only
/*
 * public.c METER CHANGES - looks at the machine's value of a meter on the public page as
 * often as it can, until it has changed so many times or a minute is over. Prints how
 * often it did, and how far apart in microseconds the closest two values are by the
 * times that stand with them.
 */
#include <time.h>

#include "slots.h"

static const struct rcr_board *board;

static const void *element(uint32_t offset, uint32_t size, unsigned int n)
{
	return (const char *)board + offset + (size_t)n * size;
}

static const struct rcr_board_entry *find(const char *name)
{
	const struct rcr_board_meter *m;
	unsigned int i;

	for (i = 0; i < board->meters; i++) {
		m = element(board->meter_offset, board->meter_size, i);
		if (m->serial && !strcmp(m->name, name))
			return element(board->entry_offset, board->entry_size, m->first);
	}
	return NULL;
}

/* Of its latest value; the page is written so rarely that it stays while it is read. */
static uint64_t time_of(const struct rcr_board_entry *e)
{
	uint64_t head = __atomic_load_n(&e->head, __ATOMIC_ACQUIRE);

	return __atomic_load_n(&e->slot[head % 2].time, __ATOMIC_RELAXED);
}

int main(int argc, char **argv)
{
	unsigned int wanted = argc > 2 ? atoi(argv[2]) : 0, changes = 0;
	uint64_t last, now, closest = UINT64_MAX;
	const struct rcr_board_entry *e;
	time_t end = time(NULL) + 60;
	int fd = open(BOARD, O_RDONLY);

	board = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, RCR_BOARD_PUBLIC);
	e = board != MAP_FAILED ? find(argv[1]) : NULL;
	if (!e) {
		fprintf(stderr, "public: there is no \"%s\"\n", argv[1]);
		return 1;
	}
	last = time_of(e);
	while (changes < wanted && time(NULL) < end) {
		now = time_of(e);
		if (now == last)
			continue;
		if (last && now - last < closest)
			closest = now - last;
		last = now;
		changes++;
	}
	printf("%u %llu\n", changes, (unsigned long long)closest / 1000);
	return 0;
}
