/* SPDX-License-Identifier: GPL-2.0-or-later */
/* places.h - where contentions are, as rcrd has answered: positions in files. */
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
 * @shown: the path without control characters
 * @id: build id, hexadecimal; empty: not known
 * @major: without a build id: of its device
 * @minor: likewise
 * @inode: likewise
 * @until: likewise, when it was executed last, seconds since 1970
 * @skipped: nothing of it is printed: it is not opened
 * @fd: of the resolver: the file, or -1
 * @resolver: state of the resolver; NULL: its code is not named
 * @problem: why it is not, or why names may be wrong
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
 * struct place - a position, with the counts of the ticks that found it
 * @contention: entry of the contention
 * @kind: "code", or a kind of rcrd without a file
 * @tgid: process; 0: none
 * @process: its name, without control characters
 * @samples: ticks
 * @weight: their counts
 * @squares: sum of the squares of their counts
 * @file: entry of the file, of code
 * @offset: position in it, bytes
 * @function: name of the function, or empty
 * @source: name of the source file, or empty
 * @line: in @source
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
 * @model: "memory"
 * @finding: "bandwidth"
 * @node: number of the node
 * @since_ns: CLOCK_MONOTONIC, ns
 * @from_ns: likewise, begin of the oldest sample
 * @until_ns: end of the newest one
 * @lasts: it still is
 * @measure: which counts: "requests", "modified", "time"
 * @lost: samples whose place is not known
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
 * struct places - all that rcrd has answered
 * @contention: contentions, the oldest first
 * @contentions: entries
 * @place: places
 * @count: entries
 * @file: files
 * @files: entries
 * @missing: why rcrd knows no places, or empty
 * @lost: changes of mappings that were lost
 * @refused: mappings that did not fit into the table of rcrd
 * @absent: CPUs whose mappings are not known
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

/* Takes a line of an answer, which is changed. Returns 0, or -1 with @why filled in. */
int places_take(struct places *p, char *line, struct why *why);

void places_free(struct places *p);

#endif
