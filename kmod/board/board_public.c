// SPDX-License-Identifier: GPL-2.0-only
/*
 * board_public.c - a board of its own, of one page: bandwidth and contention of the
 * machine, its nodes and packages, no faster than every 100 ms.
 *
 * What stands there tells nobody what another one's program does: no energy, power
 * or frequency, and nothing of a core (the PLATYPUS attack read energy 1,000 times
 * a second). Which meters come here is said by RCR_METER_PUBLIC; what does not fit
 * into the page is left out.
 */
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "board_protocol.h"
#include "board_public.h"

#define METERS		4
#define PLACES		16
#define ENTRIES		12
#define PERIOD_NS	(100 * NSEC_PER_MSEC)

/* A page: that it is one is checked where it is made. */
struct page_board {
	struct rcr_board head;
	struct rcr_board_meter meter[METERS];
	struct rcr_board_place place[PLACES];
	struct rcr_board_entry entry[ENTRIES];
};

static struct page_board *page;
static u32 shown[ENTRIES];		/* which entry of all that is, plus 1; 0: none */
static u64 value_time[ENTRIES];		/* CLOCK_MONOTONIC of the value there, ns; 0: none */
static u64 refreshed;			/* the head, likewise */

/**
 * rcr_board_public_init() - makes the page
 * @all: the head of the whole board
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int rcr_board_public_init(const struct rcr_board *all)
{
	struct rcr_board *head;

	BUILD_BUG_ON(sizeof(struct page_board) > PAGE_SIZE);
	page = vmalloc_user(PAGE_SIZE);
	if (!page)
		return -ENOMEM;
	memset(shown, 0, sizeof(shown));
	head = &page->head;
	*head = *all;
	head->bytes = PAGE_SIZE;
	head->meters = METERS;
	head->entries = ENTRIES;
	head->meter_offset = offsetof(struct page_board, meter);
	head->place_offset = offsetof(struct page_board, place);
	head->entry_offset = offsetof(struct page_board, entry);
	return 0;
}

void rcr_board_public_exit(void)
{
	vfree(page);
	page = NULL;
}

static int find_place(const struct rcr_board_place *p)
{
	unsigned int i;

	for (i = 0; i < page->head.places; i++)
		if (page->place[i].kind == p->kind && page->place[i].number == p->number)
			return i;
	if (i == PLACES)
		return -1;
	page->place[i].kind = p->kind;
	page->place[i].number = p->number;
	page->head.places = i + 1;
	return i;
}

static struct rcr_board_meter *find_meter(unsigned int number)
{
	unsigned int i;

	for (i = 0; i < METERS; i++)
		if (page->meter[i].serial && page->meter[i].number == number)
			return &page->meter[i];
	return NULL;
}

static struct rcr_board_meter *free_meter(void)
{
	unsigned int i;

	for (i = 0; i < METERS; i++)
		if (!page->meter[i].serial)
			return &page->meter[i];
	return NULL;
}

/* Entries without a hole that can take @wanted, or as many as there are. */
static unsigned int free_entries(unsigned int wanted, unsigned int *first)
{
	unsigned int at, n, best = 0;

	for (at = 0; at < ENTRIES; at++) {
		for (n = 0; n < wanted && at + n < ENTRIES && !shown[at + n]; n++)
			;
		if (n > best) {
			best = n;
			*first = at;
		}
	}
	return best;
}

static void show_entry(unsigned int at, u32 entry, const struct rcr_board_meter *m,
		       u32 place)
{
	static const struct rcr_board_value nothing;
	struct rcr_board_entry *e = &page->entry[at];

	WRITE_ONCE(e->meter, m->number);
	WRITE_ONCE(e->place, place);
	rcr_board_store(e, &nothing);
	shown[at] = entry + 1;
	value_time[at] = 0;
	smp_wmb();	/* with the look of a reader at @serial */
	WRITE_ONCE(e->serial, m->serial);
}

/* Tells of places that are no smaller than a package. */
static bool is_coarse(const struct rcr_board_place *p)
{
	return p->kind <= RCR_PLACE_PACKAGE;
}

static void change(void)
{
	WRITE_ONCE(page->head.changes, page->head.changes + 1);
	smp_wmb();	/* with a reader's looks at @changes */
}

/**
 * rcr_board_public_set_meter() - puts a meter up, if it is public
 * @meter: as it stands on the whole board
 * @places: of its entries
 * @place: all places of the whole board
 */
void rcr_board_public_set_meter(const struct rcr_board_meter *meter, const u32 *places,
				const struct rcr_board_place *place)
{
	struct rcr_board_meter *m;
	unsigned int i, room, first = 0;
	int at;

	rcr_board_public_clear_meter(meter->number);
	m = free_meter();
	if (!m || !meter->entries || !(meter->flags & RCR_METER_PUBLIC))
		return;
	room = free_entries(meter->entries, &first);
	change();
	*m = *meter;
	m->first = first;
	m->entries = 0;
	for (i = 0; i < meter->entries && m->entries < room; i++) {
		at = is_coarse(&place[places[i]]) ? find_place(&place[places[i]]) : -1;
		if (at >= 0)
			show_entry(first + m->entries++, meter->first + i, meter, at);
	}
	change();
}

/* Takes it down, if it was there. */
void rcr_board_public_clear_meter(unsigned int number)
{
	struct rcr_board_meter *m = find_meter(number);
	unsigned int i;

	if (!m)
		return;
	change();
	for (i = 0; i < m->entries; i++) {
		WRITE_ONCE(page->entry[m->first + i].serial, 0);
		shown[m->first + i] = 0;
	}
	m->serial = 0;
	change();
}

/* Where an entry of the whole board shows here, or -1. */
static int find_shown(u32 entry)
{
	unsigned int i;

	for (i = 0; i < ENTRIES; i++)
		if (shown[i] == entry + 1)
			return i;
	return -1;
}

/*
 * New values of an entry of the whole board, of which most do not show here. By their
 * own time, so that the rate holds however often the board is refreshed or posted to.
 */
void rcr_board_public_write(unsigned int entry, const struct rcr_board_value *v)
{
	int at = find_shown(entry);

	if (at < 0 || (value_time[at] && v->time - value_time[at] < PERIOD_NS))
		return;
	value_time[at] = v->time;
	rcr_board_store(&page->entry[at], v);
}

/* Is it time to show a new heartbeat? */
static bool is_due(void)
{
	return ktime_get_ns() - refreshed >= PERIOD_NS;
}

/* The whole board has been refreshed. */
void rcr_board_public_beat(const struct rcr_board *all)
{
	struct rcr_board *head = &page->head;

	if (head->state == all->state && !is_due())
		return;
	refreshed = ktime_get_ns();
	WRITE_ONCE(head->period_ns, max_t(u64, all->period_ns, PERIOD_NS));
	WRITE_ONCE(head->stale_after, all->stale_after + 10 * PERIOD_NS / NSEC_PER_MSEC *
		   all->tsc_khz);
	WRITE_ONCE(head->heartbeat, all->heartbeat);
	WRITE_ONCE(head->state, all->state);
}

int rcr_board_public_mmap(struct vm_area_struct *vma)
{
	return remap_vmalloc_range(vma, page, 0);
}
