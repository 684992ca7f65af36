/* SPDX-License-Identifier: ((GPL-2.0-only WITH Linux-syscall-note) OR MIT) */
/*
 * rcrboard.h - the interface between the rcrtool module and readers of its blackboard,
 * /dev/rcrboard. The guarantees are in Documentation/dev/interface.md, sections 7 to 10.
 *
 * The protocol of an entry: the writer of version n of the values, and a reader.
 *
 *	reserved = n			h = load-acquire(head)		(B)
 *	smp_wmb()		(A)	copy slot h % 2
 *	write slot n % 2		smp_rmb()			(A)
 *	store-release(head, n) (B)	keep it if load(reserved) < h + 2
 *					and if @serial is as it was when found
 *
 * It is the protocol of rings in <linux/rcrtool.h>, with two slots.
 */
#ifndef _UAPI_LINUX_RCRBOARD_H
#define _UAPI_LINUX_RCRBOARD_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define RCR_BOARD_MAGIC			0x524352424f415244ull	/* "RCRBOARD" */
#define RCR_BOARD_VERSION		2
#define RCR_BOARD_COMPAT_VERSION	2

#define RCR_BOARD_ALL		0x100000

#define RCR_BOARD_TRIES		8

#define RCR_METER_NAME_LEN	64	/* including the terminating 0 */
#define RCR_METER_UNIT_LEN	16	/* including the terminating 0 */
#define RCR_METERS_MAX		64

/*
 * The form of a meter: k * R(sum w_i x_i) / S(sum v_j x_j | 1). x is the count of a counter; R and
 * S reduce over the CPUs of a place. Documentation/user/meters.md has the rules.
 */
#define RCR_FORM_TERMS		32	/* of each of the two sums */

/* Meaning of x. */
enum rcr_term_kind {
	RCR_TERM_COUNT		= 0,
	RCR_TERM_RATE		= 1,	/* the count per second of its own counted time */
	RCR_TERM_GAUGE		= 2,	/* the mean of the measured values */
};

enum rcr_reduction {
	RCR_REDUCE_SUM		= 0,
	RCR_REDUCE_MEAN		= 1,
	RCR_REDUCE_MIN		= 2,
	RCR_REDUCE_MAX		= 3,
};

/* Selects a value of a meter. */
enum rcr_time_type {
	RCR_TIME_CURRENT	= 0,
	RCR_TIME_SUM		= 1,
	RCR_TIME_AVERAGE	= 2,
	RCR_TIME_PEAK		= 3,
};

/* The longest time scale, ns: a day. */
#define RCR_SCALE_MAX_NS	86400000000000ull

enum rcr_board_state {
	RCR_BOARD_STOPPED	= 0,	/* nothing is sampled */
	RCR_BOARD_RUNNING	= 1,
};

enum rcr_place_kind {
	RCR_PLACE_MACHINE	= 0,
	RCR_PLACE_NODE		= 1,
	RCR_PLACE_PACKAGE	= 2,
	RCR_PLACE_DIE		= 3,
	RCR_PLACE_LLC		= 4,
	RCR_PLACE_CORE		= 5,
	RCR_PLACE_CPU		= 6,
};

/* State of a resource relative to its limits. */
enum rcr_verdict {
	RCR_VERDICT_NONE	= 0,	/* no contention level is known */
	RCR_VERDICT_OK		= 1,
	RCR_VERDICT_CONTENTION	= 2,	/* at or above the contention level */
	RCR_VERDICT_BUSY	= 3,	/* and within 5 % of the maximum */
};

/**
 * struct rcr_board - head of a board
 * @magic: RCR_BOARD_MAGIC
 * @version: RCR_BOARD_VERSION of the module
 * @compat_version: oldest version whose readers can read it
 * @bytes: size of the whole board
 * @state: enum rcr_board_state
 * @changes: odd while meters are added, removed or changed
 * @heartbeat: TSC when subscriptions were last served
 * @stale_after: age at which @heartbeat is too old, TSC cycles
 * @period_ns: time from @heartbeat until a subscription or a watch is due, ns; 0: there is
 *	none
 * @tsc_khz: TSC cycles per millisecond
 * @meter_size: size of a struct rcr_board_meter, bytes
 * @meter_offset: offset of the first from the head, bytes
 * @meters: number of slots
 * @place_size: size of a struct rcr_board_place, bytes
 * @place_offset: offset of the first from the head, bytes
 * @places: number of places
 * @entry_size: size of a struct rcr_board_entry, bytes
 * @entry_offset: offset of the first from the head, bytes
 * @entries: number of slots
 * @size: size of this head, bytes
 * @pad: 0
 */
struct rcr_board {
	__u64 magic;
	__u32 version;
	__u32 compat_version;
	__u64 bytes;
	__u32 state;
	__u32 changes;
	__u64 heartbeat;
	__u64 stale_after;
	__u64 period_ns;
	__u64 tsc_khz;
	__u32 meter_size;
	__u32 meter_offset;
	__u32 meters;
	__u32 place_size;
	__u32 place_offset;
	__u32 places;
	__u32 entry_size;
	__u32 entry_offset;
	__u32 entries;
	__u32 size;
	__u32 pad[6];
};

#define RCR_METER_PUBLIC	0x1	/* shown on the public board as well */
#define RCR_METER_POSTED	0x2	/* has no form: its values are posted */
#define RCR_METER_LIMITED	0x4	/* a maximum or a contention level is known */

/**
 * struct rcr_board_meter - description of a meter
 * @serial: serial of the meter; 0: the slot is free
 * @number: number of the meter, and of the slot
 * @name: "mem_bw"
 * @unit: "B/s"
 * @digits: values are in @unit x 10^-digits
 * @type: enum rcr_time_type: the default value
 * @over: enum rcr_place_kind of all entries except the machine's
 * @flags: RCR_METER_...
 * @first: index of its first entry
 * @entries: number of its entries; 0: one of its counters is not in the set
 * @scale_ns: time scale, ns
 * @pad: 0
 */
struct rcr_board_meter {
	__u32 serial;
	__u32 number;
	char  name[RCR_METER_NAME_LEN];
	char  unit[RCR_METER_UNIT_LEN];
	__u32 digits;
	__u32 type;
	__u32 over;
	__u32 flags;
	__u32 first;
	__u32 entries;
	__u64 scale_ns;
	__u32 pad[2];
};

/**
 * struct rcr_board_place - a part of the machine
 * @kind: enum rcr_place_kind
 * @number: number of the node, package, die (across the machine), last level cache or CPU,
 *	as in the kernel; a core has the number of its first CPU
 * @parent: index of the enclosing place; for the machine, of itself
 * @pad: 0
 */
struct rcr_board_place {
	__u32 kind;
	__u32 number;
	__u32 parent;
	__u32 pad;
};

/**
 * struct rcr_board_value - values of a meter at a place, section 9 of interface.md
 * @current_value: between the two newest samples
 * @average: over the window
 * @sum: over the window
 * @peak: highest of the parts in the window
 * @highest: highest of all parts that were evaluated since the meter was added or reset
 * @unseen: number of parts since then that were never evaluated
 * @maximum: maximum of the resource at this place; 0: not known
 * @contention: level from which latency grows faster than throughput; 0: not known
 * @time: end of the window, which is the time of the newest sample, CLOCK_MONOTONIC, ns; 0:
 *	there are no values yet
 * @begin: begin of the window, CLOCK_MONOTONIC, ns
 * @tsc: TSC of the newest sample
 * @counted_ns: part of the window that is included in @average, ns
 * @status: enum rcr_status: RCR_STATUS_OK, or why @average is not valid; 0: the divisor is
 *	0
 * @verdict: enum rcr_verdict
 * @utilization: @current_value in millionths of @maximum; all ones from 4000 times the
 *	maximum on; 0 if the maximum is not known or @current_value is not current
 * @current_status: enum rcr_status of @current_value, which is the latest valid one if this
 *	is not RCR_STATUS_OK
 */
struct rcr_board_value {
	__s64 current_value;
	__s64 average;
	__s64 sum;
	__s64 peak;
	__s64 highest;
	__u64 unseen;
	__s64 maximum;
	__s64 contention;
	__u64 time;
	__u64 begin;
	__u64 tsc;
	__u64 counted_ns;
	__u32 status;
	__u32 verdict;
	__u32 utilization;
	__u32 current_status;
};

/**
 * struct rcr_board_entry - a meter at a place
 * @reserved: version being written, or written last
 * @head: latest complete version
 * @serial: serial of the meter; 0: free
 * @meter: number of the meter
 * @place: index of the place
 * @pad: 0
 * @slot: version n is in slot n % 2
 */
struct rcr_board_entry {
	__u64 reserved;
	__u64 head;
	__u32 serial;
	__u32 meter;
	__u32 place;
	__u32 pad;
	struct rcr_board_value slot[2];
};

#define RCR_SUBSCRIBE_METER	0x1	/* all entries of the meter, present and future */
#define RCR_SUBSCRIPTIONS_MAX	4096	/* per descriptor */

/**
 * struct rcr_subscription - entries to keep up to date
 * @size: size of this structure, bytes
 * @flags: RCR_SUBSCRIBE_...
 * @entry: index of the entry, or of any entry of the meter
 * @serial: serial of its meter
 * @interval_ns: evaluation interval, raised to a millisecond and to the sampling period; 0:
 *	100 ms
 *
 * The entries are up to date when the call returns, and then evaluated every interval until the
 * descriptor is closed and all its mappings are gone. A subscription replaces the descriptor's
 * previous one of the same entry or meter.
 */
struct rcr_subscription {
	__u32 size;
	__u32 flags;
	__u32 entry;
	__u32 serial;
	__u64 interval_ns;
};

/* ENOENT no such entry, ESTALE another meter, EINVAL, ENOSPC too many, E2BIG as below. */
#define RCR_BOARD_SUBSCRIBE	_IOW('R', 0x42, struct rcr_subscription)

#define RCR_WATCH_BELOW		0x1	/* the bound is crossed downwards */
#define RCR_WATCHES_MAX		16	/* per descriptor */
#define RCR_CROSSINGS		64	/* queue length of a descriptor */

/**
 * struct rcr_watch - a bound to watch
 * @size: size of this structure, bytes
 * @flags: RCR_WATCH_...
 * @entry: index of the entry
 * @serial: serial of its meter
 * @bound: fires when the value is greater (RCR_WATCH_BELOW: less) than this
 * @back: may fire again after the value was less (greater) than this; set to @bound if
 *	unused
 * @hold_ns: time that the value must stay beyond the bound, ns
 * @window_ns: time that the value is taken over, up to the newest sample, evaluated every
 *	quarter of it; 0: a sixteenth of the time scale. It is raised to 10 ms and to two
 *	sampling periods. For a posted meter, each posted value is used.
 * @cookie: returned in each crossing
 */
struct rcr_watch {
	__u32 size;
	__u32 flags;
	__u32 entry;
	__u32 serial;
	__s64 bound;
	__s64 back;
	__u64 hold_ns;
	__u64 window_ns;
	__u64 cookie;
};

/*
 * ENOENT no such entry, ESTALE another meter, EINVAL, ENOSPC too many watches; E2BIG for a larger
 * structure with non-zero members that this module does not know.
 */
#define RCR_BOARD_WATCH		_IOW('R', 0x41, struct rcr_watch)

/**
 * struct rcr_crossing - a bound was crossed
 * @size: distance of the next one, bytes
 * @pad: 0
 * @cookie: cookie of the watch
 * @count: number of crossings so far, including this one
 * @time: end of the window, CLOCK_MONOTONIC, ns
 * @value: value of the window
 * @lost: crossings before this one that were not read in time
 */
struct rcr_crossing {
	__u32 size;
	__u32 pad;
	__u64 cookie;
	__u64 count;
	__u64 time;
	__s64 value;
	__u64 lost;
};

#endif /* _UAPI_LINUX_RCRBOARD_H */
