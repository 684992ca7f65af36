// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spool.c - the directory of the cards, one for each run. A card is written when the run begins and
 * ends, and when the set or the run's CPUs change. It is removed a week after it was last written.
 *
 * Only the agent's user can write there. run_name() encodes ids, so that no id is a path outside of
 * the directory.
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
/* Longest time to write or remove cards in one call, ns: fsync() may be slow. */
#define PASS_NS		200000000ull
/* Longest time to read cards of old runs, ns: pmcd waits 3 s for an agent to start. */
#define LOAD_NS		1000000000ull
/* Upper bound of the head of a card, with its list of CPUs, bytes. */
#define HEAD_SIZE	(8192 + CPULIST_TEXT)
#define CARD_SIZE_MAX	(64l << 20)

/* A card that exists when the agent starts. */
struct spool_entry {
	unsigned int serial;
	bool ended;
	char name[NAME_MAX + 1];
};

/* Fills in the source of the records. */
void spool_source(struct spool *s, bool is_recording)
{
	struct stat st;

	s->source = (struct card_source){ .boot = "recording" };
	if (is_recording)
		return;
	if (!file_line("/proc/sys/kernel/random/boot_id", s->source.boot, CARD_BOOT_LEN))
		strcpy(s->source.boot, "unknown");
	/* The device gets a new inode whenever the module is loaded. */
	s->source.load = stat(RCR_DEVICE, &st) ? 0 : st.st_ino;
}

static void warn_once(struct spool *s, const char *what)
{
	if (!s->warned)
		note("%s: cards of jobs cannot be written, and are retried", what);
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

/* Returns up to @max bytes of a card as a string that the caller frees, or NULL. */
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

/* True if the file is a card; fills in what its head has, and when it was last written. */
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

/* True if a file is a temporary one, ID.BEGIN.json.XXXXXX, that a killed agent left. */
static bool is_unfinished(int dir, const char *name, uint64_t wall)
{
	size_t len = strlen(name);
	struct stat st;

	return len > 12 && !strncmp(name + len - 12, ".json.", 6) &&
	       !fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode) &&
	       st.st_mtime * SECOND + HOUR < wall;
}

/* True if a file is a card that was last written a week ago or earlier. */
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

/*
 * Removes old cards, for PASS_NS at most: the next call goes on. Any other file is kept, in case
 * the spool is a directory with files of others.
 */
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
 * spool_save() - write all cards that are out of date
 * @s: the spool
 * @r: the runs
 * @wall: wall clock, ns since 1970
 *
 * A card that cannot be written is retried in the next call, but without the counts of a run that
 * has ended: these are freed.
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
		/* Remove nothing if the clock has jumped ahead: it may be set back soon. */
		if (!s->pruned || wall < s->pruned + 2 * HOUR)
			s->pruning = opendir(s->dir);
		s->pruned = wall;
	}
	if (s->pruning)
		prune_cards(s, s->pruned);
}

/*
 * True if the run of a card has not ended, or ended after @since. Cards that were not written for a
 * day are only read until @until: most of their runs have ended, as an agent writes the card of an
 * unfinished run once a day.
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
	note("%s: ignored, not a card of a job", e->name);
	return false;
}

static int compare_cards(const void *a, const void *b)
{
	const struct spool_entry *x = a, *y = b;

	return (x->serial > y->serial) - (x->serial < y->serial);
}

/* Lists the cards that is_wanted_card() accepts, in the order of their serial numbers. */
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
 * spool_load() - restore the runs from their cards
 * @s: the spool
 * @r: the runs: with a set, but without any run yet
 * @since: ignore runs that ended before, on the wall clock, ns since 1970
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
		/* If there are too many, skip the oldest ones that have ended. */
		if (list[i].ended && ended-- > RUNS_KEPT)
			continue;
		text = read_card(dirfd(dir), list[i].name, CARD_SIZE_MAX, &time);
		if (!text || !card_read(text, r, &s->source))
			note("%s: ignored, not a card of a job", list[i].name);
		free(text);
	}
	free(list);
	closedir(dir);
}
