// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * reader.c - reads the stream of /dev/rcrtool item by item, following section 3 of
 * Documentation/dev/interface.md.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "rcr.h"

#define BUFFER_BYTES (256 * 1024)

/**
 * struct rcr_reader - an open stream
 * @fd: the device or file
 * @set: copy of the last RCR_ITEM_SET
 * @begin: offset of the first byte of @buffer that was not returned yet
 * @end: offset after the last byte read
 * @buffer: whole items, as returned by read(); from a file, the last one may be incomplete
 */
struct rcr_reader {
	int fd;
	struct rcr_set *set;
	size_t begin;
	size_t end;
	uint64_t buffer[BUFFER_BYTES / sizeof(uint64_t)];
};

static int fail_reader(int error)
{
	errno = error;
	return -1;
}

static size_t buffered_bytes(const struct rcr_reader *r)
{
	return r->end - r->begin;
}

static const struct rcr_item *first_item(const struct rcr_reader *r)
{
	return (const struct rcr_item *)((const char *)r->buffer + r->begin);
}

/* True if the first item of the buffer is complete. */
static bool have_item(const struct rcr_reader *r)
{
	return buffered_bytes(r) >= sizeof(struct rcr_item) &&
	       buffered_bytes(r) >= first_item(r)->size;
}

/* Appends data to the buffer; returns 1, 0 after a timeout, or -1 with errno. */
static int fill_buffer(struct rcr_reader *r, int timeout_ms)
{
	struct pollfd p = { .fd = r->fd, .events = POLLIN };
	ssize_t got;
	int ready;

	memmove(r->buffer, first_item(r), buffered_bytes(r));
	r->end -= r->begin;
	r->begin = 0;

	/* Without a timeout no poll() is needed: the descriptor is non-blocking. */
	ready = timeout_ms ? poll(&p, 1, timeout_ms) : 1;
	if (ready <= 0)
		return ready;
	got = read(r->fd, (char *)r->buffer + r->end, sizeof(r->buffer) - r->end);
	if (got < 0)
		return errno == EAGAIN ? 0 : -1;
	if (got == 0)
		return fail_reader(buffered_bytes(r) ? EPROTO : ENODATA);
	r->end += got;
	return 1;
}

/* True if @bytes at @offset are after the fixed part of a set, and within it. */
static bool in_set(const struct rcr_set *set, uint64_t offset, uint64_t bytes)
{
	return offset % 8 == 0 && offset >= sizeof(*set) &&
	       offset <= set->item.size && bytes <= set->item.size - offset;
}

static bool names_end(const struct rcr_set *set)
{
	const struct rcr_counter *c;
	unsigned int i;

	for (i = 0; (c = rcr_set_counter(set, i)); i++)
		if (!memchr(c->name, 0, sizeof(c->name)))
			return false;
	return true;
}

/* True if an array with one element per counter is within a record, after its head. */
static bool in_record(const struct rcr_set *set, uint64_t offset, uint64_t size)
{
	return offset >= offsetof(struct rcr_record, value) &&
	       offset + set->ncounters * size <= set->record_size;
}

static bool records_are_sound(const struct rcr_set *set)
{
	if (set->record_size && set->record_size < sizeof(struct rcr_record))
		return false;
	if (!set->ncounters)
		return true;
	return set->value_size >= sizeof(uint64_t) && set->value_size % 8 == 0 &&
	       set->value_offset % 8 == 0 && set->status_size &&
	       in_record(set, set->value_offset, set->value_size) &&
	       in_record(set, set->status_offset, set->status_size);
}

/* Checks that everything the set refers to is within it. */
static bool set_is_sound(const struct rcr_set *set)
{
	if (set->item.size < sizeof(*set) || set->version < RCR_ABI_COMPAT_VERSION ||
	    set->compat_version > RCR_ABI_VERSION || set->ncounters > RCR_MAX_COUNTERS ||
	    set->counter_size < sizeof(struct rcr_counter) || set->counter_size % 8)
		return false;
	return records_are_sound(set) &&
	       in_set(set, set->counter_offset,
		      (uint64_t)set->ncounters * set->counter_size) &&
	       in_set(set, set->cpus_offset,
		      ((uint64_t)set->ncpus + 63) / 64 * 8) &&
	       memchr(set->family, 0, sizeof(set->family)) &&
	       memchr(set->source, 0, sizeof(set->source)) && names_end(set);
}

static int receive_set(struct rcr_reader *r, const struct rcr_item *item)
{
	const struct rcr_set *set = (const struct rcr_set *)item;
	struct rcr_set *copy;

	if (!set_is_sound(set))
		return fail_reader(EPROTO);
	copy = malloc(item->size);
	if (!copy)
		return -1;
	memcpy(copy, item, item->size);
	free(r->set);
	r->set = copy;
	return 0;
}

static bool mark_is_sound(const struct rcr_mark *mark)
{
	return mark->item.size >= sizeof(*mark) &&
	       memchr(mark->text, 0, sizeof(mark->text));
}

static bool node_is_sound(const struct rcr_item *item)
{
	return memchr(((const struct rcr_node *)item)->text, 0, item->size - sizeof(*item));
}

/* True if there are no slow counters, or their times are within the record. */
static bool slow_is_sound(const struct rcr_set *set, const struct rcr_item *item)
{
	uint64_t offset = set->slow_offset;

	return !offset || (offset % 8 == 0 && offset >= sizeof(struct rcr_record) &&
			   offset + sizeof(struct rcr_slow) <= item->size);
}

/* Checks the size of an item against its type and set, which must be known. */
static bool item_is_sound(const struct rcr_reader *r, const struct rcr_item *item)
{
	const struct rcr_set *set = r->set;

	if (!set)
		return false;
	if (item->type == RCR_ITEM_LOST)
		return item->size >= sizeof(struct rcr_lost) &&
		       item->cpu < set->ncpus;
	if (item->type == RCR_ITEM_MARK)
		return mark_is_sound((const struct rcr_mark *)item);
	if (item->type == RCR_ITEM_NODE)
		return node_is_sound(item);
	if (item->type < RCR_ITEM_SAMPLE)
		return true;
	if (item->cpu >= set->ncpus)
		return false;
	if (item->type != RCR_ITEM_SAMPLE)
		return item->size >= sizeof(struct rcr_record) + 3 * sizeof(uint64_t);
	return item->size >= sizeof(struct rcr_record) && item->size >= set->record_size &&
	       slow_is_sound(set, item);
}

int rcr_next(struct rcr_reader *r, const struct rcr_item **item, int timeout_ms)
{
	const struct rcr_item *next;
	int ret;

	if (!r || !item)
		return fail_reader(EINVAL);
	while (!have_item(r)) {
		if (buffered_bytes(r) == sizeof(r->buffer))
			return fail_reader(EPROTO);
		ret = fill_buffer(r, timeout_ms);
		if (ret <= 0)
			return ret;
	}
	next = first_item(r);
	if (next->size < sizeof(*next) || next->size % 8)
		return fail_reader(EPROTO);
	if (next->type == RCR_ITEM_SET) {
		if (receive_set(r, next))
			return -1;
	} else if (!item_is_sound(r, next)) {
		return fail_reader(EPROTO);
	}
	r->begin += next->size;
	*item = next;
	return 1;
}

bool rcr_has_next(const struct rcr_reader *r)
{
	return r && have_item(r);
}

struct rcr_reader *rcr_open(const char *path)
{
	struct rcr_reader *r = calloc(1, sizeof(*r));
	const struct rcr_item *item;
	int error, ret;

	if (!r)
		return NULL;
	r->fd = open(path ? path : RCR_DEVICE, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (r->fd < 0) {
		free(r);
		return NULL;
	}
	ret = rcr_next(r, &item, 1000);
	if (ret == 1 && r->set)
		return r;
	error = ret < 0 && errno != ENODATA ? errno : EPROTO;
	rcr_close(r);
	errno = error;
	return NULL;
}

void rcr_close(struct rcr_reader *r)
{
	if (!r)
		return;
	close(r->fd);
	free(r->set);
	free(r);
}

char *rcr_open_error(const char *path, int error, char *text, size_t size)
{
	if (path && strcmp(path, RCR_DEVICE)) {
		if (error == EPROTO)
			snprintf(text, size,
				 "%s is not a recording that this program reads: 'rcrstat -f raw -o FILE' of the same version makes one",
				 path);
		else
			snprintf(text, size, "%s: %s", path, strerror(error));
		return text;
	}
	path = RCR_DEVICE;
	switch (error) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
		snprintf(text, size,
			 "%s is not there: load the module with 'modprobe rcrtool'",
			 path);
		break;
	case EACCES:
	case EPERM:
		snprintf(text, size,
			 "%s cannot be read: become root or join the group rcrtool",
			 path);
		break;
	case EPROTO:
		snprintf(text, size,
			 "%s cannot be read: module and program have different versions: load the program's module",
			 path);
		break;
	default:
		snprintf(text, size, "%s: %s", path, strerror(error));
	}
	return text;
}

int rcr_rewind(struct rcr_reader *r)
{
	if (!r)
		return fail_reader(EINVAL);
	if (lseek(r->fd, 0, SEEK_SET) < 0)
		return -1;
	r->begin = 0;
	r->end = 0;
	return 0;
}

int rcr_choose_items(struct rcr_reader *r, uint64_t types)
{
	struct rcr_items items = { .size = sizeof(items), .types = types };

	if (!r)
		return fail_reader(EINVAL);
	return ioctl(r->fd, RCR_ITEMS, &items);
}

int rcr_fd(const struct rcr_reader *r)
{
	return r ? r->fd : fail_reader(EINVAL);
}

const struct rcr_set *rcr_reader_set(const struct rcr_reader *r)
{
	return r ? r->set : NULL;
}
