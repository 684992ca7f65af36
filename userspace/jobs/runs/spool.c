// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spool.c - the directory of the cards: one for each run, written when it begins, when the set or
 * its CPUs change, and when it ends. A card that is a week old is removed.
 *
 * Only the agent's user can write there. Names come from run_name(), so an id names no other file.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "file.h"
#include "message.h"
#include "runs/spool.h"

#define SECOND		1000000000ull
#define HOUR		(3600 * SECOND)
#define WEEK		(7 * 24 * HOUR)
/* Cards are synchronised to the disk, which may be slow: the others are written later, ns. */
#define PASS_NS		200000000ull
/* pmcd waits 3 s for an agent that starts, ns. */
#define LOAD_NS		1000000000ull
/* The head of a card, with its list of CPUs, is within this. */
#define HEAD_SIZE	(8192 + CPULIST_TEXT)
#define CARD_SIZE_MAX	(64l << 20)

/* A card that is there when the agent starts. */
struct spool_entry {
	unsigned int serial;
	bool ended;
	char name[NAME_MAX + 1];
};

/* Finds out what the records come from. */
void spool_source(struct spool *s, bool is_recording)
{
	struct stat st;

	s->source = (struct card_source){ .boot = "recording" };
	if (is_recording)
		return;
	if (!file_line("/proc/sys/kernel/random/boot_id", s->source.boot, CARD_BOOT_LEN))
		strcpy(s->source.boot, "unknown");
	/* The device is a new one whenever the module is loaded. */
	s->source.load = stat(RCR_DEVICE, &st) ? 0 : st.st_ino;
}

static void warn_once(struct spool *s, const char *what)
{
	if (!s->warned)
		note("%s: no cards of jobs are written until this is mended", what);
	s->warned = true;
}

static bool write_card(struct spool *s, const struct runs *r, struct run *run)
{
	char path[PATH_MAX], name[RUN_NAME_LEN];
	struct file_new file;
	struct why why;

	run_name(name, run);
	if (snprintf(path, sizeof(path), "%s/%s.%llu.json", s->dir, name,
		     (unsigned long long)run->begin_wall) >= (int)sizeof(path)) {
		warn_once(s, "the path of the spool is too long");
		return false;
	}
	if (file_begin(&file, path, &why)) {
		warn_once(s, why.text);
		return false;
	}
	card_write(file.stream, r, run, &s->source);
	if (file_commit(&file, &why)) {
		warn_once(s, why.text);
		return false;
	}
	return true;
}

/* Returns at most @max bytes of a card, terminated by 0, to be freed; NULL: it cannot be read. */
static char *read_card(int dir, const char *name, long max, uint64_t *time)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	char *text = NULL;
	ssize_t got = -1;
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= CARD_SIZE_MAX) {
		max = st.st_size < max ? st.st_size : max;
		*time = st.st_mtime * SECOND;
		text = malloc(max + 1);
		got = text ? read(fd, text, max) : -1;
	}
	if (got >= 0)
		text[got] = 0;
	if (fd >= 0)
		close(fd);
	if (got >= 0)
		return text;
	free(text);
	return NULL;
}

/* True if a file of that name has the head of a card. */
static bool peek_card(int dir, const char *name, unsigned int *serial, bool *ended, uint64_t *time)
{
	const char *end = strrchr(name, '.');
	char *text = NULL;
	bool is_card;

	if (end && !strcmp(end, ".json"))
		text = read_card(dir, name, HEAD_SIZE, time);
	is_card = text && card_peek(text, serial, ended);
	free(text);
	return is_card;
}

/* True if a file is what an agent that was killed had begun to write: ID.BEGIN.json.XXXXXX. */
static bool is_unfinished(int dir, const char *name, uint64_t wall)
{
	size_t len = strlen(name);
	struct stat st;

	return len > 12 && !strncmp(name + len - 12, ".json.", 6) &&
	       !fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode) &&
	       st.st_mtime * SECOND + HOUR < wall;
}

/* True if a file is a card that was not written for a week. */
static bool is_old_card(int dir, const char *name, uint64_t wall)
{
	unsigned int serial;
	struct stat st;
	uint64_t time;
	bool ended;

	return !fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) &&
	       st.st_mtime * SECOND + WEEK < wall &&
	       peek_card(dir, name, &serial, &ended, &time);
}

/* Removes old cards; other files stay, wherever the spool is. What takes too long goes on later. */
static void prune_cards(struct spool *s, uint64_t wall)
{
	uint64_t until = now_ns() + PASS_NS;
	const struct dirent *entry;

	while (now_ns() < until) {
		entry = readdir(s->pruning);
		if (!entry) {
			closedir(s->pruning);
			s->pruning = NULL;
			return;
		}
		if (is_old_card(dirfd(s->pruning), entry->d_name, wall) ||
		    is_unfinished(dirfd(s->pruning), entry->d_name, wall))
			unlinkat(dirfd(s->pruning), entry->d_name, 0);
	}
}

/**
 * spool_save() - write the cards that have to be written
 * @s: the spool
 * @r: the runs
 * @wall: wall clock, ns since 1970
 *
 * If that fails it is tried again the next time. A run that has ended then needs its counts no
 * longer.
 */
void spool_save(struct spool *s, struct runs *r, uint64_t wall)
{
	uint64_t until = now_ns() + PASS_NS;
	struct run *run;
	unsigned int i;
	bool saved;

	for (i = 0; i < r->count; i++) {
		run = r->run[i];
		if (!run->dirty || now_ns() > until ||
		    (run->end != UINT64_MAX && !runs_is_over(r, run)))
			continue;
		if (run->end == UINT64_MAX)
			runs_update(r, run);
		saved = s->dir && write_card(s, r, run);
		run->dirty = s->dir && !saved;
		if (saved) {
			run->saved = r->time;
			run->changed = false;
		}
		if (run->end != UINT64_MAX)
			runs_release(run);
	}
	if (s->dir && !s->pruning && wall > s->pruned + HOUR) {
		/* A clock that was set ahead may be set back soon. */
		if (!s->pruned || wall < s->pruned + 2 * HOUR)
			s->pruning = opendir(s->dir);
		s->pruned = wall;
	}
	if (s->pruning)
		prune_cards(s, s->pruned);
}

/*
 * True if a card is that of a run that has not ended, or did so lately. One that was not written
 * for a day is read until @until only: the run ended, unless there was no agent to write it.
 */
static bool is_wanted_card(int dir, struct spool_entry *e, uint64_t since, uint64_t until)
{
	const char *end = strrchr(e->name, '.');
	struct stat st;
	uint64_t time;

	if (!end || strcmp(end, ".json") ||
	    (now_ns() > until && !fstatat(dir, e->name, &st, AT_SYMLINK_NOFOLLOW) &&
	     (st.st_mtime + 25 * 3600) * SECOND < since))
		return false;
	if (peek_card(dir, e->name, &e->serial, &e->ended, &time))
		return !e->ended || time > since;
	note("%s: this is no card of a job", e->name);
	return false;
}

static int compare_cards(const void *a, const void *b)
{
	const struct spool_entry *x = a, *y = b;

	return (x->serial > y->serial) - (x->serial < y->serial);
}

/* Lists the cards of runs that have not ended, or did so lately, by their numbers. */
static struct spool_entry *list_cards(DIR *dir, uint64_t since, unsigned int *count)
{
	uint64_t until = now_ns() + LOAD_NS;
	struct spool_entry *list = NULL, *more;
	const struct dirent *entry;

	*count = 0;
	while ((entry = readdir(dir))) {
		more = reallocarray(list, *count + 1, sizeof(*list));
		if (!more)
			break;
		list = more;
		strcpy(list[*count].name, entry->d_name);
		*count += is_wanted_card(dirfd(dir), &list[*count], since, until);
	}
	if (*count)
		qsort(list, *count, sizeof(*list), compare_cards);
	return list;
}

/**
 * spool_load() - take over the runs of the cards
 * @s: the spool
 * @r: the runs, which have a set, and no runs
 * @since: runs that had ended before are left out, on the wall clock, ns since 1970
 */
void spool_load(struct spool *s, struct runs *r, uint64_t since)
{
	DIR *dir = s->dir ? opendir(s->dir) : NULL;
	struct spool_entry *list;
	unsigned int i, count, ended = 0;
	uint64_t time;
	char *text;

	if (!dir)
		return;
	list = list_cards(dir, since, &count);
	for (i = 0; i < count; i++)
		ended += list[i].ended;
	for (i = 0; i < count; i++) {
		/* Of too many, the oldest that have ended are left out. */
		if (list[i].ended && ended-- > RUNS_KEPT)
			continue;
		text = read_card(dirfd(dir), list[i].name, CARD_SIZE_MAX, &time);
		if (!text || !card_read(text, r, &s->source))
			note("%s: this is no card of a job", list[i].name);
		free(text);
	}
	free(list);
	closedir(dir);
}
