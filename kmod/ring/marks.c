// SPDX-License-Identifier: GPL-2.0-only
/*
 * marks.c - marks set by users, for the readers of a run.
 *
 * Marks are rare and never written by a tick, so a lock protects them. The latest RCR_MARKS are
 * kept; a reader that comes too late for a mark is given the number that it missed.
 */
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <asm/tsc.h>

#include "marks.h"

void rcr_marks_init(struct rcr_marks *m)
{
	spin_lock_init(&m->lock);
}

/**
 * rcr_marks_add() - add a mark with the current time
 * @m: the marks
 * @mark: the mark; its position, time and TSC are filled in
 *
 * Context: process.
 */
void rcr_marks_add(struct rcr_marks *m, struct rcr_mark *mark)
{
	spin_lock(&m->lock);
	mark->position = m->head;
	mark->time = ktime_get_ns();
	mark->tsc = rdtsc_ordered();
	m->slot[m->head % RCR_MARKS] = *mark;
	WRITE_ONCE(m->head, m->head + 1);
	spin_unlock(&m->lock);
}

/* Position of the oldest mark that is kept; of the next mark if there is none. */
u64 rcr_marks_oldest(const struct rcr_marks *m)
{
	u64 head = rcr_marks_head(m);

	return head - min_t(u64, head, RCR_MARKS);
}

/**
 * rcr_marks_next() - copy the next mark of a reader
 * @m: the marks
 * @position: position of the reader, less than rcr_marks_head()
 * @mark: filled in, except for its item, of which only flags and generation are set
 *
 * Context: process.
 */
void rcr_marks_next(struct rcr_marks *m, u64 position, struct rcr_mark *mark)
{
	spin_lock(&m->lock);
	*mark = m->slot[max(position, rcr_marks_oldest(m)) % RCR_MARKS];
	mark->lost = mark->position - position;
	spin_unlock(&m->lock);
}

/* Time of a reader's next mark, CLOCK_MONOTONIC in ns; U64_MAX if there is none. */
u64 rcr_marks_time(struct rcr_marks *m, u64 position)
{
	u64 time = U64_MAX;

	spin_lock(&m->lock);
	if (position < m->head)
		time = m->slot[max(position, rcr_marks_oldest(m)) % RCR_MARKS].time;
	spin_unlock(&m->lock);
	return time;
}
