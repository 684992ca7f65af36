/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile.h - profile of a contention: the counts of each tick are attributed to the place that the
 * tick interrupted.
 *
 * A place is an offset in a file. No address of a process is kept.
 */
#ifndef RCRD_PROFILE_H
#define RCRD_PROFILE_H

#include <sys/types.h>

#include "model/finding.h"
#include "where/mappings.h"

#define PROFILES		16	/* the newest contentions */
#define PROFILE_PROCESSES	250
#define PROFILE_PLACES		1024
#define PROFILE_BUCKETS		2048

enum place_kind {
	PLACE_CODE,		/* an offset in a file */
	PLACE_MADE,		/* code that was generated at run time */
	PLACE_UNKNOWN,		/* an address without a known mapping */
	PLACE_KERNEL,		/* a kernel thread */
	PLACE_IDLE,		/* the CPU was idle */
	PLACE_OTHER,		/* any place, after the table was full */
	PLACE_KINDS
};

/* Name of the kind in an answer, such as "code". */
const char *place_kind_name(enum place_kind kind);

/**
 * struct profile_process - a process
 * @tgid: process id; 0: idle
 * @since: @since of struct mapped_process, ns
 * @uid: user of the process, or BOOK_NO_USER
 * @asked: when @uid was looked up, ns
 * @name: name of the process
 */
struct profile_process {
	uint32_t tgid;
	uint64_t since;
	uid_t uid;
	uint64_t asked;
	char name[PROCESS_NAME];
};

/**
 * struct profile_place - a place
 * @next: entry of the next place in the same bucket, plus 1; 0: none
 * @kind: enum place_kind
 * @process: entry of its process
 * @file: PLACE_CODE: the file
 * @offset: PLACE_CODE: offset in @file
 * @samples: number of ticks that interrupted it
 * @weight: sum of the counts of these ticks
 * @squares: sum of the squares of these counts
 */
struct profile_place {
	uint16_t next;
	uint8_t kind;
	uint8_t process;
	struct mapped_file *file;
	uint64_t offset;
	uint64_t samples;
	double weight, squares;
};

/**
 * struct profile - profile of a contention
 * @serial: serial number; 0: the entry is free
 * @finding: the finding
 * @node: node of the contention
 * @since: begin of the contention, ns
 * @from: begin of the first tick, ns; 0: there are no ticks
 * @until: end of the last tick, ns
 * @lasts: the contention has not ended
 * @lost: number of ticks without a place or a valid count
 * @processes: number of entries in @process
 * @process: the processes
 * @places: number of entries in @place
 * @place: the places
 * @bucket: by hash: entry of the first place, plus 1; 0: none
 */
struct profile {
	uint64_t serial;
	enum finding finding;
	unsigned int node;
	uint64_t since, from, until;
	bool lasts;
	uint64_t lost;
	unsigned int processes, places;
	struct profile_process process[PROFILE_PROCESSES];
	struct profile_place place[PROFILE_PLACES];
	uint16_t bucket[PROFILE_BUCKETS];
};

/**
 * struct place_sample - the place that a tick interrupted
 * @kind: kind of the place
 * @tgid: process of the place
 * @file: PLACE_CODE: the file
 * @offset: PLACE_CODE: offset in @file
 * @count: count of the tick
 */
struct place_sample {
	enum place_kind kind;
	uint32_t tgid;
	struct mapped_file *file;
	uint64_t offset;
	double count;
};

/*
 * Finds or adds the entry of a process; sets @is_new for a new one, which the caller must fill in.
 * Returns PROFILE_PROCESSES if the table is full.
 */
unsigned int profile_process(struct profile *p, uint32_t tgid, uint64_t since, bool *is_new);

/*
 * Process @tgid executed another program at @time: clears the user of its older entries, if it was
 * looked up only after that.
 */
void profile_disown(struct profile *p, uint32_t tgid, uint64_t time);

/* Adds a sample of the process in entry @process, or of PROFILE_PROCESSES if it has none. */
void profile_add(struct profile *p, unsigned int process, const struct place_sample *s);

/* Frees the profile's entry, and drops its references to files. */
void profile_clear(struct profile *p, struct files *files);

#endif
