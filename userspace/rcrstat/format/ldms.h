/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ldms.h - one line per interval, in the layout of LDMS's store_csv for msr_interlagos. */
#ifndef RCRSTAT_LDMS_H
#define RCRSTAT_LDMS_H

#include <stdint.h>
#include <stdio.h>

struct intervals;
struct view;

/**
 * struct ldms_names - identification of the source in each line
 * @producer: ProducerName, the host
 * @component: component_id
 * @job: job_id
 */
struct ldms_names {
	const char *producer;
	uint64_t component;
	uint64_t job;
};

void ldms_header(FILE *out, const struct intervals *v, const struct view *view);
void ldms_line(FILE *out, const struct intervals *v, const struct view *view,
	       const struct ldms_names *names);

#endif
