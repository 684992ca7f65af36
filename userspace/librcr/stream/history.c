// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * history.c - reads the mark rings of a CPU, which hold its totals at the sixteenths of each time
 * scale, and the counts between marks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "history.h"

/**
 * struct rcr_history - mapped mark rings of a CPU
 * @rings: the rings
 * @bytes: size of the mapping
 * @ring_bytes: distance of two rings, bytes
 * @count: number of rings
 */
struct rcr_history {
	const void *rings;
	size_t bytes;
	uint32_t ring_bytes;
	uint32_t count;
};

static const struct rcr_ring *ring_at(const struct rcr_history *h, unsigned int i)
{
	return (const struct rcr_ring *)((const char *)h->rings + (size_t)i * h->ring_bytes);
}

static bool is_sound_ring(const struct rcr_ring *r, const struct rcr_set *set)
{
	return r->magic == RCR_RING_MAGIC && r->version >= RCR_ABI_COMPAT_VERSION &&
	       r->compat_version <= RCR_ABI_VERSION && r->data_offset % 8 == 0 &&
	       r->data_offset >= sizeof(*r) && r->record_size == set->record_size &&
	       r->record_size % 8 == 0 && r->capacity && !(r->capacity & (r->capacity - 1)) &&
	       r->data_offset + (uint64_t)r->capacity * r->record_size <= set->marks_ring_bytes;
}

static bool are_sound(const struct rcr_history *h, const struct rcr_set *set)
{
	unsigned int i;

	for (i = 0; i < h->count; i++)
		if (!is_sound_ring(ring_at(h, i), set))
			return false;
	return true;
}

/* Checks the set's description of its mark rings. */
static bool has_marks(const struct rcr_set *set)
{
	return set->marks_rings && set->marks_ring_bytes % 8 == 0 &&
	       set->marks_ring_bytes >= sizeof(struct rcr_ring) &&
	       set->record_size >= sizeof(struct rcr_record) &&
	       (uint64_t)set->marks_rings * set->marks_ring_bytes <= set->marks_bytes;
}

struct rcr_history *rcr_history_map(struct rcr_reader *r, unsigned int cpu)
{
	const struct rcr_set *set = rcr_reader_set(r);
	struct rcr_history *h;
	void *at;

	if (!set || !rcr_set_has_cpu(set, cpu)) {
		errno = EINVAL;
		return NULL;
	}
	if (!has_marks(set) || rcr_reader_is_saved(r)) {
		errno = rcr_reader_is_saved(r) ? ENODEV : EPROTO;
		return NULL;
	}
	h = calloc(1, sizeof(*h));
	if (!h)
		return NULL;
	h->bytes = set->marks_bytes;
	h->ring_bytes = set->marks_ring_bytes;
	h->count = set->marks_rings;
	at = mmap(NULL, h->bytes, PROT_READ, MAP_SHARED, rcr_fd(r),
		  (off_t)(RCR_MAP_MARKS + cpu * set->marks_bytes));
	if (at == MAP_FAILED) {
		free(h);
		return NULL;
	}
	h->rings = at;
	if (!are_sound(h, set)) {
		rcr_history_unmap(h);
		errno = EPROTO;
		return NULL;
	}
	return h;
}

void rcr_history_unmap(struct rcr_history *h)
{
	if (!h)
		return;
	munmap((void *)h->rings, h->bytes);
	free(h);
}

static uint64_t scale_of(const struct rcr_ring *r)
{
	return __atomic_load_n(&r->scale, __ATOMIC_ACQUIRE);
}

static const struct rcr_ring *find_scale(const struct rcr_history *h, uint64_t scale)
{
	unsigned int i;

	for (i = 0; i < h->count; i++)
		if (scale_of(ring_at(h, i)) == scale)
			return ring_at(h, i);
	return NULL;
}

int rcr_history_scales(const struct rcr_history *h, uint64_t *scales, unsigned int room)
{
	unsigned int i, found = 0;
	uint64_t scale;

	if (!h || (room && !scales)) {
		errno = EINVAL;
		return -1;
	}
	for (i = 0; i < h->count; i++) {
		scale = scale_of(ring_at(h, i));
		if (scale && found < room)
			scales[found] = scale;
		found += !!scale;
	}
	return found;
}

static uint64_t load_position(const __u64 *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

static void copy_mark(const struct rcr_ring *r, uint64_t position, char *to)
{
	const __u64 *from = (const void *)((const char *)r + r->data_offset +
					   (position & (r->capacity - 1)) * r->record_size);
	uint64_t word;
	uint32_t i;

	for (i = 0; i < r->record_size; i += sizeof(word)) {
		word = load_position(from++);
		memcpy(to + i, &word, sizeof(word));
	}
}

/* Position of the oldest mark of the current time scale; it may be overwritten at any time. */
static uint64_t oldest_mark(const struct rcr_ring *r)
{
	uint64_t reserved = load_position(&r->reserved), first = load_position(&r->first);
	uint64_t kept = reserved > r->capacity ? reserved - r->capacity : 0;

	return kept > first ? kept : first;
}

int rcr_ring_history(const struct rcr_ring *r, uint64_t scale, void *marks, unsigned int room)
{
	uint64_t from, to, after;
	unsigned int i;

	if (scale_of(r) != scale)
		return 0;
	to = __atomic_load_n(&r->head, __ATOMIC_ACQUIRE);	/* (B) of the protocol */
	from = oldest_mark(r);
	if (from + room < to)
		from = to - room;
	for (i = 0; from + i < to; i++)
		copy_mark(r, from + i, (char *)marks + (size_t)i * r->record_size);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);		/* (A) of the protocol */
	after = oldest_mark(r);
	if (scale_of(r) != scale || after >= to)
		return 0;
	if (after <= from)
		return i;
	/* The oldest ones were overwritten, or belong to another time scale. */
	memmove(marks, (char *)marks + (after - from) * r->record_size,
		(to - after) * r->record_size);
	return to - after;
}

int rcr_history_read(const struct rcr_history *h, uint64_t scale, void *marks, size_t bytes)
{
	const struct rcr_ring *r;

	if (!h || !scale || (bytes && !marks)) {
		errno = EINVAL;
		return -1;
	}
	r = find_scale(h, scale);
	if (!r) {
		errno = ENOENT;
		return -1;
	}
	return rcr_ring_history(r, scale, marks, bytes / r->record_size);
}

/* TSC in the middle of reading counter @i. */
static uint64_t counter_time(const struct rcr_set *set, const struct rcr_record *r, unsigned int i)
{
	const struct rcr_slow *slow = rcr_set_is_slow(set, i) ? rcr_record_slow(set, r) : NULL;

	return slow ? slow->tsc + (slow->tsc_end - slow->tsc) / 2 :
		      r->tsc + (r->tsc_end - r->tsc) / 2;
}

bool rcr_part(const struct rcr_set *set, const struct rcr_record *from,
	      const struct rcr_record *to, unsigned int i, struct rcr_part *part)
{
	if (!part)
		return false;
	*part = (struct rcr_part){ .count = 0 };
	if (!set || !from || !to || i >= set->ncounters ||
	    from->changes != to->changes ||
	    rcr_record_status(set, from, i) != RCR_STATUS_OK ||
	    rcr_record_status(set, to, i) != RCR_STATUS_OK)
		return false;
	part->count = rcr_record_total(set, to, i) - rcr_record_total(set, from, i);
	part->cycles = counter_time(set, to, i) - counter_time(set, from, i);
	return true;
}
