// SPDX-License-Identifier: GPL-2.0-only
/*
 * set_item.c - the RCR_ITEM_SET, which describes the set and the rings of a run.
 */
#include <linux/bitmap.h>
#include <linux/ktime.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <asm/tsc.h>

#include "stream.h"
#include "ring/run.h"
#include "ring/scale.h"
#include "source/source.h"

/* Number of counters; 0 for a set that is inert. */
static u32 active_counters(const struct rcr_run *run)
{
	return run->set.failure.error ? 0 : run->set.count;
}

/* Size of the item in bytes. */
u32 rcr_set_item_size(const struct rcr_run *run)
{
	return sizeof(struct rcr_set) +
	       active_counters(run) * sizeof(struct rcr_counter) +
	       BITS_TO_U64(nr_cpu_ids) * sizeof(u64);
}

static void read_clocks(struct rcr_set *item)
{
	item->clock_tsc = rdtsc_ordered();
	item->clock_monotonic = ktime_get_ns();
	item->clock_realtime = ktime_to_ns(ktime_mono_to_real(item->clock_monotonic));
}

static void describe_memory(const struct rcr_run *run, struct rcr_set *item)
{
	item->ncpus = nr_cpu_ids;
	item->record_size = run->record_size;
	item->ring_records = run->capacity;
	item->ring_bytes = rcr_ring_bytes(run->capacity, run->record_size);
	item->marks_bytes = rcr_scale_bytes(run->record_size);
	item->marks_ring_bytes = rcr_scale_ring_bytes(run->record_size);
	item->marks_rings = RCR_SCALES;
	item->places_bytes = rcr_ring_bytes(run->capacity, sizeof(struct rcr_place));
}

static void describe_record(const struct rcr_run *run, struct rcr_set *item)
{
	item->value_offset = offsetof(struct rcr_record, value);
	item->value_size = sizeof(u64);
	item->status_offset = item->value_offset + run->set.count * sizeof(u64);
	item->status_size = sizeof(u8);
	item->slow_offset = rcr_run_slow_offset(run);
}

/**
 * rcr_set_item_fill() - describe a run
 * @run: the run
 * @item: zeroed buffer of rcr_set_item_size() bytes
 */
void rcr_set_item_fill(const struct rcr_run *run, struct rcr_set *item)
{
	const struct rcr_counter_set *set = &run->set;
	u32 counters = active_counters(run);

	item->item.size = rcr_set_item_size(run);
	item->item.type = RCR_ITEM_SET;
	item->item.cpu = ~0u;
	item->item.generation = set->generation;
	item->version = RCR_ABI_VERSION;
	item->compat_version = RCR_ABI_COMPAT_VERSION;
	item->error = -set->failure.error;
	item->ncounters = counters;
	item->tsc_khz = tsc_khz;
	item->period_ns = run->timing.period;
	item->slow = set->slow;
	item->slow_period_ns = run->timing.period * run->timing.slow;
	item->counters_max = RCR_MAX_COUNTERS;
	item->read_min = RCR_READ_MIN;
	describe_memory(run, item);
	describe_record(run, item);
	read_clocks(item);
	strscpy(item->source, rcr_sources_name(set), sizeof(item->source));
	if (set->machine)
		strscpy(item->family, set->machine->family->name, sizeof(item->family));
	item->reason = set->failure.reason;
	item->counter_offset = sizeof(*item);
	item->counter_size = sizeof(set->counter[0]);
	item->cpus_offset = sizeof(*item) + counters * sizeof(set->counter[0]);
	memcpy((char *)item + item->counter_offset, set->counter,
	       counters * sizeof(set->counter[0]));
	bitmap_to_arr64((u64 *)((char *)item + item->cpus_offset),
			cpumask_bits(&run->cpus), nr_cpu_ids);
}
