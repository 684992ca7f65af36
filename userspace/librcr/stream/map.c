// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * map.c - reads a CPU's ring in place without a system call, using the reader's side of the
 * protocol in <linux/rcrtool.h>.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "history.h"

/**
 * struct rcr_map - a mapped ring
 * @ring: the ring; members that were checked are not read from it again
 * @bytes: size of the mapping
 * @data: slot 0
 * @record_size: size of a slot, bytes
 * @set_record_size: bytes of a slot that this library knows
 * @capacity: number of slots, a power of two
 * @position: the record that was returned last, or the next one to return
 * @handed: the record at @position was returned
 */
struct rcr_map {
	const struct rcr_ring *ring;
	size_t bytes;
	const char *data;
	uint64_t record_size;
	uint64_t set_record_size;
	uint64_t capacity;
	uint64_t position;
	bool handed;
};

static uint64_t load_acquire(const __u64 *p)
{
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);	/* (B) of the protocol */
}

static uint64_t oldest_position(const struct rcr_map *m)
{
	uint64_t reserved = __atomic_load_n(&m->ring->reserved, __ATOMIC_RELAXED);

	return reserved > m->capacity ? reserved - m->capacity : 0;
}

static bool is_whole(const struct rcr_map *m, uint32_t data_offset, uint64_t least)
{
	return m->record_size >= least && m->record_size % 8 == 0 && m->capacity &&
	       !(m->capacity & (m->capacity - 1)) && data_offset % 8 == 0 &&
	       data_offset >= sizeof(struct rcr_ring) && data_offset <= m->bytes &&
	       m->capacity * m->record_size <= m->bytes - data_offset;
}

/* @least: bytes of a slot that the caller reads; 0: the set has no records */
static bool is_sound_header(struct rcr_map *m, uint64_t least)
{
	const struct rcr_ring *r = m->ring;
	uint32_t data_offset;

	if (m->bytes < sizeof(*r) || r->magic != RCR_RING_MAGIC ||
	    r->version < RCR_ABI_COMPAT_VERSION || r->compat_version > RCR_ABI_VERSION)
		return false;
	data_offset = r->data_offset;
	m->data = (const char *)r + data_offset;
	m->record_size = r->record_size;
	m->set_record_size = least;
	m->capacity = r->capacity;
	return least && is_whole(m, data_offset, least);
}

/* A saved stream has no rings. */
bool rcr_reader_is_saved(const struct rcr_reader *r)
{
	struct stat st;

	return !fstat(rcr_fd(r), &st) && !S_ISCHR(st.st_mode);
}

/*
 * Maps the ring of CPU @cpu, at @base + @cpu * @bytes. @least: bytes of a record that the caller
 * reads; 0: the set has no records.
 */
static struct rcr_map *map_ring(struct rcr_reader *r, unsigned int cpu, uint64_t base,
				uint64_t bytes, uint64_t least)
{
	const struct rcr_set *set = rcr_reader_set(r);
	struct rcr_map *m;
	void *at;

	if (!rcr_set_has_cpu(set, cpu)) {
		errno = EINVAL;
		return NULL;
	}
	if (rcr_reader_is_saved(r)) {
		errno = ENODEV;
		return NULL;
	}
	m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	m->bytes = bytes;
	at = mmap(NULL, bytes, PROT_READ, MAP_SHARED, rcr_fd(r), (off_t)(base + cpu * bytes));
	if (at == MAP_FAILED) {
		free(m);
		return NULL;
	}
	m->ring = at;
	if (!is_sound_header(m, least)) {
		rcr_unmap(m);
		errno = EPROTO;
		return NULL;
	}
	/* The module may already have a newer set than the items that the reader has returned. */
	if (m->ring->generation != set->item.generation) {
		rcr_unmap(m);
		errno = ESTALE;
		return NULL;
	}
	m->position = load_acquire(&m->ring->head);
	return m;
}

struct rcr_map *rcr_map(struct rcr_reader *r, unsigned int cpu)
{
	const struct rcr_set *set = rcr_reader_set(r);

	if (!set) {
		errno = EINVAL;
		return NULL;
	}
	/* The reader has checked that a sample is within the set's record_size. */
	return map_ring(r, cpu, 0, set->ring_bytes, set->record_size);
}

void rcr_map_rewind(struct rcr_map *m)
{
	if (!m)
		return;
	m->position = oldest_position(m);
	m->handed = false;
}

void rcr_unmap(struct rcr_map *m)
{
	if (!m)
		return;
	munmap((void *)m->ring, m->bytes);
	free(m);
}

int rcr_map_next(struct rcr_map *m, const struct rcr_record **record, uint64_t *lost)
{
	uint64_t head, first;

	if (!m || !record || !lost) {
		errno = EINVAL;
		return -1;
	}
	m->position += m->handed;
	m->handed = false;
	*lost = 0;
	head = load_acquire(&m->ring->head);
	if (m->position >= head) {
		if (!__atomic_load_n(&m->ring->ended, __ATOMIC_ACQUIRE))
			return 0;
		/* Records written before the ring ended are visible now. */
		if (m->position >= load_acquire(&m->ring->head)) {
			errno = ENODATA;
			return -1;
		}
	}
	first = oldest_position(m);
	if (m->position < first) {
		*lost = first - m->position;
		m->position = first;
	}
	*record = (const void *)(m->data + (m->position & (m->capacity - 1)) * m->record_size);
	m->handed = true;
	return 1;
}

bool rcr_map_valid(struct rcr_map *m)
{
	if (!m || !m->handed)
		return false;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);	/* (A) of the protocol */
	if (m->position >= oldest_position(m))
		return true;
	/* The next call includes this record in @lost. */
	m->handed = false;
	return false;
}

uint64_t rcr_map_until(const struct rcr_map *m)
{
	return m ? load_acquire(&m->ring->next) : RCR_RING_NEVER;	/* (C) of the protocol */
}

bool rcr_map_ended(const struct rcr_map *m)
{
	return m && __atomic_load_n(&m->ring->ended, __ATOMIC_ACQUIRE);
}

uint64_t rcr_map_head(const struct rcr_map *m)
{
	return m ? load_acquire(&m->ring->head) : 0;
}

int rcr_map_read(const struct rcr_map *m, uint64_t position, void *to)
{
	if (!m || !to) {
		errno = EINVAL;
		return -1;
	}
	if (position >= load_acquire(&m->ring->head))
		return 0;
	memcpy(to, m->data + (position & (m->capacity - 1)) * m->record_size, m->set_record_size);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);	/* (A) of the protocol */
	if (position >= oldest_position(m))
		return 1;
	errno = ENODATA;
	return -1;
}

size_t rcr_map_bytes(const struct rcr_map *m)
{
	return m ? m->capacity * m->record_size : 0;
}

int rcr_map_copy(const struct rcr_map *m, void *to, struct rcr_copy *copy)
{
	uint64_t first;

	if (!m || !to || !copy) {
		errno = EINVAL;
		return -1;
	}
	*copy = (struct rcr_copy){
		.end = load_acquire(&m->ring->head),
		.record_size = m->record_size,
		.capacity = m->capacity,
		.generation = m->ring->generation,
	};
	/* Records that are overwritten meanwhile may be torn: they are excluded from @copy. */
	memcpy(to, m->data, m->capacity * m->record_size);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);	/* (A) of the protocol */
	first = oldest_position(m);
	copy->first = first < copy->end ? first : copy->end;
	return 0;
}

/**
 * struct rcr_places - a mapped ring of places
 * @map: the ring; its records are struct rcr_place
 */
struct rcr_places {
	struct rcr_map map;
};

struct rcr_places *rcr_places_map(struct rcr_reader *r, unsigned int cpu)
{
	const struct rcr_set *set = rcr_reader_set(r);

	if (!set) {
		errno = EINVAL;
		return NULL;
	}
	return (struct rcr_places *)map_ring(r, cpu, RCR_MAP_PLACES, set->places_bytes,
					     sizeof(struct rcr_place));
}

void rcr_places_unmap(struct rcr_places *p)
{
	rcr_unmap((struct rcr_map *)p);
}

int rcr_places_read(const struct rcr_places *p, const struct rcr_record *record,
		    struct rcr_place *place)
{
	int ret;

	if (!p || !record || !place || record->item.cpu != p->map.ring->cpu ||
	    record->item.generation != p->map.ring->generation) {
		errno = EINVAL;
		return -1;
	}
	ret = rcr_map_read(&p->map, record->position, place);
	/* No place was written at this position: the slot has another one, or none yet. */
	if (ret == 1 && place->position != record->position)
		ret = 0;
	return ret;
}
