// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_reader.c - librcr reads valid, truncated and damaged streams.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "ksft.h"
#include "rcr.h"
#include "stream_maker.h"

static char path[] = "/tmp/rcr-reader-XXXXXX";
static int fd;

static void begin(void)
{
	if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET))
		ksft_exit_fail_msg("cannot rewind %s\n", path);
}

static void put(const void *data, size_t size)
{
	if (write(fd, data, size) != (ssize_t)size)
		ksft_exit_fail_msg("cannot write %s\n", path);
}

/* Read all items; return the errno at the end. */
static int read_all(unsigned int *items)
{
	const struct rcr_item *item;
	struct rcr_reader *r = rcr_open(path);
	int ret, error;

	*items = 0;
	if (!r)
		return errno;
	while ((ret = rcr_next(r, &item, 0)) > 0)
		(*items)++;
	error = errno;
	rcr_close(r);
	return ret < 0 ? error : 0;
}

static void test_whole(void)
{
	struct rcr_item unknown = { 24, 9, 0, ~0u, 1 };
	struct made_record r = make_sample(1, 100, 1, 2);
	struct made_set s = make_set();
	const struct rcr_item *item;
	struct rcr_reader *reader;
	uint64_t zero = 0;
	unsigned int items, i;

	begin();
	put(&s, sizeof(s));
	put(&r, MAKER_RECORD);
	put(&unknown, sizeof(unknown));
	put(&zero, 8);
	for (i = 0; i < 10000; i++)
		put(&r, MAKER_RECORD);
	ksft_test_result(read_all(&items) == ENODATA && items == 10002,
			 "a stream with unknown item types is read to its end\n");
	reader = rcr_open(path);
	rcr_next(reader, &item, 0);
	ksft_test_result(item->type == RCR_ITEM_SAMPLE && item->cpu == 1 &&
			 !strcmp(rcr_set_counter(rcr_reader_set(reader), 1)->name, "INS") &&
			 !rcr_set_counter(rcr_reader_set(reader), 2) &&
			 rcr_set_has_cpu(rcr_reader_set(reader), 3) &&
			 !rcr_set_has_cpu(rcr_reader_set(reader), 2) &&
			 !rcr_set_has_cpu(rcr_reader_set(reader), 4000) &&
			 rcr_record_status(rcr_reader_set(reader),
					   (const struct rcr_record *)item, 0) ==
			 RCR_STATUS_OK,
			 "the set has counters and CPUs\n");
	ksft_test_result(!rcr_map(reader, 1) && errno == ENODEV &&
			 !rcr_map(reader, 2) && errno == EINVAL,
			 "a saved stream has no rings\n");
	rcr_close(reader);
}

/* A stream longer than one read() returns; each record is known by its total. */
static void test_ahead(void)
{
	const struct rcr_item *item, *first = NULL;
	struct made_set s = make_set();
	unsigned int i, wrong = 0, reads = 0;
	struct rcr_reader *reader;
	struct made_record r;

	begin();
	put(&s, sizeof(s));
	for (i = 0; i < 10000; i++) {
		r = make_sample(1, i, i, i);
		put(&r, MAKER_RECORD);
	}
	reader = rcr_open(path);
	for (i = 0; i < 10000; i++) {
		if (!rcr_has_next(reader))
			reads++;
		else if (first)
			wrong += ((const struct rcr_record *)first)->value[0] + 1 != i;
		wrong += rcr_next(reader, &item, 0) != 1;
		wrong += ((const struct rcr_record *)item)->value[0] != i;
		first = item;
	}
	ksft_test_result(!wrong && reads && reads < 6 && !rcr_has_next(reader) &&
			 !rcr_has_next(NULL),
			 "items stay valid until the reader reads again (%u times)\n",
			 reads);
	rcr_close(reader);
}

/* A truncated stream gives an end or an error, and never more items than it has. */
static void test_cut(void)
{
	struct made_record r = make_sample(1, 100, 1, 2);
	struct made_set s = make_set();
	unsigned int size, items, wrong = 0;

	for (size = 0; size < sizeof(s) + MAKER_RECORD; size++) {
		begin();
		put(&s, size < sizeof(s) ? size : sizeof(s));
		if (size > sizeof(s))
			put(&r, size - sizeof(s));
		wrong += read_all(&items) != (size == sizeof(s) ? ENODATA : EPROTO) ||
			 items;
	}
	ksft_test_result(!wrong, "a truncated stream is an error\n");
}

static void test_wrong(void)
{
	static const size_t at[] = {
		offsetof(struct rcr_set, item.size),
		offsetof(struct rcr_set, compat_version),
		offsetof(struct rcr_set, ncounters),
		offsetof(struct rcr_set, ncpus),
		offsetof(struct rcr_set, counter_offset),
		offsetof(struct rcr_set, cpus_offset),
		offsetof(struct rcr_set, counter_size),
		offsetof(struct rcr_set, value_offset),
		offsetof(struct rcr_set, value_size),
		offsetof(struct rcr_set, status_offset),
		offsetof(struct rcr_set, status_size),
	};
	static const uint32_t values[] = { 4, 8, 33, 4097, 0x7fffffff, 0xfffffff8, ~0u };
	struct made_record r = make_sample(1, 100, 1, 2);
	unsigned int items, i, k, taken = 0;

	for (i = 0; i < sizeof(at) / sizeof(at[0]); i++)
		for (k = 0; k < sizeof(values) / sizeof(values[0]); k++) {
			struct made_set s = make_set();

			memcpy((char *)&s + at[i], &values[k], 4);
			begin();
			put(&s, sizeof(s));
			taken += read_all(&items) == ENODATA;
		}
	/*
	 * Some of the values are valid: a compat_version of 4; an ncpus of 4, 8 and 33, for which
	 * the mask is still one word; the unchanged value_size of 8; and a status_size of 4, which
	 * fits in the padding of the record.
	 */
	ksft_test_result(taken == 6,
			 "a set with invalid sizes or offsets is refused (%u are valid)\n",
			 taken);

	for (i = 0, taken = 0; i < 4; i++) {
		struct made_set s = make_set();
		struct made_record bad = r;

		if (i == 0)
			bad.record.item.size = 16;
		if (i == 1)
			bad.record.item.size = MAKER_RECORD - 16;
		if (i == 2)
			bad.record.item.cpu = 4;
		if (i == 3)
			bad.record.item.size = 0;
		begin();
		put(&s, sizeof(s));
		put(&bad, MAKER_RECORD);
		taken += read_all(&items) != EPROTO || items;
	}
	ksft_test_result(!taken, "a record that is too short, or of an invalid CPU, is refused\n");
	{
		struct made_set s = make_set();

		memset(s.counter[1].name, 'x', sizeof(s.counter[1].name));
		begin();
		put(&s, sizeof(s));
		ksft_test_result(read_all(&items) == EPROTO,
				 "an unterminated name is refused\n");
	}
	begin();
	put(&r, MAKER_RECORD);
	ksft_test_result(read_all(&items) == EPROTO, "records before any set are refused\n");
}

/* The time of slow counters follows the statuses of a sample. */
static void test_slow(void)
{
	static const uint32_t beside[] = { 4, sizeof(struct rcr_record) - 8, MAKER_RECORD - 8,
					   MAKER_RECORD, 0xfffffff8 };
	struct made_record r = make_sample(1, 100, 1, 2);
	unsigned int items, i, taken = 0;
	struct made_set s = make_set();

	s.set.slow = 2;
	for (i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
		s.set.slow_offset = beside[i];
		begin();
		put(&s, sizeof(s));
		put(&r, MAKER_RECORD);
		taken += read_all(&items) != EPROTO || items;
	}
	ksft_test_result(!taken, "a time of slow counters at an invalid offset is refused\n");
	s.set.slow_offset = MAKER_RECORD - 16;
	ksft_test_result(rcr_set_is_slow(&s.set, 1) && !rcr_set_is_slow(&s.set, 0) &&
			 (const char *)rcr_record_slow(&s.set, &r.record) ==
			 r.bytes + MAKER_RECORD - 16,
			 "the time of the slow counters is found\n");
}

/* A recording of the first release, and one of a future module. */
static void test_versions(void)
{
	struct made_set s = make_set();
	unsigned int items;
	char text[160];

	s.set.version = 3;
	s.set.compat_version = 1;
	begin();
	put(&s, sizeof(s));
	ksft_test_result(read_all(&items) == EPROTO &&
			 strstr(rcr_open_error(path, EPROTO, text, sizeof(text)),
				"is not a recording that this program reads"),
			 "a recording of version 3 is refused, with the reason\n");
	s.set.version = 9;
	s.set.compat_version = 4;
	begin();
	put(&s, sizeof(s));
	ksft_test_result(read_all(&items) == ENODATA,
			 "a recording of a later version that declares itself readable is read\n");
}

/* A future module has larger elements, of which this program finds the part that it knows. */
static void test_larger(void)
{
	struct {
		struct rcr_set set;
		struct { struct rcr_counter c; uint64_t more; } counter[2];
		uint64_t cpus;
	} s = { .set = make_set().set, .cpus = 3 };
	struct {
		char head[sizeof(struct rcr_record)];
		struct { uint64_t more, total; } value[2];
		struct { uint8_t status, more; } status[4];
	} r;
	struct made_record sample = make_sample(1, 5, 0, 0);
	const struct rcr_item *item = NULL;
	struct rcr_reader *reader;
	const struct rcr_record *got;
	uint64_t totals[2];
	uint8_t statuses[2];
	bool right;

	s.set.item.size = sizeof(s);
	s.set.counter_offset = (char *)&s.counter[0] - (char *)&s;
	s.set.counter_size = sizeof(s.counter[0]);
	s.set.cpus_offset = (char *)&s.cpus - (char *)&s;
	s.set.record_size = sizeof(r);
	/* Values begin at their totals: the last one ends after its known part. */
	s.set.value_offset = (char *)&r.value[0].total - (char *)&r;
	s.set.value_size = sizeof(r.value[0]);
	s.set.status_offset = (char *)&r.status - (char *)&r;
	s.set.status_size = sizeof(r.status[0]);
	strcpy(s.counter[0].c.name, "A");
	strcpy(s.counter[1].c.name, "B");
	sample.record.item.size = sizeof(r);
	memset(&r, 0, sizeof(r));
	memcpy(r.head, &sample, sizeof(r.head));
	r.value[0].total = 11;
	r.value[1].total = 22;
	r.status[0].status = RCR_STATUS_GAP;
	r.status[1].status = RCR_STATUS_OK;
	begin();
	put(&s, sizeof(s));
	put(&r, sizeof(r));
	reader = rcr_open(path);
	right = reader && rcr_next(reader, &item, 0) == 1;
	got = (const struct rcr_record *)item;
	right = right && !strcmp(rcr_set_counter(rcr_reader_set(reader), 1)->name, "B") &&
		rcr_record_total(rcr_reader_set(reader), got, 0) == 11 &&
		rcr_record_total(rcr_reader_set(reader), got, 1) == 22 &&
		rcr_record_status(rcr_reader_set(reader), got, 0) == RCR_STATUS_GAP &&
		rcr_record_status(rcr_reader_set(reader), got, 1) == RCR_STATUS_OK;
	if (right)
		rcr_record_copy(rcr_reader_set(reader), got, totals, statuses);
	ksft_test_result(right && totals[0] == 11 && totals[1] == 22 &&
			 statuses[0] == RCR_STATUS_GAP && statuses[1] == RCR_STATUS_OK,
			 "larger counters, values and statuses are read by their sizes\n");
	rcr_close(reader);
}

static void test_marks(void)
{
	struct rcr_mark mark = make_mark(7, RCR_MARK_BEGIN, "4711");
	const struct rcr_mark *got;
	struct made_set s = make_set();
	const struct rcr_item *item;
	struct rcr_reader *reader;
	unsigned int items;

	begin();
	put(&s, sizeof(s));
	put(&mark, sizeof(mark));
	reader = rcr_open(path);
	rcr_next(reader, &item, 0);
	got = (const struct rcr_mark *)item;
	ksft_test_result(item->type == RCR_ITEM_MARK && got->time == 7 &&
			 !strcmp(got->text, "4711") &&
			 !strcmp(rcr_mark_kind_name(got->kind), "begin") &&
			 !strcmp(rcr_mark_kind_name(RCR_MARK_VERDICT), "verdict"),
			 "a mark is an item\n");
	rcr_close(reader);
	memset(mark.text, 'x', sizeof(mark.text));
	begin();
	put(&s, sizeof(s));
	put(&mark, sizeof(mark));
	ksft_test_result(read_all(&items) == EPROTO, "an unterminated mark is refused\n");
	mark.item.size = 40;
	begin();
	put(&s, sizeof(s));
	put(&mark, 40);
	ksft_test_result(read_all(&items) == EPROTO, "a mark that is too short is refused\n");
}

static void test_noise(void)
{
	unsigned int i, k, items, refused = 0, strange = 0;
	unsigned char noise[700];
	int err;

	srand(4);
	for (i = 0; i < 3000; i++) {
		struct made_set s = make_set();

		for (k = 0; k < sizeof(noise); k++)
			noise[k] = rand() % 4 ? 0 : rand();
		if (i % 2)
			((unsigned char *)&s)[rand() % sizeof(s)] = rand();
		begin();
		put(&s, sizeof(s));
		put(noise, sizeof(noise));
		err = read_all(&items);
		strange += err != ENODATA && err != EPROTO;
		refused += err == EPROTO;
	}
	ksft_test_result(!strange && refused > 1000,
			 "noise is an end of the stream or a protocol error (%u of 3000), nothing else (%u)\n",
			 refused, strange);
}

static void test_nothing(void)
{
	const struct rcr_item *item;
	char text[64];

	ksft_test_result(!rcr_open("/nonexistent/rcr") && errno == ENOENT &&
			 rcr_next(NULL, &item, 0) == -1 && errno == EINVAL &&
			 rcr_rewind(NULL) == -1 && rcr_fd(NULL) == -1 &&
			 !rcr_reader_set(NULL) && !rcr_set_counter(NULL, 0) &&
			 !rcr_set_has_cpu(NULL, 0) && !rcr_record_status(NULL, NULL, 0),
			 "a missing device and NULL objects are errors, not faults\n");
	rcr_close(NULL);
	ksft_test_result(!!strstr(rcr_open_error(NULL, ENOENT, text, sizeof(text)),
				  "/dev/rcrtool is not there") && strlen(text) == 63,
			 "a message that does not fit is cut\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(3 + 1 + 1 + 4 + 2 + 2 + 1 + 3 + 1 + 2);
	fd = mkstemp(path);
	if (fd < 0)
		ksft_exit_fail_msg("cannot make a file in /tmp\n");
	test_whole();
	test_ahead();
	test_cut();
	test_wrong();
	test_slow();
	test_versions();
	test_larger();
	test_marks();
	test_noise();
	test_nothing();
	unlink(path);
	ksft_finished();
}
