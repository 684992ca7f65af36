// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * store.c - write files of rcrd. A file has a temporary name until it is renamed after fsync(), so
 * that a crash leaves either the old or the new file.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "store.h"

#define STATE "rcrd.state"
#define STATE_NEW "rcrd.state.new"

static int open_new_file(int dir, const char *name, mode_t mode)
{
	return openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode);
}

static int write_whole(int fd, const char *bytes, size_t size)
{
	ssize_t done;

	while (size) {
		done = write(fd, bytes, size);
		if (done < 0 && errno != EINTR)
			return -1;
		if (done > 0) {
			bytes += done;
			size -= done;
		}
	}
	return 0;
}

int store_read_state(int dir, struct state *s, struct why *why)
{
	int fd = openat(dir, STATE, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	char text[STATE_MAX];
	struct why wrong;
	ssize_t got;

	memset(s, 0, sizeof(*s));
	if (fd < 0 && errno == ENOENT)
		return 0;
	got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (got < 0)
		because(why, STORE_PATH "/" STATE ": %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	if (got < 0)
		return -1;
	text[got] = 0;
	if (!state_parse(text, s, &wrong))
		return 0;
	return because(why, STORE_PATH "/" STATE " %s: remove it, and arm the recorder again",
		       wrong.text);
}

int store_write_state(int dir, const struct state *s, struct why *why)
{
	int fd = open_new_file(dir, STATE_NEW, 0640);
	char text[STATE_MAX];
	int ret = fd < 0 ? -1 : 0;

	if (!ret)
		ret = write_whole(fd, text, state_print(s, text));
	if (!ret)
		ret = fsync(fd);
	if (!ret)
		ret = renameat(dir, STATE_NEW, dir, STATE);
	if (ret) {
		because(why, STORE_PATH "/" STATE ": %s", strerror(errno));
		unlinkat(dir, STATE_NEW, 0);
	}
	if (fd >= 0)
		close(fd);
	return ret;
}

static int because_of_file(const struct store_window *w, struct why *why)
{
	return because(why, "%s/%s: %s", w->path, w->name, strerror(errno));
}

/* The temporary name of an incomplete file. */
static const char *new_name(const struct store_window *w, char name[STORE_NAME_LEN + 4])
{
	snprintf(name, STORE_NAME_LEN + 4, "%s.new", w->name);
	return name;
}

int store_begin(struct store_window *w, int dir, const char *path, const char *name,
		struct why *why)
{
	char new[STORE_NAME_LEN + 4];

	w->dir = dir;
	w->path = path;
	w->bytes = 0;
	w->used = 0;
	snprintf(w->name, sizeof(w->name), "%s", name);
	w->fd = open_new_file(dir, new_name(w, new), 0640);
	return w->fd < 0 ? because_of_file(w, why) : 0;
}

static int flush_buffer(struct store_window *w)
{
	size_t used = w->used;

	w->used = 0;
	return write_whole(w->fd, w->buffer, used);
}

int store_append(void *window, const void *item, size_t size)
{
	struct store_window *w = window;

	w->bytes += size;
	if (size > sizeof(w->buffer) - w->used && flush_buffer(w))
		return -1;
	if (size > sizeof(w->buffer))
		return write_whole(w->fd, item, size);
	memcpy(w->buffer + w->used, item, size);
	w->used += size;
	return 0;
}

/* Free the space of a removed file, which members of the group may keep open. */
static void empty_file(int fd, const char *name)
{
	if (fd >= 0 && ftruncate(fd, 0))
		note("%s: cannot free its space: %s", name, strerror(errno));
	if (fd >= 0)
		close(fd);
}

int store_commit(struct store_window *w, struct why *why)
{
	int before = openat(w->dir, w->name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	char new[STORE_NAME_LEN + 4];

	if (!flush_buffer(w) && !fsync(w->fd) &&
	    !renameat(w->dir, new_name(w, new), w->dir, w->name)) {
		close(w->fd);
		empty_file(before, w->name);
		return 0;
	}
	if (before >= 0)
		close(before);
	because_of_file(w, why);
	store_abandon(w);
	return -1;
}

int store_remove(int dir, const char *name)
{
	int fd = openat(dir, name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (!unlinkat(dir, name, 0)) {
		empty_file(fd, name);
		return 0;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

void store_abandon(struct store_window *w)
{
	char new[STORE_NAME_LEN + 4];

	close(w->fd);
	unlinkat(w->dir, new_name(w, new), 0);
}

int store_open_window(int dir)
{
	return openat(dir, STORE_WINDOW, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
}

void store_forget_window(int dir)
{
	unlinkat(dir, STORE_WINDOW, 0);
}
