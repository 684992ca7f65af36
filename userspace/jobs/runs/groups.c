// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * groups.c - finds out whether a control group is below that of a job.
 *
 * A sample has the version 2 cgroup id of its task: the inode number of the group's directory. The
 * tasks of a job are in groups of its steps, below the job's own. If the id of a sample is unknown,
 * the whole hierarchy is read again, at most once per batch of samples. If it is still unknown, its
 * group was removed before it could be read, and its samples are unsure.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runs/groups.h"

#define SLOTS		(2 * GROUPS_MOST)
/* Most levels of directories that are read. */
#define DEPTH_MOST	32

void groups_renew(struct groups *g)
{
	g->is_read = false;
}

void groups_free(struct groups *g)
{
	free(g->entry);
	g->entry = NULL;
	g->count = 0;
}

static struct group_entry *find_group_slot(const struct groups *g, uint64_t id)
{
	size_t at = (id * 0x9e3779b97f4a7c15ull >> 32) % SLOTS;

	while (g->entry[at].id && g->entry[at].id != id)
		at = (at + 1) % SLOTS;
	return &g->entry[at];
}

static void add_group(struct groups *g, uint64_t id, uint64_t parent)
{
	struct group_entry *e = find_group_slot(g, id);

	if (!id || (!e->id && g->count == GROUPS_MOST))
		return;
	g->count += !e->id;
	*e = (struct group_entry){ .id = id, .parent = parent };
}

/* Adds the group of a directory and all groups below it; closes @fd. */
static void read_group(struct groups *g, int fd, uint64_t parent, unsigned int depth)
{
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	struct stat st;

	if (!dir && fd >= 0)
		close(fd);
	if (!dir)
		return;
	if (!fstat(fd, &st)) {
		add_group(g, st.st_ino, parent);
		while (depth < DEPTH_MOST && g->count < GROUPS_MOST && (entry = readdir(dir)))
			if ((entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN) &&
			    strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
				read_group(g, openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY |
						     O_CLOEXEC | O_NOFOLLOW), st.st_ino, depth + 1);
	}
	closedir(dir);
}

/* Adds all groups of the machine; keeps removed ones, of which samples may still come. */
static void read_groups(struct groups *g)
{
	g->is_read = true;
	if (g->count == GROUPS_MOST)
		groups_free(g);
	if (!g->entry)
		g->entry = calloc(SLOTS, sizeof(*g->entry));
	if (g->entry)
		read_group(g, open(g->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0, 0);
}

static bool is_known_group(const struct groups *g, uint64_t id)
{
	return g->entry && find_group_slot(g, id)->id;
}

static bool is_below(const struct groups *g, uint64_t id, uint64_t job)
{
	unsigned int depth;

	for (depth = 0; id && depth <= DEPTH_MOST; depth++) {
		if (id == job)
			return true;
		id = find_group_slot(g, id)->parent;
	}
	return false;
}

enum estimates_task groups_task(struct groups *g, uint64_t job, const struct rcr_record *record)
{
	uint64_t id = record->cgroup;
	struct group_answer *answer = &g->answer[(id ^ job * 7) % GROUPS_ANSWERS];

	if (record->item.flags & RCR_RECORD_IDLE)
		return ESTIMATES_IDLE;
	if (!id)
		return ESTIMATES_UNSURE;
	if (answer->id == id && answer->job == job)
		return answer->task;
	if (!is_known_group(g, id) && !g->is_read)
		read_groups(g);
	if (!is_known_group(g, id))
		return ESTIMATES_UNSURE;
	*answer = (struct group_answer){
		.id = id, .job = job,
		.task = is_below(g, id, job) ? ESTIMATES_OWN : ESTIMATES_OTHER,
	};
	return answer->task;
}
