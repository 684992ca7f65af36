/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calibrate.h - measures limits, saves them to a file, and sets them in the module. */
#ifndef RCRCAL_CALIBRATE_H
#define RCRCAL_CALIBRATE_H

#include <stdbool.h>
#include <stdint.h>

#include "calibration.h"
#include "session.h"

/**
 * struct calibrate - parsed command line
 * @restore: only load the file into the module
 * @file: path of the calibration file
 * @meter: meter of the resource
 * @latency: meter of its latency; NULL: choose one
 * @kinds: kinds of operation to measure, a mask by enum mix
 * @mix: enum mix whose limits are set
 * @command: command that generates load; NULL: built-in threads
 * @steps: load levels per round
 * @time_ns: measuring time per load level
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

/* Runs the parsed command line; returns the exit status, after reporting any error. */
int calibrate_run(struct session *s, const struct calibrate *c);

/*
 * Measures the resource and adds the results to @found. Returns the exit status, after reporting
 * any error. If a kind has no knee, this is EXIT_FAILURE, with the results of the other kinds in
 * @found; after any other error, @found is empty.
 */
int calibrate_measure(struct session *s, const struct calibrate *c, struct calibration *found);

/*
 * Sets the limits of @meter, or of all meters in @c if @meter is NULL, to those of @mix. Sets none
 * if a line of @c does not fit its meter. Returns the exit status, after reporting any error.
 */
int calibration_set(struct session *s, const struct calibration *c, const char *meter,
		    unsigned int mix);

#endif
