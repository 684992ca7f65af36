/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scale.h - mark rings: what every CPU had counted at the sixteenths of a time scale.
 */
#ifndef RCR_SCALE_H
#define RCR_SCALE_H

#include <linux/types.h>
#include <linux/rcrtool.h>

/**
 * struct rcr_scales - what a CPU's ticks need for its mark rings
 * @due: no mark is due before that, CLOCK_MONOTONIC, ns. Written by the ticks, and by who
 *	changes the time scales
 * @rings: the CPU's RCR_SCALES mark rings in the present run, one behind the other
 * @part_due: by time scale: when its next mark is due
 */
struct rcr_scales {
	u64 due;
	void *rings;
	u64 part_due[RCR_SCALES];
};

/**
 * struct rcr_carry - how marks of a run become marks of the next one
 * @from_count: counters of the run
 * @from_slow: its slow counters, bit n for counter n
 * @from_slow_offset: where their time stands in a record; 0: nowhere
 * @count: counters of the next run
 * @slow: slow ones, likewise
 * @slow_offset: likewise
 * @from: by counter of the next run: which one of the run it goes on from, or a number
 *	of none
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
