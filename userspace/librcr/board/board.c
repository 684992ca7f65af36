// SPDX-License-Identifier: LGPL-2.1-or-later
/* board.c - maps a blackboard, after checking that all its arrays are within it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "board.h"

int rcr_board_fail(int error)
{
	errno = error;
	return -1;
}

/* Reads the position of an array from the head; false if it is not within the board. */
static bool take_array(struct rcr_blackboard *b, struct rcr_array *a, uint32_t offset,
		       uint32_t size, uint32_t count, size_t least)
{
	if (offset % 8 || size % 8 || size < least || offset < sizeof(struct rcr_board) ||
	    offset > b->bytes || (uint64_t)size * count > b->bytes - offset)
		return false;
	a->at = (const char *)b->head + offset;
	a->size = size;
	a->count = count;
	return true;
}

/* True if this library can read the board. */
static bool is_board(const struct rcr_board *head)
{
	return head->magic == RCR_BOARD_MAGIC &&
	       head->version >= RCR_BOARD_COMPAT_VERSION &&
	       head->compat_version <= RCR_BOARD_VERSION &&
	       head->bytes >= sizeof(*head);
}

static bool take_arrays(struct rcr_blackboard *b)
{
	const struct rcr_board *h = b->head;

	return take_array(b, &b->meters, h->meter_offset, h->meter_size, h->meters,
			  sizeof(struct rcr_board_meter)) &&
	       take_array(b, &b->places, h->place_offset, h->place_size, h->places,
			  sizeof(struct rcr_board_place)) &&
	       take_array(b, &b->entries, h->entry_offset, h->entry_size, h->entries,
			  sizeof(struct rcr_board_entry));
}

/**
 * struct source - the file to map
 * @fd: the device, or a file that contains a board
 * @offset: offset of the board
 * @limit: available bytes
 */
struct source {
	int fd;
	off_t offset;
	uint64_t limit;
};

static int look_at(struct source *s)
{
	struct stat st;

	if (fstat(s->fd, &st))
		return -1;
	s->offset = RCR_BOARD_ALL;
	s->limit = SIZE_MAX;
	if (S_ISREG(st.st_mode)) {
		s->offset = 0;
		s->limit = st.st_size;
	}
	return s->limit < sizeof(struct rcr_board) ? rcr_board_fail(EPROTO) : 0;
}

static void *map_source(const struct source *s, size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ, MAP_SHARED, s->fd, s->offset);

	return at == MAP_FAILED ? NULL : at;
}

static int map_board(struct rcr_blackboard *b, struct source *s)
{
	size_t page = sysconf(_SC_PAGESIZE);
	struct rcr_board *first;
	uint64_t bytes;
	bool good;

	if (look_at(s))
		return -1;
	first = map_source(s, page);
	if (!first)
		return -1;
	bytes = first->bytes;
	good = is_board(first) && bytes <= s->limit;
	munmap(first, page);
	if (!good)
		return rcr_board_fail(EPROTO);
	b->head = map_source(s, bytes);
	b->bytes = bytes;
	if (!b->head)
		return -1;
	if (!take_arrays(b))
		return rcr_board_fail(EPROTO);
	b->places.count = (b->bytes - (b->places.at - (const char *)b->head)) / b->places.size;
	return 0;
}

/* Only the device has subscriptions, which belong to its descriptor. */
static int keep_device(struct rcr_blackboard *b, const struct source *s)
{
	struct stat st;

	if (fstat(s->fd, &st))
		return -1;
	if (S_ISREG(st.st_mode))
		return 0;
	b->wish = calloc(b->entries.count ? b->entries.count : 1, sizeof(*b->wish));
	if (!b->wish)
		return -1;
	b->device = st.st_rdev;
	b->fd = s->fd;
	return 0;
}

static struct rcr_blackboard *open_board_file(const char *path)
{
	struct rcr_blackboard *b = calloc(1, sizeof(*b));
	struct source s = { .fd = -1 };
	int ret = -1, error;

	if (!b)
		return NULL;
	b->fd = -1;
	b->path = strdup(path);
	if (b->path)
		s.fd = open(b->path, O_RDONLY | O_CLOEXEC);
	if (s.fd >= 0)
		ret = map_board(b, &s);
	if (!ret)
		ret = keep_device(b, &s);
	error = errno;
	if (s.fd >= 0 && b->fd < 0)
		close(s.fd);
	if (!ret)
		return b;
	rcr_board_close(b);
	errno = error;
	return NULL;
}

/* If there is no public board either, the error of the device is returned. */
struct rcr_blackboard *rcr_board_open(const char *path)
{
	struct rcr_blackboard *b = open_board_file(path ? path : RCR_BOARD_DEVICE);
	int error = errno;

	if (b || path || (error != EACCES && error != EPERM))
		return b;
	b = open_board_file(RCR_BOARD_PUBLIC_FILE);
	if (!b && errno == ENOENT)
		errno = error;
	return b;
}

void rcr_board_close(struct rcr_blackboard *b)
{
	if (!b)
		return;
	if (b->head)
		munmap((void *)b->head, b->bytes);
	if (rcr_board_has_device(b))
		close(b->fd);
	free(b->wish);
	free(b->path);
	free(b);
}

char *rcr_board_open_error(const char *path, int error, char *text, size_t size)
{
	if (!path)
		path = RCR_BOARD_DEVICE;
	if (error == ENOENT && !strcmp(path, RCR_BOARD_DEVICE))
		snprintf(text, size, "rcrtool is not loaded: load it with 'modprobe rcrtool'.");
	else if (error == EACCES || error == EPERM)
		snprintf(text, size, "%s cannot be read: become root or join its group.",
			 path);
	else if (error == EPROTO)
		snprintf(text, size, "%s is not a blackboard that this program can read, or module and program have different versions.",
			 path);
	else
		snprintf(text, size, "%s: %s.", path, strerror(error));
	return text;
}

const struct rcr_board *rcr_board_head(const struct rcr_blackboard *b)
{
	return b ? b->head : NULL;
}

const struct rcr_board_meter *rcr_board_meter(const struct rcr_blackboard *b, unsigned int n)
{
	return b ? rcr_array_at(&b->meters, n) : NULL;
}

const struct rcr_board_place *rcr_board_place(const struct rcr_blackboard *b, unsigned int n)
{
	return b ? rcr_place_at(b, n) : NULL;
}

const struct rcr_board_entry *rcr_board_entry(const struct rcr_blackboard *b, unsigned int n)
{
	return b ? rcr_array_at(&b->entries, n) : NULL;
}
