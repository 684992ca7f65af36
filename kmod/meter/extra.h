/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * extra.h - what the module counts itself, besides the set.
 */
#ifndef RCR_EXTRA_H
#define RCR_EXTRA_H

#include "feed.h"

u64 rcr_extra_told(bool machines);
void rcr_extra_read(u64 sampler_cycles, bool machines, u64 meter_cycles, u64 *now);

#endif
