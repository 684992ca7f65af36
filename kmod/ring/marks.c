// SPDX-License-Identifier: GPL-2.0-only
/*
 * marks.c - moments that somebody marked, for the readers of a run.
 *
 * There are few of them and no tick writes any: a lock will do. The latest
 * RCR_MARKS are kept; a reader that comes later is told how many it missed.
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
 * rcr_marks_add() - marks this moment
 * @m: the marks
 * @kind: enum rcr_mark_kind
 * @flags: of its item
 * @text: what to say
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

/* Position of the oldest mark there is; that of the next one when there is none. */
u64 rcr_marks_oldest(const struct rcr_marks *m)
{
	u64 head = rcr_marks_head(m);

	return head - min_t(u64, head, RCR_MARKS);
}

/**
 * rcr_marks_next() - the next mark of a reader
 * @m: the marks
 * @position: where the reader is; there is one
 * @mark: gets all, of the head of the item its flags
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

/* When the next mark of a reader was made; U64_MAX when there is none. */
u64 rcr_marks_time(struct rcr_marks *m, u64 position)
{
	u64 time = U64_MAX;

	spin_lock(&m->lock);
	if (position < m->head)
		time = m->slot[max(position, rcr_marks_oldest(m)) % RCR_MARKS].time;
	spin_unlock(&m->lock);
	return time;
}
