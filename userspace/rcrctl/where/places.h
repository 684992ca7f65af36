/* SPDX-License-Identifier: GPL-2.0-or-later */
/* places.h - contentions and their places in files, parsed from the answers of rcrd. */
#ifndef RCRCTL_PLACES_H
#define RCRCTL_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "why.h"

#define CODE_ID		41	/* build id, hexadecimal */
#define CODE_NAME	256

/**
 * struct code_file - a file that a process executed
 * @path: its path, as the process saw it
 * @shown: @path with control characters escaped
 * @id: build id, hexadecimal; empty if unknown
 * @major: major number of its device; identifies it if there is no build id
 * @minor: minor number of its device; likewise
 * @inode: inode number; likewise
 * @until: end of the first contention that it was part of, seconds since 1970
 * @skipped: none of its places is printed: do not open it
 * @fd: set by the resolver: the open file, or -1
 * @resolver: state of the resolver; NULL if it cannot name places
 * @problem: why places have no names, or may have wrong ones; empty if neither
 */
struct code_file {
	char *path, *shown;
	char id[CODE_ID];
	unsigned int major, minor;
	uint64_t inode;
	time_t until;
	bool skipped;
	int fd;
	void *resolver;
	char problem[160];
};

/**
 * struct place - a position in code, with the counts of the ticks that interrupted it
 * @contention: index of its contention
 * @kind: "code", or a kind that has no file, such as "kernel" or "idle"
 * @tgid: process id; 0: no process
 * @process: name of the process, with control characters escaped
 * @samples: number of ticks
 * @weight: sum of their counts
 * @squares: sum of the squares of their counts
 * @file: index of its file; only if @kind is "code"
 * @offset: offset in the file, bytes
 * @function: name of the function, or empty
 * @source: name of the source file, or empty
 * @line: line number in @source
 */
struct place {
	unsigned int contention;
	char kind[16];
	uint32_t tgid;
	char process[4 * 16 + 8];
	uint64_t samples;
	double weight, squares;
	unsigned int file;
	uint64_t offset;
	char function[CODE_NAME], source[CODE_NAME];
	int line;
};

/**
 * struct contention - a contention
 * @serial: its number
 * @model: the model of rcrd that found it: "memory" or "cache"
 * @finding: what is contended, such as "bandwidth"
 * @node: number of the NUMA node
 * @since_ns: time when it began, CLOCK_MONOTONIC, ns
 * @from_ns: time of its first sample, CLOCK_MONOTONIC, ns
 * @until_ns: time of its last sample, CLOCK_MONOTONIC, ns
 * @lasts: it has not ended
 * @measure: what its samples count: "requests", "modified" or "time"
 * @lost: number of samples whose place is unknown
 */
struct contention {
	uint64_t serial;
	char model[16], finding[16];
	unsigned int node;
	uint64_t since_ns, from_ns, until_ns;
	bool lasts;
	char measure[16];
	uint64_t lost;
};

/**
 * struct places - the answers of rcrd
 * @contention: contentions, the oldest first
 * @contentions: entries of @contention
 * @place: places of all contentions
 * @count: entries of @place
 * @file: files that the places are in
 * @files: entries of @file
 * @missing: why rcrd knows no places, or empty
 * @lost: number of changes of mappings that rcrd missed
 * @refused: number of mappings that did not fit into the table of rcrd
 * @absent: number of CPUs that were offline when rcrd started
 */
struct places {
	struct contention *contention;
	unsigned int contentions;
	struct place *place;
	unsigned int count;
	struct code_file *file;
	unsigned int files;
	char missing[512];
	uint64_t lost, refused;
	uint64_t absent;
};

/* Parses a line of an answer, and modifies it. Returns 0, or -1 with @why filled in. */
int places_take(struct places *p, char *line, struct why *why);

void places_free(struct places *p);

#endif
