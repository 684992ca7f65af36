/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * snapshot.h - what a meter read at a place at some moment, as snaps.c writes it to a
 * file and judge.c compares it with the stream.
 */
#ifndef RCR_GUEST_SNAPSHOT_H
#define RCR_GUEST_SNAPSHOT_H

#include <linux/rcrboard.h>
#include <linux/rcrtool.h>

/**
 * struct snapshot - the values of a meter at a place
 * @name: of the meter
 * @digits: of its values
 * @timescale: with its type
 * @serial: of the meter
 * @kind: of the place
 * @number: of the place
 * @order: of what was written, from 0
 * @from_file: read in the meter's file, which tells the beginning of the span in
 *	microseconds, and nothing of a place's but its four values
 * @value: the values
 */
struct snapshot {
	char name[RCR_METER_NAME_LEN];
	__u32 digits;
	__u32 timescale;
	__u32 serial;
	__u32 kind;
	__u32 number;
	__u32 from_file;
	__u64 order;
	struct rcr_board_value value;
};

#endif
