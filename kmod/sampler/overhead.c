// SPDX-License-Identifier: GPL-2.0-only
/*
 * overhead.c - measure the cost of a timer interrupt outside its callback.
 *
 * A tick can only measure its callback. The time that CPU and kernel need before and after it is
 * measured once: a loop that reads the TSC is interrupted by a timer, and the difference of two
 * readings includes the interrupt.
 */
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/sort.h>
#include <asm/tsc.h>

#include "compat/compat.h"
#include "cost.h"

#define SHOTS		9
#define SHOT_AFTER_NS	(50 * NSEC_PER_USEC)
#define SHOT_LIMIT_US	1000

/**
 * struct shot - one measured interrupt
 * @timer: expires once
 * @callback: cost of the callback, TSC cycles
 * @fired: the callback has run
 */
struct shot {
	struct hrtimer timer;
	u64 callback;
	bool fired;
};

static enum hrtimer_restart fire_shot(struct hrtimer *timer)
{
	struct shot *s = container_of(timer, struct shot, timer);
	u64 begin = rdtsc_ordered();

	WRITE_ONCE(s->fired, true);
	s->callback = rdtsc_ordered() - begin;
	return HRTIMER_NORESTART;
}

/* Cycles outside the callback; 0: the timer did not expire in time. */
static u64 measure_shot(struct shot *s)
{
	u64 before, now, limit, missed;

	s->fired = false;
	hrtimer_start(&s->timer, ns_to_ktime(SHOT_AFTER_NS), HRTIMER_MODE_REL_PINNED_HARD);
	now = rdtsc_ordered();
	limit = now + (u64)tsc_khz * SHOT_LIMIT_US / 1000;
	do {
		before = now;
		now = rdtsc_ordered();
	} while (!READ_ONCE(s->fired) && now < limit);
	/* The interrupt came either before the last reading of the loop or after it. */
	missed = max(now - before, rdtsc_ordered() - now);
	hrtimer_cancel(&s->timer);
	return s->fired && missed > s->callback ? missed - s->callback : 0;
}

static int compare_cycles(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/**
 * rcr_cost_overhead() - measure the cost of a timer interrupt outside its callback
 *
 * Context: a task, one at a time; takes up to SHOTS * SHOT_LIMIT_US on the current CPU.
 * Return: TSC cycles, the median of SHOTS interrupts.
 */
u64 rcr_cost_overhead(void)
{
	static struct shot shot;
	u64 cycles[SHOTS];
	unsigned int i;

	rcr_hrtimer_setup(&shot.timer, fire_shot, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	for (i = 0; i < SHOTS; i++) {
		preempt_disable();
		cycles[i] = measure_shot(&shot);
		preempt_enable();
	}
	sort(cycles, SHOTS, sizeof(cycles[0]), compare_cycles, NULL);
	return cycles[SHOTS / 2];
}
