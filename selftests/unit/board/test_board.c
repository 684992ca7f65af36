// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_board.c - librcr reads valid, stale, truncated and damaged blackboards.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "board_maker.h"
#include "ksft.h"
#include "rcr_board.h"

static char path[] = "/tmp/rcr-board-XXXXXX";
static int fd;
static struct made_board made;

/* Open a file with the first @bytes of the made board. */
static struct rcr_blackboard *open_part(size_t bytes)
{
	if (ftruncate(fd, 0) || pwrite(fd, &made, bytes, 0) != (ssize_t)bytes)
		ksft_exit_fail_msg("cannot write %s\n", path);
	return rcr_board_open(path);
}

static struct rcr_blackboard *open_made(void)
{
	return open_part(sizeof(made));
}

static int find(struct rcr_blackboard *b, const char *name, enum rcr_place_kind kind,
		unsigned int number, struct rcr_meter *m)
{
	return rcr_board_find(b, name, kind, number, m) ? errno : 0;
}

static void test_whole(void)
{
	struct rcr_board_value v;
	struct rcr_blackboard *b;
	struct rcr_meter m, same;

	make_board(&made);
	b = open_made();
	ksft_test_result(b && !find(b, "mem_bw", RCR_PLACE_MACHINE, 0, &m) && !m.entry &&
			 m.serial == 100 && !m.digits && !rcr_board_read(b, &m, &v) &&
			 v.current_value == 20000000000 && v.verdict == RCR_VERDICT_CONTENTION,
			 "a meter of the machine is found and read\n");
	ksft_test_result(!find(b, "ipc", RCR_PLACE_CPU, 1, &m) && m.entry == 5 &&
			 m.digits == 3 && m.scale_ns == 1000000000 && m.type == RCR_TIME_AVERAGE &&
			 rcr_board_get(b, &m) == 0.749,
			 "a meter of a CPU is found and read, by its digits and type\n");
	m.type = RCR_TIME_SUM;
	ksft_test_result(rcr_board_get(b, &m) == 7.5, "rcr_board_get() returns the sum\n");
	m.type = RCR_TIME_PEAK;
	ksft_test_result(rcr_board_get(b, &m) == 0.751, "rcr_board_get() returns the peak\n");
	m.type = RCR_TIME_CURRENT;
	ksft_test_result(rcr_board_get(b, &m) == 0.75,
			 "rcr_board_get() returns the current value\n");
	ksft_test_result(!find(b, "1", RCR_PLACE_CPU, 1, &same) && same.entry == 5,
			 "a meter is found by its number\n");
	ksft_test_result(find(b, "nobody", RCR_PLACE_MACHINE, 0, &m) == ENOENT &&
			 find(b, "3", RCR_PLACE_MACHINE, 0, &m) == ENOENT &&
			 find(b, "99999999999999999999", RCR_PLACE_MACHINE, 0, &m) == ENOENT &&
			 find(b, "", RCR_PLACE_MACHINE, 0, &m) == ENOENT,
			 "a meter of an unknown name is not found\n");
	ksft_test_result(find(b, "flops", RCR_PLACE_MACHINE, 0, &m) == ENODATA,
			 "a meter whose counters are missing is not found\n");
	ksft_test_result(find(b, "mem_bw", RCR_PLACE_NODE, 2, &m) == ENXIO &&
			 find(b, "mem_bw", RCR_PLACE_CPU, 0, &m) == ENXIO,
			 "a meter is not found at a place where it has no entry\n");
	ksft_test_result(rcr_board_head(b)->period_ns == 1000000 &&
			 !strcmp(rcr_board_meter(b, 1)->name, "ipc") &&
			 rcr_board_place(b, 4)->number == 1 && rcr_board_entry(b, 7) &&
			 !rcr_board_meter(b, MADE_METERS) && !rcr_board_place(b, ~0u) &&
			 !rcr_board_entry(b, MADE_ENTRIES), "a walk through the entries ends at the last one\n");
	rcr_board_close(b);
}

/* Return the errno of reading a value of the made board; 0 if it can be read. */
static int read_error(void)
{
	struct rcr_blackboard *b;
	struct rcr_board_value v;
	struct rcr_meter m;
	int error = 0;

	b = open_made();
	if (find(b, "mem_bw", RCR_PLACE_MACHINE, 0, &m))
		error = -1;
	else if (rcr_board_read(b, &m, &v))
		error = errno;
	if (error && !isnan(rcr_board_get(b, &m)))
		error = -2;
	rcr_board_close(b);
	return error;
}

static void test_stale(void)
{
	make_board(&made);
	made.head.state = RCR_BOARD_STOPPED;
	ksft_test_result(read_error() == ESTALE, "values of a board that has stopped are stale\n");
	make_board(&made);
	made.head.heartbeat = __rdtsc() - 1000000;
	made.head.stale_after = 999999;
	ksft_test_result(read_error() == ESTALE, "a heartbeat that is too old makes a value stale\n");
	made.head.heartbeat = __rdtsc() + (1ull << 50);
	ksft_test_result(read_error() == 0, "a TSC that is ahead does not make a value stale\n");
	make_board(&made);
	made.entry[0].head = 0;
	made.entry[0].reserved = 0;
	ksft_test_result(read_error() == ENODATA,
			 "reading a meter that has no value yet is an error\n");
	make_board(&made);
	made.entry[0].reserved = 3;
	ksft_test_result(read_error() == EAGAIN,
			 "reading an entry that its writer never completes is an error\n");
	make_board(&made);
	made.entry[0].slot[1].status = 0;
	made.entry[0].slot[1].current_status = 0;
	{
		struct rcr_blackboard *b = open_made();
		struct rcr_meter m;

		ksft_test_result(!find(b, "mem_bw", RCR_PLACE_MACHINE, 0, &m) &&
				 isnan(rcr_board_get(b, &m)),
				 "a quotient with divisor 0 has no value\n");
		m.serial++;
		ksft_test_result(rcr_board_read(b, &m, &(struct rcr_board_value){}) &&
				 errno == ESTALE,
				 "reading an entry that another meter has taken is an error\n");
		m.entry = ~0u;
		ksft_test_result(rcr_board_read(b, &m, &(struct rcr_board_value){}) &&
				 errno == ESTALE,
				 "reading an entry that does not exist is an error\n");
		rcr_board_close(b);
	}
	make_board(&made);
	made.head.changes = 1;
	{
		struct rcr_blackboard *b = open_made();
		struct rcr_meter m;

		ksft_test_result(find(b, "mem_bw", RCR_PLACE_MACHINE, 0, &m) == EAGAIN,
				 "searching a board that never stops changing is an error\n");
		rcr_board_close(b);
	}
}

static bool is_refused(void)
{
	struct rcr_blackboard *b = open_made();
	bool refused = !b && errno == EPROTO;

	rcr_board_close(b);
	return refused;
}

static void test_wrong_head(void)
{
	static const size_t at[] = {
		offsetof(struct rcr_board, meter_size), offsetof(struct rcr_board, meter_offset),
		offsetof(struct rcr_board, meters), offsetof(struct rcr_board, place_size),
		offsetof(struct rcr_board, place_offset), offsetof(struct rcr_board, places),
		offsetof(struct rcr_board, entry_size), offsetof(struct rcr_board, entry_offset),
		offsetof(struct rcr_board, entries),
	};
	static const uint32_t values[] = {
		1u << 16, 0x7ffffff8, 0x80000000, 0xfffffff8, ~0u,
	};
	unsigned int i, k, taken = 0;

	make_board(&made);
	made.head.magic++;
	ksft_test_result(is_refused(), "a file with another magic number is refused\n");
	make_board(&made);
	made.head.compat_version = RCR_BOARD_VERSION + 1;
	ksft_test_result(is_refused(), "a version that needs a newer reader is refused\n");
	make_board(&made);
	made.head.version = 7;
	ksft_test_result(!is_refused(), "a newer version that this reader can read is opened\n");
	for (i = 0; i < sizeof(at) / sizeof(at[0]); i++)
		for (k = 0; k < sizeof(values) / sizeof(values[0]); k++) {
			make_board(&made);
			memcpy((char *)&made + at[i], &values[k], 4);
			taken += !is_refused();
		}
	ksft_test_result(!taken,
			 "a board with offsets beyond its end is refused (%u are not)\n", taken);
	for (i = 0; i < sizeof(at) / sizeof(at[0]); i += 3) {
		make_board(&made);
		memset((char *)&made + at[i], 0, 4);
		taken += !is_refused();
	}
	ksft_test_result(!taken, "a board whose elements are too small is refused\n");
}

static void test_cut(void)
{
	unsigned int wrong = 0;
	struct rcr_blackboard *b;
	size_t bytes;

	make_board(&made);
	for (bytes = 0; bytes < sizeof(made); bytes += bytes < 256 ? 1 : 97) {
		b = open_part(bytes);
		wrong += b || errno != EPROTO;
		rcr_board_close(b);
	}
	ksft_test_result(!wrong, "a truncated file is refused\n");
	make_board(&made);
	made.head.bytes = 1ull << 62;
	ksft_test_result(is_refused(), "a board longer than its file is refused\n");
	made.head.bytes = 0;
	ksft_test_result(is_refused(), "a board of length 0 is refused\n");
}

static void walk(struct rcr_blackboard *b)
{
	struct rcr_board_value v;
	enum rcr_place_kind kind;
	struct rcr_meter m;
	char number[16];
	unsigned int i;

	for (i = 0; i < 8; i++)
		for (kind = 0; kind <= RCR_PLACE_CPU + 1; kind++) {
			snprintf(number, sizeof(number), "%u", i);
			if (!rcr_board_find(b, number, kind, i, &m))
				rcr_board_read(b, &m, &v);
			m = (struct rcr_meter){ .entry = i, .serial = 100 + i % 2, .digits = i };
			rcr_board_get(b, &m);
		}
	rcr_board_find(b, "mem_bw", RCR_PLACE_NODE, 1, &m);
}

/* Random bytes after a valid head give errors, never a fault. */
static void test_hostile(void)
{
	struct rcr_blackboard *b;
	struct rcr_meter m;
	unsigned int round, i, opened = 0;
	unsigned char *bytes = (unsigned char *)&made;

	srandom(6);
	for (round = 0; round < 2000; round++) {
		make_board(&made);
		for (i = 0; i < 40; i++)
			bytes[sizeof(made.head) + random() % (sizeof(made) - sizeof(made.head))] =
				random();
		b = open_made();
		opened += !!b;
		if (b)
			walk(b);
		rcr_board_close(b);
	}
	ksft_test_result(opened == 2000, "random bytes in a board give values or errors\n");
	make_board(&made);
	made.meter[0].first = 6;
	b = open_made();
	ksft_test_result(find(b, "mem_bw", RCR_PLACE_NODE, 1, &m) == EPROTO,
			 "a meter with entries beyond the end is an error\n");
	rcr_board_close(b);
	make_board(&made);
	made.meter[0].first = ~0u;
	made.meter[0].entries = 3;
	b = open_made();
	ksft_test_result(find(b, "mem_bw", RCR_PLACE_NODE, 1, &m) == EPROTO,
			 "a meter with entries beyond the end is an error if their sum wraps\n");
	rcr_board_close(b);
	make_board(&made);
	made.entry[1].place = ~0u;
	memset(made.meter[1].name, 'x', sizeof(made.meter[1].name));
	b = open_made();
	ksft_test_result(find(b, "mem_bw", RCR_PLACE_NODE, 0, &m) == ENXIO &&
			 find(b, "1", RCR_PLACE_MACHINE, 0, &m) == ENOENT,
			 "an invalid place and an unterminated name are errors\n");
	rcr_board_close(b);
}

static void test_nothing(void)
{
	const struct rcr_watch w = { .bound = 1 };
	struct rcr_board_value v;
	struct rcr_blackboard *b;
	enum rcr_place_kind kind;
	struct rcr_meter m = { 0 };
	char text[256];

	make_board(&made);
	b = open_made();
	ksft_test_result(find(NULL, "x", 0, 0, &m) == EINVAL && find(b, NULL, 0, 0, &m) == EINVAL &&
			 find(b, "x", 0, 0, NULL) == EINVAL &&
			 rcr_board_read(NULL, &m, &v) && errno == EINVAL &&
			 rcr_board_read(b, NULL, &v) && errno == EINVAL &&
			 rcr_board_read(b, &m, NULL) && errno == EINVAL &&
			 isnan(rcr_board_get(NULL, &m)) && isnan(rcr_board_get(b, NULL)) &&
			 rcr_board_wait(NULL, &w, &m, 0, NULL) < 0 && errno == EINVAL &&
			 rcr_board_wait(b, NULL, &m, 0, NULL) < 0 && errno == EINVAL &&
			 rcr_board_wait(b, &w, NULL, 0, NULL) < 0 && errno == EINVAL &&
			 !rcr_board_head(NULL) && !rcr_board_meter(NULL, 0) &&
			 !rcr_board_place(NULL, 0) && !rcr_board_entry(NULL, 0),
			 "a null pointer is an error, and is not dereferenced\n");
	ksft_test_result(rcr_board_wait(b, &w, &m, 0, NULL) < 0 && errno == ENOTTY,
			 "waiting for a board in a file is an error\n");
	rcr_board_close(b);
	rcr_board_close(NULL);
	ksft_test_result(!rcr_board_open("/nonexistent") && errno == ENOENT &&
			 !rcr_board_open("/") && errno &&
			 strstr(rcr_board_open_error(NULL, ENOENT, text, sizeof(text)), "modprobe rcrtool") &&
			 strstr(rcr_board_open_error("/x", ENOENT, text, sizeof(text)), "/x: No such"),
			 "a missing file is an error\n");
	ksft_test_result(!rcr_place_kind_parse("llc", &kind) && kind == RCR_PLACE_LLC &&
			 rcr_place_kind_parse("room", &kind) && rcr_place_kind_parse(NULL, &kind) &&
			 !strcmp(rcr_place_kind_name(RCR_PLACE_CPU), "cpu") &&
			 !strcmp(rcr_place_kind_name(99), "unknown"),
			 "each kind of place has its name\n");
}

int main(void)
{
	fd = mkstemp(path);
	ksft_print_header();
	ksft_set_plan(10 + 9 + 5 + 3 + 4 + 4);
	test_whole();
	test_stale();
	test_wrong_head();
	test_cut();
	test_hostile();
	test_nothing();
	unlink(path);
	ksft_finished();
}
