/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * region_file.h - the file that a process writes about its regions: a header, the events, the sets,
 * the records, and a checksum of all of these. Numbers are little-endian. Readers must use the
 * sizes in the header: later versions append members to each part.
 */
#ifndef REGION_FILE_H
#define REGION_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REGION_MAGIC	"RCRREGN\n"
#define REGION_VERSION	1

/* Counters of a group, and values of a record: these begin with the time stamp counter. */
#define REGION_EVENTS	6
#define REGION_VALUES	(REGION_EVENTS + 1)

/* Most events of a mode, which are divided into groups. */
#define REGION_LIST	24

/* Sets of a process: first those that the program numbers, then those with names. */
#define REGION_NUMBERS	1024
#define REGION_SETS	2048

/* Limits of what a reader accepts. */
#define REGION_THREADS		65536
#define REGION_FILE_RECORDS	1048576

#define REGION_NAME_LEN		48
#define REGION_TEXT_LEN		64

/* Most counters of the node that a process reads. */
#define REGION_NODE_COUNTERS	16

/* Environment variable of 'rcrregion run': checksum of the line that its programs printed last. */
#define REGION_SAID		"RCR_REGION_SAID"
#define REGION_SAID_NOTHING	"0000000000000000"

/* Flags of the header. The process ended regularly, not by a signal. */
#define REGION_COMPLETE		1u
/* The counts include those in the kernel. */
#define REGION_WITH_KERNEL	2u
/* Counters were read by rdpmc, and not by system calls. */
#define REGION_BY_RDPMC		4u

/**
 * struct region_header - beginning of the file
 * @magic: REGION_MAGIC
 * @version: REGION_VERSION
 * @header_size: bytes of the header
 * @event_size: bytes of an event
 * @set_size: bytes of a set
 * @record_size: bytes of a record
 * @events: number of events; those that were not counted come last
 * @counted: number of events that were counted; the first one is the time stamp counter
 * @sets: number of sets
 * @records: number of records
 * @file_size: bytes of the file, with the checksum
 * @flags: REGION_COMPLETE, REGION_WITH_KERNEL, REGION_BY_RDPMC
 * @rank: rank of the process in its MPI job; -1: none
 * @pid: its process id
 * @signal: number of the signal that ended it; 0: none
 * @group: which group of the mode's events it counted, from 1; 0: the events are not split
 * @groups: number of groups that ranks share; 0: the events are not split
 * @begin_ns: time of RCR_Initialize(), CLOCK_REALTIME, ns
 * @end_ns: time when the file was written: @begin_ns plus the elapsed time by CLOCK_MONOTONIC
 * @begin_tsc: time stamp counter at @begin_ns
 * @end_tsc: time stamp counter at @end_ns
 * @host: name of the machine
 * @command: name of the program
 * @mode: name of the mode
 * @node_error: errno why no counters of the node were read; ESTALE: they were read until rcrtool's
 *	set was changed; EOVERFLOW: only the first ones fit; 0: they were read, or this was not
 *	tried
 * @node_counters: number of counters of the node
 * @family: rcrtool's name of the CPU's family; empty: not known, or EOVERFLOW
 * @node_counter: names of the counters of the node
 */
struct region_header {
	char magic[8];
	uint32_t version;
	uint32_t header_size;
	uint32_t event_size;
	uint32_t set_size;
	uint32_t record_size;
	uint32_t events;
	uint32_t counted;
	uint32_t sets;
	uint32_t records;
	uint32_t flags;
	int32_t rank;
	uint32_t pid;
	uint32_t signal;
	uint16_t group;
	uint16_t groups;
	uint64_t file_size;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t begin_tsc;
	uint64_t end_tsc;
	char host[REGION_TEXT_LEN];
	char command[REGION_TEXT_LEN];
	char mode[REGION_NAME_LEN];
	uint32_t node_error;
	uint32_t node_counters;
	char family[REGION_TEXT_LEN];
	char node_counter[REGION_NODE_COUNTERS][REGION_TEXT_LEN];
};

/* Size of the header in the first version. */
#define REGION_HEADER_LEAST	offsetof(struct region_header, node_error)

/**
 * struct region_file_event - an event of the mode
 * @name: its name
 * @type: type in perf_event_attr; 0xffffffff: the time stamp counter
 * @reserved: 0
 * @config: config in perf_event_attr
 * @cost: how much a pair of RCR_Start() and RCR_Stop() adds to it, in thousandths, measured in
 *	RCR_Initialize(); it is not subtracted from the counts
 */
struct region_file_event {
	char name[REGION_NAME_LEN];
	uint32_t type;
	uint32_t reserved;
	uint64_t config;
	uint64_t cost;
};

/**
 * struct region_file_set - a set that was used
 * @number: its number
 * @reserved: 0
 * @name: its name
 */
struct region_file_set {
	uint32_t number;
	uint32_t reserved;
	char name[REGION_TEXT_LEN];
};

/**
 * struct region_value - an event of a record
 * @sum: count of all calls
 * @min: lowest count of a call
 * @max: highest count of a call
 */
struct region_value {
	uint64_t sum;
	uint64_t min;
	uint64_t max;
};

/**
 * struct region_node_count - a counter of the node while a thread was in a set
 * @count: count of all of its units between the first and the last sample in each call
 * @cycles: TSC cycles between these; 0: no call was long enough, or counting was interrupted
 */
struct region_node_count {
	uint64_t count;
	uint64_t cycles;
};

/* The last call of the thread had not ended; it is not counted. */
#define REGION_OPEN	1u

/**
 * struct region_record - a set on a thread
 * @set: index of the set in the file
 * @thread: number of the thread; a thread that begins may get that of one that has ended
 * @flags: REGION_OPEN
 * @reserved: 0
 * @calls: calls that were counted
 * @lost: calls that were not counted, because the counters were taken away meanwhile
 * @value: the events that were counted; further entries are 0
 * @node: the counters of the node; further entries are 0
 */
struct region_record {
	uint32_t set;
	uint32_t thread;
	uint32_t flags;
	uint32_t reserved;
	uint64_t calls;
	uint64_t lost;
	struct region_value value[REGION_VALUES];
	struct region_node_count node[REGION_NODE_COUNTERS];
};

#define REGION_RECORD_LEAST	offsetof(struct region_record, node)

/* True at a character that could be a command to a terminal: names must not have any. */
static inline bool region_is_control(const char *text)
{
	unsigned char c = text[0];

	return c < ' ' || c == 0x7f ||
	       (c == 0xc2 && (unsigned char)text[1] >= 0x80 && (unsigned char)text[1] < 0xa0);
}

#define REGION_CHECKSUM_BEGIN	0xcbf29ce484222325ull

/* Continues a checksum, which detects a change of any single byte. */
static inline uint64_t region_checksum(uint64_t sum, const void *data, size_t size)
{
	const unsigned char *byte = data;

	while (size--)
		sum = (sum ^ *byte++) * 0x100000001b3ull;
	return sum;
}

/* True if the values of a record with @counted events are consistent with @r->calls. */
static inline bool region_record_is_valid(const struct region_record *r, unsigned int counted)
{
	const struct region_value *v;
	unsigned int i;

	if (!r->calls && !r->lost && !r->flags)
		return false;
	for (i = 0; i < REGION_VALUES; i++) {
		v = &r->value[i];
		if (!r->calls || i >= counted) {
			if (v->sum || v->min || v->max)
				return false;
			continue;
		}
		if (v->min > v->max || (unsigned __int128)v->min * r->calls > v->sum ||
		    v->sum > (unsigned __int128)v->max * r->calls)
			return false;
	}
	return true;
}

#endif
