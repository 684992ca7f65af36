/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * raw.h - the items of the stream as they are, for shippers.
 */
#ifndef RCRSTAT_RAW_H
#define RCRSTAT_RAW_H

#include <stdbool.h>
#include <stdio.h>

#include "rcr.h"

bool raw_wants(const struct rcr_item *item, const bool *cpu);
void raw_write(FILE *out, const struct rcr_item *item);

#endif
