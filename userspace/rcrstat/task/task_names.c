// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * task_names.c - names of processes and cgroups of this machine.
 *
 * Samples have the process ids of the initial namespace. In any other namespace the same id is
 * another process, so there are no names. The id of a cgroup is the inode number of its directory
 * in the cgroup v2 tree; cgroups outside of the mounted part have no name.
 */
#include <dirent.h>
#include <fcntl.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process.h"
#include "task/task_names.h"

/* Most directories of the tree that are read, and most levels. */
#define CGROUPS_MOST 65536
#define DEPTH_MOST 64

/* A cgroup. */
struct known_cgroup {
	uint64_t id;
	char *path;
};

/**
 * struct task_names - all known names
 * @kind: kind of the tasks
 * @root: where the cgroup v2 tree is mounted; empty: nowhere
 * @cgroup: all cgroups, since the last walk
 * @count: entries of @cgroup
 * @room: allocated entries
 */
struct task_names {
	enum task_kind kind;
	char root[TASK_NAME];
	struct known_cgroup *cgroup;
	unsigned int count;
	unsigned int room;
};

static void find_root(struct task_names *names)
{
	FILE *mounts = setmntent("/proc/self/mounts", "r");
	struct mntent *m;

	while (mounts && (m = getmntent(mounts))) {
		if (strcmp(m->mnt_type, "cgroup2"))
			continue;
		snprintf(names->root, sizeof(names->root), "%s", m->mnt_dir);
		break;
	}
	if (mounts)
		endmntent(mounts);
}

struct task_names *task_names_open(enum task_kind kind)
{
	struct task_names *names;

	if (kind == TASK_PROCESS && !process_has_numbers())
		return NULL;
	names = calloc(1, sizeof(*names));
	if (!names)
		return NULL;
	names->kind = kind;
	if (kind == TASK_CGROUP)
		find_root(names);
	return names;
}

static void forget_cgroups(struct task_names *names)
{
	while (names->count)
		free(names->cgroup[--names->count].path);
}

void task_names_close(struct task_names *names)
{
	if (!names)
		return;
	forget_cgroups(names);
	free(names->cgroup);
	free(names);
}

static void know_cgroup(struct task_names *names, uint64_t id, const char *path)
{
	struct known_cgroup *more;

	if (names->count == names->room) {
		more = reallocarray(names->cgroup, names->room * 2 + 64, sizeof(*more));
		if (!more)
			return;
		names->cgroup = more;
		names->room = names->room * 2 + 64;
	}
	names->cgroup[names->count].path = strdup(path);
	names->cgroup[names->count].id = id;
	names->count += !!names->cgroup[names->count].path;
}

/* Walks the tree below a directory, whose printed name is @path. */
static void walk_cgroups(struct task_names *names, int directory, const char *path,
			 unsigned int depth)
{
	char below[TASK_NAME];
	struct dirent *entry;
	struct stat st;
	DIR *dir;
	int fd;

	if (!fstat(directory, &st))
		know_cgroup(names, st.st_ino, *path ? path : "/");
	dir = fdopendir(directory);
	if (!dir) {
		close(directory);
		return;
	}
	while (depth < DEPTH_MOST && names->count < CGROUPS_MOST && (entry = readdir(dir))) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.' ||
		    snprintf(below, sizeof(below), "%s/%s", path, entry->d_name) >=
		    (int)sizeof(below))
			continue;
		fd = openat(dirfd(dir), entry->d_name,
			    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd >= 0)
			walk_cgroups(names, fd, below, depth + 1);
	}
	closedir(dir);
}

static const char *find_cgroup(const struct task_names *names, uint64_t id)
{
	unsigned int i;

	for (i = 0; i < names->count; i++)
		if (names->cgroup[i].id == id)
			return names->cgroup[i].path;
	return NULL;
}

static void name_cgroup(struct task_names *names, uint64_t id, char text[TASK_NAME])
{
	const char *path = find_cgroup(names, id);
	int fd;

	if (!path && *names->root) {
		forget_cgroups(names);
		fd = open(names->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd >= 0)
			walk_cgroups(names, fd, "", 0);
		path = find_cgroup(names, id);
	}
	if (path)
		snprintf(text, TASK_NAME, "%s", path);
}

static void name_process(uint64_t id, char text[TASK_NAME])
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%llu/comm", (unsigned long long)id);
	f = fopen(path, "re");
	if (!f)
		return;
	if (fgets(text, TASK_NAME, f))
		text[strcspn(text, "\n")] = 0;
	fclose(f);
}

void task_names_find(struct task_names *names, uint64_t id, char text[TASK_NAME])
{
	char *at;

	*text = 0;
	if (id == TASK_IDLE)
		strcpy(text, "idle");
	else if (names && names->kind == TASK_CGROUP)
		name_cgroup(names, id, text);
	else if (names)
		name_process(id, text);
	/* Names are free text: replace characters that would end a cell, a line or an escape. */
	for (at = text; *at; at++)
		if (*at == ',' || *at == '"' || (unsigned char)*at < ' ' || *at == 127)
			*at = '_';
}
