// SPDX-License-Identifier: GPL-2.0-only
/*
 * samples.c MILLISECONDS - prints how CPU 0 was sampled in that time:
 *
 *	samples N phase_us N readings N slow MASK
 *
 * number of samples; their offset from multiples of the period on the wall clock (-1 if it is not
 * the same for all); number of readings of slow counters; and a mask of these counters.
 */
#include "stream.h"

int main(int argc, char **argv)
{
	uint64_t end = monotonic_ns() + (argc > 1 ? atoi(argv[1]) : 1000) * 1000000ull;
	uint64_t buffer[65536 / sizeof(uint64_t)], last = 0, wall;
	long samples = 0, readings = 0, phase = -2, here;
	struct rcr_set *set;
	const struct rcr_record *r;
	const struct rcr_slow *slow;
	ssize_t got, at;
	int fd;

	set = open_stream(&fd, 0);
	while (monotonic_ns() < end) {
		got = read(fd, buffer, sizeof(buffer));
		for (at = 0; at < got; at += r->item.size) {
			r = (const void *)((const char *)buffer + at);
			if (r->item.type != RCR_ITEM_SAMPLE || r->item.cpu)
				continue;
			samples++;
			wall = r->time + set->clock_realtime - set->clock_monotonic;
			/* Round: the two clocks are not read at the same moment. */
			here = (wall + 500) % set->period_ns / 1000;
			phase = phase == -2 || phase == here ? here : -1;
			slow = (const void *)((const char *)r + set->slow_offset);
			readings += set->slow_offset && slow->tsc != last;
			last = set->slow_offset ? slow->tsc : 0;
		}
	}
	printf("samples %ld phase_us %ld readings %ld slow %llx\n", samples, phase, readings,
	       (unsigned long long)set->slow);
	return 0;
}
