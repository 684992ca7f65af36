// SPDX-License-Identifier: GPL-2.0-or-later
/* book.c - keep verdicts, with the names of processes: these may have ended later. */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "file.h"
#include "live/book.h"
#include "process.h"

/* Start time of a process, CLOCK_MONOTONIC, ns rounded to clock ticks; UINT64_MAX: it has ended. */
static uint64_t start_of(uint32_t tgid)
{
	uint64_t parent, start, slept, now = now_ns();
	struct timespec t;

	if (!process_read(tgid, &parent, &start))
		return UINT64_MAX;
	clock_gettime(CLOCK_BOOTTIME, &t);
	slept = t.tv_sec * 1000000000ull + t.tv_nsec - now;
	start *= 1000000000ull / sysconf(_SC_CLK_TCK);
	return start > slept ? start - slept : 0;
}

static void take_name(struct named_process *p, const char *line)
{
	unsigned int i;

	/* Any process can set its name: do not pass control characters to a terminal. */
	snprintf(p->name, sizeof(p->name), "%.15s", line);
	for (i = 0; p->name[i]; i++)
		if (p->name[i] < ' ' || p->name[i] > '~')
			p->name[i] = '?';
}

/* The id may have been reused: a process that started after @time is another one. */
uid_t book_user(uint32_t tgid, uint64_t time)
{
	uid_t uid;

	return process_user(tgid, &uid) && start_of(tgid) <= time ? uid : BOOK_NO_USER;
}

static void name_party(struct named_process *p, uid_t *uid, uint64_t time)
{
	char path[64], line[64];

	*uid = book_user(p->tgid, time);
	snprintf(path, sizeof(path), "/proc/%u/comm", p->tgid);
	/* Check the start time again: the id may have been reused before the name was read. */
	if (*uid == BOOK_NO_USER || !file_line(path, line, sizeof(line)) ||
	    start_of(p->tgid) > time)
		*uid = BOOK_NO_USER;
	else
		take_name(p, line);
}

void book_name(struct book_entry *e, const struct verdict *v)
{
	unsigned int i;

	e->verdict = *v;
	verdict_processes(&e->names, v);
	for (i = 0; i < e->names.count; i++)
		name_party(&e->names.process[i], &e->uid[i], v->time);
}

const struct book_entry *book_take(struct book *b, const struct verdict *v)
{
	struct book_entry *e = &b->entry[b->count++ % BOOK_VERDICTS];

	book_name(e, v);
	return e;
}

static const struct book_entry *newest_alike(const struct book *b, const struct verdict *v)
{
	const struct book_entry *e;
	uint64_t n;

	for (n = b->count; n > book_oldest(b); n--) {
		e = book_entry(b, n - 1);
		if (e->verdict.finding == v->finding && e->verdict.node == v->node)
			return e;
	}
	return NULL;
}

void book_keep_names(const struct book *b, struct book_entry *e)
{
	const struct book_entry *before = newest_alike(b, &e->verdict);
	unsigned int i, k;

	for (i = 0; before && i < e->names.count; i++)
		for (k = 0; k < before->names.count; k++)
			if (before->names.process[k].tgid == e->names.process[i].tgid) {
				e->names.process[i] = before->names.process[k];
				e->uid[i] = before->uid[k];
			}
}

uint64_t book_oldest(const struct book *b)
{
	return b->count > BOOK_VERDICTS ? b->count - BOOK_VERDICTS : 0;
}

const struct book_entry *book_entry(const struct book *b, uint64_t number)
{
	return &b->entry[number % BOOK_VERDICTS];
}

bool book_show_own(const struct book_entry *e, uid_t uid, struct verdict_names *names)
{
	bool any = false;
	unsigned int i;

	*names = e->names;
	for (i = 0; i < names->count; i++) {
		if (e->uid[i] == uid) {
			any = true;
			continue;
		}
		names->process[i].hidden = true;
		*names->process[i].name = 0;
	}
	return any;
}
