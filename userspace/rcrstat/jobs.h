/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * jobs.h - which job runs, as the marks of the stream tell it.
 */
#ifndef RCRSTAT_JOBS_H
#define RCRSTAT_JOBS_H

#include "rcr.h"

/* More at once than a node has; of yet more the first ones are forgotten. */
#define JOBS_MAX 64

/**
 * struct jobs - jobs that have begun and not ended, the latest last
 * @count: how many
 * @id: what their marks called them
 */
struct jobs {
	unsigned int count;
	char id[JOBS_MAX][RCR_MARK_LEN];
};

void jobs_mark(struct jobs *j, const struct rcr_mark *mark);
uint64_t jobs_id(const struct jobs *j);

#endif
