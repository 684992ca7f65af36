// SPDX-License-Identifier: GPL-2.0-only
/*
 * cache.c - one cache of exec mode, see cache.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cache.h"

void vpmu_cache_make(struct vpmu_cache *c, uint64_t bytes, unsigned int ways)
{
	unsigned int sets = 1;

	while (2ull * sets * ways << VPMU_LINE_SHIFT <= bytes)
		sets *= 2;
	c->sets = sets;
	c->ways = ways;
	c->way = calloc((size_t)sets * ways, sizeof(*c->way));
	if (!c->way)
		abort();
}

static uint64_t *set_of(const struct vpmu_cache *c, uint64_t line)
{
	return c->way + (line & (c->sets - 1)) * c->ways;
}

/* Return the way of the set that holds @line, or the number of ways. */
static unsigned int find_way(const struct vpmu_cache *c, const uint64_t *set,
			     uint64_t line)
{
	unsigned int i;

	for (i = 0; i < c->ways; i++)
		if (vpmu_line_of(set[i]) == line)
			break;
	return i;
}

bool vpmu_cache_hit(struct vpmu_cache *c, uint64_t line, bool store)
{
	uint64_t *set = set_of(c, line);
	unsigned int i = find_way(c, set, line);
	uint64_t found;

	if (i == c->ways)
		return false;
	found = set[i] | store;
	memmove(set + 1, set, i * sizeof(*set));
	set[0] = found;
	return true;
}

uint64_t vpmu_cache_fill(struct vpmu_cache *c, uint64_t line, bool dirty)
{
	uint64_t *set = set_of(c, line);
	uint64_t victim = set[c->ways - 1];

	memmove(set + 1, set, (c->ways - 1) * sizeof(*set));
	set[0] = line << 1 | dirty;
	return victim;
}

bool vpmu_cache_has(const struct vpmu_cache *c, uint64_t line, bool dirty)
{
	const uint64_t *set = set_of(c, line);
	unsigned int i = find_way(c, set, line);

	return i < c->ways && (!dirty || vpmu_was_dirty(set[i]));
}

bool vpmu_cache_clean(struct vpmu_cache *c, uint64_t line)
{
	uint64_t *set = set_of(c, line);
	unsigned int i = find_way(c, set, line);
	bool dirty = i < c->ways && vpmu_was_dirty(set[i]);

	if (dirty)
		set[i] &= ~1ull;
	return dirty;
}

bool vpmu_cache_drop(struct vpmu_cache *c, uint64_t line)
{
	uint64_t *set = set_of(c, line);
	unsigned int i = find_way(c, set, line);
	bool dirty;

	if (i == c->ways)
		return false;
	dirty = vpmu_was_dirty(set[i]);
	memmove(set + i, set + i + 1, (c->ways - 1 - i) * sizeof(*set));
	set[c->ways - 1] = 0;
	return dirty;
}
