/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * board.h - a mapped blackboard, inside librcr.
 */
#ifndef RCR_BOARD_INSIDE_H
#define RCR_BOARD_INSIDE_H

#include <sys/types.h>

#include "rcr_board.h"

/**
 * struct rcr_array - elements of one kind, where the board said that they are
 * @at: the first
 * @size: bytes of an element
 * @count: how many; of places how many there can be
 */
struct rcr_array {
	const char *at;
	uint32_t size;
	uint32_t count;
};

/**
 * struct rcr_wish - how often an entry is to be evaluated
 * @interval_ns: see struct rcr_subscription
 * @serial: of the meter that had the entry then; 0: nobody has asked
 */
struct rcr_wish {
	uint64_t interval_ns;
	uint32_t serial;
};

/**
 * struct rcr_blackboard - a mapped board
 * @head: its head; what is checked of it once is not read from it again
 * @bytes: of the mapping
 * @meters: slots of meters
 * @places: places
 * @entries: slots of entries
 * @path: where it was opened
 * @fd: the device, which holds the subscriptions; -1: there is nothing to subscribe, as the
 *	board is in a file
 * @device: number of the device: a program may have closed descriptors that it did not open
 * @wish: one for each of @entries, of rcr_board_subscribe()
 */
struct rcr_blackboard {
	const struct rcr_board *head;
	size_t bytes;
	struct rcr_array meters;
	struct rcr_array places;
	struct rcr_array entries;
	char *path;
	int fd;
	dev_t device;
	struct rcr_wish *wish;
};

/* Element @n, or NULL. */
static inline const void *rcr_array_at(const struct rcr_array *a, unsigned int n)
{
	return n < a->count ? a->at + (size_t)n * a->size : NULL;
}

/* Place @n, or NULL; a part of the machine that comes has the next number. */
static inline const struct rcr_board_place *
rcr_place_at(const struct rcr_blackboard *b, unsigned int n)
{
	if (n >= __atomic_load_n(&b->head->places, __ATOMIC_ACQUIRE))
		return NULL;
	return rcr_array_at(&b->places, n);
}

/* Is @fd still the descriptor that was opened here? */
bool rcr_board_has_device(const struct rcr_blackboard *b);

/* Sets errno; -1. */
int rcr_board_fail(int error);

/*
 * Subscribes an entry with the interval that the program has asked for, else the default.
 * ENOENT and ESTALE: it is not the meter's any more.
 */
int rcr_board_subscribe_again(const struct rcr_blackboard *b, const struct rcr_meter *meter);

/* Copies @size bytes, each word of 32 bits read once. */
void rcr_board_copy32(void *to, const void *from, size_t size);

#endif
