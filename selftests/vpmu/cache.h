/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cache.h - one cache of exec mode: which lines it holds, and which of them are dirty. The data is
 * in the guest's memory.
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
 * vpmu_cache_make() - make an empty cache
 * @bytes: its size; the number of sets is rounded down to a power of two
 */
void vpmu_cache_make(struct vpmu_cache *c, uint64_t bytes, unsigned int ways);

/*
 * vpmu_cache_hit() - look up @line; if the cache has it, mark it used, and dirty if @store
 *
 * Return: true if the cache has it.
 */
bool vpmu_cache_hit(struct vpmu_cache *c, uint64_t line, bool store);

/**
 * vpmu_cache_fill() - add a line that vpmu_cache_hit() did not find
 *
 * Return: the displaced line, see vpmu_line_of().
 */
uint64_t vpmu_cache_fill(struct vpmu_cache *c, uint64_t line, bool dirty);

/**
 * vpmu_cache_has() - check whether the cache has @line, and has it dirty if @dirty
 */
bool vpmu_cache_has(const struct vpmu_cache *c, uint64_t line, bool dirty);

/**
 * vpmu_cache_clean() - write @line back: it is no longer dirty
 *
 * Return: true if the cache had it dirty.
 */
bool vpmu_cache_clean(struct vpmu_cache *c, uint64_t line);

/**
 * vpmu_cache_drop() - remove @line
 *
 * Return: true if the cache had it dirty.
 */
bool vpmu_cache_drop(struct vpmu_cache *c, uint64_t line);

#endif
