// SPDX-License-Identifier: LGPL-2.1-or-later
/* set.c - access to a set and to the records that belong to it. */
#include <string.h>

#include "rcr.h"

const struct rcr_counter *rcr_set_counter(const struct rcr_set *set, unsigned int i)
{
	if (!set || i >= set->ncounters)
		return NULL;
	return (const struct rcr_counter *)((const char *)set + set->counter_offset +
					    (size_t)i * set->counter_size);
}

bool rcr_set_has_cpu(const struct rcr_set *set, unsigned int cpu)
{
	const uint64_t *words;

	if (!set || cpu >= set->ncpus)
		return false;
	words = (const uint64_t *)((const char *)set + set->cpus_offset);
	return words[cpu / 64] >> (cpu % 64) & 1;
}

enum rcr_status rcr_record_status(const struct rcr_set *set,
				  const struct rcr_record *sample, unsigned int i)
{
	if (!set || !sample || sample->item.type != RCR_ITEM_SAMPLE ||
	    i >= set->ncounters)
		return 0;
	return *((const uint8_t *)sample + set->status_offset + (size_t)i * set->status_size);
}

uint64_t rcr_record_total(const struct rcr_set *set, const struct rcr_record *sample,
			  unsigned int i)
{
	uint64_t total = 0;

	if (set && sample && sample->item.type == RCR_ITEM_SAMPLE && i < set->ncounters)
		memcpy(&total, (const char *)sample + set->value_offset +
		       (size_t)i * set->value_size, sizeof(total));
	return total;
}

void rcr_record_copy(const struct rcr_set *set, const struct rcr_record *sample,
		     uint64_t *totals, uint8_t *statuses)
{
	const char *total, *status;
	unsigned int i;

	if (!set || !sample || sample->item.type != RCR_ITEM_SAMPLE)
		return;
	total = (const char *)sample + set->value_offset;
	status = (const char *)sample + set->status_offset;
	if (set->value_size == sizeof(*totals) && set->status_size == sizeof(*statuses)) {
		memcpy(totals, total, set->ncounters * sizeof(*totals));
		memcpy(statuses, status, set->ncounters);
		return;
	}
	for (i = 0; i < set->ncounters; i++) {
		memcpy(&totals[i], total + (size_t)i * set->value_size, sizeof(*totals));
		statuses[i] = status[(size_t)i * set->status_size];
	}
}

bool rcr_set_is_slow(const struct rcr_set *set, unsigned int i)
{
	return set && i < set->ncounters && (set->slow >> i & 1);
}

bool rcr_set_is_gauge(const struct rcr_set *set, unsigned int i)
{
	const struct rcr_counter *c = rcr_set_counter(set, i);

	return c && c->unit == RCR_UNIT_MILLIDEGREE;
}

const struct rcr_slow *rcr_record_slow(const struct rcr_set *set,
				       const struct rcr_record *sample)
{
	if (!set || !sample || !set->slow_offset ||
	    sample->item.type != RCR_ITEM_SAMPLE)
		return NULL;
	return (const struct rcr_slow *)((const char *)sample + set->slow_offset);
}

const char *rcr_status_name(enum rcr_status status)
{
	switch (status) {
	case RCR_STATUS_OK:
		return "ok";
	case RCR_STATUS_HALTED:
		return "halted";
	case RCR_STATUS_FOREIGN:
		return "foreign";
	case RCR_STATUS_BUSY:
		return "busy";
	case RCR_STATUS_FAULT:
		return "fault";
	case RCR_STATUS_OFFLINE:
		return "offline";
	case RCR_STATUS_GAP:
		return "gap";
	case RCR_STATUS_ELSEWHERE:
		return "elsewhere";
	case RCR_STATUS_MISPLACED:
		return "misplaced";
	}
	return "unknown";
}

const char *rcr_mark_kind_name(enum rcr_mark_kind kind)
{
	switch (kind) {
	case RCR_MARK_TEXT:
		return "text";
	case RCR_MARK_BEGIN:
		return "begin";
	case RCR_MARK_END:
		return "end";
	case RCR_MARK_VERDICT:
		return "verdict";
	}
	return "unknown";
}
