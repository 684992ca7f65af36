/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stream.h - one reader's way through the rings of all CPUs.
 */
#ifndef RCR_STREAM_H
#define RCR_STREAM_H

#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/rcrtool.h>

/**
 * struct rcr_cursor - where a reader is in one ring
 * @position: the record it reads next
 * @time: of that record, ns; U64_MAX while it is not known
 */
struct rcr_cursor {
	u64 position;
	u64 time;
};

/**
 * struct rcr_stream - one reader
 * @lock: held while it reads: threads may share it
 * @told: the set has been described
 * @record: a copy of the record being delivered
 * @cursor: by CPU number
 */
struct rcr_stream {
	struct mutex lock;	/* all below */
	bool told;
	struct rcr_record *record;
	struct rcr_cursor cursor[];
};

struct rcr_stream *rcr_stream_open(void);
void rcr_stream_close(struct rcr_stream *s);
void rcr_stream_to_oldest(struct rcr_stream *s);
void rcr_stream_to_now(struct rcr_stream *s);
bool rcr_stream_ready(const struct rcr_stream *s);
bool rcr_stream_ended(const struct rcr_stream *s);
ssize_t rcr_stream_read(struct rcr_stream *s, char __user *buf, size_t count);

#endif
