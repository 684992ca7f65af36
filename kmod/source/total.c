// SPDX-License-Identifier: GPL-2.0-only
/*
 * total.c - turn values of registers into totals.
 *
 * A total grows only between two samples that are both RCR_STATUS_OK: any other count is
 * foreign or unknown. The total of a gauge is its latest value.
 *
 * Has no kernel state: also compiled into the unit tests.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/rcrtool.h>
#include <asm/barrier.h>

#include "source.h"

/* Set a status. The first status of a counter is not a change. Called by the CPU's tick. */
static void update_status(struct rcr_cpu_counters *c, unsigned int i, u8 status)
{
	u8 before = READ_ONCE(c->status[i]);

	if (status == RCR_STATUS_OK)
		c->ok |= BIT(i);
	else
		c->ok &= ~BIT(i);
	if (status == before)
		return;
	WRITE_ONCE(c->status[i], status);
	c->changed |= before;
}

/**
 * rcr_reading_interrupt() - record that a counter was stopped
 * @c: state of the CPU
 * @i: the counter
 *
 * The next sample reports a gap, unless it is the first. May run on another CPU while a tick
 * takes the reading; that tick or the next one reports it.
 *
 * Context: any.
 */
void rcr_reading_interrupt(struct rcr_cpu_counters *c, unsigned int i)
{
	if (READ_ONCE(c->status[i]))
		atomic_or(BIT(i), &c->gaps);
}

/**
 * rcr_readings_pause() - mark the span in which the kernel stops counters of a CPU
 * @c: state of the CPU
 * @which: the counters, bit n for counter n
 * @begins: true before the span, false after it
 *
 * Each counter reports a gap during the span and in the first sample after it.
 *
 * Context: any; under rcr_reconcile_lock.
 */
void rcr_readings_pause(struct rcr_cpu_counters *c, u32 which, bool begins)
{
	unsigned int i;

	for (i = 0; i < RCR_MAX_COUNTERS; i++)
		if (which & (1u << i))
			rcr_reading_interrupt(c, i);
	/* Pairs with the smp_load_acquire() of rcr_perf_read(): gaps are set before. */
	smp_store_release(&c->paused, begins ? which : 0);
}

/**
 * rcr_reading_begin() - set the baseline of a started counter
 * @c: state of the CPU
 * @i: the counter; its total continues
 * @now: value of its register
 *
 * Context: any; no tick of that CPU reads it.
 */
void rcr_reading_begin(struct rcr_cpu_counters *c, unsigned int i, u64 now)
{
	rcr_reading_interrupt(c, i);
	if (!c->status[i])
		WRITE_ONCE(c->status[i], RCR_STATUS_OK);
	c->reading[i].last = now;
	/* Only a counter that this CPU owns can be broken: no other CPU writes @broken then. */
	if (c->broken & BIT(i))
		c->broken &= ~BIT(i);
}

/**
 * rcr_reading_take() - update a counter after a read
 * @c: state of the CPU
 * @i: the counter
 * @status: RCR_STATUS_OK if @now is valid
 * @now: value of its register
 * @counted: increment since the previous read
 * @limit: upper bound of the increment; a larger one means that another tool wrote the count
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
	update_status(c, i, status);
}

/**
 * rcr_reading_set_gauge() - update a gauge after a read
 * @c: state of the CPU
 * @i: the gauge
 * @status: RCR_STATUS_OK if @now is valid
 * @now: its value
 *
 * Context: hard interrupt.
 */
void rcr_reading_set_gauge(struct rcr_cpu_counters *c, unsigned int i, u8 status, u64 now)
{
	if (status == RCR_STATUS_OK)
		c->reading[i].total = now;
	update_status(c, i, status);
}
