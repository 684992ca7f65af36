/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evidence.h - save the samples of a contention, including those before its onset, in a file for
 * 'rcrd --replay'.
 */
#ifndef RCRD_EVIDENCE_H
#define RCRD_EVIDENCE_H

#include "model/engine.h"
#include "recorder/run.h"
#include "why.h"

#ifndef EVIDENCE_PATH
#define EVIDENCE_PATH	"/var/lib/rcrtool/evidence"
#endif

/* Removes incomplete files of an rcrd that was killed; @dir: descriptor of EVIDENCE_PATH. */
void evidence_begin(int dir);

/**
 * struct evidence - facts to save in addition to samples
 * @machine: the machine
 * @bounds: thresholds
 * @engine: engine that judged the samples
 * @first: time of the first sample that @engine judged, ns; a file does not begin earlier
 */
struct evidence {
	const struct machine *machine;
	const struct bounds *bounds;
	const struct engine *engine;
	uint64_t first;
};

/**
 * evidence_keep() - write a file
 * @dir: descriptor of EVIDENCE_PATH
 * @budget: maximum size of all files, bytes; the oldest files are removed to stay below it
 * @run: run with the samples
 * @has: facts to save
 * @v: verdict that the file is for
 * @why: filled in on failure; no file is kept then
 *
 * The file has the samples from EVIDENCE_BEFORE_NS before the onset until now, except those that
 * the rings no longer hold.
 *
 * Return: 0 or -1.
 */
int evidence_keep(int dir, uint64_t budget, struct run *run, const struct evidence *has,
		  const struct verdict *v, struct why *why);

#define EVIDENCE_BEFORE_NS	2000000000ull

#endif
