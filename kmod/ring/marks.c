// SPDX-License-Identifier: GPL-2.0-only
/*
 * marks.c - marks set by users, for the readers of a run.
 *
 * Marks are rare and never written by a tick, so a lock protects them. The latest RCR_MARKS are
 * kept; a later reader receives the number of those that it missed.
 */
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <asm/tsc.h>

#include "marks.h"

void rcr_marks_init(struct rcr_marks *m)
{
	spin_lock_init(&m->lock);
}

/**
 * rcr_marks_add() - add a mark with the current time
 * @m: the marks
 * @kind: enum rcr_mark_kind
 * @flags: flags of the item
 * @text: text of the mark
 *
 * Context: process.
 */
void rcr_marks_add(struct rcr_marks *m, u32 kind, u16 flags, const char *text)
{
	struct rcr_moment *s;

	spin_lock(&m->lock);
	s = &m->slot[m->head % RCR_MARKS];
	s->time = ktime_get_ns();
	s->tsc = rdtsc_ordered();
	s->kind = kind;
	s->flags = flags;
	strscpy(s->text, text, sizeof(s->text));
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
 * @mark: filled in; of its item only the flags
 *
 * Context: process.
 */
void rcr_marks_next(struct rcr_marks *m, u64 position, struct rcr_mark *mark)
{
	const struct rcr_moment *s;

	spin_lock(&m->lock);
	mark->position = max(position, rcr_marks_oldest(m));
	mark->lost = mark->position - position;
	s = &m->slot[mark->position % RCR_MARKS];
	mark->time = s->time;
	mark->tsc = s->tsc;
	mark->kind = s->kind;
	mark->item.flags = s->flags;
	strscpy(mark->text, s->text, sizeof(mark->text));
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
