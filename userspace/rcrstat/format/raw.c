// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * raw.c - writes the items of the stream unchanged.
 *
 * The output is a stream as defined in <linux/rcrtool.h>: a set first, then whole items in their
 * original order. Items are not copied: those of one read are written from the reader's buffer,
 * with one writev().
 */
#include "parse/cpulist.h"
#include "format/format.h"
#include "format/raw.h"

/**
 * raw_wants() - check whether an item is selected
 * @item: the item
 * @cpu: selected CPUs, CPU_LIMIT entries indexed by CPU number; NULL: all
 *
 * Items about all CPUs are always selected: a set is passed on unchanged, with the mask of all
 * sampled CPUs.
 */
bool raw_wants(const struct rcr_item *item, const bool *cpu)
{
	return !cpu || item->cpu == ~0u || item->type == RCR_ITEM_SET ||
	       (item->cpu < CPU_LIMIT && cpu[item->cpu]);
}

/* True if the item directly follows the last queued item in memory. */
static bool goes_on(const struct raw *r, const struct rcr_item *item)
{
	const struct iovec *last;

	if (!r->parts)
		return false;
	last = &r->part[r->parts - 1];
	return (const char *)last->iov_base + last->iov_len == (const char *)item;
}

/**
 * raw_takes() - queue an item
 * @r: the queue
 * @item: the item; must stay in place until raw_write()
 *
 * Returns false if the queue is full: write it first.
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

/* Advances over the @bytes that were written; returns the first part that is not complete. */
static struct iovec *skip_written(struct iovec *part, struct iovec *end, size_t bytes)
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
 * raw_write() - write all queued items and empty the queue
 * @r: the queue
 * @fd: file descriptor to write to
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
		part = skip_written(part, end, done);
	}
	return 0;
}

const struct format format_raw = {
	.name = "raw",
	.items = true,
};
