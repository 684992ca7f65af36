// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * jobs.c - the job that is running, derived from the marks of the stream.
 *
 * Lost marks may have ended any job, so the list of running jobs is cleared after a loss.
 *
 * Pure: no input, no output, no clock. Also compiled into the unit tests.
 */
#include <string.h>

#include "interval/jobs.h"
#include "parse/number.h"

static void forget_job(struct jobs *j, unsigned int i)
{
	j->count--;
	memmove(j->id[i], j->id[i + 1], (j->count - i) * sizeof(j->id[0]));
}

static void end_job(struct jobs *j, const char *id)
{
	unsigned int i;

	for (i = 0; i < j->count; i++)
		if (!strcmp(j->id[i], id)) {
			forget_job(j, i);
			return;
		}
}

static void begin_job(struct jobs *j, const char *id)
{
	/* A job that begins again becomes the latest one. */
	end_job(j, id);
	if (j->count == JOBS_MAX)
		forget_job(j, 0);
	strcpy(j->id[j->count++], id);
}

/* Updates the list of jobs from a mark, which need not be about a job. */
void jobs_mark(struct jobs *j, const struct rcr_mark *mark)
{
	if (mark->lost)
		j->count = 0;
	if (mark->kind == RCR_MARK_BEGIN)
		begin_job(j, mark->text);
	else if (mark->kind == RCR_MARK_END)
		end_job(j, mark->text);
}

/* Returns the id of the latest running job if it is a number, else 0. */
uint64_t jobs_id(const struct jobs *j)
{
	uint64_t id;

	return j->count && number_parse(j->id[j->count - 1], &id) ? id : 0;
}
