// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_crossing.c - crossings of a bound in schedules of values, and the queue of crossings. The
 * expected crossings are written by hand, or derived from the whole schedule at once.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "ksft.h"
#include "watch/crossing.h"

#define MS 1000000ull
#define NONE INT64_MIN

static struct rcr_watch above(s64 bound, s64 back, u64 hold_ns)
{
	return (struct rcr_watch){ .bound = bound, .back = back, .hold_ns = hold_ns };
}

/*
 * Feed one value per millisecond: a digit, '.' for no value, and '!' where the watch must fire;
 * @negative negates the values.
 */
static bool fires(struct rcr_watch w, bool negative, const char *values,
		  const char *expected)
{
	struct rcr_crossing_state s = { };
	u64 count = 0;
	size_t i;

	for (i = 0; values[i]; i++) {
		s64 value = negative ? -(values[i] - '0') : values[i] - '0';
		bool fired = false;

		if (values[i] == '.')
			rcr_crossing_absent(&s);
		else
			fired = rcr_crossing_update(&s, &w, value, 5000 * MS + i * MS);
		count += fired;
		if (fired != (expected[i] == '!') || s.count != count) {
			ksft_print_msg("\"%s\": wrong at %zu\n", values, i);
			return false;
		}
	}
	return strlen(values) == strlen(expected);
}

/* Test an upper bound with a schedule, and a lower bound with the negated schedule. */
static void both(s64 bound, s64 back, u64 hold_ns, const char *values,
		 const char *expected, const char *what)
{
	struct rcr_watch up = above(bound, back, hold_ns);
	struct rcr_watch down = above(-bound, -back, hold_ns);

	down.flags = RCR_WATCH_BELOW;
	ksft_test_result(fires(up, false, values, expected) &&
			 fires(down, true, values, expected), "%s\n", what);
}

static void test_schedules(void)
{
	both(5, 5, 0, "0123456789", "      !   ", "a value at the bound has not crossed it");
	both(5, 5, 0, "9", "!", "a first value beyond the bound is a crossing");
	both(5, 5, 0, "66666566665", "!     !    ", "without a reset level the watch is rearmed at the bound");
	both(5, 3, 0, "6565646363626", "!           !",
	     "the watch is rearmed after the reset level is passed, not at it");
	both(5, 3, 3 * MS, "6666666", "   !   ", "the watch fires after a hold time of three milliseconds");
	both(5, 3, 3 * MS, "66656665666566666", "               ! ",
	     "an interruption restarts the hold time");
	both(5, 3, 3 * MS, "6666266626666666", "   !        !   ",
	     "a short reset rearms the watch, a short hold does not fire");
	both(5, 3, 3 * MS, "666.6666", "       !", "a missing value interrupts the hold time");
	both(5, 3, 0, "6.6.6.2.6", "!       !", "a missing value does not rearm the watch");
	both(5, 3, 0, "......", "      ", "missing values never fire");
	both(5, 3, 1, "66", " !", "a hold time of a nanosecond fires at the next tick");
	both(5, 0, 0, "6151416", "!      ", "the watch is not rearmed if the reset level is not reached");
}

static void test_extremes(void)
{
	struct rcr_watch top = above(INT64_MAX, INT64_MAX, 0);
	struct rcr_watch wide = above(0, INT64_MIN, 0);
	struct rcr_watch long_hold = above(0, 0, U64_MAX);
	struct rcr_crossing_state s = { }, t = { }, u = { };

	ksft_test_result(!rcr_crossing_update(&s, &top, INT64_MAX, 1) &&
			 rcr_crossing_update(&t, &wide, INT64_MAX, 1) &&
			 !rcr_crossing_update(&t, &wide, INT64_MIN, 2) &&
			 !rcr_crossing_update(&t, &wide, INT64_MAX, 3) &&
			 !rcr_crossing_update(&u, &long_hold, 1, 0) &&
			 !rcr_crossing_update(&u, &long_hold, 1, U64_MAX - 1),
			 "bounds at the limits of the number range are never crossed\n");
}

static void test_check(void)
{
	struct rcr_watch up = above(5, 6, 0), down = up, bits = above(5, 5, 0), longest = bits;

	ksft_test_result(rcr_crossing_check(&up) == -EINVAL,
			 "a reset level above an upper bound is refused\n");
	down.flags = RCR_WATCH_BELOW;
	ksft_test_result(!rcr_crossing_check(&down),
			 "a reset level above a lower bound is accepted\n");
	down.back = 4;
	ksft_test_result(rcr_crossing_check(&down) == -EINVAL,
			 "a reset level below a lower bound is refused\n");
	bits.flags = 2;
	longest.window_ns = RCR_SCALE_MAX_NS;
	ksft_test_result(rcr_crossing_check(&bits) == -EINVAL &&
			 !rcr_crossing_check(&longest) &&
			 (longest.window_ns++, rcr_crossing_check(&longest) == -EINVAL),
			 "unknown flags and windows longer than the longest time scale are refused\n");
}

static s64 schedule[100000];

/*
 * Make a schedule with a hundred crossings, and between them everything that is not a crossing:
 * short holds, no reset, missing values. Fill @when with the tick at which each one is due.
 */
static unsigned int make_schedule(unsigned int *when, unsigned int hold)
{
	unsigned int n = 0, i, k;

	srand(11);
	for (i = 0; i < 100; i++) {
		for (k = rand() % 20 + 1; k; k--)
			schedule[n++] = rand() % 30;		/* beyond the reset level */
		if (rand() % 2)
			schedule[n++] = NONE;
		for (k = rand() % hold; k; k--)
			schedule[n++] = 101 + rand() % 900;	/* shorter than the hold time */
		schedule[n++] = rand() % 2 ? NONE : 100;
		when[i] = n + hold;
		for (k = hold + 1 + rand() % 20; k; k--)
			schedule[n++] = 101 + rand() % 900;
		for (k = rand() % 20; k; k--)
			schedule[n++] = rand() % 3 ? 30 + rand() % 900 : NONE;	/* not back */
	}
	return n;
}

static void test_hundred(unsigned int hold)
{
	struct rcr_watch w = above(100, 30, hold * MS);
	struct rcr_crossing_state s = { };
	unsigned int when[100], n = make_schedule(when, hold), i, fired = 0, wrong = 0;

	for (i = 0; i < n; i++) {
		if (schedule[i] == NONE) {
			rcr_crossing_absent(&s);
			continue;
		}
		if (!rcr_crossing_update(&s, &w, schedule[i], i * MS))
			continue;
		wrong += fired >= 100 || when[fired] != i;
		fired++;
	}
	ksft_test_result(fired == 100 && !wrong && s.count == 100,
			 "100 crossings with a hold time of %u ms in %u ticks all fire at the right tick\n",
			 hold, n);
}

static void push(struct rcr_crossing_queue *q, u64 count)
{
	struct rcr_crossing c = { .count = count, .lost = 99 };

	rcr_crossing_push(q, &c);
}

/*
 * Read all crossings: they must be in order, and missing ones must be counted as lost.
 */
static bool read_all(struct rcr_crossing_queue *q, u64 *count, u64 *lost)
{
	struct rcr_crossing c;
	u64 number;

	while (rcr_crossing_peek(q, &c, &number)) {
		rcr_crossing_drop(q, number);
		*count += 1 + c.lost;
		*lost += c.lost;
		if (c.count != *count)
			return false;
	}
	return true;
}

static void test_queue(void)
{
	struct rcr_crossing_queue q = { };
	struct rcr_crossing c;
	u64 count = 0, lost = 0, number, i;

	ksft_test_result(!rcr_crossing_peek(&q, &c, &number), "an empty queue has no crossing\n");
	for (i = 1; i <= 1000; i++) {
		push(&q, i);
		if (!(i % RCR_CROSSINGS) && !read_all(&q, &count, &lost))
			break;
	}
	ksft_test_result(read_all(&q, &count, &lost) && count == 1000 && !lost,
			 "crossings that are read in time are complete and in order\n");
	for (; i <= 1000 + RCR_CROSSINGS + 7; i++)
		push(&q, i);
	ksft_test_result(read_all(&q, &count, &lost) && count == 1007 + RCR_CROSSINGS && lost == 7,
			 "unread crossings are overwritten by the latest and counted\n");
	push(&q, i++);
	rcr_crossing_peek(&q, &c, &number);
	for (; i <= 2000; i++)
		push(&q, i);
	rcr_crossing_drop(&q, number);
	count++;
	ksft_test_result(c.count == count && !c.lost && read_all(&q, &count, &lost) &&
			 count == 2000 && lost == 7 + 928 - RCR_CROSSINGS,
			 "a crossing that is overwritten during a read is not lost\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(24);
	test_schedules();
	test_extremes();
	test_check();
	test_hundred(0 + 1);
	test_hundred(5);
	test_hundred(50);
	test_queue();
	ksft_finished();
}
