/* SPDX-License-Identifier: GPL-2.0-or-later */
/* raw.h - writes the items of the stream unchanged. */
#ifndef RCRSTAT_RAW_H
#define RCRSTAT_RAW_H

#include <stdbool.h>
#include <sys/uio.h>

#include "rcr.h"

/* IOV_MAX, the limit of writev(). */
#define RAW_PARTS 1024

/**
 * struct raw - queue of items to write, which stay in the reader's buffer
 * @part: memory ranges of consecutive items
 * @parts: entries of @part
 */
struct raw {
	struct iovec part[RAW_PARTS];
	unsigned int parts;
};

bool raw_wants(const struct rcr_item *item, const bool *cpu);
bool raw_takes(struct raw *r, const struct rcr_item *item);
int raw_write(struct raw *r, int fd);

#endif
