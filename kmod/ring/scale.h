/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scale.h - mark rings: records at each sixteenth of a time scale.
 */
#ifndef RCR_SCALE_H
#define RCR_SCALE_H

#include <linux/types.h>
#include <linux/rcrtool.h>

/**
 * struct rcr_scales - state of a CPU's mark rings
 * @due: no mark is due before, CLOCK_MONOTONIC in ns. Written by ticks, and by changes of
 *	the time scales
 * @rings: the CPU's RCR_SCALES mark rings in the current run, contiguous
 * @part_due: by time scale: time when its next mark is due
 */
struct rcr_scales {
	u64 due;
	void *rings;
	u64 part_due[RCR_SCALES];
};

/**
 * struct rcr_carry - mapping of a run's counters to those of the next run
 * @from_count: number of counters of the run
 * @from_slow: its slow counters, bit n for counter n
 * @from_slow_offset: offset of their time in a record; 0: none
 * @count: number of counters of the next run
 * @slow: its slow counters, bit n for counter n
 * @slow_offset: offset of their time in a record; 0: none
 * @from: by counter of the next run: the same counter in the run; @from_count or more: new
 */
struct rcr_carry {
	u32 from_count;
	u32 from_slow;
	u32 from_slow_offset;
	u32 count;
	u32 slow;
	u32 slow_offset;
	const u8 *from;
};

u32 rcr_scale_ring_bytes(u32 record_size);
size_t rcr_scale_bytes(u32 record_size);
void rcr_scale_init(void *rings, int cpu, u32 generation, u32 record_size);
void rcr_scale_end(void *rings);
void rcr_scale_carry(void *to, const void *from, const struct rcr_carry *how);

int rcr_scale_use(u64 ns);
void rcr_scale_drop(u64 ns);
void rcr_scales_begin(struct rcr_scales *s, int cpu, void *rings, bool anew);
void rcr_scales_forget(int cpu);
void rcr_scales_mark(struct rcr_scales *s, const struct rcr_record *r);

#endif
