/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * raw.h - the items of the stream as they are, for shippers.
 */
#ifndef RCRSTAT_RAW_H
#define RCRSTAT_RAW_H

#include <stdbool.h>
#include <sys/uio.h>

#include "rcr.h"

/* As many as the kernel takes at once. */
#define RAW_PARTS 1024

/**
 * struct raw - items that are still to be written, where the reader has them
 * @part: stretches of memory with items that follow each other
 * @parts: how many
 */
struct raw {
	struct iovec part[RAW_PARTS];
	unsigned int parts;
};

bool raw_wants(const struct rcr_item *item, const bool *cpu);
bool raw_takes(struct raw *r, const struct rcr_item *item);
int raw_write(struct raw *r, int fd);

#endif
