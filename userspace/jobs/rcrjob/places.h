/* SPDX-License-Identifier: GPL-2.0-or-later */
/* places.h - divides the CPUs by the topology of the machine. */
#ifndef JOBS_PLACES_H
#define JOBS_PLACES_H

#include "math/rate.h"

/* How the CPUs of a command are divided. */
enum job_per {
	JOB_PER_ALL,		/* not at all */
	JOB_PER_CORE,
	JOB_PER_PACKAGE,
	JOB_PER_NODE,
};

/* Long enough for "package2147483647/die2147483647/core2147483647". */
#define PLACE_NAME 48

/* Sets which CPUs share the counters of each scope; returns 0, or -1 with errno. */
int places_share(struct rate_run *r, const char *root);

/* Divides the CPUs; returns 0, or -1 with errno. The caller frees @groups->first. */
int places_divide(struct rate_groups *groups, unsigned int ncpus, enum job_per per,
		  const char *root);

/* Writes the name of the place of a CPU, such as "package0". */
void places_name(char name[PLACE_NAME], unsigned int cpu, enum job_per per, const char *root);

#endif
