/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mappings.h - table of the executable mappings of all processes, updated by the changes that the
 * kernel reports, in order of time.
 */
#ifndef RCRD_MAPPINGS_H
#define RCRD_MAPPINGS_H

#include "where/files.h"

#define MAPPINGS_PROCESSES	16384
#define MAPPINGS_MOST		262144	/* mappings of all processes */
#define MAPPINGS_OF_ONE		1024	/* mappings of a process */
#define MAPPINGS_BYTES		(4ull << 30)	/* mapped files of a process */
#define MAPPINGS_BUCKETS	4096
#define PROCESS_NAME		16

enum change_kind {
	CHANGE_OTHER,		/* ignored */
	CHANGE_FORK,		/* @parent created the process @tgid */
	CHANGE_EXEC,		/* @tgid executes another program, @name */
	CHANGE_NAME,		/* @tgid has another name, @name */
	CHANGE_MAP,		/* @tgid has a new executable mapping */
	CHANGE_EXIT,		/* the first thread of @tgid ends */
	CHANGE_LOST,		/* @lost changes were lost */
};

/**
 * struct change - a change of a process
 * @kind: kind of the change
 * @time: time of the change, CLOCK_MONOTONIC, ns
 * @tgid: the process
 * @parent: fork: the parent process
 * @name: name of the process
 * @begin: first address of a mapping
 * @length: length of a mapping, bytes
 * @offset: offset of @begin in @file
 * @is_file: the mapping is of @file; otherwise, of code that was generated at run time
 * @file: the file
 * @lost: number of lost changes
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
 * @end: first address after the mapping
 * @offset: offset of @begin in @file
 * @file: the file; NULL: code that was generated at run time
 */
struct mapping {
	uint64_t begin, end, offset;
	struct mapped_file *file;
};

/**
 * struct mapping_list - mappings of a process; copied on write after a fork
 * @refs: number of processes that share it
 * @count: number of entries in @mapping
 * @room: number of allocated entries
 * @mapping: the mappings, by address
 */
struct mapping_list {
	unsigned int refs, count, room;
	struct mapping mapping[];
};

/**
 * struct mapped_process - a process
 * @next: next process in the same bucket
 * @older: previous process in the list of ended ones, which are evicted in this order
 * @newer: next process in that list
 * @tgid: process id
 * @is_ended: its first thread has ended
 * @since: time of its fork or last exec, ns; 0: before rcrd was started
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
 * struct mappings - mappings of all processes
 * @files: the mapped files
 * @processes: number of processes
 * @count: number of allocated mappings of all processes
 * @refused: number of mappings and processes that did not fit
 * @lost: number of changes that the kernel lost
 * @swept: next bucket for mappings_sweep() to check
 * @oldest: first process in the list of ended ones
 * @newest: last process in that list
 * @bucket: lists of processes, by hash of their ids
 */
struct mappings {
	struct files files;
	unsigned int processes, count;
	uint64_t refused, lost;
	unsigned int swept;
	struct mapped_process *oldest, *newest;
	struct mapped_process *bucket[MAPPINGS_BUCKETS];
};

/* Applies the next change. */
void mappings_take(struct mappings *m, const struct change *c);

typedef bool (*mappings_alive)(uint32_t tgid);

/*
 * If a table is full, marks some processes that are no longer alive as ended: the records of their
 * end may have been lost. Must be called each second.
 */
void mappings_sweep(struct mappings *m, mappings_alive is_alive);

/* Looks up a process. Returns NULL if it is unknown. */
struct mapped_process *mappings_find(const struct mappings *m, uint32_t tgid);

/* Looks up the mapping of an address. Returns NULL if there is none. */
const struct mapping *mapping_at(const struct mapped_process *p, uint64_t address);

/* Removes all processes. Files that places refer to remain. */
void mappings_clear(struct mappings *m);

#endif
