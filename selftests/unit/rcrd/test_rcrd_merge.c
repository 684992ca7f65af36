// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_rcrd_merge.c - merges copies of rings into one stream, and compares the result with a linear
 * search for the oldest remaining item.
 */
#include <errno.h>
#include <stdlib.h>

#include "ksft.h"
#include "merge.h"
#include "stream_maker.h"

#define CAPACITY 16
#define RINGS 3
#define MS 1000000ull

static const unsigned int cpus[RINGS] = { 0, 1, 3 };
static struct made_set set;
static struct made_record slots[RINGS][CAPACITY];
static struct merge_ring rings[RINGS];
static struct rcr_mark marks[RCR_MARKS];
static struct merge_run run;

static char stream[1 << 20];
static size_t used, limit;

static int take_item(void *to, const void *item, size_t size)
{
	(void)to;
	if (used + size > limit) {
		errno = ENOSPC;
		return -1;
	}
	memcpy(stream + used, item, size);
	used += size;
	return 0;
}

static void begin(void)
{
	unsigned int i;

	set = make_set();
	run = (struct merge_run){
		.set = &set.set, .ring = rings, .rings = RINGS, .mark = marks,
	};
	for (i = 0; i < RINGS; i++) {
		rings[i] = (struct merge_ring){ .cpu = cpus[i], .data = (char *)slots[i] };
		rings[i].copy = (struct rcr_copy){
			.record_size = MAKER_RECORD, .capacity = CAPACITY, .generation = 1,
		};
	}
	used = 0;
	limit = sizeof(stream);
}

static void add_record(unsigned int ring, uint64_t time)
{
	struct rcr_copy *c = &rings[ring].copy;
	struct made_record *r = &slots[ring][c->end % CAPACITY];

	*r = make_sample(cpus[ring], time, c->end, 0);
	r->record.position = c->end++;
	if (c->end - c->first > CAPACITY)
		c->first = c->end - CAPACITY;
}

static void add_mark(uint64_t time)
{
	struct rcr_mark *m = &marks[run.marks % RCR_MARKS];

	*m = make_mark(time, RCR_MARK_TEXT, "here");
	m->position = run.marks++;
	if (run.marks - run.marks_first > RCR_MARKS)
		run.marks_first = run.marks - RCR_MARKS;
}

static const struct rcr_item *next_item(const struct rcr_item *item)
{
	const char *next = item ? (const char *)item + item->size : stream;

	return next < stream + used ? (const void *)next : NULL;
}

/* Count the items from @from to @to (ns) that differ from the result of a linear search. */
static unsigned int wrong_items(uint64_t from, uint64_t to)
{
	uint64_t at[RINGS], mark = run.marks_first, time, oldest;
	const struct rcr_item *item = next_item(NULL);
	unsigned int wrong = !item || item->type != RCR_ITEM_SET, i, ring;
	const struct made_record *r;

	for (i = 0; i < RINGS; i++)
		at[i] = rings[i].copy.first;
	while ((item = next_item(item))) {
		if (item->type == RCR_ITEM_LOST)
			continue;
		do {
			oldest = ~0ull;
			ring = RINGS;
			for (i = 0; i < RINGS; i++) {
				r = &slots[i][at[i] % CAPACITY];
				if (at[i] == rings[i].copy.end || r->record.time >= oldest)
					continue;
				oldest = r->record.time;
				ring = i;
			}
			/* A mark follows all records that are not later. */
			if (mark < run.marks && marks[mark % RCR_MARKS].time < oldest) {
				oldest = marks[mark % RCR_MARKS].time;
				ring = RINGS;
				mark++;
			} else if (ring < RINGS) {
				at[ring]++;
			} else {
				wrong++;
			}
			/* The maximum time if no item is left. */
			time = oldest;
		} while (time <= from);
		if (time > to)
			return wrong + 1;
		if (ring == RINGS)
			wrong += item->type != RCR_ITEM_MARK ||
				 ((const struct rcr_mark *)item)->position != mark - 1;
		else
			wrong += item->cpu != cpus[ring] ||
				 memcmp(item, &slots[ring][(at[ring] - 1) % CAPACITY], MAKER_RECORD);
	}
	/* No item of the window is left. */
	for (i = 0; i < RINGS; i++)
		wrong += at[i] < rings[i].copy.end &&
			 slots[i][at[i] % CAPACITY].record.time <= to &&
			 slots[i][at[i] % CAPACITY].record.time > from;
	return wrong;
}

static bool has_sample(void)
{
	const struct rcr_item *item = NULL;

	while ((item = next_item(item)))
		if (item->type == RCR_ITEM_SAMPLE)
			return true;
	return false;
}

static void test_random(void)
{
	unsigned int wrong = 0, round, i, n;
	uint64_t time, from, to;

	for (round = 0; round < 20000; round++) {
		begin();
		for (i = 0; i < RINGS; i++) {
			time = 100;
			/* Some items have equal times, and some CPUs have no items. */
			for (n = random_number() % 40; n; n--)
				add_record(i, time += random_number() % 3);
		}
		time = 100 * MS;
		for (n = random_number() % 80; n; n--)
			add_mark(time += random_number() % 3 * (MS / 2));
		from = (95 + random_number() % 60) * MS;
		to = from + random_number() % 60 * MS;
		if (merge_items(&run, from, to, take_item, NULL))
			wrong++;
		wrong += wrong_items(from, to);
		wrong += merge_has_records(&run, from, to) != has_sample();
	}
	ksft_test_result(!wrong, "merge: the stream has all records and marks of the window, in order\n");
}

/* Return the lost item of ring 1, or NULL. */
static const struct rcr_lost *find_lost(uint64_t from, uint64_t to)
{
	const struct rcr_item *item = NULL;

	used = 0;
	merge_items(&run, from, to, take_item, NULL);
	while ((item = next_item(item)))
		if (item->type == RCR_ITEM_LOST && item->cpu == cpus[1])
			return (const struct rcr_lost *)item;
	return NULL;
}

static void test_lost(void)
{
	const struct rcr_lost *lost;
	unsigned int i;

	begin();
	for (i = 0; i < CAPACITY; i++)
		add_record(1, 200 + i);
	ksft_test_result(!find_lost(100 * MS, 300 * MS),
			 "lost: nothing is counted as lost before the first record of a run\n");
	for (; i < CAPACITY + 10; i++)
		add_record(1, 200 + i);
	ksft_test_result(!find_lost(209 * MS, 300 * MS),
			 "lost: records before the window do not count\n");
	lost = find_lost(205 * MS, 300 * MS);
	ksft_test_result(lost && lost->position == 6 && lost->count == 4,
			 "lost: overwritten records of the window are counted\n");
	lost = find_lost(0, 300 * MS);
	ksft_test_result(lost && lost->position == 0 && lost->count == 10,
			 "lost: at most as many records as were written are counted as lost\n");
	rings[1].copy.first = rings[1].copy.end;
	lost = find_lost(205 * MS, 215 * MS);
	ksft_test_result(lost && lost->position == 16 && lost->count == 10,
			 "lost: a ring that was overwritten while it was copied has lost the whole window\n");
}

static void test_older(void)
{
	unsigned int i;

	begin();
	for (i = 0; i < CAPACITY; i++)
		add_record(0, 200 + i);
	ksft_test_result(merge_count_older(&run, 205 * MS) == ~0ull,
			 "older: a ring without overwritten records can go back to the first record\n");
	for (i = 0; i < CAPACITY + 10; i++)
		add_record(1, 200 + i);
	for (i = 0; i < CAPACITY + 7; i++)
		add_record(2, 200 + i);
	ksft_test_result(merge_count_older(&run, 215 * MS) == 6 &&
			 merge_count_older(&run, 210 * MS) == 1 &&
			 merge_count_older(&run, 209 * MS) == 0 &&
			 merge_count_older(&run, 100 * MS) == 0,
			 "older: the ring with the fewest older records sets the limit\n");
}

static void test_whole(void)
{
	unsigned int i;
	bool ok;

	begin();
	ok = !merge_whole_since(&run);
	for (i = 0; i < 3; i++)
		add_record(0, 230 + i);
	ok = ok && merge_whole_since(&run) == 230 * MS;
	for (i = 0; i < CAPACITY; i++)
		add_record(1, 200 + i);
	ksft_test_result(ok && merge_whole_since(&run) == 200 * MS,
			 "whole: rings without overwritten records are complete since the first record\n");
	for (i = 0; i < CAPACITY + 10; i++)
		add_record(2, 200 + i);
	ksft_test_result(merge_whole_since(&run) == 210 * MS,
			 "whole: other rings are complete since their oldest record\n");
}

static void test_edges(void)
{
	begin();
	ksft_test_result(!merge_items(&run, 0, ~0ull - 1, take_item, NULL) && used == sizeof(set) &&
			 !merge_has_records(&run, 0, ~0ull - 1),
			 "merge: empty rings give only the set\n");
	add_record(0, 5);
	used = 0;
	limit = sizeof(set) + MAKER_RECORD - 1;
	errno = 0;
	ksft_test_result(merge_items(&run, 0, 10 * MS, take_item, NULL) == -1 && errno == ENOSPC,
			 "merge: it stops when the callback refuses an item\n");
	run.rings = 0;
	used = 0;
	limit = sizeof(stream);
	ksft_test_result(!merge_items(&run, 0, 10 * MS, take_item, NULL) && used == sizeof(set),
			 "merge: a set is written even without rings\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(13);
	test_random();
	test_lost();
	test_older();
	test_whole();
	test_edges();
	ksft_finished();
}
