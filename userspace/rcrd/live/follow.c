// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * follow.c - merge the rings of a run. All CPUs sample at the same instants; the records of an
 * instant are delivered when all CPUs have written theirs.
 */
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "live/follow.h"

/* Maximum time to wait for a CPU that writes no records, ns. */
#define PATIENCE_NS	1000000000ull

/**
 * struct follow_ring - ring of a CPU
 * @cpu: the CPU
 * @map: the ring
 * @lost: number of records before @next that were overwritten
 * @until: no record older than this is still to be written, ns
 * @next: copy of the next record; time 0: there is none
 */
struct follow_ring {
	unsigned int cpu;
	struct rcr_map *map;
	uint64_t lost;
	uint64_t until;
	struct rcr_record *next;
};

/**
 * struct follow - the rings of a run
 * @set: the set
 * @rings: number of rings
 * @ring: the rings
 */
struct follow {
	const struct rcr_set *set;
	unsigned int rings;
	struct follow_ring ring[];
};

struct follow *follow_begin(struct run *run, bool whole)
{
	struct follow *f = calloc(1, sizeof(*f) + run->merge.rings * sizeof(f->ring[0]));
	unsigned int i;

	if (!f)
		return NULL;
	f->set = run->merge.set;
	for (i = 0; i < run->merge.rings; i++) {
		struct follow_ring *r = &f->ring[f->rings++];

		*r = (struct follow_ring){ .cpu = run->merge.ring[i].cpu, .map = run->map[i] };
		if (whole)
			rcr_map_rewind(r->map);
		r->next = calloc(1, f->set->record_size);
		if (!r->next) {
			follow_end(f);
			return NULL;
		}
	}
	return f;
}

void follow_end(struct follow *f)
{
	unsigned int i;

	for (i = 0; f && i < f->rings; i++)
		free(f->ring[i].next);
	free(f);
}

/* Copy the next sample of a ring, unless the last copy has not been delivered yet. */
static void fetch_record(const struct follow *f, struct follow_ring *r)
{
	const struct rcr_record *record;
	uint64_t lost;

	r->until = rcr_map_until(r->map);
	while (!r->next->time && rcr_map_next(r->map, &record, &lost) == 1) {
		r->lost += lost;
		memcpy(r->next, record, f->set->record_size);
		if (!rcr_map_valid(r->map) || r->next->item.type != RCR_ITEM_SAMPLE)
			r->next->time = 0;
	}
}

static void deliver_record(const struct follow *f, struct follow_ring *r, follow_take take,
			   void *to)
{
	const struct rcr_lost lost = {
		.item = {
			.size = sizeof(lost), .type = RCR_ITEM_LOST, .cpu = r->cpu,
			.generation = f->set->item.generation,
		},
		.count = r->lost,
	};

	if (r->lost)
		take(to, f->set, &lost.item);
	r->lost = 0;
	take(to, f->set, &r->next->item);
	r->next->time = 0;
}

/* Time of the oldest record of all rings; UINT64_MAX if there is none. */
static uint64_t oldest_record(const struct follow *f)
{
	uint64_t oldest = UINT64_MAX;
	unsigned int i;

	for (i = 0; i < f->rings; i++)
		if (f->ring[i].next->time && f->ring[i].next->time < oldest)
			oldest = f->ring[i].next->time;
	return oldest;
}

/* True if a CPU whose ring has no record may still write one that is not newer than @time. */
static bool may_be_older(const struct follow *f, uint64_t time, uint64_t now)
{
	unsigned int i;

	for (i = 0; i < f->rings; i++)
		if (!f->ring[i].next->time && f->ring[i].until <= time &&
		    f->ring[i].until + PATIENCE_NS > now)
			return true;
	return false;
}

static void merge_rings(struct follow *f, bool ended, follow_take take, void *to)
{
	uint64_t now = now_ns(), time;
	unsigned int i;

	for (;;) {
		for (i = 0; i < f->rings; i++)
			fetch_record(f, &f->ring[i]);
		time = oldest_record(f);
		if (time == UINT64_MAX || (!ended && may_be_older(f, time, now)))
			return;
		for (i = 0; i < f->rings; i++)
			if (f->ring[i].next->time && f->ring[i].next->time <= time)
				deliver_record(f, &f->ring[i], take, to);
	}
}

void follow_read(struct follow *f, follow_take take, void *to)
{
	merge_rings(f, false, take, to);
}

void follow_drain(struct follow *f, follow_take take, void *to)
{
	merge_rings(f, true, take, to);
}
