/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * snapshot.h - values of meters at places, which snaps.c writes to a file and judge.c compares with
 * the stream. A file is a sequence of records of four types.
 */
#ifndef RCR_GUEST_SNAPSHOT_H
#define RCR_GUEST_SNAPSHOT_H

#include <linux/rcrboard.h>
#include <linux/rcrtool.h>

#include "exact_form.h"

enum snapshot_type {
	SNAPSHOT_METER	= 1,
	SNAPSHOT_MARK	= 2,
	SNAPSHOT_VALUES	= 3,
	SNAPSHOT_CPU	= 4,
};

/**
 * struct snapshot_head - head of a record
 * @size: bytes from this record to the next one
 * @type: enum snapshot_type
 */
struct snapshot_head {
	uint32_t size;
	uint32_t type;
};

/**
 * struct snapshot_meter - a meter
 * @head: head
 * @serial: serial of the meter
 * @digits: decimal digits of its values
 * @over: enum rcr_place_kind of its places
 * @scale_ns: its time scale
 * @name: its name
 * @unit: unit of its values
 * @form: its formula
 */
struct snapshot_meter {
	struct snapshot_head head;
	uint32_t serial;
	uint32_t digits;
	uint32_t over;
	uint32_t pad;
	uint64_t scale_ns;
	char name[RCR_METER_NAME_LEN];
	char unit[RCR_METER_UNIT_LEN];
	struct meter_form form;
};

/**
 * struct snapshot_mark - a mark in the mark ring of a CPU
 * @head: head
 * @cpu: the CPU
 * @is_full: the ring has overwritten earlier marks
 * @scale_ns: the time scale
 * @time: time of the sample
 */
struct snapshot_mark {
	struct snapshot_head head;
	uint32_t cpu;
	uint32_t is_full;
	uint64_t scale_ns;
	uint64_t time;
};

/**
 * struct snapshot_cpu - the places of a CPU
 * @head: head
 * @cpu: the CPU
 * @pad: 0
 * @place: number of the place of each kind (enum rcr_place_kind)
 */
struct snapshot_cpu {
	struct snapshot_head head;
	uint32_t cpu;
	uint32_t pad;
	int32_t place[RCR_PLACE_CPU + 1];
	int32_t pad2;
};

/* Members that a snapshot has besides current, average, sum, peak, and whether the status is ok. */
#define HAS_TSC		0x1
#define HAS_BEGIN	0x2
#define HAS_COUNTED	0x4
#define HAS_STATUS	0x8	/* status as a number */
#define HAS_PAST	0x10	/* highest and unseen */
#define HAS_TIME	0x20	/* without it: same samples as the machine's snapshot before it */
#define HAS_CURRENT_STATUS 0x40
#define HAS_ALL		0x7f

/**
 * struct snapshot - the values of a meter at a place
 * @head: head
 * @serial: serial of the meter
 * @kind: enum rcr_place_kind
 * @number: number of the place
 * @has: HAS_...
 * @version: version of the board's entry; 0: from the meter's file
 * @order: sequence number of the snapshot, from 0
 * @value: the values
 */
struct snapshot {
	struct snapshot_head head;
	uint32_t serial;
	uint32_t kind;
	uint32_t number;
	uint32_t has;
	uint64_t version;
	uint64_t order;
	struct rcr_board_value value;
};

#endif
