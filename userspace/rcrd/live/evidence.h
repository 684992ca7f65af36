/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evidence.h - keeps the samples from before a contention until it was found, in a file that
 * 'rcrd --replay' judges.
 */
#ifndef RCRD_EVIDENCE_H
#define RCRD_EVIDENCE_H

#include "model/engine.h"
#include "recorder/run.h"
#include "why.h"

#ifndef EVIDENCE_PATH
#define EVIDENCE_PATH	"/var/lib/rcrtool/evidence"
#endif

/* Removes the files that a killed rcrd has left incomplete; @dir is as below. */
void evidence_begin(int dir);

/**
 * struct evidence - what a file has besides samples
 * @machine: the machine
 * @bounds: thresholds
 * @engine: has judged
 * @first: time of the first sample that it has judged, ns; a file does not begin before
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
 * @budget: bytes that all files may have; older ones are removed before it is exceeded
 * @run: the run
 * @has: facts
 * @v: the verdict
 * @why: filled in on failure: then there is no file
 *
 * The samples of the time from EVIDENCE_BEFORE_NS before it began until now, as far as the rings
 * still have them.
 *
 * Return: 0 or -1.
 */
int evidence_keep(int dir, uint64_t budget, struct run *run, const struct evidence *has,
		  const struct verdict *v, struct why *why);

#define EVIDENCE_BEFORE_NS	2000000000ull

#endif
