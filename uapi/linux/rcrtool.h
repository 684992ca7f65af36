/* SPDX-License-Identifier: ((GPL-2.0-only WITH Linux-syscall-note) OR MIT) */
/*
 * rcrtool.h - the interface between the rcrtool module and its readers: the stream of /dev/rcrtool,
 * the rings, and the generic netlink family. Its guarantees and its use are in
 * Documentation/dev/interface.md.
 *
 * The protocol of a ring: the writer of record p, and a reader of it.
 *
 *	reserved = p + 1			h = load-acquire(head)	(B)
 *	smp_wmb()		(A)		p < h, or there is none yet
 *	write slot p mod capacity		copy slot p mod capacity
 *	store-release(head, p + 1) (B)		smp_rmb()		(A)
 *						r = load(reserved)
 *						keep it if p + capacity >= r
 *
 * (B) pairs with (B): a reader that sees the head sees the whole record. (A) pairs with (A): a
 * reader whose copy saw any word of the record that takes the slot next (p + capacity) also sees a
 * @reserved beyond p + capacity, and drops the copy. The oldest record that can be kept is r -
 * capacity; a reader at an earlier position has lost exactly the difference. A copy is made word by
 * word, each word read once.
 *
 * Whether a record with a time up to t may still follow:
 *
 *	store-release(head, ...)		n = load-acquire(next)	(C)
 *	store-release(next, n)	(C)		h = load-acquire(head)
 *						none but those before h, if n > t
 *
 * (C) pairs with (C): a reader that sees @next sees every record written before it.
 */
#ifndef _UAPI_LINUX_RCRTOOL_H
#define _UAPI_LINUX_RCRTOOL_H

#include <linux/ioctl.h>
#include <linux/rcrreason.h>
#include <linux/types.h>

#define RCR_ABI_VERSION		4
#define RCR_ABI_COMPAT_VERSION	4

#define RCR_MAX_COUNTERS	32	/* per CPU */
#define RCR_NAME_LEN		64	/* including the terminating 0 */

#define RCR_SCALES		8	/* time scales that CPUs write marks for */
#define RCR_SCALE_PARTS		16	/* minimum number of marks per time scale, in its time */
#define RCR_SCALE_MARKS		32	/* marks kept per time scale, a power of two */

/*
 * Offsets for mmap() of /dev/rcrtool: the ring of CPU n at n x ring_bytes of the set, its
 * mark rings at RCR_MAP_MARKS + n x marks_bytes, its ring of places at RCR_MAP_PLACES + n x
 * places_bytes.
 */
#define RCR_MAP_MARKS		(1ull << 42)
#define RCR_MAP_PLACES		(1ull << 43)

/* A buffer of this size holds any single item, on up to 8,192 CPUs. */
#define RCR_READ_MIN		8192

enum rcr_item_type {
	RCR_ITEM_SET	= 1,
	RCR_ITEM_LOST	= 2,
	RCR_ITEM_GAP	= 3,
	RCR_ITEM_MARK	= 4,
	RCR_ITEM_NODE	= 5,		/* in files only */
	RCR_ITEM_SAMPLE	= 16,		/* from here on: records of a ring */
	RCR_ITEM_CLOCK	= 17,
	RCR_ITEM_STRIDE	= 18,
};

/*
 * Status of a counter's total in a sample. 0 is not used. Values may be added: a status that a
 * reader does not know is not RCR_STATUS_OK.
 */
enum rcr_status {
	RCR_STATUS_OK		= 1,
	RCR_STATUS_HALTED	= 2,	/* halted by the user */
	RCR_STATUS_FOREIGN	= 3,	/* the register was programmed by other software */
	RCR_STATUS_BUSY		= 4,	/* not scheduled on the hardware */
	RCR_STATUS_FAULT	= 5,	/* the register faulted and is no longer accessed */
	RCR_STATUS_OFFLINE	= 6,
	RCR_STATUS_GAP		= 7,	/* did not count for a while */
	RCR_STATUS_ELSEWHERE	= 8,	/* shared unit: another CPU reads it */
	RCR_STATUS_MISPLACED	= 9,	/* its counter cannot count it: no rate */
};

/*
 * Which CPUs share a counter. One of them, the owner, reads it; in the samples of the others it is
 * RCR_STATUS_ELSEWHERE. When the owner goes offline, another CPU becomes the owner. The total of
 * each CPU starts at 0 and includes its own reads only: the count of the unit is the sum over its
 * CPUs.
 */
enum rcr_scope {
	RCR_SCOPE_CPU		= 0,
	RCR_SCOPE_DIE		= 1,	/* the CPUs of a die: AMD's node */
	RCR_SCOPE_PACKAGE	= 2,
	RCR_SCOPE_LLC		= 3,	/* the CPUs of a last level cache: AMD's core complex */
	RCR_SCOPE_CORE		= 4,	/* the threads of a core */
};

enum rcr_unit {
	RCR_UNIT_EVENT		= 0,
	RCR_UNIT_NANOJOULE	= 1,
	RCR_UNIT_MILLIDEGREE	= 2,	/* Celsius */
};

/**
 * struct rcr_item - head of each item in the stream
 * @size: distance of the next item, bytes, a multiple of 8
 * @type: enum rcr_item_type
 * @flags: of a sample: RCR_RECORD_IDLE; of a mark: RCR_MARK_ADMIN; of a node:
 *	RCR_NODE_DEFAULT; else 0
 * @cpu: CPU that the item is about; ~0 for all
 * @generation: generation of its counter set
 */
struct rcr_item {
	__u32 size;
	__u16 type;
	__u16 flags;
	__u32 cpu;
	__u32 generation;
};

/**
 * struct rcr_counter - one counter of the set
 * @name: name given by the user
 * @select: value of the control register (AMD: PERF_CTL)
 * @control: address of the control register; in the configuration space of a PCI function,
 *	its offset in 15:0 and the device id in 31:16, because each package has such a function
 *	at a domain and bus of its own
 * @counter: address of the count register, likewise
 * @width: width of the count register, bits
 * @scope: enum rcr_scope: which CPUs share it
 * @unit: enum rcr_unit of its total
 */
struct rcr_counter {
	char  name[RCR_NAME_LEN];
	__u64 select;
	__u64 control;
	__u64 counter;
	__u32 width;
	__u16 scope;
	__u16 unit;
};

/**
 * struct rcr_set - RCR_ITEM_SET: the counters and the layout of their records
 * @item: head
 * @version: RCR_ABI_VERSION of the module
 * @compat_version: RCR_ABI_COMPAT_VERSION of the module
 * @error: 0, or the positive errno why the set is inert
 * @ncounters: entries of counter[]
 * @ncpus: number of bits of the CPU mask at @cpus_offset
 * @record_size: size of every record of this generation, bytes
 * @ring_records: slots of each CPU's ring
 * @ring_bytes: size of each CPU's ring for mmap()
 * @tsc_khz: TSC cycles per millisecond
 * @period_ns: distance of two ticks, ns
 * @clock_tsc: TSC when the item was read, and at the same moment
 * @clock_monotonic: CLOCK_MONOTONIC, ns, and
 * @clock_realtime: CLOCK_REALTIME, ns
 * @source: how the registers are accessed ("msr")
 * @family: kind of PMU ("AMD Fam15h"), or empty
 * @reason: why the set is inert
 * @counter_offset: offset of counter[] from the item, bytes
 * @counter_size: size of an entry of counter[], bytes
 * @cpus_offset: offset of the mask of sampled CPUs from the item, bytes; in words of 64
 *	bits: CPU n is bit n % 64 of word n / 64
 * @value_offset: offset of the first value from a record, bytes
 * @value_size: distance of two values, of which the first 8 bytes are the value
 * @status_offset: offset of the first counter's status from a sample, bytes
 * @status_size: distance of two statuses, of which the first byte is the status
 * @slow_offset: offset of the struct rcr_slow from a sample, bytes; 0 if @slow is 0
 * @slow: counters that are read outside of the tick, bit n for counter n
 * @slow_period_ns: minimum distance of two readings of these, ns
 * @counters_max: maximum number of counters of a set of this module
 * @read_min: size of a buffer that holds any single item, bytes
 * @marks_bytes: size of each CPU's mark rings for mmap()
 * @marks_ring_bytes: distance of two of these rings, bytes
 * @marks_rings: number of these rings
 * @places_bytes: size of each CPU's ring of places for mmap()
 */
struct rcr_set {
	struct rcr_item item;
	__u32 version;
	__u32 compat_version;
	__u32 error;
	__u32 ncounters;
	__u32 ncpus;
	__u32 record_size;
	__u32 ring_records;
	__u32 tsc_khz;
	__u64 ring_bytes;
	__u64 period_ns;
	__u64 clock_tsc;
	__u64 clock_monotonic;
	__u64 clock_realtime;
	char  source[16];
	char  family[32];
	struct rcr_reason reason;
	__u32 counter_offset;
	__u32 counter_size;
	__u32 cpus_offset;
	__u32 value_offset;
	__u32 value_size;
	__u32 status_offset;
	__u32 status_size;
	__u32 slow_offset;
	__u64 slow;
	__u64 slow_period_ns;
	__u32 counters_max;
	__u32 read_min;
	__u64 marks_bytes;
	__u32 marks_ring_bytes;
	__u32 marks_rings;
	__u64 places_bytes;
};

/**
 * struct rcr_lost - RCR_ITEM_LOST: records overwritten before they were read
 * @item: head
 * @position: position of the first
 * @count: number of records
 */
struct rcr_lost {
	struct rcr_item item;
	__u64 position;
	__u64 count;
};

/* Types of items that come from rings. */
#define RCR_ITEMS_OF_RINGS	(1ull << RCR_ITEM_LOST | 1ull << RCR_ITEM_GAP | \
				 1ull << RCR_ITEM_SAMPLE | 1ull << RCR_ITEM_CLOCK | \
				 1ull << RCR_ITEM_STRIDE)
#define RCR_ITEMS_ALL		(1ull << RCR_ITEM_SET | 1ull << RCR_ITEM_MARK | RCR_ITEMS_OF_RINGS)

/**
 * struct rcr_items - selects the items that a descriptor of /dev/rcrtool delivers
 * @size: size of this structure, bytes
 * @pad: 0
 * @types: bit n for enum rcr_item_type n
 */
struct rcr_items {
	__u32 size;
	__u32 pad;
	__u64 types;
};

/* The kernel's list (ioctl-number.rst) leaves 'R' 20 to BF free. */
#define RCR_ITEMS	_IOW('R', 0x40, struct rcr_items)

/**
 * struct rcr_gap - RCR_ITEM_GAP: the other CPUs' records are no longer held back for a CPU
 * @item: head; @item.cpu is that CPU
 * @time: it has written no record up to this tick, CLOCK_MONOTONIC, ns
 */
struct rcr_gap {
	struct rcr_item item;
	__u64 time;
};

#define RCR_MARK_LEN	128	/* including the terminating 0 */
#define RCR_MARKS	64	/* that are kept for readers */

enum rcr_mark_kind {
	RCR_MARK_TEXT	= 1,
	RCR_MARK_BEGIN	= 2,	/* of the job named by the text */
	RCR_MARK_END	= 3,
	RCR_MARK_VERDICT = 4,	/* "MODEL STATE PLACE VALUE" */
};

/*
 * The text of a verdict has four words, separated by single spaces: the name of the model; its
 * state, ok, contention, busy or unknown; kind (as in the name of its enum rcr_place_kind) and
 * number of the place; the value in percent. Example: "bandwidth contention llc/2 93". The module
 * does not check these words: a reader must ignore further ones, and a verdict with fewer.
 */

/* Flag of a mark's item: its author had CAP_SYS_RAWIO, in the initial user namespace. */
#define RCR_MARK_ADMIN	0x1

/**
 * struct rcr_mark - RCR_ITEM_MARK: a moment marked by a user
 * @item: head
 * @position: number of the mark in its set
 * @time: CLOCK_MONOTONIC, ns
 * @tsc: TSC at that moment, on the CPU of the author
 * @kind: enum rcr_mark_kind
 * @lost: marks before this one that were overwritten before they were read
 * @text: text, or the job's id
 */
struct rcr_mark {
	struct rcr_item item;
	__u64 position;
	__u64 time;
	__u64 tsc;
	__u32 kind;
	__u32 lost;
	char  text[RCR_MARK_LEN];
};

/* Flag of a node's item: nothing of the identity is configured. */
#define RCR_NODE_DEFAULT 0x1

/**
 * struct rcr_node - RCR_ITEM_NODE: part of the identity of the node whose stream a file contains
 * @item: head; the text ends within @item.size
 * @text: "KEY=VALUE", with the terminating 0; KEY is producer, component_id, cluster or
 *	tag.NAME, or machine.NAME.NODE, bound.NAME, slope.NODE or past.NODE.PROCESS: a fact that the
 *	models of rcrd need
 *
 * The program that saves the stream writes them after the set; the module never does.
 */
struct rcr_node {
	struct rcr_item item;
	char  text[];
};

/**
 * struct rcr_record - a record of a ring, as delivered in the stream
 * @item: head; @item.cpu is the CPU that wrote it
 * @position: number of the record on its CPU
 * @tick: number of the grid point; in other records, of the latest sample
 * @time: the grid point on CLOCK_MONOTONIC, ns. Never less than in the record before; that
 *	of a sample is greater than in all records before it
 * @tsc: TSC before the first register was read
 * @tsc_end: TSC after the last register was read
 * @cgroup: id of the cgroup v2 of the interrupted task, 0 without cgroups
 * @late: ns from @time to the timer's callback (saturates)
 * @overruns: ticks missed since the record before
 * @skipped: ticks left out on purpose since the record before
 * @tgid: process id of the interrupted task in the initial namespace; 0: idle
 * @changes: number of samples of this CPU, since load, with a status that differed from the
 *	sample before. A counter that is RCR_STATUS_OK in two samples with the same @changes was
 *	so in all between
 * @spent: TSC cycles spent in ticks of this CPU since load, without this one
 * @value: by type:
 *	SAMPLE	totals of the counters, their statuses and the struct rcr_slow, at the
 *		offsets in the set
 *	CLOCK	realtime minus monotonic before and after, and the shift of
 *		the grid, in ns, as signed numbers
 *	STRIDE	ticks from one sample to the next, before and after
 */
struct rcr_record {
	struct rcr_item item;
	__u64 position;
	__u64 tick;
	__u64 time;
	__u64 tsc;
	__u64 tsc_end;
	__u64 cgroup;
	__u32 late;
	__u32 overruns;
	__u32 skipped;
	__u32 tgid;
	__u64 changes;
	__u64 spent;
	__u64 value[];
};

/* The tick interrupted the idle task. */
#define RCR_RECORD_IDLE		0x1

/**
 * struct rcr_slow - when the slow counters of a sample were read
 * @tsc: TSC before the first of them
 * @tsc_end: TSC after the last
 */
struct rcr_slow {
	__u64 tsc;
	__u64 tsc_end;
};

/**
 * struct rcr_place - a record of a ring of places: the thread that a tick interrupted
 * @pc: address in user mode where the thread is, or returns to from the kernel; 0: it has no
 *	user mode. Never an address of the kernel
 * @tid: thread id in the initial namespace; 0: idle
 * @pad: 0
 * @position: position of its sample in the ring of the same CPU and set
 *
 * Ticks write places only while a descriptor asks for them. At other times, and at the positions of
 * records that are not samples, @head of the ring skips slots, which keep their contents: slot p
 * mod capacity is the place of sample p only if @position is p. It is written before that sample: a
 * reader that sees the sample (B) sees its place, if there is one.
 *
 * In the head of the ring, only @reserved and @head change: @ended and @next are kept in the ring
 * of samples only.
 */
struct rcr_place {
	__u64 pc;
	__u32 tid;
	__u32 pad;
	__u64 position;
};

/**
 * struct rcr_ring - head of a CPU's ring
 * @magic: RCR_RING_MAGIC
 * @version: RCR_ABI_VERSION of the writer
 * @compat_version: oldest version whose readers can read it
 * @data_offset: offset of slot 0 from the head, bytes
 * @record_size: size of a slot, bytes
 * @capacity: number of slots, a power of two
 * @cpu: CPU that writes the ring
 * @generation: generation of the set that the records belong to
 * @ended: 1 when no more records will be written
 * @size: size of this head, bytes
 * @pad: 0
 * @scale: of a mark ring: the time scale, ns; 0: unused
 * @first: of a mark ring: position of the oldest mark of that time scale, once @scale was
 *	loaded with acquire. Earlier marks belong to another time scale
 * @reserved: position after the newest record begun
 * @head: position after the newest record complete
 * @next: no record from @head on has a time before this, CLOCK_MONOTONIC, ns;
 *	RCR_RING_NEVER: the CPU is not sampled now. When it is sampled again, its records are
 *	newer than all that other CPUs have written until then. Of a mark ring: 0
 * @pad2: 0
 */
struct rcr_ring {
	__u64 magic;
	__u32 version;
	__u32 compat_version;
	__u32 data_offset;
	__u32 record_size;
	__u32 capacity;
	__u32 cpu;
	__u32 generation;
	__u32 ended;
	__u32 size;
	__u32 pad;
	__u64 scale;
	__u64 first;
	/* On a cache line of their own: only these three change with every record. */
	__u64 reserved;
	__u64 head;
	__u64 next;
	__u64 pad2[5];
};

#define RCR_RING_MAGIC		0x52435252494e4734ull	/* "RCRRING4" */
#define RCR_RING_NEVER		(~0ull)

#define RCR_GENL_NAME		"rcrtool"
#define RCR_GENL_VERSION	2
#define RCR_GENL_CHANGES	"changes"	/* multicast group */

/* Length of a unit's name, including the terminating 0. */
#define RCR_UNIT_LEN		16

/* Maximum number of filters of a unit. */
#define RCR_FILTERS		2

/* Longest text of one event of a meter, including the terminating 0. */
#define RCR_EVENT_LEN		256

/* Kinds of events. */
enum rcr_event_type {
	RCR_EVENT_HARDWARE	= 0,	/* of a unit of the processor, by event select */
	RCR_EVENT_SOFTWARE	= 1,	/* of the kernel: CONFIG is an enum perf_sw_ids */
	RCR_EVENT_TRACEPOINT	= 2,	/* of the kernel: CONFIG is the tracepoint's id */
	RCR_EVENT_PMU		= 3,	/* of a PMU with a driver in the kernel */
	RCR_EVENT_REGISTER	= 4,	/* a free-running register of UNIT */
};

#define RCR_EVENT_INV		0x001	/* count cycles in which CMASK is not reached */
#define RCR_EVENT_EDGE		0x002	/* count rising edges */
#define RCR_EVENT_OS		0x004	/* count in the kernel; neither OS nor USER: in both */
#define RCR_EVENT_USER		0x008	/* count in user mode */
#define RCR_EVENT_HOST		0x010	/* count outside of virtual machines only */
#define RCR_EVENT_GUEST		0x020	/* count inside of virtual machines only */
#define RCR_EVENT_PERNODE	0x040	/* invert the unit mask's bit of the counting node */
#define RCR_EVENT_SLOW		0x080	/* read outside of the tick, and less often */
#define RCR_EVENT_JOULES	0x100	/* a PMU that counts units of 2^-32 J */
#define RCR_EVENT_FLAGS		0x1ff	/* all of them */

/* HARDWARE: NAME, UNIT, CONFIG, UMASK to FLAGS. PMU: NAME, PMU to FLAGS. */
enum rcr_event_attr {
	RCR_EVENT_A_UNSPEC,
	RCR_EVENT_A_PAD,
	RCR_EVENT_A_NAME,		/* string: letters, digits and _.:-+ */
	RCR_EVENT_A_TYPE,		/* u32: enum rcr_event_type */
	RCR_EVENT_A_UNIT,		/* string: "nb", "umc3"; none: the cores */
	RCR_EVENT_A_CONFIG,		/* u64: event select; see enum rcr_event_type */
	RCR_EVENT_A_UMASK,		/* u32: unit mask */
	RCR_EVENT_A_CMASK,		/* u8: count cycles with at least that many events */
	RCR_EVENT_A_FILTER,		/* u32: filter of the unit, which all its counters share */
	RCR_EVENT_A_FILTER1,		/* u32: likewise */
	RCR_EVENT_A_COUNTER,		/* u8: the only general counter that may be used */
	RCR_EVENT_A_PMU,		/* u32: type of the kernel's PMU, as in sysfs */
	RCR_EVENT_A_CONFIG1,		/* u64: as in struct perf_event_attr */
	RCR_EVENT_A_CONFIG2,		/* u64: likewise */
	RCR_EVENT_A_SCOPE,		/* u32: enum rcr_scope: which CPUs share that PMU */
	RCR_EVENT_A_FLAGS,		/* u32: RCR_EVENT_... */
	__RCR_EVENT_A_LAST,
};

#define RCR_EVENT_A_MAX (__RCR_EVENT_A_LAST - 1)

enum rcr_cmd {
	RCR_CMD_UNSPEC,
	RCR_CMD_LOOK,
	RCR_CMD_ADD,
	RCR_CMD_REMOVE,
	RCR_CMD_FINALIZE,
	RCR_CMD_RESET,
	RCR_CMD_PERIOD,
	RCR_CMD_WHERE,
	RCR_CMD_HALT,
	RCR_CMD_CONTINUE,
	RCR_CMD_REWRITE,
	RCR_CMD_REASSIGN,
	RCR_CMD_MARK,
	RCR_CMD_METERS,
	RCR_CMD_METER_ADD,
	RCR_CMD_METER_REMOVE,
	RCR_CMD_METER_RESET,
	RCR_CMD_METER_MAXIMUM,
	RCR_CMD_METER_POST,
	RCR_CMD_CHANGED,		/* notification only: to the group RCR_GENL_CHANGES */
	RCR_CMD_COUNTERS,
};

/* The NMI watchdog of the kernel, which uses one counter of each CPU. */
enum rcr_watchdog {
	RCR_WATCHDOG_NONE	= 0,	/* cannot be enabled, or has a fixed counter */
	RCR_WATCHDOG_OFF	= 1,
	RCR_WATCHDOG_ON		= 2,
};

enum rcr_attr {
	RCR_A_UNSPEC,
	RCR_A_PAD,
	RCR_A_GENERATION,		/* u32 */
	RCR_A_EVENT,			/* nest of enum rcr_event_attr, several */
	RCR_A_NAME,			/* string */
	RCR_A_PERIOD_NS,		/* u64 */
	RCR_A_ERROR,			/* u32: errno */
	RCR_A_SENTENCE,			/* string: for a program of another version */
	RCR_A_STATE,			/* string: sampling, inert */
	RCR_A_SOURCE,			/* string */
	RCR_A_FAMILY,			/* string */
	RCR_A_RUNNING,			/* nest of enum rcr_counter_attr */
	RCR_A_STAGED,			/* nest of enum rcr_counter_attr, several */
	RCR_A_COUNTERS,			/* u64: mask */
	RCR_A_HOLD,			/* u32: file descriptor */
	RCR_A_HELD,			/* string: holders of sets, as rcrctl (1234), ... */
	RCR_A_KIND,			/* u32: enum rcr_mark_kind */
	RCR_A_TEXT,			/* string */
	RCR_A_POLICY,			/* string: source= as requested */
	RCR_A_METER,			/* nest of enum rcr_meter_attr */
	RCR_A_FORM,			/* nest of enum rcr_form_attr */
	RCR_A_UNIT,			/* string */
	RCR_A_SCALE_NS,			/* u64: time scale of a meter */
	RCR_A_TYPE,			/* u32: enum rcr_time_type */
	RCR_A_OVER,			/* u32: enum rcr_place_kind */
	RCR_A_DIGITS,			/* u32: 0 to 9 */
	RCR_A_PUBLIC,			/* flag */
	RCR_A_NUMBER,			/* u32: number of a meter */
	RCR_A_MAXIMUM,			/* s64, as bits: in unit x 10^-digits */
	RCR_A_CONTENTION,		/* s64, as bits: likewise */
	RCR_A_VALUE,			/* s64, as bits: likewise */
	RCR_A_PLACE,			/* u32: METER_POST: which entry of the meter, from 0;
					 * METER_MAXIMUM: number of the place of kind OVER
					 */
	RCR_A_CORE_COUNTERS,		/* u32: general counters of a core */
	RCR_A_CORE_USED,		/* u32: general counters that the set uses on a CPU */
	RCR_A_CORE_WATCHDOG,		/* u32: enum rcr_watchdog */
	RCR_A_CORE_OTHERS,		/* u32: general counters of others' pinned events */
	RCR_A_DEVICE,			/* u32: descriptor of the caller's open /dev/rcrtool */
	RCR_A_REASON,			/* nest of enum rcr_reason_attr */
	RCR_A_TSC_KHZ,			/* u32: TSC cycles in a millisecond */
	RCR_A_STATUS,			/* u32: METER_POST: why there is no value; not OK */
	__RCR_A_LAST,
};

#define RCR_A_MAX (__RCR_A_LAST - 1)

/* See <linux/rcrreason.h>. */
enum rcr_reason_attr {
	RCR_REASON_A_UNSPEC,
	RCR_REASON_A_PAD,
	RCR_REASON_A_CODE,		/* u32: enum rcr_reason_code */
	RCR_REASON_A_NUMBER,		/* u64, several: the arguments that are numbers */
	RCR_REASON_A_TEXT,		/* string, several: those that are text */
	__RCR_REASON_A_LAST,
};

#define RCR_REASON_A_MAX (__RCR_REASON_A_LAST - 1)

enum rcr_counter_attr {
	RCR_COUNTER_A_UNSPEC,
	RCR_COUNTER_A_PAD,
	RCR_COUNTER_A_NAME,		/* string */
	RCR_COUNTER_A_SELECT,		/* u64 */
	RCR_COUNTER_A_CONTROL,		/* u64: address, as in struct rcr_counter */
	RCR_COUNTER_A_COUNTER,		/* u64: likewise */
	RCR_COUNTER_A_EVENT,		/* nest of enum rcr_event_attr */
	RCR_COUNTER_A_STATUS,		/* u32: enum rcr_status, the worst of all CPUs */
	RCR_COUNTER_A_CPUS,		/* string: CPUs where it is not OK, as 0-3,8 */
	RCR_COUNTER_A_HELD,		/* flag: RUNNING: a holder added it; STAGED: it is
					 * in the base set and gives way to a hold
					 */
	__RCR_COUNTER_A_LAST,
};

#define RCR_COUNTER_A_MAX (__RCR_COUNTER_A_LAST - 1)

enum rcr_meter_attr {
	RCR_METER_A_UNSPEC,
	RCR_METER_A_PAD,
	RCR_METER_A_NUMBER,		/* u32 */
	RCR_METER_A_NAME,		/* string */
	RCR_METER_A_FORM,		/* nest of enum rcr_form_attr; none: it is posted */
	RCR_METER_A_UNIT,		/* string */
	RCR_METER_A_SCALE_NS,		/* u64: time scale */
	RCR_METER_A_TYPE,		/* u32: enum rcr_time_type */
	RCR_METER_A_OVER,		/* u32: enum rcr_place_kind */
	RCR_METER_A_DIGITS,		/* u32 */
	RCR_METER_A_FLAGS,		/* u32: RCR_METER_... */
	RCR_METER_A_REASON,		/* nest of enum rcr_reason_attr: why it has no values;
					 * none: it has
					 */
	RCR_METER_A_MAXIMUM,		/* s64, as bits: of the machine; 0: not known */
	RCR_METER_A_CONTENTION,		/* likewise: contention level */
	__RCR_METER_A_LAST,
};

#define RCR_METER_A_MAX (__RCR_METER_A_LAST - 1)

/* The form of a meter; the divisor may be missing. */
enum rcr_form_attr {
	RCR_FORM_A_UNSPEC,
	RCR_FORM_A_PAD,
	RCR_FORM_A_NUMERATOR,		/* u64: of the factor k, 10^digits included */
	RCR_FORM_A_DENOMINATOR,		/* u64: likewise, from 1 */
	RCR_FORM_A_REDUCTION,		/* u32: enum rcr_reduction of the dividend */
	RCR_FORM_A_REDUCTION_BELOW,	/* u32: likewise, of the divisor */
	RCR_FORM_A_PER_CPU,		/* flag: REDUCTION applies to the quotients of the CPUs */
	RCR_FORM_A_TERM,		/* nest of enum rcr_term_attr, several: dividend */
	RCR_FORM_A_TERM_BELOW,		/* nest of enum rcr_term_attr, several: divisor */
	__RCR_FORM_A_LAST,
};

#define RCR_FORM_A_MAX (__RCR_FORM_A_LAST - 1)

enum rcr_term_attr {
	RCR_TERM_A_UNSPEC,
	RCR_TERM_A_PAD,
	RCR_TERM_A_NAME,		/* string: of a counter; none: TSC cycles of our ticks */
	RCR_TERM_A_KIND,		/* u32: enum rcr_term_kind */
	RCR_TERM_A_WEIGHT,		/* s32: not 0 */
	__RCR_TERM_A_LAST,
};

#define RCR_TERM_A_MAX (__RCR_TERM_A_LAST - 1)

#endif /* _UAPI_LINUX_RCRTOOL_H */
