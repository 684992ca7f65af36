/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * board_maker.h - boards for tests: three meters on a machine with two nodes and two CPUs.
 *
 *	mem_bw	B/s, integers, per node; entries 0 to 2
 *	ipc	1, three digits, per CPU; entries 3 to 5
 *	flops	no entries, because a counter is missing
 */
#ifndef UNIT_BOARD_MAKER_H
#define UNIT_BOARD_MAKER_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <x86intrin.h>
#include <linux/rcrboard.h>
#include <linux/rcrtool.h>

#define MADE_METERS 4
#define MADE_PLACES 5
#define MADE_ENTRIES 8

/**
 * struct made_board - a board in the module's layout
 * @head: head of the board
 * @meter: slots of meters, the last one free
 * @place: machine, node 0, node 1, CPU 0, CPU 1
 * @entry: slots of entries, the last two free
 */
struct made_board {
	struct rcr_board head;
	struct rcr_board_meter meter[MADE_METERS];
	struct rcr_board_place place[MADE_PLACES];
	struct rcr_board_entry entry[MADE_ENTRIES];
};

static inline void make_head(struct rcr_board *h)
{
	*h = (struct rcr_board) {
		.magic = RCR_BOARD_MAGIC,
		.version = RCR_BOARD_VERSION,
		.compat_version = RCR_BOARD_COMPAT_VERSION,
		.bytes = sizeof(struct made_board),
		.state = RCR_BOARD_RUNNING,
		.heartbeat = __rdtsc(),
		.stale_after = ~0ull >> 2,
		.period_ns = 1000000,
		.tsc_khz = 2000000,
		.meter_size = sizeof(struct rcr_board_meter),
		.meter_offset = offsetof(struct made_board, meter),
		.meters = MADE_METERS,
		.place_size = sizeof(struct rcr_board_place),
		.place_offset = offsetof(struct made_board, place),
		.places = MADE_PLACES,
		.entry_size = sizeof(struct rcr_board_entry),
		.entry_offset = offsetof(struct made_board, entry),
		.entries = MADE_ENTRIES,
	};
}

static inline void make_meter(struct made_board *b, unsigned int n, const char *name,
			      const char *unit, unsigned int digits,
			      enum rcr_place_kind over)
{
	struct rcr_board_meter *m = &b->meter[n];

	m->serial = 100 + n;
	m->number = n;
	snprintf(m->name, sizeof(m->name), "%s", name);
	snprintf(m->unit, sizeof(m->unit), "%s", unit);
	m->digits = digits;
	m->scale_ns = 1000000000;
	m->type = RCR_TIME_AVERAGE;
	m->over = over;
}

static inline void make_value(struct rcr_board_entry *e, __s64 current)
{
	e->slot[1] = (struct rcr_board_value) {
		.current_value = current,
		.average = current - 1,
		.sum = 10 * current,
		.peak = current + 1,
		.highest = current + 2,
		.unseen = 3,
		.maximum = 2 * current,
		.contention = current,
		.time = 5000000000ull,
		.begin = 4000000000ull,
		.tsc = 1,
		.counted_ns = 999000000,
		.status = RCR_STATUS_OK, .current_status = RCR_STATUS_OK,
		.verdict = RCR_VERDICT_CONTENTION,
		.utilization = 500000,
	};
	e->reserved = 1;
	e->head = 1;
}

/* Make the entries of meter @n, beginning with @first: the machine, and two places from @place. */
static inline void make_entries(struct made_board *b, unsigned int n, unsigned int first,
				unsigned int place, __s64 current)
{
	unsigned int i;

	b->meter[n].first = first;
	b->meter[n].entries = 3;
	for (i = 0; i < 3; i++) {
		struct rcr_board_entry *e = &b->entry[first + i];

		e->serial = b->meter[n].serial;
		e->meter = n;
		e->place = i ? place + i - 1 : 0;
		make_value(e, current / (i ? 2 : 1));
	}
}

static inline void make_board(struct made_board *b)
{
	static const struct rcr_board_place places[MADE_PLACES] = {
		{ .kind = RCR_PLACE_MACHINE },
		{ .kind = RCR_PLACE_NODE },
		{ .kind = RCR_PLACE_NODE, .number = 1 },
		{ .kind = RCR_PLACE_CPU, .parent = 1 },
		{ .kind = RCR_PLACE_CPU, .number = 1, .parent = 2 },
	};

	memset(b, 0, sizeof(*b));
	make_head(&b->head);
	memcpy(b->place, places, sizeof(places));
	make_meter(b, 0, "mem_bw", "B/s", 0, RCR_PLACE_NODE);
	make_meter(b, 1, "ipc", "1", 3, RCR_PLACE_CPU);
	make_meter(b, 2, "flops", "1/s", 0, RCR_PLACE_CPU);
	make_entries(b, 0, 0, 1, 20000000000);
	make_entries(b, 1, 3, 3, 1500);
}

#endif
