// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_public_page.c - the public board in a file, written by the code of rcrd and read by
 * librcr.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <x86intrin.h>

#include "ksft.h"
#include "page.h"
#include "rcr_board.h"
#include "rcr.h"

#define MS 1000000ull

static char path[] = "/tmp/rcr-page-XXXXXX";
static struct page_board *at;
static struct page page;
static struct rcr_board all = {
	.state = RCR_BOARD_RUNNING, .tsc_khz = 2000000, .stale_after = ~0ull >> 2,
};

static struct rcr_board_meter meter(unsigned int number, const char *name)
{
	struct rcr_board_meter m = {
		.serial = 100 + number, .number = number, .unit = "B/s",
		.type = RCR_TIME_CURRENT, .flags = RCR_METER_PUBLIC, .scale_ns = 1000 * MS,
	};

	snprintf(m.name, sizeof(m.name), "%s", name);
	return m;
}

/* Fill in the machine's source and then the nodes', from entry @first of blackboard 1 on. */
static void make_sources(struct page_source *from, const struct rcr_board_meter *m,
			 unsigned int first, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		from[i] = (struct page_source){
			first + i, m->serial, i ? RCR_PLACE_NODE : RCR_PLACE_MACHINE,
			i ? i - 1 : 0,
		};
}

static void put_meter(const struct rcr_board_meter *m, unsigned int first, unsigned int count)
{
	struct page_source from[PAGE_ENTRIES + 4];

	make_sources(from, m, first, count);
	page_set_meter(&page, m, from, count);
}

static void write_value(unsigned int entry, int64_t val, uint64_t time)
{
	const struct rcr_board_value v = {
		.current_value = val, .time = time, .current_status = RCR_STATUS_OK,
		.status = RCR_STATUS_OK,
	};

	page_write(&page, entry, &v);
}

/* Return the value of @meter, or -errno. */
static int64_t value_of(const struct rcr_blackboard *b, const struct rcr_meter *m)
{
	struct rcr_board_value v;

	return rcr_board_read(b, m, &v) ? -errno : v.current_value;
}

static void begin_file(void)
{
	static const char zero[PAGE_BYTES];
	int fd = mkstemp(path);

	if (fd < 0 || write(fd, zero, sizeof(zero)) != sizeof(zero))
		ksft_exit_fail_msg("cannot make the file of the page\n");
	at = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
}

static void test_reader(struct rcr_blackboard **b, struct rcr_meter *m)
{
	struct rcr_board_meter mem = meter(5, "mem_bw");

	ksft_test_result(!page_is_known(at), "page: a file of zeroes is not taken over\n");
	page_begin(&page, at, &all);
	*b = rcr_board_open(path);
	ksft_test_result(*b && page_is_known(at) && at->head.changes == 2,
			 "page: librcr opens a new page as a board\n");
	put_meter(&mem, 40, 3);
	all.heartbeat = __rdtsc();
	page_beat(&page, &all, 1000 * MS);
	write_value(2, 77, 1000 * MS);
	ksft_test_result(!rcr_board_find(*b, "mem_bw", RCR_PLACE_NODE, 1, m) &&
			 value_of(*b, m) == 77,
			 "page: librcr finds a meter at its place and reads its value\n");
	ksft_test_result(rcr_board_find(*b, "mem_bw", RCR_PLACE_NODE, 2, m) == -1 && errno == ENXIO &&
			 !rcr_board_find(*b, "mem_bw", RCR_PLACE_NODE, 1, m),
			 "page: librcr finds no place that the page lacks\n");
}

static void test_rate(const struct rcr_blackboard *b, const struct rcr_meter *m)
{
	uint64_t version = at->entry[2].head, t;

	write_value(2, 78, 1100 * MS - 1);
	ksft_test_result(value_of(b, m) == 77 && at->entry[2].head == version,
			 "page: a value 1 ns before 100 ms are over is dropped\n");
	write_value(2, 79, 1100 * MS);
	ksft_test_result(value_of(b, m) == 79, "page: a value after 100 ms is not dropped\n");
	for (t = 1101; t < 2000; t++)
		write_value(2, t, t * MS);
	ksft_test_result(at->entry[2].head == version + 9,
			 "page: of a value per millisecond ten per second are published\n");
}

static void test_stale(const struct rcr_blackboard *b, const struct rcr_meter *m)
{
	uint64_t beat = at->head.heartbeat;

	all.heartbeat = __rdtsc();
	page_beat(&page, &all, 1100 * MS - 1);
	ksft_test_result(at->head.heartbeat == beat, "page: the heartbeat is not copied within 100 ms\n");
	all.state = RCR_BOARD_STOPPED;
	page_beat(&page, &all, 1100 * MS - 1);
	ksft_test_result(value_of(b, m) == -ESTALE, "page: a stop of sampling is copied at once\n");
	all.state = RCR_BOARD_RUNNING;
	all.heartbeat = 0;
	all.stale_after = 1;
	page_beat(&page, &all, 2000 * MS);
	ksft_test_result(value_of(b, m) == -ESTALE,
			 "page: values with an old heartbeat are stale\n");
	all.heartbeat = __rdtsc();
	all.stale_after = ~0ull >> 2;
	page_beat(&page, &all, 3000 * MS);
	ksft_test_result(value_of(b, m) >= 0, "page: values with a new heartbeat are not stale\n");
	page_end(&page);
	ksft_test_result(value_of(b, m) == -ESTALE,
			 "page: values are stale after the writer has ended\n");
	page_beat(&page, &all, 4000 * MS);
}

static void test_changes(const struct rcr_blackboard *b, const struct rcr_meter *m)
{
	struct rcr_board_meter mem = meter(5, "mem_bw"), other = meter(6, "net_bw");
	struct rcr_board_meter kept[2] = { mem, other };
	uint32_t changes = at->head.changes;
	struct rcr_meter found;

	put_meter(&mem, 40, 3);
	ksft_test_result(at->head.changes == changes,
			 "page: setting an unchanged meter again changes nothing\n");
	mem.flags |= RCR_METER_LIMITED;
	put_meter(&mem, 40, 3);
	put_meter(&other, 60, 2);
	ksft_test_result(at->meter[0].flags == mem.flags && value_of(b, m) >= 0,
			 "page: adding a meter or a maximum does not interrupt readers\n");
	kept[1].serial++;
	page_keep_meters(&page, kept, 2);
	ksft_test_result(rcr_board_find(b, "net_bw", RCR_PLACE_MACHINE, 0, &found) == -1 &&
			 errno == ENOENT && value_of(b, m) >= 0,
			 "page: a meter is removed if its number belongs to another meter\n");
	put_meter(&mem, 40, 2);
	ksft_test_result(value_of(b, m) == -ESTALE &&
			 rcr_board_find(b, "mem_bw", RCR_PLACE_NODE, 1, &found) == -1 &&
			 !rcr_board_find(b, "mem_bw", RCR_PLACE_NODE, 0, &found),
			 "page: readers must find a meter again after it has lost a place\n");
	ksft_test_result(value_of(b, &found) == -ENODATA,
			 "page: a meter that has lost a place has no values at first\n");
	put_meter(&mem, 40, 3);
}

static void test_room(const struct rcr_blackboard *b)
{
	struct rcr_board_meter mem = meter(5, "mem_bw"), big = meter(7, "big"), m;
	struct rcr_meter found;
	unsigned int i;

	put_meter(&big, 100, PAGE_ENTRIES + 4);
	ksft_test_result(at->meter[1].entries == PAGE_ENTRIES - 3 &&
			 !rcr_board_find(b, "big", RCR_PLACE_NODE, 7, &found) &&
			 rcr_board_find(b, "big", RCR_PLACE_NODE, 8, &found) == -1 && errno == ENXIO,
			 "page: places that do not fit are left out\n");
	m = meter(8, "late");
	put_meter(&m, 200, 1);
	ksft_test_result(rcr_board_find(b, "late", RCR_PLACE_MACHINE, 0, &found) == -1 &&
			 errno == ENOENT, "page: a meter that does not fit is left out\n");
	page_keep_meters(&page, &mem, 1);
	for (i = 0; i < PAGE_METERS; i++) {
		m = meter(10 + i, "many");
		put_meter(&m, 300 + i, 1);
	}
	ksft_test_result(!page.shown[3 + PAGE_METERS - 1].serial,
			 "page: meters that exceed PAGE_METERS are left out\n");
}

/* rcrd is killed while it changes the page, and while it writes a value. */
static void test_killed(const struct rcr_blackboard *b)
{
	struct rcr_board_meter mem = meter(5, "mem_bw");
	struct rcr_meter old, new;
	uint32_t places = at->head.places;

	rcr_board_find(b, "mem_bw", RCR_PLACE_NODE, 1, &old);
	at->head.changes |= 1;
	at->entry[2].reserved = at->entry[2].head + 1;
	at->entry[2].slot[(at->entry[2].head + 1) % 2].current_value = -1;
	memset(&page, 0x55, sizeof(page));
	ksft_test_result(page_is_known(at), "page: a page whose writer was killed is taken over\n");
	page_begin(&page, at, &all);
	page_beat(&page, &all, 5000 * MS);
	ksft_test_result(value_of(b, &old) == -ESTALE,
			 "page: an entry found before a takeover is stale\n");
	put_meter(&mem, 40, 3);
	write_value(2, 99, 5000 * MS);
	ksft_test_result(!rcr_board_find(b, "mem_bw", RCR_PLACE_NODE, 1, &new) &&
			 value_of(b, &new) == 99 && value_of(b, &old) == -ESTALE,
			 "page: after a takeover only the new serial number has values\n");
	at->head.places = PAGE_PLACES + 1;
	ksft_test_result(!page_is_known(at),
			 "page: a page with too many places is not taken over\n");
	at->head.places = places;
}

int main(void)
{
	struct rcr_blackboard *b;
	struct rcr_meter m;

	ksft_print_header();
	ksft_set_plan(24);
	begin_file();
	test_reader(&b, &m);
	test_rate(b, &m);
	test_stale(b, &m);
	test_changes(b, &m);
	test_room(b);
	test_killed(b);
	rcr_board_close(b);
	unlink(path);
	ksft_finished();
}
