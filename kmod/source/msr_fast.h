/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * msr_fast.h - counters that are two registers and nothing else, as most are: what a tick
 * has to know of them, and nothing else, so that few cache lines hold all of them.
 */
#ifndef RCR_MSR_FAST_H
#define RCR_MSR_FAST_H

#include <linux/types.h>

struct rcr_counter_set;
struct rcr_cpu_counters;

void rcr_plain_build(struct rcr_counter_set *set);
u32 rcr_plain_take(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		   u32 which, u64 elapsed);

#endif
