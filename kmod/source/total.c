// SPDX-License-Identifier: GPL-2.0-only
/*
 * total.c - from what a register reads to a total.
 *
 * A total grows only from one sample in which the counter is
 * RCR_STATUS_OK to the next: whatever happened before the first, or between
 * others, is not ours, or not known.
 *
 * A gauge's total is what it showed last.
 *
 * Pure: compiled into the unit tests as well.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/rcrtool.h>
#include <asm/barrier.h>

#include "source.h"

/* The first status of a counter differs from none before. Called by its tick. */
static void set_status(struct rcr_cpu_counters *c, unsigned int i, u8 status)
{
	u8 before = READ_ONCE(c->status[i]);

	if (status == RCR_STATUS_OK)
		c->usual |= BIT(i);
	else
		c->usual &= ~BIT(i);
	if (status == before)
		return;
	WRITE_ONCE(c->status[i], status);
	c->changed |= before;
}

/**
 * rcr_reading_interrupt() - a counter stood still for a moment
 * @c: this CPU's side
 * @i: the counter
 *
 * The next sample reports the gap, if there has been one before. Another CPU may say so
 * while a tick takes the reading: the tick sees it, or the next one does.
 *
 * Context: any.
 */
void rcr_reading_interrupt(struct rcr_cpu_counters *c, unsigned int i)
{
	if (READ_ONCE(c->status[i]))
		atomic_or(BIT(i), &c->gaps);
}

/**
 * rcr_readings_disturb() - the kernel stops counters of one CPU for a moment
 * @c: that CPU's side
 * @which: the counters, bit n for counter n
 * @begins: it is about to; else that is over
 *
 * Until it is over, and in the next sample after that, each has a gap.
 *
 * Context: any; under rcr_reconcile_lock.
 */
void rcr_readings_disturb(struct rcr_cpu_counters *c, u32 which, bool begins)
{
	unsigned int i;

	for (i = 0; i < RCR_MAX_COUNTERS; i++)
		if (which & (1u << i))
			rcr_reading_interrupt(c, i);
	/* Pairs with the tick's read: it knows of the gap before. */
	smp_store_release(&c->disturbed, begins ? which : 0);
}

/**
 * rcr_reading_begin() - a counter has been started, and reads @now
 * @c: this CPU's side
 * @i: the counter; its total goes on
 * @now: what it reads
 *
 * Context: any; no tick of that CPU reads it.
 */
void rcr_reading_begin(struct rcr_cpu_counters *c, unsigned int i, u64 now)
{
	rcr_reading_interrupt(c, i);
	if (!c->status[i])
		WRITE_ONCE(c->status[i], RCR_STATUS_OK);
	c->reading[i].last = now;
	/* Only what this CPU reads itself is ever broken, and nobody else comes here then. */
	if (c->broken & BIT(i))
		c->broken &= ~BIT(i);
}

/**
 * rcr_reading_take() - a counter has been looked at
 * @c: this CPU's side
 * @i: the counter
 * @status: RCR_STATUS_OK if what it reads is ours
 * @now: what it reads, when it is
 * @counted: how far it went since it was read last
 * @limit: how far it can have gone: beyond that, somebody wrote it
 *
 * Context: hard interrupt.
 */
void rcr_reading_take(struct rcr_cpu_counters *c, unsigned int i, u8 status, u64 now,
		      u64 counted, u64 limit)
{
	bool was_ok = READ_ONCE(c->status[i]) == RCR_STATUS_OK;
	struct rcr_reading *r = &c->reading[i];

	if (status == RCR_STATUS_OK) {
		if (atomic_read(&c->gaps) & BIT(i)) {
			atomic_andnot(BIT(i), &c->gaps);
			status = RCR_STATUS_GAP;
		} else if (was_ok && counted > limit) {
			status = RCR_STATUS_FOREIGN;
		} else if (was_ok) {
			r->total += counted;
		}
		r->last = now;
	}
	set_status(c, i, status);
}

/**
 * rcr_reading_show() - a gauge has been looked at
 * @c: this CPU's side
 * @i: the gauge, whose total is its value
 * @status: RCR_STATUS_OK if there is one
 * @now: the value, when there is
 *
 * Context: hard interrupt.
 */
void rcr_reading_show(struct rcr_cpu_counters *c, unsigned int i, u8 status, u64 now)
{
	if (status == RCR_STATUS_OK)
		c->reading[i].total = now;
	set_status(c, i, status);
}
