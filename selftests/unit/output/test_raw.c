// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_raw.c - items are written unchanged and completely even if writes are partial, with as few
 * writes as possible.
 */
#include <errno.h>
#include <stdlib.h>

#include "parse/cpulist.h"
#include "ksft.h"
#include "format/raw.h"
#include "stream_maker.h"

#define ITEMS 3000
#define ITEM_BYTES 24

/* An item, followed by unrelated bytes. */
struct place {
	struct rcr_item item;
	uint64_t number;
	uint64_t hole;
};

static struct place place[ITEMS];
static struct raw raw;
static char written[sizeof(place)];
static size_t bytes, most;
static unsigned int writes;

/* Replaces the C library's writev(), and takes @most bytes at a time. */
ssize_t __wrap_writev(int fd, const struct iovec *part, int parts)
{
	size_t room = most, size, before = bytes;
	int i;

	writes++;
	if (fd < 0 || !parts || parts > RAW_PARTS) {
		errno = EINVAL;
		return -1;
	}
	for (i = 0; i < parts && room; i++, room -= size) {
		size = part[i].iov_len < room ? part[i].iov_len : room;
		memcpy(written + bytes, part[i].iov_base, size);
		bytes += size;
	}
	return bytes - before;
}

static void begin(size_t at_once)
{
	unsigned int i;

	for (i = 0; i < ITEMS; i++)
		place[i] = (struct place){
			{ ITEM_BYTES, RCR_ITEM_GAP, 0, i % 4, 1 }, random_number(), 0,
		};
	raw.parts = 0;
	bytes = 0;
	writes = 0;
	most = at_once;
}

/* Add @n items that are not adjacent; write whenever raw is full, and return how often. */
static unsigned int take(unsigned int n)
{
	unsigned int i, full = 0;

	for (i = 0; i < n; i++) {
		if (raw_takes(&raw, &place[i].item))
			continue;
		full++;
		raw_write(&raw, 1);
		raw_takes(&raw, &place[i].item);
	}
	return full;
}

static bool came_out(unsigned int n)
{
	unsigned int i, wrong = bytes != n * (size_t)ITEM_BYTES;

	for (i = 0; i < n && !wrong; i++)
		wrong += !!memcmp(written + i * ITEM_BYTES, &place[i], ITEM_BYTES);
	return !wrong;
}

static void test_neighbours(void)
{
	static struct made_record r[500];
	unsigned int i;

	begin(SIZE_MAX);
	for (i = 0; i < 500; i++) {
		r[i] = make_sample(3, 100 + i, i, 2 * i);
		raw_takes(&raw, &r[i].record.item);
	}
	ksft_test_result(raw.parts == 1 && !raw_write(&raw, 1) && writes == 1 &&
			 bytes == sizeof(r) && !memcmp(written, r, sizeof(r)),
			 "adjacent items are written with one write of one segment\n");
	ksft_test_result(!raw.parts && !raw_write(&raw, 1) && writes == 1,
			 "raw: nothing is written without items\n");
}

static void test_holes(void)
{
	begin(SIZE_MAX);
	ksft_test_result(!take(RAW_PARTS) && !raw_write(&raw, 1) && writes == 1 &&
			 came_out(RAW_PARTS),
			 "items that are not adjacent are written with one write, too\n");
	begin(SIZE_MAX);
	ksft_test_result(take(ITEMS) == 2 && !raw_write(&raw, 1) && writes == 3 &&
			 came_out(ITEMS),
			 "a second write follows when the first is full\n");
}

static void test_short_writes(void)
{
	bool right = true;

	for (most = 1; most < 4 * ITEM_BYTES; most++) {
		begin(most);
		take(100);
		right = right && !raw_write(&raw, 1) && came_out(100) &&
			writes == (100 * ITEM_BYTES + most - 1) / most;
	}
	ksft_test_result(right, "a partial write is continued\n");
	begin(SIZE_MAX);
	take(10);
	errno = 0;
	ksft_test_result(raw_write(&raw, -1) == -1 && errno == EINVAL && !raw.parts,
			 "a failed write is reported, and not repeated\n");
}

static void test_wants(void)
{
	struct rcr_item all = { 16, 9, 0, ~0u, 1 }, far = { 16, 9, 0, 70000, 1 };
	struct made_record r = make_sample(3, 100, 1, 2);
	struct made_set set = make_set();
	bool cpu[CPU_LIMIT] = { [3] = true };

	ksft_test_result(raw_wants(&r.record.item, NULL) && raw_wants(&r.record.item, cpu) &&
			 raw_wants(&all, cpu) && raw_wants(&set.set.item, cpu),
			 "items of the chosen CPUs and of all CPUs pass the filter\n");
	r.record.item.cpu = 1;
	ksft_test_result(!raw_wants(&r.record.item, cpu) && !raw_wants(&far, cpu),
			 "items of other CPUs do not pass the filter\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(8);
	test_neighbours();
	test_holes();
	test_short_writes();
	test_wants();
	ksft_finished();
}
