/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* board.h - a mapped blackboard, internal to librcr. */
#ifndef RCR_BOARD_INSIDE_H
#define RCR_BOARD_INSIDE_H

#include <sys/types.h>

#include "rcr_board.h"

/**
 * struct rcr_array - an array of the board, at the position given by its head
 * @at: the first element
 * @size: size of an element, bytes
 * @count: number of elements; of places: maximum number
 */
struct rcr_array {
	const char *at;
	uint32_t size;
	uint32_t count;
};

/**
 * struct rcr_wish - requested evaluation interval of an entry
 * @interval_ns: see struct rcr_subscription
 * @serial: serial of the meter that had the entry at that time; 0: no request
 */
struct rcr_wish {
	uint64_t interval_ns;
	uint32_t serial;
};

/**
 * struct rcr_blackboard - a mapped board
 * @head: its head; members that were checked are not read from it again
 * @bytes: size of the mapping
 * @meters: slots of meters
 * @places: places
 * @entries: slots of entries
 * @path: path that was opened
 * @fd: the device, which holds the subscriptions; -1: the board is in a file, which has no
 *	subscriptions
 * @device: number of the device: a program may close descriptors that it did not open
 * @wish: one for each of @entries, set by rcr_board_subscribe()
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

/* Place @n, or NULL; new places are appended. */
static inline const struct rcr_board_place *
rcr_place_at(const struct rcr_blackboard *b, unsigned int n)
{
	if (n >= __atomic_load_n(&b->head->places, __ATOMIC_ACQUIRE))
		return NULL;
	return rcr_array_at(&b->places, n);
}

/* True if the descriptor is still the device that was opened. */
bool rcr_board_has_device(const struct rcr_blackboard *b);

/* Sets errno; returns -1. */
int rcr_board_fail(int error);

/*
 * Subscribes an entry at the interval that the program has requested, or else the default. Fails
 * with ENOENT or ESTALE if the entry no longer belongs to the meter.
 */
int rcr_board_subscribe_again(const struct rcr_blackboard *b, const struct rcr_meter *meter);

/* Copies @size bytes, reading each 32-bit word once. */
void rcr_board_copy32(void *to, const void *from, size_t size);

#endif
