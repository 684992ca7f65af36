/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * board.h - a mapped blackboard, inside librcr.
 */
#ifndef RCR_BOARD_INSIDE_H
#define RCR_BOARD_INSIDE_H

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
 * struct rcr_blackboard - a mapped board
 * @head: its head; what is checked of it once is not read from it again
 * @bytes: of the mapping
 * @meters: slots of meters
 * @places: places
 * @entries: slots of entries
 * @path: where it was opened
 */
struct rcr_blackboard {
	const struct rcr_board *head;
	size_t bytes;
	struct rcr_array meters;
	struct rcr_array places;
	struct rcr_array entries;
	char *path;
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

/* Sets errno; -1. */
int rcr_board_fail(int error);

/* Copies @size bytes, each word of 32 bits read once. */
void rcr_board_copy32(void *to, const void *from, size_t size);

#endif
