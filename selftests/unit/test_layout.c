// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_layout.c - what was published of <linux/rcrtool.h> and <linux/rcrboard.h> stays
 * where it is (promise P5): programs that were built then read what is written now.
 *
 * The numbers are those of version 3 of the stream and version 1 of the blackboards.
 * What is added gets rows of its own; a row that is here is never changed.
 */
#include <stddef.h>

#include <linux/kernel.h>
#include <linux/rcrboard.h>
#include <linux/rcrtool.h>

#include "ksft.h"

/* What can become of the structure that a row ends. */
enum end {
	MORE_COMES,		/* another row of the same structure does */
	GROWS_AT_ITS_END,	/* who reads it is told its size */
	HAS_ITS_SIZE,		/* it is an element, or who reads it is told no size */
};

struct row {
	const char *name;
	size_t is, is_size;
	size_t was, was_size;
	enum end end;
};

#define MEMBER(type, member, offset, size)					\
	{ #type "." #member, offsetof(struct type, member),			\
	  sizeof(((struct type *)0)->member), offset, size, MORE_COMES }
#define REST(type, member, offset)						\
	{ #type "." #member, offsetof(struct type, member), 0, offset, 0, MORE_COMES }
#define GROWS(type, size) { #type, 0, sizeof(struct type), 0, size, GROWS_AT_ITS_END }
#define WHOLE(type, size) { #type, 0, sizeof(struct type), 0, size, HAS_ITS_SIZE }

static const struct row rows[] = {
	MEMBER(rcr_item, size, 0, 4),
	MEMBER(rcr_item, type, 4, 2),
	MEMBER(rcr_item, flags, 6, 2),
	MEMBER(rcr_item, cpu, 8, 4),
	MEMBER(rcr_item, generation, 12, 4),
	WHOLE(rcr_item, 16),
	MEMBER(rcr_counter, name, 0, 64),
	MEMBER(rcr_counter, select, 64, 8),
	MEMBER(rcr_counter, control, 72, 4),
	MEMBER(rcr_counter, counter, 76, 4),
	MEMBER(rcr_counter, width, 80, 4),
	MEMBER(rcr_counter, scope, 84, 2),
	MEMBER(rcr_counter, unit, 86, 2),
	WHOLE(rcr_counter, 88),
	MEMBER(rcr_set, item, 0, 16),
	MEMBER(rcr_set, version, 16, 4),
	MEMBER(rcr_set, compat_version, 20, 4),
	MEMBER(rcr_set, error, 24, 4),
	MEMBER(rcr_set, ncounters, 28, 4),
	MEMBER(rcr_set, ncpus, 32, 4),
	MEMBER(rcr_set, record_size, 36, 4),
	MEMBER(rcr_set, ring_records, 40, 4),
	MEMBER(rcr_set, tsc_khz, 44, 4),
	MEMBER(rcr_set, ring_bytes, 48, 8),
	MEMBER(rcr_set, period_ns, 56, 8),
	MEMBER(rcr_set, clock_tsc, 64, 8),
	MEMBER(rcr_set, clock_monotonic, 72, 8),
	MEMBER(rcr_set, clock_realtime, 80, 8),
	MEMBER(rcr_set, source, 88, 16),
	MEMBER(rcr_set, family, 104, 32),
	MEMBER(rcr_set, reason, 136, 192),
	MEMBER(rcr_set, counter_offset, 328, 4),
	MEMBER(rcr_set, cpus_offset, 332, 4),
	MEMBER(rcr_set, slow, 336, 8),
	MEMBER(rcr_set, slow_period_ns, 344, 8),
	MEMBER(rcr_set, slow_offset, 352, 4),
	GROWS(rcr_set, 360),
	MEMBER(rcr_lost, item, 0, 16),
	MEMBER(rcr_lost, position, 16, 8),
	MEMBER(rcr_lost, count, 24, 8),
	GROWS(rcr_lost, 32),
	MEMBER(rcr_gap, item, 0, 16),
	MEMBER(rcr_gap, time, 16, 8),
	GROWS(rcr_gap, 24),
	MEMBER(rcr_mark, item, 0, 16),
	MEMBER(rcr_mark, position, 16, 8),
	MEMBER(rcr_mark, time, 24, 8),
	MEMBER(rcr_mark, tsc, 32, 8),
	MEMBER(rcr_mark, kind, 40, 4),
	MEMBER(rcr_mark, lost, 44, 4),
	MEMBER(rcr_mark, text, 48, 128),
	GROWS(rcr_mark, 176),
	MEMBER(rcr_record, item, 0, 16),
	MEMBER(rcr_record, position, 16, 8),
	MEMBER(rcr_record, tick, 24, 8),
	MEMBER(rcr_record, time, 32, 8),
	MEMBER(rcr_record, tsc, 40, 8),
	MEMBER(rcr_record, tsc_end, 48, 8),
	MEMBER(rcr_record, cgroup, 56, 8),
	MEMBER(rcr_record, late, 64, 4),
	MEMBER(rcr_record, overruns, 68, 4),
	MEMBER(rcr_record, skipped, 72, 4),
	MEMBER(rcr_record, tgid, 76, 4),
	REST(rcr_record, value, 80),
	WHOLE(rcr_record, 80),
	MEMBER(rcr_slow, tsc, 0, 8),
	MEMBER(rcr_slow, tsc_end, 8, 8),
	WHOLE(rcr_slow, 16),
	MEMBER(rcr_ring, magic, 0, 8),
	MEMBER(rcr_ring, version, 8, 4),
	MEMBER(rcr_ring, compat_version, 12, 4),
	MEMBER(rcr_ring, data_offset, 16, 4),
	MEMBER(rcr_ring, record_size, 20, 4),
	MEMBER(rcr_ring, capacity, 24, 4),
	MEMBER(rcr_ring, cpu, 28, 4),
	MEMBER(rcr_ring, generation, 32, 4),
	MEMBER(rcr_ring, ended, 36, 4),
	MEMBER(rcr_ring, reserved, 64, 8),
	MEMBER(rcr_ring, head, 72, 8),
	GROWS(rcr_ring, 128),
	MEMBER(rcr_board, magic, 0, 8),
	MEMBER(rcr_board, version, 8, 4),
	MEMBER(rcr_board, compat_version, 12, 4),
	MEMBER(rcr_board, bytes, 16, 8),
	MEMBER(rcr_board, state, 24, 4),
	MEMBER(rcr_board, changes, 28, 4),
	MEMBER(rcr_board, heartbeat, 32, 8),
	MEMBER(rcr_board, stale_after, 40, 8),
	MEMBER(rcr_board, period_ns, 48, 8),
	MEMBER(rcr_board, tsc_khz, 56, 8),
	MEMBER(rcr_board, meter_size, 64, 4),
	MEMBER(rcr_board, meter_offset, 68, 4),
	MEMBER(rcr_board, meters, 72, 4),
	MEMBER(rcr_board, place_size, 76, 4),
	MEMBER(rcr_board, place_offset, 80, 4),
	MEMBER(rcr_board, places, 84, 4),
	MEMBER(rcr_board, entry_size, 88, 4),
	MEMBER(rcr_board, entry_offset, 92, 4),
	MEMBER(rcr_board, entries, 96, 4),
	GROWS(rcr_board, 128),
	MEMBER(rcr_board_meter, serial, 0, 4),
	MEMBER(rcr_board_meter, number, 4, 4),
	MEMBER(rcr_board_meter, name, 8, 64),
	MEMBER(rcr_board_meter, unit, 72, 16),
	MEMBER(rcr_board_meter, digits, 88, 4),
	MEMBER(rcr_board_meter, timescale, 92, 4),
	MEMBER(rcr_board_meter, over, 96, 4),
	MEMBER(rcr_board_meter, flags, 100, 4),
	MEMBER(rcr_board_meter, first, 104, 4),
	MEMBER(rcr_board_meter, entries, 108, 4),
	GROWS(rcr_board_meter, 128),
	MEMBER(rcr_board_place, kind, 0, 4),
	MEMBER(rcr_board_place, number, 4, 4),
	MEMBER(rcr_board_place, parent, 8, 4),
	GROWS(rcr_board_place, 16),
	MEMBER(rcr_board_value, current_value, 0, 8),
	MEMBER(rcr_board_value, average, 8, 8),
	MEMBER(rcr_board_value, sum, 16, 8),
	MEMBER(rcr_board_value, peak, 24, 8),
	MEMBER(rcr_board_value, highest, 32, 8),
	MEMBER(rcr_board_value, maximum, 40, 8),
	MEMBER(rcr_board_value, contention, 48, 8),
	MEMBER(rcr_board_value, time, 56, 8),
	MEMBER(rcr_board_value, begin, 64, 8),
	MEMBER(rcr_board_value, tsc, 72, 8),
	MEMBER(rcr_board_value, status, 80, 4),
	MEMBER(rcr_board_value, verdict, 84, 4),
	MEMBER(rcr_board_value, utilization, 88, 4),
	MEMBER(rcr_board_value, mix, 92, 4),
	WHOLE(rcr_board_value, 96),
	MEMBER(rcr_board_entry, reserved, 0, 8),
	MEMBER(rcr_board_entry, head, 8, 8),
	MEMBER(rcr_board_entry, serial, 16, 4),
	MEMBER(rcr_board_entry, meter, 20, 4),
	MEMBER(rcr_board_entry, place, 24, 4),
	MEMBER(rcr_board_entry, slot, 48, 192),
	MEMBER(rcr_board_entry, reserved2, 240, 16),
	GROWS(rcr_board_entry, 256),
	MEMBER(rcr_watch, entry, 0, 4),
	MEMBER(rcr_watch, serial, 4, 4),
	MEMBER(rcr_watch, bound, 8, 8),
	MEMBER(rcr_watch, back, 16, 8),
	MEMBER(rcr_watch, hold_ns, 24, 8),
	MEMBER(rcr_watch, cookie, 32, 8),
	MEMBER(rcr_watch, flags, 40, 4),
	MEMBER(rcr_watch, type, 44, 4),
	WHOLE(rcr_watch, 48),
	MEMBER(rcr_crossing, cookie, 0, 8),
	MEMBER(rcr_crossing, count, 8, 8),
	MEMBER(rcr_crossing, time, 16, 8),
	MEMBER(rcr_crossing, value, 24, 8),
	MEMBER(rcr_crossing, lost, 32, 8),
	WHOLE(rcr_crossing, 40),
	MEMBER(rcr_threads, magic, 0, 8),
	MEMBER(rcr_threads, version, 8, 4),
	MEMBER(rcr_threads, compat_version, 12, 4),
	MEMBER(rcr_threads, tgid, 16, 4),
	MEMBER(rcr_threads, slot_size, 20, 4),
	MEMBER(rcr_threads, page_slots, 24, 4),
	MEMBER(rcr_threads, pages, 28, 4),
	MEMBER(rcr_threads, mapped, 32, 4),
	GROWS(rcr_threads, 40),
	MEMBER(rcr_thread, state, 0, 4),
	MEMBER(rcr_thread, tid, 4, 4),
	MEMBER(rcr_thread, id, 8, 8),
	MEMBER(rcr_thread, pc, 16, 8),
	MEMBER(rcr_thread, wish, 24, 8),
	MEMBER(rcr_thread, since, 32, 8),
	MEMBER(rcr_thread, updates, 40, 8),
	GROWS(rcr_thread, 64),
};

struct value {
	const char *name;
	unsigned int is, was;
};

#define VALUE(name, was) { #name, name, was }

static const struct value values[] = {
	VALUE(RCR_ITEM_SET, 1),
	VALUE(RCR_ITEM_LOST, 2),
	VALUE(RCR_ITEM_GAP, 3),
	VALUE(RCR_ITEM_MARK, 4),
	VALUE(RCR_ITEM_SAMPLE, 16),
	VALUE(RCR_ITEM_CLOCK, 17),
	VALUE(RCR_ITEM_STRIDE, 18),
	VALUE(RCR_STATUS_OK, 1),
	VALUE(RCR_STATUS_HALTED, 2),
	VALUE(RCR_STATUS_FOREIGN, 3),
	VALUE(RCR_STATUS_BUSY, 4),
	VALUE(RCR_STATUS_FAULT, 5),
	VALUE(RCR_STATUS_OFFLINE, 6),
	VALUE(RCR_STATUS_GAP, 7),
	VALUE(RCR_STATUS_ELSEWHERE, 8),
	VALUE(RCR_STATUS_MISPLACED, 9),
	VALUE(RCR_SCOPE_CPU, 0),
	VALUE(RCR_SCOPE_DIE, 1),
	VALUE(RCR_SCOPE_PACKAGE, 2),
	VALUE(RCR_SCOPE_LLC, 3),
	VALUE(RCR_SCOPE_CORE, 4),
	VALUE(RCR_UNIT_EVENT, 0),
	VALUE(RCR_UNIT_NANOJOULE, 1),
	VALUE(RCR_UNIT_MILLIDEGREE, 2),
	VALUE(RCR_MARK_TEXT, 1),
	VALUE(RCR_MARK_BEGIN, 2),
	VALUE(RCR_MARK_END, 3),
	VALUE(RCR_TRIGGER_MARK, 1),
	VALUE(RCR_TRIGGER_OOM, 2),
	VALUE(RCR_TRIGGER_CROSSING, 4),
	VALUE(RCR_TIME_CURRENT, 0),
	VALUE(RCR_TIME_SUM, 1),
	VALUE(RCR_TIME_AVERAGE, 2),
	VALUE(RCR_TIME_PEAK, 3),
	VALUE(RCR_BOARD_STOPPED, 0),
	VALUE(RCR_BOARD_RUNNING, 1),
	VALUE(RCR_PLACE_MACHINE, 0),
	VALUE(RCR_PLACE_NODE, 1),
	VALUE(RCR_PLACE_PACKAGE, 2),
	VALUE(RCR_PLACE_DIE, 3),
	VALUE(RCR_PLACE_LLC, 4),
	VALUE(RCR_PLACE_CORE, 5),
	VALUE(RCR_PLACE_CPU, 6),
	VALUE(RCR_VERDICT_NONE, 0),
	VALUE(RCR_VERDICT_OK, 1),
	VALUE(RCR_VERDICT_CONTENTION, 2),
	VALUE(RCR_VERDICT_BUSY, 3),
	VALUE(RCR_MIX_READ, 0),
	VALUE(RCR_MIX_WRITE, 1),
	VALUE(RCR_MIX_COPY, 2),
	VALUE(RCR_MIX_RANDOM, 3),
	VALUE(RCR_THREAD_FREE, 0),
	VALUE(RCR_THREAD_TAKEN, 1),
	VALUE(RCR_THREAD_RUNNING, 2),
};

static bool is_as_it_was(const struct row *r)
{
	bool right = r->is == r->was && (r->is_size == r->was_size ||
		     (r->end == GROWS_AT_ITS_END && r->is_size > r->was_size));

	if (!right)
		ksft_print_msg("%s is at %zu and has %zu bytes, not at %zu with %zu\n",
			       r->name, r->is, r->is_size, r->was, r->was_size);
	return right;
}

static void test_structures(void)
{
	unsigned int wrong = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		wrong += !is_as_it_was(&rows[i]);
		if (rows[i].end == MORE_COMES)
			continue;
		ksft_test_result(!wrong, "struct %s is as it was published\n", rows[i].name);
		wrong = 0;
	}
}

static void test_values(void)
{
	unsigned int wrong = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(values); i++) {
		if (values[i].is == values[i].was)
			continue;
		ksft_print_msg("%s is %u, and was %u\n", values[i].name, values[i].is,
			       values[i].was);
		wrong++;
	}
	ksft_test_result(!wrong, "every number means what it meant\n");
}

int main(void)
{
	size_t i, structures = 0;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		structures += rows[i].end != MORE_COMES;
	ksft_print_header();
	ksft_set_plan(structures + 1);
	test_structures();
	test_values();
	ksft_finished();
}
