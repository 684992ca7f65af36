// SPDX-License-Identifier: GPL-2.0-only
/*
 * sources.c - all sources of a set together: each is asked for the counters that
 * it counts, and what they read becomes totals.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/string.h>
#include <asm/tsc.h>

#include "source.h"
#include "sources.h"
#include "width.h"

static const struct rcr_source *const sources[RCR_SOURCES] = {
	[RCR_SOURCE_MSR] = &rcr_source_msr,
	[RCR_SOURCE_PERF] = &rcr_source_perf,
};

/* The number of a source, or -ENOENT. */
int rcr_sources_find(const char *name)
{
	unsigned int n;

	for (n = 0; n < RCR_SOURCES; n++)
		if (!strcmp(sources[n]->name, name))
			return n;
	return -ENOENT;
}

/* How a set is counted, for people. */
const char *rcr_sources_name(const struct rcr_counter_set *set)
{
	if (set->by[RCR_SOURCE_MSR] && set->by[RCR_SOURCE_PERF])
		return "perf+msr";
	return sources[set->by[RCR_SOURCE_MSR] ? RCR_SOURCE_MSR :
						 RCR_SOURCE_PERF]->name;
}

/* What others should know while a set is counted, one sentence; or NULL. */
const char *rcr_sources_note(const struct rcr_counter_set *set)
{
	/* Nobody is kept from counters that several CPUs share. */
	return set->general ? sources[RCR_SOURCE_MSR]->note : NULL;
}

/* Is there anything that must be looked after while the set is counted? */
bool rcr_sources_tended(const struct rcr_counter_set *set)
{
	return set->by[RCR_SOURCE_PERF];
}

/**
 * rcr_sources_build() - finds out how each event of a set is counted
 * @set: its events are known, and by whom each is counted
 * @before: the set that is counted now; NULL: none
 * @f: gets the reason when it fails
 *
 * Return: 0, or -errno: see struct rcr_source.
 */
int rcr_sources_build(struct rcr_counter_set *set,
		      const struct rcr_counter_set *before, struct rcr_failure *f)
{
	unsigned int n;
	int err = 0;

	for (n = 0; n < RCR_SOURCES && !err; n++)
		if (set->by[n])
			err = sources[n]->build(set, before, set->by[n], f);
	return err;
}

/* Makes ours what the set needs and the set before has not; all or nothing. */
int rcr_sources_reserve(const struct rcr_counter_set *set,
			const struct rcr_counter_set *before, struct rcr_failure *f)
{
	unsigned int n;
	int err;

	for (n = 0; n < RCR_SOURCES; n++) {
		err = set->by[n] ? sources[n]->reserve(set, before, f) : 0;
		if (!err)
			continue;
		while (n--)
			if (set->by[n])
				sources[n]->release(set, before);
		return err;
	}
	return 0;
}

/* Undoes it for what the next set does not need. */
void rcr_sources_release(const struct rcr_counter_set *set,
			 const struct rcr_counter_set *next)
{
	unsigned int n;

	for (n = 0; n < RCR_SOURCES; n++)
		if (set->by[n])
			sources[n]->release(set, next);
}

/* As struct rcr_source has it; after a failure all has to be stopped. */
int rcr_sources_start(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		      u32 which, bool all, struct rcr_failure *f)
{
	unsigned int n;
	int err = 0;

	which &= c->mine;
	for (n = 0; n < RCR_SOURCES && !err; n++)
		if (set->by[n] & which)
			err = sources[n]->start(set, c, set->by[n] & which, all, f);
	return err;
}

void rcr_sources_stop(const struct rcr_counter_set *set, struct rcr_cpu_counters *c)
{
	unsigned int n;

	for (n = 0; n < RCR_SOURCES; n++)
		if (set->by[n])
			sources[n]->stop(set, c, set->by[n]);
}

int rcr_sources_rewrite(const struct rcr_counter_set *set,
			struct rcr_cpu_counters *c, u32 which, struct rcr_failure *f)
{
	unsigned int n;
	int err = 0;

	which &= c->mine;
	for (n = 0; n < RCR_SOURCES; n++)
		if (set->by[n] & which)
			err = sources[n]->rewrite(set, c, set->by[n] & which, f) ?: err;
	return err;
}

int rcr_sources_settle(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		       int cpu, bool online, struct rcr_failure *f)
{
	unsigned int n;
	int err = 0;

	for (n = 0; n < RCR_SOURCES && !err; n++)
		if (set->by[n] && sources[n]->settle)
			err = sources[n]->settle(set, c, cpu, online, f);
	return err;
}

void rcr_sources_revive(const struct rcr_counter_set *set,
			struct rcr_cpu_counters *c)
{
	unsigned int n;

	for (n = 0; n < RCR_SOURCES; n++)
		if (set->by[n] && sources[n]->revive)
			sources[n]->revive(set, c);
}

/* What a counter can have gone since it was read last. */
static u64 limit_of(const struct rcr_counter_set *set, unsigned int i, u64 elapsed)
{
	u32 most = set->reg[i].most;

	return most ? rcr_width_limit(elapsed, most) : U64_MAX;
}

/**
 * rcr_sources_read() - brings counters up to date
 * @set: the set
 * @c: this CPU's side of it
 * @which: the counters, bit n for counter n
 * @pass: the TSC of their latest reading; gets that of this one
 *
 * Context: hard interrupt on that CPU, or whatever keeps the tick away.
 */
void rcr_sources_read(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		      u32 which, struct rcr_pass *pass)
{
	u32 read = which & c->mine & ~READ_ONCE(set->halted);
	u64 begin = rdtsc_ordered(), now[RCR_MAX_COUNTERS];
	u8 status[RCR_MAX_COUNTERS];
	struct rcr_reading *r;
	unsigned int i, n;

	for (n = 0; n < RCR_SOURCES; n++)
		if (set->by[n] & read)
			sources[n]->look(set, c, set->by[n] & read, now, status);
	pass->end = rdtsc_ordered();
	for (i = 0; i < set->count; i++) {
		r = &c->reading[i];
		if (read & BIT(i))
			rcr_reading_take(r, status[i], now[i],
					 rcr_width_delta(now[i], r->last,
							 set->counter[i].width),
					 limit_of(set, i, pass->end - pass->begin));
		else if (which & BIT(i))
			rcr_reading_take(r, c->mine & BIT(i) ? RCR_STATUS_HALTED :
							       RCR_STATUS_ELSEWHERE,
					 0, 0, 0);
	}
	pass->begin = begin;
}
