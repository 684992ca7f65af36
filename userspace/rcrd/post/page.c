// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * page.c - write the public board by the protocol of <linux/rcrboard.h>.
 *
 * The board reveals nothing about the programs of other users: no energy, power or frequency, and
 * nothing per core (the PLATYPUS attack read energy 1,000 times per second). RCR_METER_PUBLIC
 * selects its meters.
 *
 * Pure: also compiled into the unit tests.
 */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "page.h"

static_assert(sizeof(struct page_board) <= PAGE_BYTES, "the public board is one page");

static void store_value(struct rcr_board_entry *e, const struct rcr_board_value *v)
{
	const uint64_t version = e->head + 1, *from = (const uint64_t *)v;
	uint64_t *to = (uint64_t *)&e->slot[version % 2];
	unsigned int i;

	__atomic_store_n(&e->reserved, version, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);	/* (A) pairs with read_once() of librcr */
	for (i = 0; i < sizeof(*v) / sizeof(*to); i++)
		__atomic_store_n(&to[i], from[i], __ATOMIC_RELAXED);
	__atomic_store_n(&e->head, version, __ATOMIC_RELEASE);	/* (B) likewise */
}

/* The count is odd already if an earlier writer was killed during a change. */
static void begin_change(struct page *p)
{
	__atomic_store_n(&p->at->head.changes, p->at->head.changes | 1, __ATOMIC_RELAXED);
	/* Pairs with the fence of query_consistently() of librcr. */
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

static void end_change(struct page *p)
{
	__atomic_store_n(&p->at->head.changes, p->at->head.changes + 1, __ATOMIC_RELEASE);
}

static bool same_arrays(const struct rcr_board *a, const struct rcr_board *b)
{
	return a->magic == b->magic && a->version == b->version &&
	       a->compat_version == b->compat_version && a->bytes == b->bytes &&
	       a->meter_size == b->meter_size && a->meter_offset == b->meter_offset &&
	       a->meters == b->meters && a->place_size == b->place_size &&
	       a->place_offset == b->place_offset && a->entry_size == b->entry_size &&
	       a->entry_offset == b->entry_offset && a->entries == b->entries &&
	       a->size == b->size;
}

static void set_arrays(struct rcr_board *h)
{
	h->magic = RCR_BOARD_MAGIC;
	h->version = RCR_BOARD_VERSION;
	h->compat_version = RCR_BOARD_COMPAT_VERSION;
	h->bytes = PAGE_BYTES;
	h->size = sizeof(*h);
	h->meter_size = sizeof(struct rcr_board_meter);
	h->meter_offset = offsetof(struct page_board, meter);
	h->meters = PAGE_METERS;
	h->place_size = sizeof(struct rcr_board_place);
	h->place_offset = offsetof(struct page_board, place);
	h->entry_size = sizeof(struct rcr_board_entry);
	h->entry_offset = offsetof(struct page_board, entry);
	h->entries = PAGE_ENTRIES;
}

bool page_is_known(const struct page_board *at)
{
	struct rcr_board known = { 0 };

	set_arrays(&known);
	return same_arrays(&at->head, &known) && at->head.places <= PAGE_PLACES;
}

static void clear_entry(struct page *p, unsigned int i)
{
	__atomic_store_n(&p->at->entry[i].serial, 0, __ATOMIC_RELAXED);
	p->shown[i] = (struct page_source){ 0 };
	p->time[i] = 0;
}

static void clear_meter(struct page *p, struct rcr_board_meter *m)
{
	unsigned int i;

	for (i = m->first; i < m->first + m->entries; i++)
		clear_entry(p, i);
	__atomic_store_n(&m->serial, 0, __ATOMIC_RELAXED);
}

void page_begin(struct page *p, struct page_board *at, const struct rcr_board *all)
{
	unsigned int i;

	*p = (struct page){ .at = at };
	begin_change(p);
	for (i = 0; i < PAGE_ENTRIES; i++)
		clear_entry(p, i);
	for (i = 0; i < PAGE_METERS; i++)
		__atomic_store_n(&at->meter[i].serial, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&at->head.state, RCR_BOARD_STOPPED, __ATOMIC_RELAXED);
	set_arrays(&at->head);
	at->head.tsc_khz = all->tsc_khz;
	end_change(p);
}

/* Find or add a place. Its index never changes, as readers may keep it. Returns it, or -1. */
static int find_or_add_place(struct page *p, const struct page_source *from)
{
	struct rcr_board *head = &p->at->head;
	struct rcr_board_place *place = p->at->place;
	unsigned int i;

	for (i = 0; i < head->places; i++)
		if (place[i].kind == from->kind && place[i].number == from->number)
			return i;
	if (i == PAGE_PLACES)
		return -1;
	place[i].kind = from->kind;
	place[i].number = from->number;
	__atomic_store_n(&head->places, i + 1, __ATOMIC_RELEASE);
	return i;
}

/* Find the slot of the meter with @number on blackboard 1, or NULL. */
static struct rcr_board_meter *find_page_meter(struct page *p, unsigned int number)
{
	unsigned int i;

	for (i = 0; i < PAGE_METERS; i++)
		if (p->at->meter[i].serial && p->at->meter[i].number == number)
			return &p->at->meter[i];
	return NULL;
}

static struct rcr_board_meter *free_meter(struct page *p)
{
	unsigned int i;

	for (i = 0; i < PAGE_METERS; i++)
		if (!p->at->meter[i].serial)
			return &p->at->meter[i];
	return NULL;
}

/* Find @wanted consecutive free entries, or else the longest free run. Returns its length. */
static unsigned int free_entries(const struct page *p, unsigned int wanted,
				 unsigned int *first)
{
	unsigned int at, n, best = 0;

	for (at = 0; at < PAGE_ENTRIES; at++) {
		for (n = 0; n < wanted && at + n < PAGE_ENTRIES && !p->shown[at + n].serial; n++)
			;
		if (n > best) {
			best = n;
			*first = at;
		}
	}
	return best;
}

static void show_entry(struct page *p, unsigned int at, const struct page_source *from,
		       const struct rcr_board_meter *m, unsigned int place)
{
	static const struct rcr_board_value nothing;
	struct rcr_board_entry *e = &p->at->entry[at];

	__atomic_store_n(&e->meter, m->number, __ATOMIC_RELAXED);
	__atomic_store_n(&e->place, place, __ATOMIC_RELAXED);
	store_value(e, &nothing);
	p->shown[at] = *from;
	p->time[at] = 0;
	/* A reader that sees the serial also sees the stores above. */
	__atomic_store_n(&e->serial, m->serial, __ATOMIC_RELEASE);
}

/* True if the page shows these entries of the meter, or as many of them as fit. */
static bool is_shown(const struct page *p, const struct rcr_board_meter *shown,
		     const struct page_source *from, unsigned int entries)
{
	unsigned int i, first;

	if (shown->entries > entries ||
	    (shown->entries < entries && free_entries(p, 1, &first)))
		return false;
	for (i = 0; i < shown->entries; i++)
		if (memcmp(&p->shown[shown->first + i], &from[i], sizeof(*from)))
			return false;
	return true;
}

/* Flags may change, as when a maximum is set, while readers keep using the meter's entries. */
static void set_flags(struct page *p, struct rcr_board_meter *m, uint32_t flags)
{
	if (m->flags == flags)
		return;
	begin_change(p);
	__atomic_store_n(&m->flags, flags, __ATOMIC_RELAXED);
	end_change(p);
}

void page_set_meter(struct page *p, const struct rcr_board_meter *meter,
		    const struct page_source *from, unsigned int entries)
{
	struct rcr_board_meter *m = find_page_meter(p, meter->number), new = *meter;
	unsigned int i, room, first = 0;
	int place;

	if (m && is_shown(p, m, from, entries)) {
		set_flags(p, m, meter->flags);
		return;
	}
	begin_change(p);
	if (m)
		clear_meter(p, m);
	m = free_meter(p);
	room = m ? free_entries(p, entries, &first) : 0;
	if (room) {
		/* Serial 0 means none. */
		p->at->serials += p->at->serials == UINT32_MAX ? 2 : 1;
		new.serial = p->at->serials;
		new.first = first;
		new.entries = 0;
		for (i = 0; i < entries && new.entries < room; i++) {
			place = find_or_add_place(p, &from[i]);
			if (place >= 0)
				show_entry(p, first + new.entries++, &from[i], &new, place);
		}
		*m = new;
	}
	end_change(p);
}

/* Compare the serials of blackboard 1, as numbers are reused for meters that are added later. */
static bool is_shown_meter(const struct page *p, const struct rcr_board_meter *shown,
			   const struct rcr_board_meter *meter, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (meter[i].number == shown->number)
			return !shown->entries ||
			       p->shown[shown->first].serial == meter[i].serial;
	return false;
}

void page_keep_meters(struct page *p, const struct rcr_board_meter *meter, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < PAGE_METERS; i++) {
		struct rcr_board_meter *m = &p->at->meter[i];

		if (!m->serial || is_shown_meter(p, m, meter, count))
			continue;
		begin_change(p);
		clear_meter(p, m);
		end_change(p);
	}
}

void page_write(struct page *p, unsigned int at, const struct rcr_board_value *v)
{
	if (p->time[at] && v->time - p->time[at] < PAGE_PERIOD_NS)
		return;
	p->time[at] = v->time;
	store_value(&p->at->entry[at], v);
}

/* The page goes stale if blackboard 1 does, or if rcrd stops copying its heartbeat. */
void page_beat(struct page *p, const struct rcr_board *all, uint64_t now)
{
	struct rcr_board *head = &p->at->head;
	const uint64_t more = 10 * PAGE_PERIOD_NS / 1000000 * all->tsc_khz;
	uint32_t state = __atomic_load_n(&all->state, __ATOMIC_RELAXED);
	uint64_t period = __atomic_load_n(&all->period_ns, __ATOMIC_RELAXED);

	if (head->state == state && now - p->beat_ns < PAGE_PERIOD_NS)
		return;
	p->beat_ns = now;
	if (period < PAGE_PERIOD_NS)
		period = PAGE_PERIOD_NS;
	__atomic_store_n(&head->period_ns, period, __ATOMIC_RELAXED);
	__atomic_store_n(&head->stale_after,
			 __atomic_load_n(&all->stale_after, __ATOMIC_RELAXED) + more,
			 __ATOMIC_RELAXED);
	__atomic_store_n(&head->heartbeat, __atomic_load_n(&all->heartbeat, __ATOMIC_RELAXED),
			 __ATOMIC_RELAXED);
	__atomic_store_n(&head->state, state, __ATOMIC_RELAXED);
}

void page_end(struct page *p)
{
	__atomic_store_n(&p->at->head.state, RCR_BOARD_STOPPED, __ATOMIC_RELAXED);
}
