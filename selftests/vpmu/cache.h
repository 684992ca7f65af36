/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cache.h - one cache of exec mode: the lines that it holds, and which of them are
 * dirty. It has no data, which is in the guest's memory.
 */
#ifndef RCR_VPMU_CACHE_H
#define RCR_VPMU_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define VPMU_LINE_SHIFT		6	/* 64 bytes */

/* A set is a list of its ways, the most recently used first, the least recently used last. */
struct vpmu_cache {
	unsigned int sets, ways;	/* sets: a power of two */
	uint64_t *way;			/* line << 1 | dirty; 0: free */
};

/* Return whether the displaced line was dirty; @victim is 0 if none was displaced. */
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

/*
 * vpmu_cache_hit() - look up @line; if it is there, mark it used, and dirty if @store
 *
 * Return: whether it is there.
 */
bool vpmu_cache_hit(struct vpmu_cache *c, uint64_t line, bool store);

/**
 * vpmu_cache_fill() - takes a line in that vpmu_cache_hit() did not find
 *
 * Return: the line that it displaces, see vpmu_line_of().
 */
uint64_t vpmu_cache_fill(struct vpmu_cache *c, uint64_t line, bool dirty);

/**
 * vpmu_cache_has() - whether @line is there, and dirty if @dirty
 */
bool vpmu_cache_has(const struct vpmu_cache *c, uint64_t line, bool dirty);

/**
 * vpmu_cache_clean() - what @line has newer than memory is written back
 *
 * Return: whether it was there and dirty.
 */
bool vpmu_cache_clean(struct vpmu_cache *c, uint64_t line);

/**
 * vpmu_cache_drop() - forgets @line
 *
 * Return: whether it was there and dirty.
 */
bool vpmu_cache_drop(struct vpmu_cache *c, uint64_t line);

#endif
