// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_recording.c - saved streams that end at any byte: the items before the end are
 * read, and the reader knows whether the end is within an item or between two.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "ksft.h"
#include "rcr.h"
#include "recording.h"
#include "stream_maker.h"

#define SAMPLES 6

static char stream[65536];
static size_t length;
static size_t boundary[SAMPLES + 3];
static unsigned int items;

static void append(const void *item, size_t size)
{
	boundary[items++] = length;
	memcpy(stream + length, item, size);
	length += size;
}

static void make_whole(void)
{
	struct made_set set = make_set();
	struct rcr_mark mark = make_mark(5000000000, RCR_MARK_TEXT, "here");
	unsigned int i;

	append(&set, sizeof(set));
	append(&mark, sizeof(mark));
	for (i = 0; i < SAMPLES; i++) {
		struct made_record r = make_sample(i % 2, 5000 + i / 2, i * 100, i * 50);

		append(&r, sizeof(r));
	}
	boundary[items] = length;
}

static void write_prefix(int fd, size_t bytes)
{
	if (ftruncate(fd, 0) || pwrite(fd, stream, bytes, 0) != (ssize_t)bytes)
		ksft_exit_fail_msg("cannot write: %s\n", strerror(errno));
}

/* Count the items that are complete in the first @bytes. */
static unsigned int whole_items(size_t bytes)
{
	unsigned int n = 0;

	while (n < items && boundary[n + 1] <= bytes)
		n++;
	return n;
}

/* Read the items; return false if one differs from what was written. */
static bool read_items(struct rcr_reader *r, unsigned int *n, int *error)
{
	const struct rcr_item *item;

	/* The set was read by rcr_open(). */
	for (*n = 1; rcr_next(r, &item, 0) > 0; ++*n)
		if (memcmp(item, stream + boundary[*n], item->size))
			return false;
	*error = errno;
	return true;
}

static bool cut_is_right(const char *path, int fd, size_t bytes)
{
	unsigned int n, whole = whole_items(bytes);
	bool cut = boundary[whole] != bytes, right;
	struct rcr_reader *r;
	int error;

	write_prefix(fd, bytes);
	r = rcr_open(path);
	if (!whole)
		return !r && errno == EPROTO;
	right = r && read_items(r, &n, &error) && n == whole &&
		error == (cut ? EPROTO : ENODATA) && recording_is_cut(fd, boundary[n]) == cut;
	rcr_close(r);
	return right;
}

static void test_cuts(const char *path, int fd)
{
	size_t bytes;

	for (bytes = 0; bytes <= length && cut_is_right(path, fd, bytes); bytes++)
		;
	ksft_test_result(bytes > length,
			 "recording: whole items of a truncated file are read (%zu of %zu bytes)\n",
			 bytes, length);
}

/* A reader at the end of a file goes on when more has been appended. */
static void test_growth(const char *path, int fd)
{
	unsigned int n, more, i;
	struct rcr_reader *r;
	bool right = true;
	size_t bytes;
	int error;

	for (bytes = boundary[1]; bytes < length && right; bytes += 7) {
		write_prefix(fd, bytes);
		r = rcr_open(path);
		right = r && read_items(r, &n, &error);
		if (pwrite(fd, stream, length, 0) != (ssize_t)length)
			right = false;
		for (more = n, i = 0; right && i < 2; i++) {
			const struct rcr_item *item;

			while (rcr_next(r, &item, 0) > 0)
				right &= !memcmp(item, stream + boundary[more++], item->size);
		}
		right &= more == items;
		rcr_close(r);
	}
	ksft_test_result(right,
			 "recording: a reader goes on when the file has grown (%zu)\n", bytes);
}

/* A file with a damaged byte gives an error or items. */
static void test_damage(const char *path, int fd)
{
	unsigned int opened = 0, ended = 0;
	const struct rcr_item *item;
	struct rcr_reader *r;
	size_t at;
	char was;

	for (at = 0; at < length; at++) {
		was = stream[at];
		stream[at] ^= 0xff;
		write_prefix(fd, length);
		stream[at] = was;
		r = rcr_open(path);
		opened += !!r;
		while (r && rcr_next(r, &item, 0) > 0)
			;
		ended += r && (errno == EPROTO || errno == ENODATA);
		rcr_close(r);
	}
	ksft_test_result(opened && opened == ended,
			 "recording: %u of %zu damaged files are opened, %u are read to an end\n",
			 opened, length, ended);
}

int main(void)
{
	char path[] = "/tmp/recording.XXXXXX";
	int fd = mkstemp(path);

	ksft_print_header();
	ksft_set_plan(3);
	if (fd < 0)
		ksft_exit_fail_msg("cannot make a file: %s\n", strerror(errno));
	make_whole();
	test_cuts(path, fd);
	test_growth(path, fd);
	test_damage(path, fd);
	unlink(path);
	close(fd);
	ksft_finished();
}
