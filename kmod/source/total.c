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
#include <linux/compiler.h>
#include <linux/rcrtool.h>
#include <asm/barrier.h>

#include "source.h"

/*
 * The counter stood still for a moment: the next sample tells the gap. Another CPU
 * may say so while a tick takes the reading: the tick sees it, or the next one does.
 */
void rcr_reading_interrupt(struct rcr_reading *r)
{
	WRITE_ONCE(r->gap, READ_ONCE(r->status));
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
			rcr_reading_interrupt(&c->reading[i]);
	/* Pairs with the tick's read: it knows of the gap before. */
	smp_store_release(&c->disturbed, begins ? which : 0);
}

/**
 * rcr_reading_begin() - a counter has been started, and reads @now
 * @r: its reading; its total goes on
 * @now: what it reads
 *
 * Context: any; no tick of that CPU runs.
 */
void rcr_reading_begin(struct rcr_reading *r, u64 now)
{
	rcr_reading_interrupt(r);
	if (!r->status)
		r->status = RCR_STATUS_OK;
	r->last = now;
	r->broken = false;
}

/**
 * rcr_reading_take() - a counter has been looked at
 * @r: its reading
 * @status: RCR_STATUS_OK if what it reads is ours
 * @now: what it reads, when it is
 * @counted: how far it went since it was read last
 * @limit: how far it can have gone: beyond that, somebody wrote it
 *
 * Context: hard interrupt.
 */
void rcr_reading_take(struct rcr_reading *r, u8 status, u64 now, u64 counted,
		      u64 limit)
{
	bool was_ok = r->status == RCR_STATUS_OK;

	if (status == RCR_STATUS_OK) {
		if (READ_ONCE(r->gap))
			status = RCR_STATUS_GAP;
		else if (was_ok && counted > limit)
			status = RCR_STATUS_FOREIGN;
		else if (was_ok)
			r->total += counted;
		WRITE_ONCE(r->gap, false);
		r->last = now;
	}
	WRITE_ONCE(r->status, status);
}

/**
 * rcr_reading_show() - a gauge has been looked at
 * @r: its reading, whose total is its value
 * @status: RCR_STATUS_OK if there is one
 * @now: the value, when there is
 *
 * Context: hard interrupt.
 */
void rcr_reading_show(struct rcr_reading *r, u8 status, u64 now)
{
	if (status == RCR_STATUS_OK)
		r->total = now;
	r->status = status;
}
