/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * made_rings.h - fakes librcr's rings for tests of their readers; the test writes the records.
 */
#ifndef UNIT_MADE_RINGS_H
#define UNIT_MADE_RINGS_H

#include <errno.h>
#include <stdbool.h>

#include "rcr.h"
#include "stream_maker.h"

#define MADE_SLOTS	64

/**
 * struct rcr_map - a fake ring
 * @slot: position p is in slot p % MADE_SLOTS
 * @first: position of the oldest record that was not overwritten
 * @end: position after the newest record
 * @at: position of the record that was returned last, or of the next one
 * @handed: the record at @at was returned
 * @torn: number of next records that are overwritten while they are copied
 * @until: earliest time of the next record, ns
 * @ended: the set was replaced
 */
struct rcr_map {
	struct made_record slot[MADE_SLOTS];
	uint64_t first, end, at;
	bool handed;
	unsigned int torn;
	uint64_t until;
	bool ended;
};

/* Add a sample; may overwrite the oldest one. */
static inline struct made_record *made_sample(struct rcr_map *m, unsigned int cpu, uint64_t time_ms)
{
	struct made_record *r = &m->slot[m->end % MADE_SLOTS];

	*r = make_sample(cpu, time_ms, m->end, 0);
	r->record.position = m->end++;
	if (m->end - m->first > MADE_SLOTS)
		m->first = m->end - MADE_SLOTS;
	return r;
}

int rcr_map_next(struct rcr_map *m, const struct rcr_record **record, uint64_t *lost)
{
	m->at += m->handed;
	m->handed = false;
	*lost = 0;
	if (m->at >= m->end) {
		errno = ENODATA;
		return m->ended ? -1 : 0;
	}
	if (m->at < m->first) {
		*lost = m->first - m->at;
		m->at = m->first;
	}
	*record = &m->slot[m->at % MADE_SLOTS].record;
	m->handed = true;
	return 1;
}

void rcr_map_rewind(struct rcr_map *m)
{
	m->at = m->first;
	m->handed = false;
}

bool rcr_map_valid(struct rcr_map *m)
{
	if (!m->torn)
		return m->handed;
	m->torn--;
	m->handed = false;
	if (m->first <= m->at)
		m->first = m->at + 1;
	return false;
}

uint64_t rcr_map_until(const struct rcr_map *m)
{
	return m->until;
}

bool rcr_map_ended(const struct rcr_map *m)
{
	return m->ended;
}

size_t rcr_map_bytes(const struct rcr_map *m)
{
	return sizeof(m->slot);
}

int rcr_map_copy(const struct rcr_map *m, void *to, struct rcr_copy *copy)
{
	memcpy(to, m->slot, sizeof(m->slot));
	*copy = (struct rcr_copy){
		.first = m->first, .end = m->end, .record_size = sizeof(m->slot[0]),
		.capacity = MADE_SLOTS, .generation = 1,
	};
	return 0;
}

#endif
