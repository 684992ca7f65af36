/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * marks.h - marks set by users, for the readers of a run.
 */
#ifndef RCR_MARKS_H
#define RCR_MARKS_H

#include <linux/rcrtool.h>
#include <linux/spinlock.h>

/**
 * struct rcr_marks - the latest marks
 * @lock: protects all below; never taken by a tick
 * @head: number of marks since the run began
 * @slot: mark n is in slot n % RCR_MARKS; only flags and generation of its item are set
 */
struct rcr_marks {
	spinlock_t lock;	/* protects all below */
	u64 head;
	struct rcr_mark slot[RCR_MARKS];
};

void rcr_marks_init(struct rcr_marks *m);
void rcr_marks_add(struct rcr_marks *m, struct rcr_mark *mark);
void rcr_marks_next(struct rcr_marks *m, u64 position, struct rcr_mark *mark);
u64 rcr_marks_time(struct rcr_marks *m, u64 position);
u64 rcr_marks_oldest(const struct rcr_marks *m);

/* Number of marks since the run began. */
static inline u64 rcr_marks_head(const struct rcr_marks *m)
{
	return READ_ONCE(m->head);
}

#endif
