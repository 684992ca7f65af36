// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_board.c - the reader of blackboards, on a board with any content, which changes while it is
 * read. The mapping is memory of exactly its size.
 *
 * An input is a byte, by which the file is shorter than the board; the board; and its content after
 * it was opened.
 */
#include <errno.h>
#include <math.h>
#include <sys/mman.h>

#include "fuzz.h"

#define MAPPINGS 4

/* Existing mappings. */
static struct {
	void *at;
	size_t bytes;
} mapped[MAPPINGS];

static void *fuzz_mmap(size_t bytes, int fd, off_t offset)
{
	unsigned int i = 0;

	while (i < MAPPINGS && mapped[i].at)
		i++;
	FUZZ_HOLDS(i < MAPPINGS && bytes);
	mapped[i].at = aligned_alloc(64, (bytes + 63) / 64 * 64);
	mapped[i].bytes = bytes;
	FUZZ_HOLDS(mapped[i].at);
	memset(mapped[i].at, 0, bytes);
	FUZZ_HOLDS(pread(fd, mapped[i].at, bytes, offset) >= 0);
	return mapped[i].at;
}

static void fuzz_munmap(const void *at, size_t bytes)
{
	unsigned int i = 0;

	while (i < MAPPINGS && mapped[i].at != at)
		i++;
	FUZZ_HOLDS(i < MAPPINGS && mapped[i].bytes == bytes);
	free(mapped[i].at);
	mapped[i].at = NULL;
}

#define mmap(at, bytes, protection, flags, fd, offset) fuzz_mmap(bytes, fd, offset)
#define munmap(at, bytes) fuzz_munmap(at, bytes)
#include "../../userspace/librcr/board/board.c"
#undef mmap
#undef munmap

static uint64_t sum;

static void use_meter(const struct rcr_blackboard *b, const struct rcr_meter *meter)
{
	struct rcr_board_value v;
	double value = rcr_board_get(b, meter);

	FUZZ_HOLDS(!rcr_board_subscribe(b, meter, 0));
	if (rcr_board_read(b, meter, &v))
		FUZZ_HOLDS(isnan(value) && errno);
	else
		sum += v.status + v.time;
}

static void look_around(const struct rcr_blackboard *b)
{
	static const char *const names[] = { "mem_bw", "ipc", "1", "77777777777777777777", "" };
	static struct rcr_board_meter meters[8];
	struct rcr_meter meter;
	unsigned int i, kind;
	int found;

	found = rcr_board_meters(b, meters, 8);
	/* The reader gives up on a writer that never finishes its changes. */
	if (found < 0)
		return;
	for (i = 0; i < (unsigned int)found; i++)
		sum += strlen(meters[i].name) + strlen(meters[i].unit) +
		       rcr_board_subscribe_meter(b, &meters[i], 0);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (kind = 0; kind < 8; kind++)
			if (!rcr_board_find(b, names[i], kind, i % 2, &meter))
				use_meter(b, &meter);
	for (i = 0; i < (unsigned int)found; i++)
		if (!rcr_board_find(b, meters[i].name, meters[i].over, 0, &meter))
			use_meter(b, &meter);
}

/* Read meters, places and entries by number. */
static void walk_board(const struct rcr_blackboard *b)
{
	const struct rcr_board_meter *m;
	const struct rcr_board_place *p;
	const struct rcr_board_entry *e;
	unsigned int i;

	for (i = 0; i < 64; i++) {
		m = rcr_board_meter(b, i);
		p = rcr_board_place(b, i);
		e = rcr_board_entry(b, i);
		sum += (m ? m->serial + m->entries : 0) + (p ? p->parent : 0) +
		       (e ? e->head + e->slot[1].utilization : 0);
	}
}

static void overwrite_board(const struct rcr_blackboard *b, struct fuzz_input *in)
{
	size_t bytes = in->size < b->bytes ? in->size : b->bytes;

	memcpy((void *)b->head, in->data, bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	size_t shorter = fuzz_byte(&in), bytes = in.size / 2;
	struct rcr_blackboard *b;
	char text[80];

	shorter = shorter < bytes ? shorter : 0;
	b = rcr_board_open(fuzz_file(in.data, in.size - shorter - bytes));
	if (!b) {
		FUZZ_HOLDS(errno == EPROTO);
		sum += strlen(rcr_board_open_error(NULL, errno, text, sizeof(text)));
		return 0;
	}
	look_around(b);
	walk_board(b);
	in.data += in.size - bytes;
	in.size = bytes;
	overwrite_board(b, &in);
	look_around(b);
	walk_board(b);
	rcr_board_close(b);
	return 0;
}
