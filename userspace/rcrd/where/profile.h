/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile.h - in which code the counts of a contention were: each tick's exact count belongs to the
 * place that the tick found.
 *
 * A place is a position in a file. No address of a process is kept.
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
	PLACE_CODE,		/* a position in a file */
	PLACE_MADE,		/* code without a file */
	PLACE_UNKNOWN,		/* no mapping is known there */
	PLACE_KERNEL,		/* a thread of the kernel */
	PLACE_IDLE,		/* the CPU was idle */
	PLACE_OTHER,		/* the table is full */
	PLACE_KINDS
};

/* "code" */
const char *place_kind_name(enum place_kind kind);

/**
 * struct profile_process - a process
 * @tgid: its id; 0: idle
 * @since: when it began to execute its program, ns
 * @uid: its user, or BOOK_NO_USER
 * @asked: when that was looked up, ns
 * @name: its name
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
 * @next: of the same hash, as the number of its entry and 1; 0: none
 * @kind: enum place_kind
 * @process: entry of its process
 * @file: of code
 * @offset: in @file
 * @samples: ticks that found it
 * @weight: their counts
 * @squares: sum of the squares of their counts
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
 * struct profile - a contention
 * @serial: its number; 0: the entry is free
 * @finding: the finding
 * @node: where
 * @since: since when, ns
 * @from: time of the oldest sample, ns; 0: there is none
 * @until: of the newest one
 * @lasts: it still is
 * @lost: ticks whose place was not known
 * @processes: entries of @process
 * @places: entries of @place
 * @bucket: places by hash, as in @next
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
 * struct place_sample - the place that a tick found
 * @kind: kind of the place
 * @tgid: its process
 * @file: of code
 * @offset: in @file
 * @count: the tick's count
 */
struct place_sample {
	enum place_kind kind;
	uint32_t tgid;
	struct mapped_file *file;
	uint64_t offset;
	double count;
};

/*
 * Entry of a process, which is filled in by the caller if it is new: then @is_new is set. Returns
 * PROFILE_PROCESSES if the table is full.
 */
unsigned int profile_process(struct profile *p, uint32_t tgid, uint64_t since, bool *is_new);

/* Process @tgid executed another program at @time: a user that was asked for later is not known. */
void profile_disown(struct profile *p, uint32_t tgid, uint64_t time);

/* Adds a sample of the process with entry @process, or of PROFILE_PROCESSES. */
void profile_add(struct profile *p, unsigned int process, const struct place_sample *s);

/* Makes the entry free. */
void profile_clear(struct profile *p, struct files *files);

#endif
