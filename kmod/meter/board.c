// SPDX-License-Identifier: GPL-2.0-only
/*
 * board.c - blackboard 1: memory that the module writes and others map.
 *
 * All of it is there from the start, and nothing in it ever moves: the entries of
 * meter n stand at n times as many as a meter can have. Section 2 of
 * <linux/rcrboard.h>.
 *
 * Writers are serialized by meters.c. Readers are whoever has it mapped.
 */
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <asm/tsc.h>

#include "board.h"
#include "board_protocol.h"
#include "threads/board_public.h"
#include "compat/compat.h"
#include "groups.h"

static struct rcr_board *board;
static size_t board_bytes;
static unsigned int entries_each;	/* of a meter */

static struct rcr_board_meter *meter_at(unsigned int n)
{
	return (void *)board + board->meter_offset + n * sizeof(struct rcr_board_meter);
}

static struct rcr_board_place *place_at(unsigned int n)
{
	return (void *)board + board->place_offset + n * sizeof(struct rcr_board_place);
}

static struct rcr_board_entry *entry_at(unsigned int n)
{
	return (void *)board + board->entry_offset + n * sizeof(struct rcr_board_entry);
}

/**
 * rcr_board_init() - makes the board
 * @lanes: CPUs that meters can be told of
 * @groups: parts of the machine, at most
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int rcr_board_init(unsigned int lanes, unsigned int groups)
{
	struct rcr_board head = {
		.magic = RCR_BOARD_MAGIC,
		.version = RCR_BOARD_VERSION,
		.compat_version = RCR_BOARD_COMPAT_VERSION,
		.size = sizeof(struct rcr_board),
		.tsc_khz = tsc_khz,
		.meter_size = sizeof(struct rcr_board_meter),
		.place_size = sizeof(struct rcr_board_place),
		.entry_size = sizeof(struct rcr_board_entry),
		.meters = RCR_METERS_MAX,
	};

	entries_each = lanes + 1;
	head.entries = RCR_METERS_MAX * entries_each;
	head.meter_offset = sizeof(head);
	head.place_offset = head.meter_offset + head.meters * head.meter_size;
	head.entry_offset = ALIGN(head.place_offset + groups * head.place_size, 64);
	head.bytes = PAGE_ALIGN(head.entry_offset + (u64)head.entries * head.entry_size);
	board_bytes = head.bytes;
	board = vmalloc_user(board_bytes);
	if (!board)
		return -ENOMEM;
	*board = head;
	if (!rcr_board_public_init(&head))
		return 0;
	vfree(board);
	return -ENOMEM;
}

/* Nobody has it mapped. */
void rcr_board_exit(void)
{
	rcr_board_public_exit();
	vfree(board);
	board = NULL;
}

/* Readers who look through the arrays see an odd number, or another one. */
void rcr_board_begin_change(void)
{
	WRITE_ONCE(board->changes, board->changes + 1);
	smp_wmb();	/* with the second look of a reader at @changes */
}

void rcr_board_end_change(void)
{
	smp_wmb();	/* with the first look of a reader at @changes */
	WRITE_ONCE(board->changes, board->changes + 1);
}

/* Part @n of the machine, the next one or one that is there. In a change. */
void rcr_board_place(unsigned int n, const struct rcr_group *group)
{
	struct rcr_board_place *p = place_at(n);

	p->kind = group->kind;
	p->number = group->number;
	p->parent = group->parent;
	if (n >= board->places)
		board->places = n + 1;
}

/* Where the entries of a meter begin. */
unsigned int rcr_board_first_entry(unsigned int meter)
{
	return meter * entries_each;
}

/*
 * A reader that holds an entry sees by the serial, behind the values, that it is
 * another one's: versions go on, and the first values of the new one say nothing.
 */
static void set_entry(struct rcr_board_entry *e, u32 serial, u32 meter, u32 place)
{
	static const struct rcr_board_value nothing;

	if (!serial && !e->serial)
		return;
	WRITE_ONCE(e->serial, 0);
	smp_wmb();	/* (C) with the read barrier before a look at @serial */
	WRITE_ONCE(e->meter, meter);
	WRITE_ONCE(e->place, place);
	rcr_board_store(e, &nothing);
	smp_wmb();	/* whoever sees the serial sees what is above */
	WRITE_ONCE(e->serial, serial);
}

/**
 * rcr_board_set_meter() - puts a meter up
 * @meter: what it is
 * @places: of its entries
 *
 * Context: in a change.
 */
void rcr_board_set_meter(const struct rcr_board_meter *meter, const u32 *places)
{
	unsigned int i;

	*meter_at(meter->number) = *meter;
	for (i = 0; i < entries_each; i++)
		set_entry(entry_at(meter->first + i),
			  i < meter->entries ? meter->serial : 0, meter->number,
			  i < meter->entries ? places[i] : 0);
	rcr_board_public_set_meter(meter, places, place_at(0));
}

/* Takes it down. Context: in a change. */
void rcr_board_clear_meter(unsigned int number)
{
	unsigned int i, first = rcr_board_first_entry(number);

	meter_at(number)->serial = 0;
	for (i = 0; i < entries_each; i++)
		set_entry(entry_at(first + i), 0, number, 0);
	rcr_board_public_clear_meter(number);
}

/* New values of an entry; the public page gets them later. */
void rcr_board_write(unsigned int entry, const struct rcr_board_value *v)
{
	rcr_board_store(entry_at(entry), v);
	rcr_board_public_write(entry, v);
}

/**
 * rcr_board_look() - the values of an entry
 * @entry: its number
 * @serial: of its meter, as the caller knows it; 0: whichever it is
 * @v: gets them
 *
 * Context: any.
 * Return: 0; -ESTALE another meter, -ENODATA no values yet, -EAGAIN the writer came
 * in between again and again.
 */
int rcr_board_look(unsigned int entry, u32 serial, struct rcr_board_value *v)
{
	const struct rcr_board_entry *e = entry_at(entry);
	unsigned int i;
	int got;

	for (i = 0; i < RCR_BOARD_TRIES; i++) {
		got = rcr_board_copy(e, v);
		smp_rmb();	/* (C) with set_entry() */
		if (serial && READ_ONCE(e->serial) != serial)
			return -ESTALE;
		if (got >= 0)
			return got && v->time ? 0 : -ENODATA;
	}
	return -EAGAIN;
}

/**
 * rcr_board_beat() - says that the board is as it should be
 * @state: enum rcr_board_state
 * @period_ns: when it will be refreshed next
 * @stale_ns: after how long nobody should believe it any more
 */
void rcr_board_beat(u32 state, u64 period_ns, u64 stale_ns)
{
	u64 now = rdtsc();

	WRITE_ONCE(board->period_ns, period_ns);
	WRITE_ONCE(board->stale_after, div_u64(stale_ns, 1000000) * tsc_khz);
	WRITE_ONCE(board->heartbeat, now);
	WRITE_ONCE(board->state, state);
	rcr_board_public_beat(board);
}

/* Whose entry it is; 0: nobody's, or there is no such entry. */
u32 rcr_board_serial(u32 entry)
{
	if (entry >= board->entries)
		return 0;
	entry = array_index_nospec(entry, board->entries);
	return READ_ONCE(entry_at(entry)->serial);
}

/* Maps the public page. Context: may sleep; rights were checked by the door. */
int rcr_board_mmap_public(struct vm_area_struct *vma)
{
	if (vma->vm_pgoff || vma->vm_end - vma->vm_start != PAGE_SIZE)
		return -EINVAL;
	return rcr_board_public_mmap(vma);
}

/* Maps the board, or its beginning. Context: likewise. */
int rcr_board_mmap_all(struct vm_area_struct *vma)
{
	if (vma->vm_pgoff != RCR_BOARD_ALL >> PAGE_SHIFT ||
	    vma->vm_end - vma->vm_start > board_bytes)
		return -EINVAL;
	return remap_vmalloc_range(vma, board, 0);
}
