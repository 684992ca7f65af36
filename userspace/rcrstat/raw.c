// SPDX-License-Identifier: GPL-2.0-only
/*
 * raw.c - the items of the stream as they are, for shippers.
 *
 * What is written is a stream by the rules of <linux/rcrtool.h>: a set first,
 * then whole items, in the order in which they came. Items go through the
 * buffer of stdio: a write for many of them.
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

/* An error stands in ferror(@out). */
void raw_write(FILE *out, const struct rcr_item *item)
{
	fwrite(item, item->size, 1, out);
}
