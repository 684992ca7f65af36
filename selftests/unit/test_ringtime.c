// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_ringtime.c - the first record younger than a moment, against a look at every
 * record from the oldest on.
 */
#include <string.h>

#include "ksft.h"
#include "ring/ring_protocol.h"

#define CAPACITY 8
#define WORDS (sizeof(struct rcr_record) / sizeof(__u64))
#define NONE (~0ull)

static struct {
	struct rcr_ring ring;
	__u64 slots[CAPACITY * WORDS];
} memory;

static struct rcr_ring *const ring = &memory.ring;

static void reset(void)
{
	memset(&memory, 0, sizeof(memory));
	ring->data_offset = sizeof(struct rcr_ring);
	ring->record_size = WORDS * sizeof(__u64);
	ring->capacity = CAPACITY;
}

/* Every third record is of the same moment as the one before it. */
static __u64 time_of(__u64 position)
{
	return 1000 + 10 * (position - position / 3);
}

static void write_record(void)
{
	struct rcr_record *r = rcr_ring_begin(ring);

	r->time = time_of(ring->head);
	rcr_ring_commit(ring);
}

static __u64 after(__u64 time)
{
	__u64 oldest = ring->reserved > CAPACITY ? ring->reserved - CAPACITY : 0, p;

	for (p = oldest; p < ring->head; p++)
		if (time_of(p) > time)
			break;
	return p;
}

static unsigned int wrong_moments(void)
{
	unsigned int wrong = 0;
	__u64 time;

	for (time = 980; time < 1000 + 10 * 5 * CAPACITY; time++)
		wrong += rcr_ring_after(ring, time) != after(time);
	return wrong + (rcr_ring_after(ring, NONE) != ring->head);
}

static void test_all(void)
{
	unsigned int wrong = 0;

	reset();
	while (ring->head < 4 * CAPACITY) {
		wrong += wrong_moments();
		write_record();
	}
	ksft_test_result(!wrong, "any moment, in a ring of any fill and after any round\n");
}

/* What is being written is not looked at, nor what it takes the place of. */
static void test_half_written(void)
{
	unsigned int wrong = 0, i;

	reset();
	for (i = 0; i < 2 * CAPACITY; i++) {
		((struct rcr_record *)rcr_ring_begin(ring))->time = NONE;
		wrong += wrong_moments();
		((struct rcr_record *)rcr_ring_slot(ring, ring->head))->time =
			time_of(ring->head);
		rcr_ring_commit(ring);
	}
	ksft_test_result(!wrong, "beside a record that is half written\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(2);
	test_all();
	test_half_written();
	ksft_finished();
}
