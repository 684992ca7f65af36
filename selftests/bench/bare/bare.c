// SPDX-License-Identifier: GPL-2.0-only
/*
 * bare.c - a minimal timer that reads registers, to compare the sampler's tick with.
 *
 * Reads the registers of its parameter, stores each with a time stamp, and restarts its timer.
 * No program can read these values.
 */
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/smp.h>
#include <asm/msr.h>
#include <asm/tsc.h>

#define SLOTS		512	/* a power of two */
#define REGISTERS	32

struct slot {
	u64 tsc;
	u64 value[REGISTERS];
};

static unsigned int registers[REGISTERS];
static unsigned int count;
module_param_array(registers, uint, &count, 0444);
MODULE_PARM_DESC(registers, "addresses of the registers to read");

static unsigned int period_us = 1000;
module_param(period_us, uint, 0444);
MODULE_PARM_DESC(period_us, "period of the readings in microseconds");

static struct slot slots[SLOTS];
static u64 head;
static ktime_t period;
static struct hrtimer timer;

static enum hrtimer_restart bare_tick(struct hrtimer *t)
{
	struct slot *slot = &slots[head++ & (SLOTS - 1)];
	unsigned int i;
	int err;

	/* Read like the sampler, in place: rdtsc() may be a call under paravirtualization. */
	slot->tsc = rdtsc_ordered();
	for (i = 0; i < count; i++)
		slot->value[i] = native_read_msr_safe(registers[i], &err);
	hrtimer_forward_now(t, period);
	return HRTIMER_RESTART;
}

static int __init bare_init(void)
{
	if (!period_us)
		return -EINVAL;
	period = ns_to_ktime((u64)period_us * NSEC_PER_USEC);
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer.function = bare_tick;
	hrtimer_start(&timer, period, HRTIMER_MODE_REL_PINNED_HARD);
	return 0;
}

static void __exit bare_exit(void)
{
	hrtimer_cancel(&timer);
}

module_init(bare_init);
module_exit(bare_exit);
MODULE_DESCRIPTION("Reads registers by a timer, for comparison");
MODULE_LICENSE("GPL");
