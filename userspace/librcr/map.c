// SPDX-License-Identifier: GPL-2.0-only
/*
 * map.c - reads a CPU's ring in place, without a system call: the reader's side
 * of section 4 of <linux/rcrtool.h>.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "rcr.h"

/**
 * struct rcr_map - a mapped ring
 * @ring: the ring
 * @bytes: of the mapping
 * @position: the record handed out last, or to be handed out next
 * @handed: the one at @position is handed out
 */
struct rcr_map {
	const struct rcr_ring *ring;
	size_t bytes;
	uint64_t position;
	bool handed;
};

static uint64_t load_acquire(const __u64 *p)
{
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);	/* (B) of the contract */
}

static uint64_t oldest(const struct rcr_ring *r)
{
	uint64_t reserved = __atomic_load_n(&r->reserved, __ATOMIC_RELAXED);

	return reserved > r->capacity ? reserved - r->capacity : 0;
}

static bool is_sound(const struct rcr_ring *r, size_t bytes)
{
	return r->magic == RCR_RING_MAGIC && r->compat_version <= RCR_ABI_VERSION &&
	       r->record_size >= sizeof(struct rcr_record) &&
	       r->record_size % 8 == 0 && r->capacity &&
	       !(r->capacity & (r->capacity - 1)) && r->data_offset <= bytes &&
	       (uint64_t)r->capacity * r->record_size <= bytes - r->data_offset;
}

struct rcr_map *rcr_map(struct rcr_reader *r, unsigned int cpu)
{
	const struct rcr_set *set = rcr_reader_set(r);
	struct rcr_map *m;
	void *at;

	if (!set || !rcr_set_has_cpu(set, cpu)) {
		errno = EINVAL;
		return NULL;
	}
	m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	m->bytes = set->ring_bytes;
	at = mmap(NULL, m->bytes, PROT_READ, MAP_SHARED, rcr_fd(r),
		  (off_t)(cpu * set->ring_bytes));
	if (at == MAP_FAILED) {
		free(m);
		return NULL;
	}
	m->ring = at;
	if (!is_sound(m->ring, m->bytes)) {
		rcr_unmap(m);
		errno = EPROTO;
		return NULL;
	}
	m->position = load_acquire(&m->ring->head);
	return m;
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
		/* What was written before it ended is there now. */
		if (m->position >= load_acquire(&m->ring->head)) {
			errno = ENODATA;
			return -1;
		}
	}
	first = oldest(m->ring);
	if (m->position < first) {
		*lost = first - m->position;
		m->position = first;
	}
	*record = (const void *)((const char *)m->ring + m->ring->data_offset +
				 (m->position & (m->ring->capacity - 1)) *
				 (uint64_t)m->ring->record_size);
	m->handed = true;
	return 1;
}

bool rcr_map_valid(struct rcr_map *m)
{
	if (!m || !m->handed)
		return false;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);	/* (A) of the contract */
	if (m->position >= oldest(m->ring))
		return true;
	/* It is one of those that the next call tells as lost. */
	m->handed = false;
	return false;
}
