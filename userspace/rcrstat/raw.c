// SPDX-License-Identifier: GPL-2.0-only
/*
 * raw.c - the items of the stream as they are, for shippers.
 *
 * What is written is a stream by the rules of <linux/rcrtool.h>: a set first,
 * then whole items, in the order in which they came. Items are not copied: those
 * that one read brought are written from where they are, with one writev().
 */
#include "cpulist.h"
#include "raw.h"

/**
 * raw_wants() - does an item pass?
 * @item: the item
 * @cpu: by CPU number, CPU_LIMIT entries; NULL: all
 *
 * What speaks of all CPUs passes: a set is passed on as it is, with the mask of
 * all CPUs that are sampled.
 */
bool raw_wants(const struct rcr_item *item, const bool *cpu)
{
	return !cpu || item->cpu == ~0u || item->type == RCR_ITEM_SET ||
	       (item->cpu < CPU_LIMIT && cpu[item->cpu]);
}

/* Does the item stand right behind those that were taken last? */
static bool goes_on(const struct raw *r, const struct rcr_item *item)
{
	const struct iovec *last;

	if (!r->parts)
		return false;
	last = &r->part[r->parts - 1];
	return (const char *)last->iov_base + last->iov_len == (const char *)item;
}

/**
 * raw_takes() - takes an item, to be written with others
 * @r: the items
 * @item: the item; stays where it is until raw_write()
 *
 * Returns false when those that were taken have to be written first.
 */
bool raw_takes(struct raw *r, const struct rcr_item *item)
{
	if (goes_on(r, item)) {
		r->part[r->parts - 1].iov_len += item->size;
		return true;
	}
	if (r->parts == RAW_PARTS)
		return false;
	r->part[r->parts++] = (struct iovec){ (void *)item, item->size };
	return true;
}

/* The first part before @end that is not written when @bytes from @part on are. */
static struct iovec *skip(struct iovec *part, struct iovec *end, size_t bytes)
{
	while (part < end && bytes >= part->iov_len)
		bytes -= part++->iov_len;
	if (part < end) {
		part->iov_base = (char *)part->iov_base + bytes;
		part->iov_len -= bytes;
	}
	return part;
}

/**
 * raw_write() - writes all that was taken
 * @r: the items; none after that
 * @fd: where to
 *
 * Returns 0, or -1 with errno.
 */
int raw_write(struct raw *r, int fd)
{
	struct iovec *part = r->part, *end = part + r->parts;
	ssize_t done;

	r->parts = 0;
	while (part < end) {
		done = writev(fd, part, end - part);
		if (done < 0)
			return -1;
		part = skip(part, end, done);
	}
	return 0;
}
