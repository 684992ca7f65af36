/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sources.h - all sources of a set together.
 */
#ifndef RCR_SOURCES_H
#define RCR_SOURCES_H

#include "set/counter_set.h"

struct rcr_core_use;
struct rcr_cpu_counters;
struct rcr_slow_look;

int rcr_sources_find(const char *name);
const char *rcr_source_name(enum rcr_source_id id);
const char *rcr_sources_name(const struct rcr_counter_set *set);
const char *rcr_sources_note(const struct rcr_counter_set *set);

int rcr_sources_build(struct rcr_counter_set *set, const struct rcr_counter_set *before,
		      struct rcr_failure *f);
int rcr_sources_reserve(const struct rcr_counter_set *set,
			const struct rcr_counter_set *before, struct rcr_failure *f);
int rcr_sources_start(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		      u32 which, struct rcr_failure *f);
void rcr_sources_prepare(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			 u32 mine);
void rcr_sources_read(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		      u64 *value);
void rcr_sources_begin_slow(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			    struct rcr_slow_look *l);
void rcr_sources_look_slow(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			   u32 which, struct rcr_slow_look *l);
void rcr_sources_end_slow(struct rcr_cpu_counters *c, struct rcr_slow_look *l);
void rcr_sources_core(const struct rcr_counter_set *set, const struct rcr_cpu_counters *c,
		      int cpu, struct rcr_core_use *use);

#endif
