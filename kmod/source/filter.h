/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.h - registers of a box that say which of an event's occurrences all its
 * counters count.
 */
#ifndef RCR_FILTER_H
#define RCR_FILTER_H

#include <linux/types.h>

struct rcr_counter_set;
struct rcr_cpu_counters;
struct rcr_failure;
struct rcr_register;
struct rcr_saved;

int rcr_filter_start(const struct rcr_counter_set *set, unsigned int box,
		     struct rcr_cpu_counters *cpu, u32 which,
		     struct rcr_failure *f);
void rcr_filter_stop(const struct rcr_counter_set *set, unsigned int box,
		     struct rcr_cpu_counters *cpu, u32 restored);
bool rcr_filter_differs(const struct rcr_register *a, const struct rcr_register *b);
void rcr_filter_forget(const struct rcr_register *r, struct rcr_saved *saved);
int rcr_filter_rewrite(const struct rcr_register *r, struct rcr_failure *f);
int rcr_filter_look(const struct rcr_register *r, u64 *changed);

#endif
