/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cache.h - one cache of exec mode: which lines it holds, and which of them are
 * newer than the level below. No data: the guest's memory has that.
 */
#ifndef RCR_VPMU_CACHE_H
#define RCR_VPMU_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define VPMU_LINE_SHIFT		6	/* 64 bytes */

/*
 * A set is a list of its ways, the last used one first: the least recently used
 * one is at the end.
 */
struct vpmu_cache {
	unsigned int sets, ways;	/* sets: a power of two */
	uint64_t *way;			/* line << 1 | dirty; 0: free */
};

/* What a line's place was taken from: 0 if nothing was lost. */
static inline bool vpmu_was_dirty(uint64_t victim)
{
	return victim & 1;
}

static inline uint64_t vpmu_line_of(uint64_t victim)
{
	return victim >> 1;
}

/**
 * vpmu_cache_make() - an empty cache
 * @bytes: its size; rounded down to a power of two of sets
 */
void vpmu_cache_make(struct vpmu_cache *c, uint64_t bytes, unsigned int ways);

/**
 * vpmu_cache_hit() - is @line there? Then it is used now, and dirty if @store
 */
bool vpmu_cache_hit(struct vpmu_cache *c, uint64_t line, bool store);

/**
 * vpmu_cache_fill() - takes a line in that vpmu_cache_hit() did not find
 *
 * Return: the line that it displaces, see vpmu_line_of().
 */
uint64_t vpmu_cache_fill(struct vpmu_cache *c, uint64_t line, bool dirty);

/**
 * vpmu_cache_drop() - forgets @line
 *
 * Return: whether it was there and dirty.
 */
bool vpmu_cache_drop(struct vpmu_cache *c, uint64_t line);

#endif
