/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.h - the job that is running, derived from the marks of the stream. */
#ifndef RCRSTAT_JOBS_H
#define RCRSTAT_JOBS_H

#include "rcr.h"

/* More jobs than a node runs at once; beyond this the oldest are dropped. */
#define JOBS_MAX 64

/**
 * struct jobs - jobs that have begun and not ended, the latest last
 * @count: entries of @id
 * @id: text of the mark that began the job
 */
struct jobs {
	unsigned int count;
	char id[JOBS_MAX][RCR_MARK_LEN];
};

void jobs_mark(struct jobs *j, const struct rcr_mark *mark);
uint64_t jobs_id(const struct jobs *j);

#endif
