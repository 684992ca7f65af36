/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mappings.h - which file each process has mapped where it executes, from what the kernel reports
 * of it: in order of time, and complete but for lost records.
 */
#ifndef RCRD_MAPPINGS_H
#define RCRD_MAPPINGS_H

#include "where/files.h"

#define MAPPINGS_PROCESSES	16384
#define MAPPINGS_MOST		262144	/* of all processes */
#define MAPPINGS_OF_ONE		1024
#define MAPPINGS_BYTES		(4ull << 30)	/* of one, of files */
#define MAPPINGS_BUCKETS	4096
#define PROCESS_NAME		16

enum change_kind {
	CHANGE_OTHER,		/* nothing that is known here */
	CHANGE_FORK,		/* @tgid is a new process, of @parent */
	CHANGE_EXEC,		/* @tgid executes another program, @name */
	CHANGE_NAME,		/* its name */
	CHANGE_MAP,		/* a mapping */
	CHANGE_EXIT,		/* @tgid ends */
	CHANGE_LOST,		/* @lost changes are missing here */
};

/**
 * struct change - a change of a process
 * @kind: which
 * @time: CLOCK_MONOTONIC, ns
 * @tgid: the process
 * @parent: of a fork
 * @name: its name
 * @begin: of a mapping, its first address
 * @length: its bytes
 * @offset: of @begin in @file
 * @is_file: @file is one; else it has no file: code that was made at run time
 * @file: the file
 * @lost: number of changes
 */
struct change {
	enum change_kind kind;
	uint64_t time;
	uint32_t tgid, parent;
	char name[PROCESS_NAME];
	uint64_t begin, length, offset;
	bool is_file;
	struct file_key file;
	uint64_t lost;
};

/**
 * struct mapping - executable memory of a process
 * @begin: first address
 * @end: address after the last one
 * @offset: of @begin in @file
 * @file: the file; NULL: none
 */
struct mapping {
	uint64_t begin, end, offset;
	struct mapped_file *file;
};

/**
 * struct mapping_list - mappings by address; a child shares those of its parent until they differ
 * @refs: processes that have it
 * @count: entries of @mapping
 * @room: allocated entries
 */
struct mapping_list {
	unsigned int refs, count, room;
	struct mapping mapping[];
};

/**
 * struct mapped_process - a process
 * @next: of the same hash
 * @older: ended before it: processes that have ended are forgotten when others do not fit
 * @newer: likewise, after it
 * @tgid: its id
 * @is_ended: its first thread has ended
 * @since: when it began to execute its program, ns; 0: before rcrd did
 * @name: its name
 * @list: its mappings; NULL: none
 */
struct mapped_process {
	struct mapped_process *next, *older, *newer;
	uint32_t tgid;
	bool is_ended;
	uint64_t since;
	char name[PROCESS_NAME];
	struct mapping_list *list;
};

/**
 * struct mappings - of all processes
 * @files: the files
 * @processes: number of processes
 * @count: mappings of all of them
 * @refused: mappings and processes that did not fit
 * @lost: changes that the kernel could not report
 * @swept: bucket that mappings_sweep() checks next
 * @oldest: process that ended first, of those that are still known
 * @newest: the one that ended last
 * @bucket: processes by hash of their id
 */
struct mappings {
	struct files files;
	unsigned int processes, count;
	uint64_t refused, lost;
	unsigned int swept;
	struct mapped_process *oldest, *newest;
	struct mapped_process *bucket[MAPPINGS_BUCKETS];
};

/* Takes the next change. */
void mappings_take(struct mappings *m, const struct change *c);

typedef bool (*mappings_alive)(uint32_t tgid);

/*
 * To be called each second: when a table is full, marks some of the processes as ended that are not
 * alive. The kernel may have lost the record of their end.
 */
void mappings_sweep(struct mappings *m, mappings_alive is_alive);

/* The process; NULL: it is not known. */
struct mapped_process *mappings_find(const struct mappings *m, uint32_t tgid);

/* The mapping at an address; NULL: none. */
const struct mapping *mapping_at(const struct mapped_process *p, uint64_t address);

/* Forgets everything; places may still have references to files. */
void mappings_clear(struct mappings *m);

#endif
