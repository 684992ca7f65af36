// SPDX-License-Identifier: GPL-2.0-only
/*
 * strided.c MILLISECONDS - prints how the sampler of CPU 1 keeps to its budget, by its records:
 *
 *	samples N skipped N strides N most N wrong N ppm N
 *
 * number of samples; ticks skipped on purpose; STRIDE records; longest stride; samples with ticks
 * before them that are not accounted for, or not at a multiple of the stride, and STRIDE records
 * that do not match the previous one; and the median cost of a tick, in ppm of the time of a CPU if
 * every tick were sampled.
 */
#include <inttypes.h>

#include "stream.h"

#define CPU	1
#define MOST	65536

static uint64_t spent[MOST];
static unsigned long samples, skipped, strides, longest, wrong;
static uint64_t stride, tick, before;	/* stride 0: unknown */

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void take_stride(const struct rcr_record *r)
{
	strides++;
	wrong += stride && r->value[0] != stride;
	wrong += r->value[1] != 2 * r->value[0] && 2 * r->value[1] != r->value[0];
	stride = r->value[1];
	if (stride > longest)
		longest = stride;
}

static void take_sample(const struct rcr_record *r)
{
	if (samples) {
		wrong += r->tick != tick + 1 + r->overruns + r->skipped;
		skipped += r->skipped;
		if (samples < MOST)
			spent[samples - 1] = r->spent - before;
	}
	wrong += stride && r->tick % stride;
	tick = r->tick;
	before = r->spent;
	samples++;
}

int main(int argc, char **argv)
{
	uint64_t end = monotonic_ns() + (argc > 1 ? atoi(argv[1]) : 1000) * 1000000ull;
	uint64_t buffer[65536 / sizeof(uint64_t)];
	const struct rcr_record *r;
	struct rcr_set *set;
	ssize_t got, at;
	double period;
	int fd;

	set = open_stream(&fd, 0);
	if (!set)
		return 1;
	while (monotonic_ns() < end) {
		got = read(fd, buffer, sizeof(buffer));
		for (at = 0; at < got; at += r->item.size) {
			r = (const void *)((const char *)buffer + at);
			if (r->item.cpu != CPU)
				continue;
			if (r->item.type == RCR_ITEM_SAMPLE)
				take_sample(r);
			else if (r->item.type == RCR_ITEM_STRIDE)
				take_stride(r);
		}
	}
	qsort(spent, samples ? samples - 1 : 0, sizeof(spent[0]), compare);
	period = set->period_ns / 1e6 * set->tsc_khz;
	printf("samples %lu skipped %lu strides %lu most %lu wrong %lu ppm %.0f\n", samples,
	       skipped, strides, longest, wrong,
	       samples > 1 ? spent[samples / 2] / period * 1e6 : 0);
	return 0;
}
