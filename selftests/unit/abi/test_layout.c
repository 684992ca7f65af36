// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_layout.c - the published layout of <linux/rcrtool.h>, <linux/rcrboard.h> and rcr_board2.h
 * does not change (promise P5), so that programs that were built with them read today's data.
 *
 * The numbers, in layout_rows.h, are those of version 4 of the stream, version 2 of
 * blackboard 1 and version 1 of blackboard 2. Additions get rows of their own; after the
 * release of 0.2.0 an existing row is never changed.
 */
#include <stddef.h>

#include <linux/kernel.h>
#include <linux/rcrboard.h>
#include <linux/rcrtool.h>

#include "../../userspace/librcr/rcr_board2.h"
#include "ksft.h"

/* How the structure that ends with this row may change. */
enum end {
	MORE_COMES,		/* decided by a later row of the structure */
	GROWS_AT_ITS_END,	/* its readers know its size at run time */
	HAS_ITS_SIZE,		/* an array element, or its readers do not know its size */
};

struct row {
	const char *name;
	size_t is, is_size;
	size_t was, was_size;
	enum end end;
};

#define MEMBER(type, member, offset, size)					\
	{ #type "." #member, offsetof(struct type, member),			\
	  sizeof(((struct type *)0)->member), offset, size, MORE_COMES },
#define REST(type, member, offset)						\
	{ #type "." #member, offsetof(struct type, member), 0, offset, 0, MORE_COMES },
#define GROWS(type, size) { #type, 0, sizeof(struct type), 0, size, GROWS_AT_ITS_END },
#define WHOLE(type, size) { #type, 0, sizeof(struct type), 0, size, HAS_ITS_SIZE },

static const struct row rows[] = {
#include "layout_rows.h"
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
	VALUE(RCR_ITEM_NODE, 5),
	VALUE(RCR_NODE_DEFAULT, 1),
	VALUE(RCR_MARK_ADMIN, 1),
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
	VALUE(RCR_MARK_VERDICT, 4),
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
	VALUE(RCR_METER_PUBLIC, 1),
	VALUE(RCR_METER_POSTED, 2),
	VALUE(RCR_METER_LIMITED, 4),
	VALUE(RCR_SUBSCRIBE_METER, 1),
	VALUE(RCR_WATCH_BELOW, 1),
	VALUE(RCR_THREAD_FREE, 0),
	VALUE(RCR_THREAD_TAKEN, 1),
	VALUE(RCR_THREAD_RUNNING, 2),
};

static bool is_as_it_was(const struct row *r)
{
	bool right = r->is == r->was && (r->is_size == r->was_size ||
		     (r->end == GROWS_AT_ITS_END && r->is_size > r->was_size));

	if (!right)
		ksft_print_msg("%s: offset %zu and size %zu instead of %zu and %zu\n",
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
		ksft_test_result(!wrong, "struct %s has its published layout\n", rows[i].name);
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
	ksft_test_result(!wrong, "every constant has its published value\n");
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
