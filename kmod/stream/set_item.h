/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * set_item.h - a run's set, as readers are told of it.
 */
#ifndef RCR_SET_ITEM_H
#define RCR_SET_ITEM_H

#include <linux/types.h>

struct rcr_run;
struct rcr_set;

u32 rcr_describe_size(const struct rcr_run *run);
void rcr_describe(const struct rcr_run *run, struct rcr_set *item);

#endif
