// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_grid.c - the sampling grid, driven by a simulated clock.
 */
#include <string.h>

#include "sampler/cost.h"
#include "sampler/grid.h"
#include "ksft.h"

#define MS 1000000ull
#define S 1000000000ull

static struct rcr_grid g;
static struct rcr_tick t;

static void start_behind(u64 period, u64 now, s64 offset, u64 phase)
{
	rcr_grid_start(&g, period, rcr_grid_anchor(period, now, offset, phase), now, offset,
		       phase);
}

static void start(u64 period, u64 now, s64 offset)
{
	start_behind(period, now, offset, 0);
}

static void test_plain(void)
{
	unsigned int i, wrong = 0;
	u64 now = 12345678901ull;
	s64 offset = 1795181831123456789ll;

	start(MS, now, offset);
	ksft_test_result(g.due > now && g.due - now <= MS &&
			 (g.due + offset) % MS == 0 && g.tick == 1,
			 "the first tick is the next multiple of the wall clock\n");
	ksft_test_result(!rcr_grid_tick(&g, g.due - 1, &t), "no tick comes before its time\n");
	for (i = 1; i <= 1000; i++) {
		u64 due = g.due;

		if (!rcr_grid_tick(&g, due + i % 1000, &t) || t.tick != i ||
		    t.due != due || t.overruns || t.skipped || g.due != due + MS)
			wrong++;
	}
	ksft_test_result(!wrong, "a thousand ticks have consecutive numbers\n");
}

static void test_late(void)
{
	u64 due;

	start(MS, 100 * S, 0);
	due = g.due;
	rcr_grid_tick(&g, due, &t);
	ksft_test_result(rcr_grid_tick(&g, due + 4 * MS + 7, &t) && t.tick == 5 &&
			 t.overruns == 3 && t.skipped == 0 && t.due == due + 4 * MS,
			 "three missed ticks are three overruns\n");
	ksft_test_result(rcr_grid_tick(&g, g.due + MS - 1, &t) && t.overruns == 0,
			 "a tick late by less than a period is no overrun\n");
	ksft_test_result(rcr_grid_tick(&g, g.due + 86400 * S, &t) &&
			 t.overruns == 86400000 && t.tick == 7 + 86400000,
			 "all ticks missed in a day are counted\n");
}

/* The arithmetic that <linux/rcrtool.h> promises, over random clock steps. */
static void test_steps(u64 period, const char *name)
{
	u64 first_due, first_tick, last_tick, now;
	s64 offset = 1795181831 * (s64)S + 123456789, shifts = 0, shift;
	unsigned int i, wrong = 0, invented = 0, steps = 0, off_grid = 0;
	s64 rounded;

	srand(7);
	now = 50 * S;
	start(period, now, offset);
	rcr_grid_tick(&g, g.due, &t);
	first_due = t.due;
	first_tick = t.tick;
	last_tick = t.tick;
	for (i = 0; i < 20000; i++) {
		now = g.due + rand() % period;
		if (!rcr_grid_tick(&g, now, &t)) {
			wrong++;
			continue;
		}
		if (t.tick != last_tick + 1 + t.overruns + t.skipped)
			wrong++;
		invented += t.overruns + t.skipped;
		if (t.due - first_due != (t.tick - first_tick) * period + shifts)
			wrong++;
		last_tick = t.tick;
		if (rand() % 16)
			continue;
		offset += (rand() % 2 ? 1 : -1) * (s64)(rand() % (120 * S));
		shift = rcr_grid_step(&g, offset, g.last_due);
		steps++;
		shifts += shift;
		if (shift <= -(s64)period || shift >= (s64)period ||
		    g.tick != t.tick + 1)
			wrong++;
		if ((g.due + offset) % period)
			off_grid++;
	}
	rounded = ((s64)(t.due - first_due) + period / 2) / period;
	ksft_test_result(!wrong && !off_grid && steps > 1000,
			 "%s: tick arithmetic holds over %u clock steps\n", name, steps);
	ksft_test_result(!invented, "%s: no step makes an overrun\n", name);
	ksft_test_result((u64)rounded == t.tick - first_tick,
			 "%s: elapsed time / period, rounded, is the difference of tick numbers\n",
			 name);
}

/* No clock step moves a tick before the time promised to readers. */
static void test_promise(void)
{
	s64 offset = 1795181831 * (s64)S, shift;
	unsigned int i, wrong = 0, left_out = 0;
	u64 promised;

	srand(11);
	start(10 * S, 50 * S, offset);
	for (i = 0; i < 10000; i++) {
		rcr_grid_tick(&g, g.due, &t);
		promised = t.due + rand() % (10 * S);
		offset += (rand() % 2 ? 1 : -1) * (s64)(rand() % (120 * S));
		shift = rcr_grid_step(&g, offset, promised);
		wrong += g.due <= promised || g.due > promised + 20 * S || g.tick <= t.tick ||
			 g.due - t.due != (g.tick - t.tick) * 10 * S + shift;
		left_out += g.tick != t.tick + 1;
	}
	ksft_test_result(!wrong && left_out,
			 "no clock step moves a tick before the promised time (%u skip a tick)\n",
			 left_out);
}

/* Two CPUs that notice a step of the clock at different moments number the ticks alike. */
static void test_two_cpus(void)
{
	struct rcr_grid a, b;
	unsigned int i, differ = 0;
	u64 now = 77 * S, anchor = rcr_grid_anchor(MS, now, 5, 0);
	s64 offset = 5;

	srand(9);
	rcr_grid_start(&a, MS, anchor, now, offset, 0);
	rcr_grid_start(&b, MS, anchor, now + 3, offset, 0);
	for (i = 0; i < 5000; i++) {
		now = a.due + rand() % 300000;
		rcr_grid_tick(&a, now, &t);
		if (i % 10 == 5) {
			offset += rand() - RAND_MAX / 2;
			rcr_grid_step(&a, offset, 0);
		}
		while (rcr_grid_tick(&b, now + rand() % 300000, &t))
			;
		if (b.offset != offset)
			rcr_grid_step(&b, offset, 0);
		while (b.due < a.due)
			rcr_grid_tick(&b, b.due, &t);
		while (a.due < b.due)
			rcr_grid_tick(&a, a.due, &t);
		differ += a.due != b.due || a.tick != b.tick;
	}
	ksft_test_result(!differ, "two CPUs give each tick the same number\n");
}

static void test_stride(void)
{
	unsigned int i, wrong = 0;
	u64 last;

	start(MS, 3 * S, 0);
	for (i = 0; i < 5; i++)
		rcr_grid_tick(&g, g.due, &t);
	last = t.tick;
	rcr_grid_set_stride(&g, 4);
	for (i = 0; i < 100; i++) {
		u64 late = i == 50 ? 9 * MS : 0;

		rcr_grid_tick(&g, g.due + late, &t);
		if (t.tick % 4 || t.tick != last + 1 + t.overruns + t.skipped ||
		    t.overruns != (late ? 2 : 0))
			wrong++;
		last = t.tick;
	}
	ksft_test_result(!wrong, "a stride of 4 keeps to multiples of 4 and counts the ticks between\n");
	rcr_grid_set_stride(&g, 1);
	rcr_grid_tick(&g, g.due, &t);
	ksft_test_result(t.tick == last + 1 && !t.skipped, "a stride of 1 again counts every tick\n");
}

/* Ticks keep their phase after clock steps, even if the phase exceeds the period. */
static void test_phase(void)
{
	static const u64 phases[] = { 1, 250000, 999999, 7 * MS + 3, 3600 * S };
	s64 offset = 1795181831 * (s64)S + 5;
	unsigned int i, k, wrong = 0;

	for (i = 0; i < ARRAY_SIZE(phases); i++) {
		start_behind(MS, 3 * S + i, offset, phases[i]);
		wrong += g.due <= 3 * S + i || g.due > 3 * S + i + MS || g.tick != 1;
		for (k = 1; k <= 20; k++) {
			wrong += (g.due + g.offset - phases[i]) % MS != 0;
			wrong += !rcr_grid_tick(&g, g.due, &t) || t.tick != k;
			if (k % 5 == 0)
				rcr_grid_step(&g, g.offset + 77777 * k, g.last_due);
		}
	}
	ksft_test_result(!wrong, "ticks are at the wanted offset from the multiples of the period\n");
}

static void test_skip(void)
{
	u32 stride[] = { 2, 4, 8, 10, 10 };
	unsigned int i, wrong = 0;
	u64 last;

	start(10 * MS, 3 * S, 0);
	rcr_grid_tick(&g, g.due, &t);
	for (i = 0; i < ARRAY_SIZE(stride); i++) {
		last = t.tick;
		rcr_grid_skip(&g, stride[i]);
		rcr_grid_tick(&g, g.due, &t);
		wrong += t.tick % stride[i] || t.tick - last > stride[i] || t.overruns ||
			 t.tick != last + 1 + t.skipped;
	}
	ksft_test_result(!wrong, "ticks are skipped up to a multiple of the stride\n");
	last = t.tick;
	rcr_grid_tick(&g, g.due, &t);
	ksft_test_result(t.tick == last + 1, "skipped ticks are reported once\n");
	rcr_grid_set_stride(&g, 4);
	rcr_grid_skip(&g, 10);
	wrong += g.tick % 8;
	rcr_grid_skip(&g, 2);
	ksft_test_result(!wrong && g.tick % 4 == 0, "samples stay on multiples of the stride\n");
}

static void test_resume(void)
{
	u64 last;

	start(MS, 9 * S, 0);
	rcr_grid_tick(&g, g.due, &t);
	last = t.tick;
	rcr_grid_resume(&g, t.due + 5 * MS + 3);
	ksft_test_result(rcr_grid_tick(&g, g.due + 9, &t) && t.tick == last + 6 &&
			 t.skipped == 5 && !t.overruns && t.tick == last + 1 + t.skipped,
			 "ticks while sampling was paused are skipped ticks, not overruns\n");
}

static void test_cost(void)
{
	struct rcr_cost c = { };
	u32 stride = 1, i, n;
	u64 tsc = 1000;

	rcr_cost_start(&c, tsc);
	for (i = 0; i < 16; i++) {
		rcr_cost_add(&c, tsc, tsc + 30);
		tsc += 1000;
	}
	ksft_test_result(rcr_cost_stride(&c, tsc, 10000, 0, 1) == 1,
			 "without a budget the stride stays 1\n");
	ksft_test_result(rcr_cost_stride(&c, tsc, 10000, 30000, 1) == 1,
			 "30 of 1000 cycles are within a budget of 30000 ppm\n");
	ksft_test_result(c.min == 30 && c.max == 30 && c.sum == 480 && c.ticks == 16,
			 "the cost of ticks is recorded\n");
	/* 100 of 1000 cycles are 100000 ppm, four times the budget. */
	for (n = 0; n < 40; n++) {
		for (i = 0; i < 16; i++) {
			rcr_cost_add(&c, tsc, tsc + 100);
			tsc += 1000ull * stride;
		}
		stride = rcr_cost_stride(&c, tsc, 10000, 25000, stride);
	}
	ksft_test_result(stride == 4 || stride == 8,
			 "over the budget the stride doubles until the budget is met (%u)\n",
			 stride);
	for (n = 0; n < 40; n++) {
		for (i = 0; i < 16; i++) {
			rcr_cost_add(&c, tsc, tsc + 1);
			tsc += 1000ull * stride;
		}
		stride = rcr_cost_stride(&c, tsc, 10000, 25000, stride);
	}
	ksft_test_result(stride == 1, "the stride goes back when ticks are cheap again\n");
}

/* Run @windows windows of 16 ticks that cost @spent cycles each; a period is 1000 cycles. */
static u32 spend(struct rcr_cost *c, u64 *tsc, u32 stride, u32 windows, u32 spent)
{
	u32 n, i;

	for (n = 0; n < windows; n++) {
		for (i = 0; i < 16; i++) {
			rcr_cost_add(c, *tsc, *tsc + spent);
			*tsc += 1000ull * stride;
		}
		stride = rcr_cost_stride(c, *tsc, 10000, 25000, stride);
	}
	return stride;
}

static void test_debt(void)
{
	struct rcr_cost c = { };
	u64 tsc = 1000, ppm;
	u32 stride;

	rcr_cost_start(&c, tsc);
	stride = spend(&c, &tsc, 1, 40, 100);
	ppm = c.sum * 1000000 / (tsc - 1000);
	ksft_test_result(stride > 1 && ppm <= 25000 && ppm > 6250,
			 "a longer stride makes up for the cost of the first ticks (%llu ppm)\n",
			 ppm);
	/* One tick that takes as long as a hundred windows. */
	rcr_cost_add(&c, tsc, tsc + 1600000);
	tsc += 1600000;
	stride = spend(&c, &tsc, stride, 1, 100);
	stride = spend(&c, &tsc, stride, 100, 5);
	ksft_test_result(stride == 1,
			 "a single tick delayed by a hypervisor does not keep the stride long\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(3 + 3 + 3 * 3 + 1 + 1 + 2 + 1 + 3 + 1 + 5 + 2);
	test_plain();
	test_late();
	test_steps(20000, "20 us");
	test_steps(MS, "1 ms");
	test_steps(3600 * S, "1 h");
	test_promise();
	test_two_cpus();
	test_stride();
	test_phase();
	test_skip();
	test_resume();
	test_cost();
	test_debt();
	ksft_finished();
}
