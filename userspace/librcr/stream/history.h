/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* history.h - mapped rings, for librcr and its tests. */
#ifndef HISTORY_H
#define HISTORY_H

#include "rcr.h"

bool rcr_reader_is_saved(const struct rcr_reader *r);
int rcr_ring_history(const struct rcr_ring *r, uint64_t scale, void *marks, unsigned int room);

#endif
