// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_window.c - where the span of a time scale begins, tick by tick and through
 * changes of the period, and what the marks hold.
 */
#include <string.h>

#include <linux/errno.h>
#include <linux/kernel.h>

#include "ksft.h"
#include "meter/window.h"

#define MS 1000000ull

/* A window that counts 1 a tick, so that a total is a tick's number. */
struct run {
	struct rcr_window w;
	u64 period, tick, time, begun;
};

static void set_period(struct run *r, u64 scale_ns, u64 period)
{
	r->period = period;
	rcr_window_set_scale(&r->w, scale_ns, period);
}

static void step(struct run *r)
{
	r->tick++;
	r->time += r->period;
	r->w.total.delta[0] += 1;
	r->w.total.cycles[0] += 3;
	if (rcr_window_next(&r->w, r->tick) == r->tick)
		rcr_window_mark(&r->w, r->tick, r->time);
}

/* Section 4 of <linux/rcrboard.h>: never longer, and up to a sixteenth shorter. */
static bool span_is_right(const struct run *r, u64 scale_ns)
{
	unsigned int i = rcr_window_begin(&r->w, r->tick);
	u64 span = r->time - r->w.time[i], ticks = r->w.total.delta[0] - r->w.mark[i].delta[0];
	u64 scale = max(scale_ns, r->period), may_lack = max(scale_ns / 16, r->period);
	bool whole = r->time - r->begun < scale;

	if (span <= scale && (whole ? r->w.time[i] == r->begun : span + may_lack >= scale) &&
	    ticks * r->period == span && 3 * ticks == r->w.total.cycles[0] - r->w.mark[i].cycles[0])
		return true;
	ksft_print_msg("tick %llu: a span of %llu ns, %llu ticks\n", r->tick, span, ticks);
	return false;
}

static void begin(struct run *r, u64 scale_ns, u64 period)
{
	memset(r, 0, sizeof(*r));
	rcr_window_init(&r->w, 2, 3);
	set_period(r, scale_ns, period);
	r->tick = 123457;
	r->time = 77 * MS;
	r->begun = r->time;
	rcr_window_clear(&r->w, r->tick, r->time);
}

static void test_scale(u64 scale_ns, u64 period, unsigned int ticks)
{
	struct run r;
	bool right = true;

	begin(&r, scale_ns, period);
	while (ticks-- && right) {
		step(&r);
		right = span_is_right(&r, scale_ns);
	}
	rcr_window_free(&r.w);
	ksft_test_result(right, "%llu us in ticks of %llu us\n", scale_ns / 1000, period / 1000);
}

/* Another run, with another period, from another number on, after a while. */
static void test_rebase(u64 scale_ns, u64 before, u64 after, u64 tick)
{
	unsigned int i, k;
	bool right = true;
	struct run r;
	u64 held[RCR_WINDOW_MARKS];

	begin(&r, scale_ns, before);
	for (i = 0; i < 3 * scale_ns / before; i++)
		step(&r);
	memcpy(held, r.w.time, sizeof(held));
	r.time += 5 * after;
	r.tick = tick;
	set_period(&r, scale_ns, after);
	rcr_window_rebase(&r.w, r.time, r.tick, after);
	right = !memcmp(held, r.w.time, sizeof(held));
	for (i = 0; i < 3 * scale_ns / after && right; i++) {
		step(&r);
		k = rcr_window_begin(&r.w, r.tick);
		right = r.time - r.w.time[k] < scale_ns + after;
		if (i > scale_ns / after)
			right &= r.time - r.w.time[k] + max(scale_ns / 16, after) >= scale_ns;
	}
	rcr_window_free(&r.w);
	ksft_test_result(right, "%llu us through a change from ticks of %llu us to %llu us\n",
			 scale_ns / 1000, before / 1000, after / 1000);
}

/* A new run may begin with a tick that is due before the last one of the old run. */
static void test_future(void)
{
	struct run r;

	begin(&r, 1000 * MS, 10 * MS);
	step(&r);
	rcr_window_rebase(&r.w, r.time - 50 * MS, 9, 10 * MS);
	ksft_test_result(r.w.tick[r.w.newest] == 9 && rcr_window_begin(&r.w, 10) == r.w.newest,
			 "a mark that lies in the future is taken for one of now\n");
	rcr_window_free(&r.w);
}

static void test_memory(void)
{
	struct run r;
	unsigned int i;
	bool right = true;

	begin(&r, 160 * MS, 10 * MS);
	for (i = 0; i < 6; i++) {
		r.w.total.delta[i] = 100 + i;
		r.w.total.cycles[i] = 200 + i;
	}
	i = rcr_window_mark(&r.w, r.tick + 1, r.time);
	right = r.w.mark[i].delta[5] == 105 && r.w.mark[i].cycles[5] == 205 &&
		r.w.mark[i].delta[0] == 100;
	r.w.cell.delta[5] = 9;
	rcr_window_clear(&r.w, 5, 7);
	right &= !r.w.total.delta[5] && !r.w.total.cycles[5] &&
		 r.w.cell.delta[5] == 9 && r.w.marks == 1 &&
		 r.w.tick[r.w.newest] == 5 && r.w.time[r.w.newest] == 7 &&
		 !r.w.mark[r.w.newest].delta[5] && !r.w.mark[r.w.newest].cycles[5];
	rcr_window_free(&r.w);
	ksft_test_result(right,
			 "marks hold all counts, and are forgotten but for the latest tick\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(11 + 4 + 2);
	test_scale(10 * MS, 10 * MS, 1000);
	test_scale(1 * MS, 10 * MS, 1000);
	test_scale(20 * MS, 10 * MS, 1000);
	test_scale(160 * MS, 10 * MS, 2000);
	test_scale(170 * MS, 10 * MS, 2000);
	test_scale(155 * MS, 10 * MS, 2000);
	test_scale(330 * MS, 10 * MS, 2000);
	test_scale(1000 * MS, 10 * MS, 5000);
	test_scale(1 * MS, MS / 50, 5000);
	test_scale(3600000 * MS, 10 * MS, 1000000);
	test_scale(4294 * 1000 * MS, 3 * MS, 3000000);
	test_rebase(1000 * MS, 10 * MS, 20 * MS, 1);
	test_rebase(1000 * MS, 10 * MS, MS, 0);
	test_rebase(1000 * MS, MS, 100 * MS, 1ull << 50);
	test_rebase(50 * MS, 10 * MS, 10 * MS, 3);
	test_future();
	test_memory();
	ksft_finished();
}
