/* SPDX-License-Identifier: GPL-2.0-or-later */
/* book.h - keep the newest verdicts, with the names and users of their processes. */
#ifndef RCRD_BOOK_H
#define RCRD_BOOK_H

#include <sys/types.h>

#include "model/sentence.h"

#define BOOK_VERDICTS	512

/**
 * struct book_entry - a verdict
 * @verdict: the verdict
 * @names: processes of the verdict
 * @uid: by entry of @names: user of the process; BOOK_NO_USER if the process had ended
 */
struct book_entry {
	struct verdict verdict;
	struct verdict_names names;
	uid_t uid[VERDICT_PROCESSES];
};

#define BOOK_NO_USER	((uid_t)-1)

/**
 * struct book - the newest verdicts
 * @count: number of verdicts so far; the newest BOOK_VERDICTS of them are kept
 * @entry: verdict n is in entry n % BOOK_VERDICTS
 */
struct book {
	uint64_t count;
	struct book_entry entry[BOOK_VERDICTS];
};

/* The user of a process that was running at @time, ns; BOOK_NO_USER if it has ended. */
uid_t book_user(uint32_t tgid, uint64_t time);

/* Fills in a verdict and looks up the names and users of its processes. */
void book_name(struct book_entry *e, const struct verdict *v);

/* Adds a verdict. Returns its entry. */
const struct book_entry *book_take(struct book *b, const struct verdict *v);

/*
 * Replaces names and users by those in the newest kept verdict of the same finding and node: the
 * ids may have been reused since then.
 */
void book_keep_names(const struct book *b, struct book_entry *e);

/* Number of the oldest kept verdict. */
uint64_t book_oldest(const struct book *b);

/* Verdict @number, from book_oldest() to @b->count - 1. */
const struct book_entry *book_entry(const struct book *b, uint64_t number);

/*
 * Copies the names of an entry and hides those of processes that do not belong to @uid. Returns
 * false if none do; then the user must not see the entry.
 */
bool book_show_own(const struct book_entry *e, uid_t uid, struct verdict_names *names);

#endif
