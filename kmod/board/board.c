// SPDX-License-Identifier: GPL-2.0-only
/*
 * board.c - blackboard 1: memory that the module writes and user space maps read-only. See
 * section 8 of Documentation/dev/interface.md.
 *
 * The header and the arrays of meters and places are allocated at load time. The entries of
 * meter n start at n * entries_each and never move. Their pages are allocated when a meter
 * or a page fault first needs them, and freed at unload.
 *
 * Callers serialize writers.
 */
#include <linux/atomic.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <asm/tsc.h>

#include "board.h"
#include "board_protocol.h"
#include "compat/compat.h"

#define ENTRIES_PAGE	(PAGE_SIZE / sizeof(struct rcr_board_entry))

/* The board is stale this long after four refresh intervals have passed. */
#define STALE_MS	1000

static struct rcr_board *board;		/* header, array of meters, array of places */
static struct page **entry_page;	/* by page of entries; NULL: not allocated yet */
static unsigned int entries_each;	/* entries reserved for each meter, full pages */
static unsigned int pages_each;		/* pages reserved for each meter */

static struct rcr_board_meter *meter_at(unsigned int n)
{
	return (void *)board + board->meter_offset + n * sizeof(struct rcr_board_meter);
}

static struct rcr_board_place *place_at(unsigned int n)
{
	return (void *)board + board->place_offset + n * sizeof(struct rcr_board_place);
}

/* Entry @n; NULL if its page is not allocated yet, in which case no meter uses it. */
static struct rcr_board_entry *entry_at(unsigned int n)
{
	/* Pairs with the cmpxchg() of get_entry_page(). */
	struct page *page = READ_ONCE(entry_page[n / ENTRIES_PAGE]);

	return page ? (struct rcr_board_entry *)page_address(page) + n % ENTRIES_PAGE : NULL;
}

/* Page @n of the entries, allocated on first use; NULL if out of memory. May sleep. */
static struct page *get_entry_page(unsigned int n)
{
	struct page *page = READ_ONCE(entry_page[n]), *there;

	if (page)
		return page;
	page = alloc_page(GFP_KERNEL | __GFP_ZERO);
	if (!page)
		return NULL;
	there = cmpxchg(&entry_page[n], NULL, page);
	if (!there)
		return page;
	__free_page(page);
	return there;
}

/**
 * rcr_board_grow() - allocate the entries of a meter
 * @meter: number of the meter
 * @entries: number of entries
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int rcr_board_grow(unsigned int meter, unsigned int entries)
{
	unsigned int i;

	for (i = 0; i < DIV_ROUND_UP(entries, ENTRIES_PAGE); i++)
		if (!get_entry_page(meter * pages_each + i))
			return -ENOMEM;
	return 0;
}

static void init_header(struct rcr_board *head, unsigned int groups)
{
	head->magic = RCR_BOARD_MAGIC;
	head->version = RCR_BOARD_VERSION;
	head->compat_version = RCR_BOARD_COMPAT_VERSION;
	head->size = sizeof(*head);
	head->tsc_khz = tsc_khz;
	head->meter_size = sizeof(struct rcr_board_meter);
	head->place_size = sizeof(struct rcr_board_place);
	head->entry_size = sizeof(struct rcr_board_entry);
	head->meters = RCR_METERS_MAX;
	head->entries = RCR_METERS_MAX * entries_each;
	head->meter_offset = sizeof(*head);
	head->place_offset = head->meter_offset + head->meters * head->meter_size;
	head->entry_offset = PAGE_ALIGN(head->place_offset + groups * head->place_size);
	head->bytes = head->entry_offset + (u64)head->entries * head->entry_size;
}

/**
 * rcr_board_init() - allocate the board
 * @lanes: number of CPUs with values of meters
 * @groups: maximum number of places, which are parts of the machine
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int rcr_board_init(unsigned int lanes, unsigned int groups)
{
	struct rcr_board head = { };

	BUILD_BUG_ON(PAGE_SIZE % sizeof(struct rcr_board_entry));
	pages_each = DIV_ROUND_UP(lanes + 1, ENTRIES_PAGE);
	entries_each = pages_each * ENTRIES_PAGE;
	init_header(&head, groups);
	board = vzalloc(head.entry_offset);
	entry_page = kvcalloc(RCR_METERS_MAX * pages_each, sizeof(*entry_page), GFP_KERNEL);
	if (!board || !entry_page)
		goto err;
	*board = head;
	return 0;
err:
	vfree(board);
	kvfree(entry_page);
	return -ENOMEM;
}

/* Free the board. No mapping exists any more. */
void rcr_board_exit(void)
{
	unsigned int i;

	for (i = 0; i < RCR_METERS_MAX * pages_each; i++)
		if (entry_page[i])
			__free_page(entry_page[i]);
	kvfree(entry_page);
	vfree(board);
	board = NULL;
}

/* Change the arrays. As with a seqcount, readers retry if @changes is odd or has changed. */
void rcr_board_begin_change(void)
{
	WRITE_ONCE(board->changes, board->changes + 1);
	smp_wmb();	/* pairs with the barrier before a reader's second read of @changes */
}

void rcr_board_end_change(void)
{
	smp_wmb();	/* pairs with the barrier after a reader's first read of @changes */
	WRITE_ONCE(board->changes, board->changes + 1);
}

/*
 * Set place @n, an existing one or the next free one. Context: between
 * rcr_board_begin_change() and rcr_board_end_change().
 */
void rcr_board_place(unsigned int n, u32 kind, u32 number, u32 parent)
{
	struct rcr_board_place *p = place_at(n);

	p->kind = kind;
	p->number = number;
	p->parent = parent;
	if (n >= board->places)
		board->places = n + 1;
}

/* Number of a meter's first entry. */
unsigned int rcr_board_first_entry(unsigned int meter)
{
	return meter * entries_each;
}

/*
 * Assign an entry to a meter, without values. Readers read the serial after the values, to
 * detect a reassigned entry. Version numbers are never reset.
 */
static void set_entry(struct rcr_board_entry *e, u32 serial, u32 meter, u32 place)
{
	static const struct rcr_board_value nothing;

	if (!e || (e->serial == serial && (!serial || e->place == place)))
		return;
	WRITE_ONCE(e->serial, 0);
	smp_wmb();	/* (C) pairs with the smp_rmb() of rcr_board_load() */
	WRITE_ONCE(e->meter, meter);
	WRITE_ONCE(e->place, place);
	rcr_board_store(e, &nothing);
	smp_wmb();	/* a reader that sees the serial sees the stores above */
	WRITE_ONCE(e->serial, serial);
}

/**
 * rcr_board_set_meter() - add or update a meter
 * @meter: its description; rcr_board_grow() has allocated its entries
 * @places: place of each entry
 *
 * Entries that the meter already has keep their values.
 *
 * Context: between rcr_board_begin_change() and rcr_board_end_change().
 */
void rcr_board_set_meter(const struct rcr_board_meter *meter, const u32 *places)
{
	unsigned int i;

	*meter_at(meter->number) = *meter;
	for (i = 0; i < entries_each; i++)
		set_entry(entry_at(meter->first + i),
			  i < meter->entries ? meter->serial : 0, meter->number,
			  i < meter->entries ? places[i] : 0);
}

/* Remove a meter. Context: as for rcr_board_set_meter(). */
void rcr_board_clear_meter(unsigned int number)
{
	unsigned int i, first = rcr_board_first_entry(number);

	meter_at(number)->serial = 0;
	for (i = 0; i < entries_each; i++)
		set_entry(entry_at(first + i), 0, number, 0);
}

/* Write new values of an allocated entry. Context: any; callers serialize. */
void rcr_board_write(unsigned int entry, const struct rcr_board_value *v)
{
	rcr_board_store(entry_at(entry), v);
}

/**
 * rcr_board_load() - read the values of an entry
 * @entry: number of the entry
 * @serial: expected serial of its meter; 0: any
 * @v: output buffer
 *
 * Context: any.
 * Return: 0; -ESTALE if the entry belongs to another meter; -ENODATA if it has no values
 * yet; -EAGAIN if a writer interfered in each of RCR_BOARD_TRIES attempts.
 */
int rcr_board_load(unsigned int entry, u32 serial, struct rcr_board_value *v)
{
	const struct rcr_board_entry *e = entry_at(entry);
	unsigned int i;
	int got;

	if (!e)
		return -ESTALE;
	for (i = 0; i < RCR_BOARD_TRIES; i++) {
		got = rcr_board_copy(e, v);
		smp_rmb();	/* (C) pairs with the smp_wmb() of set_entry() */
		if (serial && READ_ONCE(e->serial) != serial)
			return -ESTALE;
		if (got >= 0)
			return got && v->time ? 0 : -ENODATA;
	}
	return -EAGAIN;
}

/**
 * rcr_board_heartbeat() - write the heartbeat, from which readers detect a stale board
 * @state: enum rcr_board_state
 * @period_ns: time until the next refresh, ns; 0: unknown
 */
void rcr_board_heartbeat(u32 state, u64 period_ns)
{
	u64 stale_ms = STALE_MS + div_u64(4 * period_ns, NSEC_PER_MSEC), now = rdtsc();

	WRITE_ONCE(board->period_ns, period_ns);
	WRITE_ONCE(board->stale_after, stale_ms * tsc_khz);
	WRITE_ONCE(board->heartbeat, now);
	WRITE_ONCE(board->state, state);
}

/* Serial of the meter that an entry belongs to; 0: none, or @entry is out of range. */
u32 rcr_board_serial(u32 entry)
{
	const struct rcr_board_entry *e;

	if (entry >= board->entries)
		return 0;
	e = entry_at(array_index_nospec(entry, board->entries));
	return e ? READ_ONCE(e->serial) : 0;
}

/* Number of the meter that an entry is reserved for; @which: its index in that meter. */
unsigned int rcr_board_meter_of(u32 entry, unsigned int *which)
{
	*which = entry % entries_each;
	return entry / entries_each;
}

static struct page *board_page(unsigned long n)
{
	unsigned long head = board->entry_offset >> PAGE_SHIFT;

	if (n < head)
		return vmalloc_to_page((void *)board + (n << PAGE_SHIFT));
	n -= head;
	if (n >= RCR_METERS_MAX * pages_each)
		return NULL;
	return get_entry_page(array_index_nospec(n, RCR_METERS_MAX * pages_each));
}

static vm_fault_t board_fault(struct vm_fault *vmf)
{
	unsigned long n = vmf->pgoff - (RCR_BOARD_ALL >> PAGE_SHIFT);
	struct page *page;

	if (n >= board->bytes >> PAGE_SHIFT)
		return VM_FAULT_SIGBUS;
	page = board_page(n);
	if (!page)
		return VM_FAULT_OOM;
	get_page(page);
	vmf->page = page;
	return 0;
}

static const struct vm_operations_struct board_vm_ops = { .fault = board_fault };

/*
 * Map the board or its first pages. Context: may sleep; the caller has checked permissions and
 * restricted the mapping to reading.
 */
int rcr_board_mmap_all(struct vm_area_struct *vma)
{
	if (vma->vm_pgoff != RCR_BOARD_ALL >> PAGE_SHIFT ||
	    vma->vm_end - vma->vm_start > board->bytes)
		return -EINVAL;
	vma->vm_ops = &board_vm_ops;
	return 0;
}
