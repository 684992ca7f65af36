// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * merge.c - merge copied rings into one stream. Times within a ring never decrease, so that binary
 * search finds each ring's part of the window.
 */
#include "merge.h"

#define NEVER UINT64_MAX

static const struct rcr_record *record_at(const struct merge_ring *r, uint64_t position)
{
	return (const void *)(r->data + (position & (r->copy.capacity - 1)) *
			      r->copy.record_size);
}

/* Position of the first record that is later than @time; the end of the copy if there is none. */
static uint64_t position_after(const struct merge_ring *r, uint64_t time)
{
	uint64_t from = r->copy.first, to = r->copy.end, middle;

	while (from < to) {
		middle = from + (to - from) / 2;
		if (record_at(r, middle)->time > time)
			to = middle;
		else
			from = middle + 1;
	}
	return from;
}

static uint64_t ring_time(const struct merge_ring *r)
{
	return r->at < r->copy.end ? record_at(r, r->at)->time : NEVER;
}

bool merge_has_records(const struct merge_run *run, uint64_t begin, uint64_t end)
{
	unsigned int i;

	for (i = 0; i < run->rings; i++)
		if (position_after(&run->ring[i], begin) < position_after(&run->ring[i], end))
			return true;
	return false;
}

uint64_t merge_count_older(const struct merge_run *run, uint64_t begin)
{
	uint64_t least = NEVER, older;
	unsigned int i;

	for (i = 0; i < run->rings; i++) {
		if (!run->ring[i].copy.first)
			continue;
		older = position_after(&run->ring[i], begin) - run->ring[i].copy.first;
		if (older < least)
			least = older;
	}
	return least;
}

uint64_t merge_whole_since(const struct merge_run *run)
{
	uint64_t first = NEVER, whole = 0, time;
	unsigned int i;

	for (i = 0; i < run->rings; i++) {
		const struct merge_ring *r = &run->ring[i];

		if (r->copy.first == r->copy.end)
			continue;
		time = record_at(r, r->copy.first)->time;
		first = time < first ? time : first;
		if (r->copy.first && time > whole)
			whole = time;
	}
	return whole > first || first == NEVER ? whole : first;
}

/*
 * Write a struct rcr_lost if records of the window were overwritten before they were copied. Then
 * the copy begins after @begin, but not with the first record of the run. The period gives the
 * number of lost records in the window. If the ring was overwritten completely while it was copied,
 * the whole window is lost.
 */
static int write_lost(const struct merge_run *run, const struct merge_ring *r, uint64_t begin,
		      uint64_t end, merge_write write, void *to)
{
	struct rcr_lost lost = {
		.item = {
			.size = sizeof(lost), .type = RCR_ITEM_LOST, .cpu = r->cpu,
			.generation = run->set->item.generation,
		},
		.count = 1,
	};
	uint64_t first = r->copy.first, missing, until;

	if (!first)
		return 0;
	until = first < r->copy.end ? record_at(r, first)->time : end + 1;
	if (until <= begin)
		return 0;
	if (run->set->period_ns) {
		missing = (until - begin - 1) / run->set->period_ns;
		/* The window begins just after the last overwritten record: none of it is lost. */
		if (!missing)
			return 0;
		lost.count = missing < first ? missing : first;
	}
	lost.position = first - lost.count;
	return write(to, &lost, sizeof(lost));
}

static uint64_t oldest_time(const struct merge_run *run)
{
	uint64_t oldest = NEVER;
	unsigned int i;

	for (i = 0; i < run->rings; i++)
		if (ring_time(&run->ring[i]) < oldest)
			oldest = ring_time(&run->ring[i]);
	return oldest;
}

/* Write the records of all CPUs at one instant: all CPUs sample at the same time. */
static int write_round(struct merge_run *run, uint64_t time, merge_write write, void *to)
{
	struct merge_ring *r;
	unsigned int i;

	for (i = 0; i < run->rings; i++) {
		r = &run->ring[i];
		for (; ring_time(r) <= time; r->at++)
			if (write(to, record_at(r, r->at), run->set->record_size))
				return -1;
	}
	return 0;
}

static int write_records(struct merge_run *run, uint64_t end, merge_write write, void *to)
{
	uint64_t time;

	for (time = oldest_time(run); time <= end; time = oldest_time(run))
		if (write_round(run, time, write, to))
			return -1;
	return 0;
}

int merge_items(struct merge_run *run, uint64_t begin, uint64_t end, merge_write write,
		void *to)
{
	const struct rcr_mark *mark;
	unsigned int i;
	uint64_t p;

	if (write(to, run->set, run->set->item.size))
		return -1;
	for (i = 0; i < run->rings; i++) {
		run->ring[i].at = position_after(&run->ring[i], begin);
		if (write_lost(run, &run->ring[i], begin, end, write, to))
			return -1;
	}
	for (p = run->marks_first; p < run->marks; p++) {
		mark = &run->mark[p % RCR_MARKS];
		if (mark->time <= begin || mark->time > end)
			continue;
		if (write_records(run, mark->time, write, to) ||
		    write(to, mark, mark->item.size))
			return -1;
	}
	return write_records(run, end, write, to);
}
