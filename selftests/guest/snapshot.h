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
 * @serial: of the meter
 * @kind: of the place
 * @number: of the place
 * @from_file: read in the meter's file, which has no more of a place than its four values
 * @order: of what was written, from 0
 * @scale_ns: time scale of the meter
 * @value: the values
 */
struct snapshot {
	char name[RCR_METER_NAME_LEN];
	__u32 digits;
	__u32 serial;
	__u32 kind;
	__u32 number;
	__u32 from_file;
	__u64 order;
	__u64 scale_ns;
	struct rcr_board_value value;
};

#endif
