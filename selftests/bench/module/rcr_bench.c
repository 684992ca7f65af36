// SPDX-License-Identifier: GPL-2.0-only
/*
 * rcr_bench.c - timers to compare that of the sampler with, on an AMD Family 15h core:
 *
 *	kind=empty	does nothing: measures the tracepoints around a timer
 *	kind=bare	reads six controls and six counts and stores them: a lower bound
 *	kind=zeroing	reads six counts, adds them up, and writes zeros, like K-LEB,
 *			which loses counts between the read and the write
 *
 * Module init runs one of them on one CPU. Then the parameter "median" has the TSC cycles of a
 * callback, and "taken" the number of callbacks.
 */
#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/smp.h>
#include <linux/sort.h>
#include <linux/vmalloc.h>
#include <asm/tsc.h>

#include "compat.h"

#define REGISTERS	12u
#define REGISTER(i)	(0xc0010200u + (i))

static unsigned int cpu = 1;
module_param(cpu, uint, 0444);
MODULE_PARM_DESC(cpu, "CPU of the timer");

static unsigned int period_us = 1000;
module_param(period_us, uint, 0444);
MODULE_PARM_DESC(period_us, "period of the timer in microseconds");

static unsigned int callbacks = 1000;
module_param(callbacks, uint, 0444);
MODULE_PARM_DESC(callbacks, "number of callbacks to measure");

static char *kind = "empty";
module_param(kind, charp, 0444);
MODULE_PARM_DESC(kind, "empty, bare or zeroing");

static u64 median;
module_param(median, ullong, 0444);
MODULE_PARM_DESC(median, "result: median TSC cycles of a callback");

static unsigned int taken;
module_param(taken, uint, 0444);
MODULE_PARM_DESC(taken, "result: number of callbacks that were measured");

static u64 *spent;
static u64 total[REGISTERS];
static struct hrtimer timer;
static DECLARE_COMPLETION(done);

static enum hrtimer_restart next(struct hrtimer *t, u64 begin)
{
	hrtimer_forward_now(t, ns_to_ktime((u64)period_us * NSEC_PER_USEC));
	if (taken < callbacks) {
		spent[taken++] = rdtsc() - begin;
		return HRTIMER_RESTART;
	}
	complete(&done);
	return HRTIMER_NORESTART;
}

static enum hrtimer_restart empty(struct hrtimer *t)
{
	return next(t, rdtsc());
}

static enum hrtimer_restart bare(struct hrtimer *t)
{
	u64 begin = rdtsc(), val;
	unsigned int i;

	for (i = 0; i < REGISTERS; i++)
		if (!rdmsrq_safe(REGISTER(i), &val))
			WRITE_ONCE(total[i], val);
	return next(t, begin);
}

static enum hrtimer_restart zeroing(struct hrtimer *t)
{
	u64 begin = rdtsc(), val;
	unsigned int i;

	for (i = 1; i < REGISTERS; i += 2) {
		if (!rdmsrq_safe(REGISTER(i), &val))
			total[i] += val;
		wrmsrq_safe(REGISTER(i), 0);
	}
	return next(t, begin);
}

static int compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

static void start(void *unused)
{
	hrtimer_start(&timer, ms_to_ktime(1), HRTIMER_MODE_REL_PINNED_HARD);
}

static int run(void)
{
	unsigned long limit = msecs_to_jiffies(10000) +
			      2 * usecs_to_jiffies(period_us) * (callbacks + 1);
	int err = smp_call_function_single(cpu, start, NULL, true);

	if (err)
		return err;
	if (!wait_for_completion_timeout(&done, limit))
		err = -ETIMEDOUT;
	hrtimer_cancel(&timer);
	sort(spent, taken, sizeof(*spent), compare, NULL);
	median = taken ? spent[taken / 2] : 0;
	return err;
}

static int __init rcr_bench_init(void)
{
	enum hrtimer_restart (*function)(struct hrtimer *) =
		!strcmp(kind, "bare") ? bare : !strcmp(kind, "zeroing") ? zeroing : empty;
	int err;

	if (!callbacks || callbacks > 1000000 || !period_us)
		return -EINVAL;
	spent = vcalloc(callbacks, sizeof(*spent));
	if (!spent)
		return -ENOMEM;
	rcr_hrtimer_setup(&timer, function, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	err = run();
	vfree(spent);
	return err;
}

static void __exit rcr_bench_exit(void)
{
}

module_init(rcr_bench_init);
module_exit(rcr_bench_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("timers to compare rcrtool's with");
