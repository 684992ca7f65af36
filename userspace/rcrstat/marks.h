/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * marks.h - marks of the stream, until the lines that they stand between are
 * known, and as lines themselves.
 */
#ifndef RCRSTAT_MARKS_H
#define RCRSTAT_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "rcr.h"

/**
 * struct marks - marks that wait, in the order of the stream
 * @mark: the marks
 * @first: those before it were taken out
 * @count: entries of @mark that are used, those taken out too
 * @room: entries of @mark
 */
struct marks {
	struct rcr_mark *mark;
	size_t first;
	size_t count;
	size_t room;
};

bool marks_add(struct marks *m, const struct rcr_mark *mark);
const struct rcr_mark *marks_take(struct marks *m, uint64_t until);
void marks_free(struct marks *m);

void mark_comment(FILE *out, const struct rcr_mark *mark, int64_t offset);
unsigned int mark_sentences(FILE *out, const struct rcr_mark *mark, int64_t offset);

#endif
