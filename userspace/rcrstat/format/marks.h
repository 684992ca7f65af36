/* SPDX-License-Identifier: GPL-2.0-or-later */
/* marks.h - queues marks until their place between the lines is known, and prints them. */
#ifndef RCRSTAT_MARKS_H
#define RCRSTAT_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "rcr.h"

/**
 * struct marks - queue of marks, in the order of the stream
 * @mark: array of marks
 * @first: index of the first mark that was not taken out
 * @count: used entries of @mark, including those taken out
 * @room: allocated entries of @mark
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
