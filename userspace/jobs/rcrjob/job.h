/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job.h - the command that rcrjob runs: its counts, meters and problems. */
#ifndef JOBS_JOB_H
#define JOBS_JOB_H

#include <stdio.h>

#include "child.h"
#include "math/estimates.h"
#include "parse/cpulist.h"
#include "rcr_meters.h"
#include "rcrjob/options.h"

#define JOB_REASON_LEN	RCR_SENTENCE_LEN
#define JOB_REASONS	8

/**
 * struct job_meter - a meter of the run
 * @name: its name
 * @unit: unit of its values; "1": none
 * @digits: decimal digits of its values
 * @asleep: its counters are not in the set
 * @known: @value is valid
 * @value: the value, in @unit
 * @maximum: maximum of the job's part of the machine; 0: not known
 * @origin: where the maximum comes from: "theoretical", "calibrated, copy"; empty: the user set it
 * @reason: why there is no value
 */
struct job_meter {
	char name[RCR_METER_NAME_LEN];
	char unit[RCR_METER_UNIT_LEN];
	unsigned int digits;
	bool asleep;
	bool known;
	double value;
	double maximum;
	char origin[32];
	char reason[JOB_REASON_LEN];
};

/**
 * struct job - a command and its counts
 * @options: the command line
 * @child: the command
 * @cpu: CPUs that it may use, by their affinity mask
 * @rate: the counts of its CPUs
 * @estimates: estimates of the command's share of @rate
 * @has_estimates: @estimates is used: processes can be recognized in the samples
 * @places: the parts that @options.per divides the machine into
 * @mark: text of its marks; empty: there are none
 * @meters: entries of @meter
 * @meter: its meters
 * @reasons: entries of @reason
 * @reason: sentences that explain what is missing
 */
struct job {
	const struct job_options *options;
	struct child child;
	bool cpu[CPU_LIMIT];
	struct rate_run rate;
	struct estimates estimates;
	bool has_estimates;
	struct rate_groups places;
	char mark[RCR_MARK_LEN];
	unsigned int meters;
	struct job_meter meter[RCR_METERS_MAX];
	unsigned int reasons;
	char reason[JOB_REASONS][JOB_REASON_LEN];
};

/* Adds a sentence that explains what is missing. */
void job_add_reason(struct job *j, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* True if a CPU of the run has two samples, so that there are totals. */
bool job_has_totals(const struct job *j);

/* Writes why a sum is not complete; returns false if it is. */
bool job_sum_reason(const struct job *j, unsigned int event, const struct rate_sum *sum,
		    char text[JOB_REASON_LEN]);

/* Estimates the command's share of an event; writes why it is not known, or an empty text. */
struct estimates_sum job_estimate(const struct job *j, unsigned int event,
				  char text[JOB_REASON_LEN]);

/* The meter that came closest to its maximum, or NULL. */
const struct job_meter *job_limiter(const struct job *j);

/* job_meters.c: computes all meters of the module, after the command has ended. */
void job_compute_meters(struct job *j, const struct rcr_meters *meters);

/* report_json.c */
void report_job_json(FILE *out, const struct job *j);

#endif
