// SPDX-License-Identifier: GPL-2.0-only
/*
 * follow.c - follows the stream for some seconds across changes of the set. Prints the number of
 * sets, of holes, and of records that are not of the latest set.
 */
#include <stdio.h>

#include "stream.h"

#define MAX_CPUS 256

int main(int argc, char **argv)
{
	static char buffer[1 << 20] __attribute__((aligned(8)));
	uint64_t next[MAX_CPUS], end = monotonic_ns() + (argc > 1 ? atoi(argv[1]) : 1) * 1000000000ull;
	unsigned int sets = 0, holes = 0, wrong = 0, generation = 0, size = 0;
	struct pollfd p = { .events = POLLIN };

	p.fd = open(DEVICE, O_RDONLY);
	while (monotonic_ns() < end) {
		ssize_t got, at;

		poll(&p, 1, 100);
		got = read(p.fd, buffer, sizeof(buffer));
		if (got < 0)
			return 1;
		for (at = 0; at < got; at += ((struct rcr_item *)(buffer + at))->size) {
			struct rcr_item *item = (struct rcr_item *)(buffer + at);
			struct rcr_record *r = (struct rcr_record *)item;

			if (item->type == RCR_ITEM_SET) {
				/* Later sets are read from their first record. */
				memset(next, sets ? 0 : 0xff, sizeof(next));
				sets++;
				generation = item->generation;
				size = ((struct rcr_set *)item)->record_size;
			}
			holes += item->type == RCR_ITEM_LOST;
			if (item->type < RCR_ITEM_SAMPLE || item->cpu >= MAX_CPUS)
				continue;
			wrong += item->generation != generation || item->size != size;
			if (next[item->cpu] != ~0ull)
				holes += r->position != next[item->cpu];
			next[item->cpu] = r->position + 1;
		}
	}
	printf("%u sets, %u holes, %u wrong\n", sets, holes, wrong);
	return 0;
}
