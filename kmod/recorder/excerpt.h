/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * excerpt.h - the last seconds of every ring, copied into one stream.
 */
#ifndef RCR_EXCERPT_H
#define RCR_EXCERPT_H

#include <linux/kref.h>
#include <linux/types.h>
#include <linux/rcrtool.h>
#include "error.h"

struct rcr_mark;
struct rcr_run;

/**
 * struct rcr_excerpt_place - where the copying is in one ring
 * @position: the record it copies next
 * @end: the first that it does not copy
 * @time: of the record at @position, ns; U64_MAX when none is left
 */
struct rcr_excerpt_place {
	u64 position;
	u64 end;
	u64 time;
};

/**
 * struct rcr_excerpt - memory for the last seconds of a run, and what they were
 * @number: of the window, from 1, once it is filled
 * @ref: the recorder and each descriptor of a reader with CAP_SYS_RAWIO hold one
 * @run: whose rings it will be filled from, a reference; NULL once it is
 * @length: ns
 * @records: of each CPU that there is room for
 * @room: bytes of @data
 * @size: bytes of @data that are filled: items by section 1 of Documentation/interface.md
 * @lost: records that were overwritten before they were copied
 * @cause: what the trigger said
 * @fetched: a reader with CAP_SYS_RAWIO has read it to its end
 * @data: the items
 * @place: by CPU number
 */
struct rcr_excerpt {
	struct kref ref;
	u64 number;
	struct rcr_run *run;
	u64 length;
	u32 records;
	size_t room;
	size_t size;
	u64 lost;
	char cause[RCR_MARK_LEN];
	bool fetched;
	void *data;
	struct rcr_excerpt_place place[];
};

struct rcr_excerpt *rcr_excerpt_alloc(struct rcr_run *run, u64 length,
				      struct rcr_failure *f);
void rcr_excerpt_put(struct rcr_excerpt *e);
void rcr_excerpt_fill(struct rcr_excerpt *e, const struct rcr_mark *trigger);

#endif
