// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * where_answer.c - answer 'rcrctl where' with a line per contention and place. rcrctl looks up the
 * symbols, with the rights of its caller. No line discloses an address.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "live/book.h"
#include "process.h"
#include "where/where.h"

static const char *const measures[MEASURES] = {
	[MEASURE_TIME] = "time", [MEASURE_REQUESTS] = "requests", [MEASURE_MODIFIED] = "modified",
};

/**
 * struct lines - an answer that is being written
 * @text: the lines
 * @used: bytes used in @text
 */
struct lines {
	char text[ANSWER_MAX - 128];
	size_t used;
};

/* Make one word of a text: escape invisible characters and backslashes; "-" if it is empty. */
static void escape_text(char *to, size_t room, const char *text)
{
	size_t used = 0;

	if (!*text)
		used += snprintf(to, room, "-");
	for (; *text && used + 5 < room; text++) {
		if (*text > ' ' && *text <= '~' && *text != '\\')
			to[used++] = *text;
		else
			used += snprintf(to + used, room - used, "\\x%02x",
					 (unsigned char)*text);
	}
	to[used] = 0;
}

/* Append a line. Returns false if it does not fit. */
static bool add_line(struct lines *l, const char *text, size_t size)
{
	if (size >= sizeof(l->text) - l->used)
		return false;
	memcpy(l->text + l->used, text, size + 1);
	l->used += size;
	return true;
}

/* A process that still runs must still belong to the caller: an exec may have changed its user. */
static bool may_see_code(const struct caller *caller, const struct profile *p, unsigned int process)
{
	const struct profile_process *each = &p->process[process];
	uid_t uid;

	if (caller->reads)
		return true;
	if (process >= p->processes || each->uid != caller->uid)
		return false;
	return !process_user(each->tgid, &uid) || uid == caller->uid;
}

static bool add_contention(struct lines *l, const struct where *w, unsigned int n)
{
	const struct profile *p = &w->profile[n];
	char text[256];
	int size;

	size = snprintf(text, sizeof(text),
			"contention %" PRIu64 " %s %s %u %" PRIu64 " %" PRIu64 " %" PRIu64
			" %d %s %" PRIu64 "\n",
			p->serial, model_name(finding_model(p->finding)), finding_name(p->finding),
			p->node, p->since, p->from, p->until, p->lasts, measures[w->measure[n]],
			p->lost);
	return add_line(l, text, size);
}

static void print_id(const struct file_key *k, char text[2 * FILE_ID + 1])
{
	unsigned int i;

	strcpy(text, "-");
	for (i = 0; i < k->id_size; i++)
		sprintf(text + 2 * i, "%02x", k->id[i]);
}

static bool answer_place(struct lines *l, const struct profile *p,
			 const struct profile_place *place)
{
	static const struct file_key no_file = { .path = "" };
	static const struct profile_process no_process;
	const struct profile_process *process = place->process < p->processes ?
						&p->process[place->process] : &no_process;
	const struct file_key *k = place->file ? &place->file->key : &no_file;
	static char path[4 * FILE_PATH + 8], text[sizeof(path) + 512];
	char name[4 * PROCESS_NAME + 8], id[2 * FILE_ID + 1];
	int size;

	escape_text(name, sizeof(name), process->name);
	escape_text(path, sizeof(path), k->path);
	print_id(k, id);
	size = snprintf(text, sizeof(text),
			"place %s %u %s %" PRIu64 " %.17g %.17g %s %u:%u:%" PRIu64 " %" PRIu64 " %s\n",
			place_kind_name(place->kind), process->tgid, name, place->samples,
			place->weight, place->squares, id, k->major, k->minor, k->inode,
			place->offset, path);
	return add_line(l, text, size);
}

/*
 * Append a contention and its places from *@from on. Returns false if not all of them fit. Each
 * answer repeats the line of the contention, because a different one may come in between.
 */
static bool add_profile(struct lines *l, const struct where *w, unsigned int n,
			const struct caller *caller, unsigned int *from)
{
	const struct profile *p = &w->profile[n];

	if (!add_contention(l, w, n))
		return false;
	for (; *from < p->places; ++*from)
		if (may_see_code(caller, p, p->place[*from].process) &&
		    !answer_place(l, p, &p->place[*from]))
			return false;
	return true;
}

static bool has_own(const struct caller *caller, const struct profile *p)
{
	unsigned int i;

	if (caller->reads)
		return true;
	for (i = 0; i < p->processes; i++)
		if (may_see_code(caller, p, i))
			return true;
	return false;
}

/* The profile with the lowest serial number from @serial on; PROFILES if there is none. */
static unsigned int next_profile(const struct where *w, uint64_t serial)
{
	unsigned int i, best = PROFILES;

	for (i = 0; i < PROFILES; i++)
		if (w->profile[i].serial && w->profile[i].serial >= serial &&
		    (best == PROFILES || w->profile[i].serial < w->profile[best].serial))
			best = i;
	return best;
}

/* Append the reasons why places may be wrong or missing. */
static void add_notes(struct lines *l, const struct where *w)
{
	char text[640];
	int size = 0;

	if (*w->track.missing.text)
		size = snprintf(text, sizeof(text), "missing %s\n", w->track.missing.text);
	else if (*w->missing.text)
		size = snprintf(text, sizeof(text), "missing %s\n", w->missing.text);
	add_line(l, text, size);
	size = snprintf(text, sizeof(text), "lost %" PRIu64 "\nrefused %" PRIu64 "\nabsent %u\n",
			w->mappings.lost, w->mappings.refused, w->track.absent);
	add_line(l, text, size);
}

static bool is_asked_for(const struct profile *p, const struct caller *caller,
			 const struct request *q)
{
	return (q->model == MODELS || finding_model(p->finding) == q->model) && has_own(caller, p);
}

/* @q->number encodes the position to begin at: serial number * PROFILE_PLACES + place. */
int where_answer(struct where *w, const struct caller *caller, const struct request *q,
		 struct answer *answer, struct why *why)
{
	uint64_t serial = q->number / PROFILE_PLACES;
	unsigned int n, from = q->number % PROFILE_PLACES;
	static struct lines l;

	(void)why;
	l.used = 0;
	*l.text = 0;
	if (!q->number)
		add_notes(&l, w);
	while ((n = next_profile(w, serial)) < PROFILES) {
		if (w->profile[n].serial != serial)
			from = 0;
		serial = w->profile[n].serial;
		if (is_asked_for(&w->profile[n], caller, q) &&
		    !add_profile(&l, w, n, caller, &from))
			break;
		serial++;
		from = 0;
	}
	snprintf(answer->text, sizeof(answer->text), "next %" PRIu64 "\nmore %d\n%s",
		 serial * PROFILE_PLACES + from, n < PROFILES, l.text);
	return 0;
}
