/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.h - the public board: one page with bandwidth and contention of the machine, its nodes and
 * packages. It has one writer at a time, which may be killed at any moment; the next writer then
 * continues with the same page.
 */
#ifndef RCRD_PAGE_H
#define RCRD_PAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/rcrboard.h>

#define PAGE_METERS	4
#define PAGE_PLACES	16
#define PAGE_ENTRIES	12
#define PAGE_BYTES	4096

/* Minimum time between two values of an entry, ns. */
#define PAGE_PERIOD_NS	100000000ull

/**
 * struct page_board - layout of the page
 * @head: head of the board
 * @meter: slots of meters
 * @place: places
 * @entry: slots of entries
 * @serials: number of serials assigned to meters so far; private to the writer
 */
struct page_board {
	struct rcr_board head;
	struct rcr_board_meter meter[PAGE_METERS];
	struct rcr_board_place place[PAGE_PLACES];
	struct rcr_board_entry entry[PAGE_ENTRIES];
	uint32_t serials;
};

/**
 * struct page_source - an entry of blackboard 1 that is shown on the page
 * @entry: index of the entry
 * @serial: serial of its meter there; 0: none
 * @kind: enum rcr_place_kind of its place
 * @number: number of its place
 */
struct page_source {
	uint32_t entry;
	uint32_t serial;
	uint32_t kind;
	uint32_t number;
};

/**
 * struct page - a page and the private state of its writer
 * @at: the page
 * @shown: by entry of the page: its source
 * @time: by entry of the page: CLOCK_MONOTONIC of its value, ns; 0: none
 * @beat_ns: CLOCK_MONOTONIC of the latest heartbeat
 */
struct page {
	struct page_board *at;
	struct page_source shown[PAGE_ENTRIES];
	uint64_t time[PAGE_ENTRIES];
	uint64_t beat_ns;
};

/* True if page_begin() can continue with this page. */
bool page_is_known(const struct page_board *at);

/**
 * page_begin() - become the writer of a page
 * @p: filled in
 * @at: the page; page_is_known(), or all 0
 * @all: head of blackboard 1
 *
 * Removes all meters from the page. Readers that use a meter of an earlier writer get ESTALE.
 */
void page_begin(struct page *p, struct page_board *at, const struct rcr_board *all);

/**
 * page_set_meter() - show a meter of blackboard 1
 * @p: the page
 * @meter: the meter, as on blackboard 1
 * @from: entries of the meter whose places are packages or larger
 * @entries: number of entries in @from
 *
 * Entries that do not fit on the page are left out, as is a meter without any entry. A meter that
 * is shown already, with these entries, does not change.
 */
void page_set_meter(struct page *p, const struct rcr_board_meter *meter,
		    const struct page_source *from, unsigned int entries);

/* Removes the meters that are not among @meter, by their serials on blackboard 1. */
void page_keep_meters(struct page *p, const struct rcr_board_meter *meter, unsigned int count);

/* Writes a value of entry @at, unless the last one is more recent than PAGE_PERIOD_NS. */
void page_write(struct page *p, unsigned int at, const struct rcr_board_value *v);

/* Copies the heartbeat of blackboard 1, @all, if it is due; @now: CLOCK_MONOTONIC, ns. */
void page_beat(struct page *p, const struct rcr_board *all, uint64_t now);

/* Marks the board as stopped. */
void page_end(struct page *p);

#endif
