/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* region.h - internal interfaces of librcrregion. */
#ifndef LIBRARY_REGION_H
#define LIBRARY_REGION_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "format/modes.h"
#include "format/region_file.h"

/* Flags in the depth of a set. The start has counts, not values of registers. */
#define REGION_WHOLE	0x80000000u
/* The counters were taken away since the start. */
#define REGION_LOST	0x40000000u
/* The counters at the start are being read. */
#define REGION_STARTING	0x20000000u
/* Sections are long, so the next start reads the node's counters: see node.c. */
#define REGION_LONG	0x10000000u
#define REGION_DEPTH	0x0fffffffu

/* Register at the start of a section, or the count with REGION_WHOLE; low half first, as on x86. */
union region_start {
	uint64_t whole;
	uint32_t half[2];
};

/**
 * struct region_set - a set on a thread; only that thread writes it
 * @depth: number of nested open sections, and REGION_WHOLE, REGION_LOST, REGION_STARTING,
 *	REGION_LONG
 * @closed: value of @depth between sections: 0 or REGION_LONG
 * @number: number of the set
 * @calls: calls that were counted
 * @lost: calls that were not counted
 * @start_tsc: time stamp counter at the start
 * @start: the counters at the start
 * @count: the counts of the section that ends
 * @value: sum, minimum and maximum of each event
 * @node_start: the node's counters at the start; NULL: never read
 * @node: sums of the node's counters
 * @in_file: the file that is being written has a record of it
 * @next: the thread's next set
 */
struct region_set {
	uint32_t depth;
	uint32_t closed;
	uint32_t number;
	uint64_t calls;
	uint64_t lost;
	uint64_t start_tsc;
	union region_start start[REGION_EVENTS];
	uint64_t count[REGION_EVENTS];
	struct region_value value[REGION_VALUES];
	struct region_node_start *node_start;
	struct region_node_count node[REGION_NODE_COUNTERS];
	bool in_file;
	struct region_set *next;
};

static inline bool region_is_open(const struct region_set *r)
{
	return r->depth & REGION_DEPTH;
}

/**
 * struct region_thread - counters and sets of a thread
 * @fast: number of counters that are read by rdpmc; 0: they are read by a system call
 * @locks: sum of the locks of the pages when @index was read
 * @index: numbers of the counters for rdpmc
 * @mask: mask of the bits of a counter
 * @page: the pages of the events, one after the other
 * @width: bits of a counter
 * @offset: offset of each page, which is added to the register
 * @fd: descriptors of the events; -1: closed, the mapped page keeps the event open
 * @id: ids of the events, to check that a descriptor still is that of the event
 * @missed_ns: time for which the group was enabled but did not count
 * @count: number of events; 0: the thread is not counted
 * @busy: in a slow call, which a signal handler must not enter again
 * @used: a living thread uses this structure
 * @first: list of its sets
 * @last: last entry of the list
 * @set: its sets by their numbers
 * @spare: unused sets
 * @spares: number of unused sets
 * @next: the next thread
 */
struct region_thread {
	uint32_t fast;
	uint32_t locks;
	uint32_t index[REGION_EVENTS];
	uint64_t mask;
	char *page;
	unsigned int width;
	uint64_t offset[REGION_EVENTS];
	int fd[REGION_EVENTS];
	uint64_t id[REGION_EVENTS];
	uint64_t missed_ns;
	unsigned int count;
	volatile bool busy;
	bool used;
	struct region_set *first;
	struct region_set *last;
	struct region_set *set[REGION_SETS];
	struct region_set *spare;
	unsigned int spares;
	struct region_thread *next;
};

#define REGION_PATH_LEN	4096

/* State of the process. */
enum region_state {
	REGION_BEFORE,
	REGION_COUNTING,
	REGION_REFUSED,
	REGION_ENDED,
};

/**
 * struct region_process - this process
 * @state: whether it counts
 * @users: calls of RCR_Initialize() without a matching RCR_Finalize()
 * @pid: process id
 * @forked: it is a child of a process that counts
 * @rank: rank in the MPI job; -1: none
 * @kernel: counts include those in the kernel
 * @by_rdpmc: counters are read by rdpmc
 * @mode: the mode
 * @events: number of events in @event
 * @count: number of events that are counted
 * @event: the counted events, followed by those that no rank counts
 * @error: errno why an event is not counted; EXDEV: the kernel uses a counter that cannot count it
 * @group: number of the group of events that it counts, from 1; 0: the events are not split
 * @groups: number of groups; 0: the events are not split
 * @cost: what a pair of calls adds to the time stamp counter and to each event, in thousandths
 * @threads: the threads
 * @begin_ns: time of RCR_Initialize()
 * @begin_steady_ns: the same time by CLOCK_MONOTONIC, which cannot be set
 * @begin_tsc: the same time by the time stamp counter
 * @directory: directory of the file
 */
struct region_process {
	enum region_state state;
	unsigned int users;
	pid_t pid;
	bool forked;
	int rank;
	bool kernel;
	bool by_rdpmc;
	struct region_mode mode;
	unsigned int events;
	unsigned int count;
	struct region_event event[REGION_LIST];
	int error[REGION_LIST];
	unsigned int group;
	unsigned int groups;
	uint64_t cost[REGION_VALUES];
	struct region_thread *threads;
	uint64_t begin_ns;
	uint64_t begin_steady_ns;
	uint64_t begin_tsc;
	char directory[REGION_PATH_LEN];
};

extern struct region_process region_process REGION_HIDDEN;
extern __thread struct region_thread *region_self REGION_HIDDEN
	__attribute__((tls_model("initial-exec")));

/* group.c: the events of a thread. */
int region_group_open(struct region_thread *t) REGION_HIDDEN;
void region_group_close(struct region_thread *t) REGION_HIDDEN;
void region_group_disable(const struct region_thread *t) REGION_HIDDEN;
bool region_group_read(const struct region_thread *t, uint64_t count[REGION_EVENTS]) REGION_HIDDEN;
bool region_counts(struct region_thread *t, uint64_t count[REGION_EVENTS]) REGION_HIDDEN;
/* Returns the count of an event at the start of an open section. */
uint64_t region_start_count(const struct region_thread *t, const struct region_set *r,
			    unsigned int event) REGION_HIDDEN;
int region_add_event(const struct region_event *event) REGION_HIDDEN;

/* split.c: the rank, and the events that this process counts. */
int region_read_rank(void) REGION_HIDDEN;
int region_choose_events(void) REGION_HIDDEN;
/* Prints one line with the events that are not counted; only the first rank prints it. */
void region_report_events(void) REGION_HIDDEN;

/* sections.c: the slow paths of RCR_Start() and RCR_Stop(). */
int region_start_slowly(int set) REGION_HIDDEN;
int region_stop_slowly(int set) REGION_HIDDEN;
/* Ends all open sections of the calling thread. */
void region_close_sets(struct region_thread *t) REGION_HIDDEN;

/*
 * node.c: counters that CPUs share. Fewest cycles of a section that can contain two samples:
 * shorter ones need not read the node's counters.
 */
extern uint64_t region_long_section REGION_HIDDEN;
void region_node_open(void) REGION_HIDDEN;
/* Reads the node's counters; returns true if the section must be marked as REGION_LONG. */
bool region_node_start(struct region_set *r) REGION_HIDDEN;
void region_node_stop(struct region_set *r, uint64_t stop_tsc) REGION_HIDDEN;
void region_node_describe(struct region_header *h) REGION_HIDDEN;

/* threads.c: zeroed memory from mmap(); the threads, and the names of sets. */
void *region_map_memory(size_t size) REGION_HIDDEN;
struct region_thread *region_take_thread(void) REGION_HIDDEN;
void region_threads_prepare(void) REGION_HIDDEN;
/* Prevents threads from being added or ending. Returns false if this thread holds the lock. */
bool region_threads_lock(void) REGION_HIDDEN;
void region_threads_unlock(void) REGION_HIDDEN;
void region_threads_stop(void) REGION_HIDDEN;
struct region_set *region_add_set(struct region_thread *t, unsigned int number) REGION_HIDDEN;
bool region_has_set(unsigned int number) REGION_HIDDEN;
const char *region_set_name(unsigned int number) REGION_HIDDEN;

/* process.c: fills in the times of the beginning. */
void region_process_begin(struct region_process *p) REGION_HIDDEN;

/* dump.c: writes the file; a signal handler may call it. Returns 0 or -1. */
int region_dump(int signal) REGION_HIDDEN;

/* death.c: catches signals that end the process; true if an action is that of its handler. */
bool region_is_death_handler(const struct sigaction *action);
void region_abort(void);
void region_catch_signals(void) REGION_HIDDEN;

/* Messages, each of which is printed at most once. */
enum region_saying {
	REGION_SAY_REFUSED,
	REGION_SAY_MODE,
	REGION_SAY_UNCOUNTED,
	REGION_SAY_BEFORE,
	REGION_SAY_NOT_STARTED,
	REGION_SAY_UNKNOWN,
	REGION_SAY_NAMES,
	REGION_SAY_THREAD,
	REGION_SAY_LOST,
	REGION_SAY_ENDED,
	REGION_SAY_FILE,
	REGION_SAY_SPLIT,
	REGION_SAY_NESTED,
};

/* State that region_loud() restores: SIGPIPE and SIGXFSZ, which a write can raise. */
struct region_quiet {
	sigset_t before;
	bool pending_pipe;
	bool pending_size;
	int cancel;
};

/* say.c: blocks signals that a write can raise, and cancellation, until region_loud(). */
void region_quiet(struct region_quiet *quiet) REGION_HIDDEN;
void region_loud(const struct region_quiet *quiet) REGION_HIDDEN;

/* say.c: prints a line on standard error, at most once per process; returns -1. */
int region_say(enum region_saying once, const char *format, ...) REGION_HIDDEN
	__attribute__((format(printf, 2, 3)));

static inline uint64_t region_tsc(void)
{
	uint64_t low, high;

	asm volatile("rdtsc" : "=a"(low), "=d"(high));
	return (high << 32) + low;
}

#endif
