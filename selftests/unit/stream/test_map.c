// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_map.c - copies of a ring that is being written, which must contain exactly the records that
 * they claim, and the places of samples, of which some may be missing.
 *
 * Every word of record p is a function of p, which reveals mixed records.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "ksft.h"
#include "ring/ring_protocol.h"
#include "stream/map.c"

#define CAPACITY 64
#define WORDS 17
#define RECORDS 3000000ull

static struct {
	struct rcr_ring ring;
	__u64 slots[CAPACITY * WORDS];
} memory;

static atomic_bool done;

/* Replaces the library's function: the map of this test is in memory. */
int rcr_fd(const struct rcr_reader *r)
{
	return r ? 0 : -1;
}

const struct rcr_set *rcr_reader_set(const struct rcr_reader *r)
{
	return r ? NULL : NULL;
}

static __u64 word_of(__u64 position, unsigned int i)
{
	return (position + 1) * 0x9e3779b97f4a7c15ull + i;
}

static void write_record(void)
{
	__u64 position = memory.ring.head, *word = (__u64 *)rcr_ring_begin(&memory.ring);
	unsigned int i;

	for (i = 0; i < WORDS; i++)
		WRITE_ONCE(word[i], word_of(position, i));
	rcr_ring_commit(&memory.ring);
}

static void *write_all(void *unused)
{
	__u64 i;

	for (i = 0; i < RECORDS; i++)
		write_record();
	atomic_store(&done, true);
	return unused;
}

static struct rcr_map reset(void)
{
	memset(&memory, 0, sizeof(memory));
	memory.ring.data_offset = sizeof(struct rcr_ring);
	memory.ring.record_size = WORDS * sizeof(__u64);
	memory.ring.capacity = CAPACITY;
	memory.ring.generation = 5;
	return (struct rcr_map){
		.ring = &memory.ring, .bytes = sizeof(memory), .data = (char *)memory.slots,
		.record_size = WORDS * sizeof(__u64), .set_record_size = WORDS * sizeof(__u64),
		.capacity = CAPACITY,
	};
}

static unsigned int mixed_records(const __u64 *copy, const struct rcr_copy *c)
{
	unsigned int mixed = 0, i;
	__u64 p;

	for (p = c->first; p < c->end; p++)
		for (i = 0; i < WORDS; i++)
			if (copy[p % CAPACITY * WORDS + i] != word_of(p, i)) {
				mixed++;
				break;
			}
	return mixed;
}

static void test_quiet(void)
{
	static __u64 copy[CAPACITY * WORDS];
	struct rcr_map m = reset();
	struct rcr_copy c;
	unsigned int i;
	bool right;

	right = !rcr_map_copy(&m, copy, &c) && c.first == 0 && c.end == 0 && c.generation == 5;
	ksft_test_result(right && rcr_map_bytes(&m) == sizeof(copy) && !rcr_map_bytes(NULL) &&
			 rcr_map_copy(&m, NULL, &c) && errno == EINVAL && !rcr_map_ended(&m),
			 "copy: an empty ring has no record\n");
	for (i = 0; i < 10; i++)
		write_record();
	rcr_map_copy(&m, copy, &c);
	right = c.first == 0 && c.end == 10 && !mixed_records(copy, &c);
	for (i = 0; i < CAPACITY; i++)
		write_record();
	rcr_map_copy(&m, copy, &c);
	ksft_test_result(right && c.first == 10 && c.end == CAPACITY + 10 &&
			 !mixed_records(copy, &c) && c.capacity == CAPACITY &&
			 c.record_size == WORDS * 8,
			 "copy: it has all records before and after the ring wrapped\n");
	/* The writer is in the middle of a record. */
	rcr_ring_begin(&memory.ring);
	memory.ring.ended = 1;
	rcr_map_copy(&m, copy, &c);
	ksft_test_result(c.first == 11 && c.end == CAPACITY + 10 && rcr_map_ended(&m),
			 "copy: a record that is being overwritten is left out\n");
}

static bool is_record(const __u64 *copy, __u64 position)
{
	unsigned int i;

	for (i = 0; i < WORDS && copy[i] == word_of(position, i); i++)
		;
	return i == WORDS;
}

static void test_positions(void)
{
	struct rcr_map m = reset();
	__u64 copy[WORDS];
	unsigned int i;
	bool right;

	right = !rcr_map_read(&m, 0, copy) && !rcr_map_head(&m) && !rcr_map_head(NULL) &&
		rcr_map_read(&m, 0, NULL) == -1 && errno == EINVAL;
	for (i = 0; i < CAPACITY + 10; i++)
		write_record();
	right = right && rcr_map_head(&m) == CAPACITY + 10 && !rcr_map_read(&m, CAPACITY + 10, copy);
	for (i = 10; i < CAPACITY + 10; i++)
		right = right && rcr_map_read(&m, i, copy) == 1 && is_record(copy, i);
	ksft_test_result(right && rcr_map_read(&m, 9, copy) == -1 && errno == ENODATA,
			 "read: exactly the records in the ring can be read by their positions\n");
	/* The writer is in the middle of a record. */
	rcr_ring_begin(&memory.ring);
	ksft_test_result(rcr_map_read(&m, 10, copy) == -1 && rcr_map_read(&m, 11, copy) == 1,
			 "read: a record that is being overwritten is not returned\n");
}

/* Write the place of a sample, as write_place() of the sampler does. */
static void put_place(__u64 position)
{
	struct rcr_place *p;

	memory.ring.head = position;
	p = (struct rcr_place *)rcr_ring_begin(&memory.ring);
	*p = (struct rcr_place){ .pc = 1000 + position, .tid = 1 + position, .position = position };
	rcr_ring_commit(&memory.ring);
}

/* Return the pc of a sample's place; 0 if it has none; -1 if it was overwritten. */
static long read_place(const struct rcr_places *p, __u64 position)
{
	struct rcr_record sample = { .item.generation = 5, .position = position };
	struct rcr_place place = { };
	int got = rcr_places_read(p, &sample, &place);

	if (got == -1)
		return errno == ENODATA ? -1 : -2;
	return !got ? 0 : place.tid == 1 + position ? (long)place.pc : -3;
}

static void test_rewind(void)
{
	struct rcr_map m = reset();
	const struct rcr_record *record;
	uint64_t lost, turn, i;
	bool right = true;

	for (i = 0; i < CAPACITY + 10; i++)
		write_record();
	m.position = CAPACITY + 9;
	for (turn = 0; turn < 2; turn++) {
		rcr_map_rewind(&m);
		for (i = 10; i < CAPACITY + 10; i++)
			right = right && rcr_map_next(&m, &record, &lost) == 1 && !lost &&
				is_record((const __u64 *)record, i);
		right = right && !rcr_map_next(&m, &record, &lost);
	}
	rcr_map_rewind(NULL);
	ksft_test_result(right, "rewind: the next record is the oldest one in the ring\n");
}

static void test_places(void)
{
	struct rcr_places p = { .map = reset() };
	struct rcr_record sample = { .item.generation = 5 };
	struct rcr_place place;
	bool right;
	__u64 i;

	p.map.set_record_size = sizeof(place);
	right = !read_place(&p, 0);
	for (i = 100; i < 110; i++)
		put_place(i);
	right = right && read_place(&p, 100) == 1100 && read_place(&p, 109) == 1109;
	ksft_test_result(right && !read_place(&p, 99) && !read_place(&p, 110) &&
			 read_place(&p, 110 - CAPACITY - 1) == -1,
			 "places: a ring mapped in the middle of a run has the later places\n");
	/* Samples 110 to 149 have no places: their slots are empty or keep older places. */
	for (i = 150; i < 150 + CAPACITY - 10; i++)
		put_place(i);
	right = !read_place(&p, 149) && !read_place(&p, 140) && read_place(&p, 150) == 1150;
	put_place(150 + CAPACITY);
	ksft_test_result(right && read_place(&p, 150) == -1 && read_place(&p, 151) == 1151 &&
			 !read_place(&p, 150 + CAPACITY - 1) && read_place(&p, 214) == 1214,
			 "places: a stale place in a slot is ignored\n");
	sample.position = 151;
	right = rcr_places_read(&p, &sample, &place) == 1;
	sample.item.generation = 4;
	right = right && rcr_places_read(&p, &sample, &place) == -1 && errno == EINVAL;
	sample.item = (struct rcr_item){ .generation = 5, .cpu = 1 };
	ksft_test_result(right && rcr_places_read(&p, &sample, &place) == -1 && errno == EINVAL &&
			 rcr_places_read(NULL, &sample, &place) == -1 && errno == EINVAL,
			 "places: a sample of another set or CPU has none\n");
}

static void test_racing(void)
{
	static __u64 copy[CAPACITY * WORDS];
	unsigned long copies = 0, mixed = 0, records = 0;
	struct rcr_map m = reset();
	struct rcr_copy c;
	pthread_t writer;

	pthread_create(&writer, NULL, write_all, NULL);
	while (!atomic_load(&done)) {
		rcr_map_copy(&m, copy, &c);
		mixed += mixed_records(copy, &c) + (c.end - c.first > CAPACITY);
		records += c.end - c.first;
		copies++;
	}
	pthread_join(writer, NULL);
	ksft_print_msg("%lu copies, %lu records in them\n", copies, records);
	ksft_test_result(copies && !mixed, "copy: copies of a ring that is being written have no mixed records\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(10);
	test_quiet();
	test_positions();
	test_rewind();
	test_places();
	test_racing();
	ksft_finished();
}
