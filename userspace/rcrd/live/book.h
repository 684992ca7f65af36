/* SPDX-License-Identifier: GPL-2.0-or-later */
/* book.h - the newest verdicts, with the names and the users of their processes. */
#ifndef RCRD_BOOK_H
#define RCRD_BOOK_H

#include <sys/types.h>

#include "model/sentence.h"

#define BOOK_VERDICTS	512

/**
 * struct book_entry - a verdict
 * @verdict: the verdict
 * @names: its processes
 * @uid: their users, by entry of @names; those of a process that had ended are not known
 */
struct book_entry {
	struct verdict verdict;
	struct verdict_names names;
	uid_t uid[VERDICT_PROCESSES];
};

#define BOOK_NO_USER	((uid_t)-1)

/**
 * struct book - verdicts
 * @count: that were ever taken; the newest BOOK_VERDICTS are kept
 * @entry: verdict n is in entry n % BOOK_VERDICTS
 */
struct book {
	uint64_t count;
	struct book_entry entry[BOOK_VERDICTS];
};

/* The user of a process that ran at @time, ns, or BOOK_NO_USER: it has ended. */
uid_t book_user(uint32_t tgid, uint64_t time);

/* Looks up the names and users of a verdict's processes now. */
void book_name(struct book_entry *e, const struct verdict *v);

/* Keeps a verdict, and returns its entry. */
const struct book_entry *book_take(struct book *b, const struct verdict *v);

/*
 * Takes names and users of processes from the newest verdict on the same finding and node: their
 * ids may be those of others by now.
 */
void book_keep_names(const struct book *b, struct book_entry *e);

/* Number of the oldest verdict that is kept. */
uint64_t book_oldest(const struct book *b);

/* Verdict @number, from book_oldest() to @b->count - 1. */
const struct book_entry *book_entry(const struct book *b, uint64_t number);

/*
 * What user @uid may see of an entry: his own processes. Returns false if there are none, and he
 * may see nothing of it.
 */
bool book_show_own(const struct book_entry *e, uid_t uid, struct verdict_names *names);

#endif
