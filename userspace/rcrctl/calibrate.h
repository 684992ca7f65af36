/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * calibrate.h - the verb "calibrate": what its words mean, and its two halves.
 */
#ifndef RCRCTL_CALIBRATE_H
#define RCRCTL_CALIBRATE_H

#include <stdbool.h>
#include <stdint.h>

#include "calibration.h"
#include "verbs.h"

/**
 * struct calibrate - what the command line says
 * @restore: load the file into the module, and do no more
 * @file: where results are kept
 * @meter: of the resource
 * @latency: meter of its latency; NULL: whatever there is
 * @kinds: bits by enum mix
 * @mix: enum mix whose limits are set
 * @command: that makes the load; NULL: threads of our own
 * @steps: loads of each round
 * @time_ns: how long each is measured
 */
struct calibrate {
	bool restore;
	const char *file;
	const char *meter;
	const char *latency;
	unsigned int kinds;
	unsigned int mix;
	const char *command;
	unsigned int steps;
	uint64_t time_ns;
};

/*
 * Measures; adds what is found to @found. The exit status, after a sentence: of what has
 * no knee, too, while @found has the others. Of all else @found is empty.
 */
int calibrate_measure(struct session *s, const struct calibrate *c, struct calibration *found);

/*
 * Sets the limits of @meter, NULL: of all meters that @c has lines of, to those of @mix, or
 * none; the exit status, after a sentence.
 */
int calibration_set(struct session *s, const struct calibration *c, const char *meter,
		    unsigned int mix);

#endif
