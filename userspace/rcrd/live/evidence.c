// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evidence.c - write files of evidence. Their names begin with the time, so that they sort by age;
 * the oldest files are removed to make room for a new one.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "live/evidence.h"
#include "recorder/store.h"

#define SUFFIX		".rcr"
#define NEW		".new"	/* suffix that store.c adds until a file is complete */

/**
 * struct writer - a file being written
 * @window: the file
 * @has: facts to write after each set
 * @run: the samples
 * @begin: time of the first sample, ns
 * @budget: maximum size of the file, bytes
 * @failed: a write has failed
 */
struct writer {
	struct store_window window;
	const struct evidence *has;
	const struct merge_run *run;
	uint64_t begin, budget;
	bool failed;
};

/* Stop at the budget, before a file that could not be kept fills the disk. */
static int append_evidence(struct writer *w, const void *item, size_t size)
{
	if (w->window.bytes + size <= w->budget)
		return store_append(&w->window, item, size);
	errno = EFBIG;
	return -1;
}

static void write_fact(void *to, const char *line)
{
	struct writer *w = to;
	size_t text = strlen(line) + 1, size = (sizeof(struct rcr_node) + text + 7) / 8 * 8;
	struct rcr_node *item = calloc(1, size);

	if (!item) {
		w->failed = true;
		return;
	}
	item->item = (struct rcr_item){
		.size = size, .type = RCR_ITEM_NODE, .cpu = ~0u,
		.generation = w->run->set->item.generation,
	};
	memcpy(item->text, line, text);
	w->failed |= append_evidence(w, item, size);
	free(item);
}

static void write_facts(struct writer *w)
{
	uint64_t whole = merge_whole_since(w->run);

	machine_write(w->has->machine, w->run->set->ncpus, write_fact, w);
	bounds_write(w->has->bounds, write_fact, w);
	engine_write(w->has->engine, w->begin > whole ? w->begin : whole, write_fact, w);
}

/* A merge_write, with a struct writer. */
static int write_item(void *to, const void *item, size_t size)
{
	const struct rcr_item *head = item;
	struct writer *w = to;

	if (append_evidence(w, item, size))
		return -1;
	if (head->type == RCR_ITEM_SET)
		write_facts(w);
	return w->failed ? -1 : 0;
}

/**
 * struct inventory - the files of evidence
 * @bytes: total size
 * @oldest: name of the oldest file; empty: there are no files
 * @oldest_bytes: size of the oldest file
 */
struct inventory {
	uint64_t bytes;
	char oldest[STORE_NAME_LEN];
	uint64_t oldest_bytes;
};

static bool is_evidence(const char *name)
{
	size_t size = strlen(name);

	return size < STORE_NAME_LEN && size > strlen(SUFFIX) &&
	       !strcmp(name + size - strlen(SUFFIX), SUFFIX);
}

/* Open @dir by descriptor, as its path may have changed; the sandbox does not allow fdopendir(). */
static DIR *list_directory(int dir)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", dir);
	return opendir(path);
}

void evidence_begin(int dir)
{
	DIR *d = list_directory(dir);
	struct dirent *entry;
	size_t size;

	while (d && (entry = readdir(d))) {
		size = strlen(entry->d_name);
		if (size > strlen(SUFFIX NEW) &&
		    !strcmp(entry->d_name + size - strlen(SUFFIX NEW), SUFFIX NEW))
			unlinkat(dir, entry->d_name, 0);
	}
	if (d)
		closedir(d);
}

static int take_inventory(int dir, struct inventory *all)
{
	DIR *d = list_directory(dir);
	struct dirent *entry;
	struct stat st;

	*all = (struct inventory){ 0 };
	if (!d)
		return -1;
	while ((entry = readdir(d))) {
		if (!is_evidence(entry->d_name) ||
		    fstatat(dir, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
			continue;
		all->bytes += st.st_size;
		if (*all->oldest && strcmp(entry->d_name, all->oldest) > 0)
			continue;
		strcpy(all->oldest, entry->d_name);
		all->oldest_bytes = st.st_size;
	}
	closedir(d);
	return 0;
}

/* Remove the oldest files until @bytes more fit into the budget; @bytes is not above the budget. */
static int make_room_for(int dir, uint64_t budget, uint64_t bytes, struct why *why)
{
	struct inventory all;

	for (;;) {
		if (take_inventory(dir, &all))
			return because(why, EVIDENCE_PATH ": %s", strerror(errno));
		if (all.bytes + bytes <= budget)
			return 0;
		if (store_remove(dir, all.oldest))
			return because(why, EVIDENCE_PATH "/%s: %s", all.oldest, strerror(errno));
	}
}

/* Time in UTC, finding and node: "20261129T161345-bandwidth-1.rcr". */
static void name_file(const struct verdict *v, char name[STORE_NAME_LEN])
{
	time_t now = time(NULL);
	struct tm at;

	gmtime_r(&now, &at);
	snprintf(name, STORE_NAME_LEN, "%04u%02u%02uT%02u%02u%02u-%s-%u" SUFFIX,
		 (at.tm_year + 1900) % 10000u, (at.tm_mon + 1) % 100u, at.tm_mday % 100u,
		 at.tm_hour % 100u, at.tm_min % 100u, at.tm_sec % 100u,
		 finding_name(v->finding), v->node % MACHINE_NODES);
}

/* A file must not have samples that rcrd has not judged, or a replay would differ. */
static uint64_t find_begin(const struct evidence *has, const struct verdict *v)
{
	uint64_t begin = v->since > EVIDENCE_BEFORE_NS ? v->since - EVIDENCE_BEFORE_NS : 0;

	return begin > has->first ? begin : has->first;
}

static int write_samples(struct writer *w, struct run *run, struct why *why)
{
	if (!merge_items(&run->merge, w->begin, now_ns(), write_item, w))
		return 0;
	if (errno == EFBIG)
		because(why, EVIDENCE_PATH "/%s does not fit into %llu bytes: raise 'evidence' in /etc/rcrtool/rcrtool.conf",
			w->window.name, (unsigned long long)w->budget);
	else
		because(why, EVIDENCE_PATH "/%s: %s", w->window.name, strerror(errno));
	store_abandon(&w->window);
	return -1;
}

int evidence_keep(int dir, uint64_t budget, struct run *run, const struct evidence *has,
		  const struct verdict *v, struct why *why)
{
	static struct writer w;
	bool had_copy = run->copy;
	char name[STORE_NAME_LEN];
	int ret;

	name_file(v, name);
	w.has = has;
	w.run = &run->merge;
	w.budget = budget;
	w.failed = false;
	if (run_reserve(run, why))
		return -1;
	run_copy(run);
	w.begin = find_begin(has, v);
	ret = store_begin(&w.window, dir, EVIDENCE_PATH, name, why);
	if (!ret)
		ret = write_samples(&w, run, why);
	if (!ret && make_room_for(dir, budget, w.window.bytes, why)) {
		store_abandon(&w.window);
		ret = -1;
	}
	if (!ret)
		ret = store_commit(&w.window, why);
	if (!had_copy)
		run_release(run);
	return ret;
}
