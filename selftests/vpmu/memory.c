// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory.c - the caches of exec mode, see memory.h.
 *
 * A vCPU's thread alone touches its L1D. It takes its module's lock for the L2
 * and, that held, its node's for the L3.
 */
#include <stdio.h>
#include <stdlib.h>

#include "memory.h"

#define CORES_PER_MODULE	2
#define MODULES			128	/* of a node */

static struct { unsigned int kib, ways; } table[] = {
	{ 16, 4 }, { 2048, 16 }, { 8192, 64 },
};

static struct vpmu_node *nodes[VPMU_NODES];
static struct vpmu_module *modules[VPMU_NODES][MODULES];
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static void read_sizes(void)
{
	const char *sizes = getenv("RCR_VPMU_CACHES");
	static bool done;

	if (done)
		return;
	done = true;
	if (sizes && sscanf(sizes, "%u,%u,%u", &table[0].kib, &table[1].kib,
			    &table[2].kib) != 3) {
		fprintf(stderr, "RCR_VPMU_CACHES: L1D,L2,L3 in KiB expected\n");
		exit(1);
	}
}

static void make_cache(struct vpmu_cache *c, unsigned int level)
{
	vpmu_cache_make(c, (uint64_t)table[level].kib << 10, table[level].ways);
}

static void *make(size_t size)
{
	void *p = calloc(1, size);

	if (!p)
		abort();
	return p;
}

static struct vpmu_node *find_node(unsigned int i)
{
	struct vpmu_node *node = nodes[i];

	if (!node) {
		node = make(sizeof(*node));
		pthread_mutex_init(&node->lock, NULL);
		make_cache(&node->l3, 2);
		__atomic_store_n(&nodes[i], node, __ATOMIC_RELEASE);
	}
	return node;
}

static struct vpmu_module *find_module(unsigned int i, unsigned int j)
{
	struct vpmu_module *module = modules[i][j];

	if (!module) {
		module = make(sizeof(*module));
		pthread_mutex_init(&module->lock, NULL);
		make_cache(&module->l2, 1);
		module->node = find_node(i);
		modules[i][j] = module;
	}
	return module;
}

struct vpmu_path *vpmu_path_make(unsigned int node, unsigned int core)
{
	unsigned int module = core / CORES_PER_MODULE % MODULES;
	struct vpmu_path *path = make(sizeof(*path));

	pthread_mutex_lock(&making);
	read_sizes();
	make_cache(&path->l1, 0);
	path->module = find_module(node % VPMU_NODES, module);
	pthread_mutex_unlock(&making);
	return path;
}

/* Write a dirty line down to the L3; it is whole, so nothing is read for it. */
static void put_in_l3(struct vpmu_node *node, uint64_t line)
{
	node->total[VPMU_L3_PUTS]++;
	if (!vpmu_cache_hit(&node->l3, line, true) &&
	    vpmu_was_dirty(vpmu_cache_fill(&node->l3, line, true)))
		node->total[VPMU_MEMORY_WRITES]++;
}

/* Read a line that the L2 does not hold. */
static unsigned int get_from_l3(struct vpmu_node *node, uint64_t line, bool store)
{
	node->total[store ? VPMU_L3_WRITES : VPMU_L3_READS]++;
	if (vpmu_cache_hit(&node->l3, line, false))
		return 0;
	node->total[store ? VPMU_L3_WRITE_MISSES : VPMU_L3_READ_MISSES]++;
	node->total[VPMU_MEMORY_READS]++;
	if (vpmu_was_dirty(vpmu_cache_fill(&node->l3, line, false)))
		node->total[VPMU_MEMORY_WRITES]++;
	return VPMU_L3_MISS;
}

/* Fill a line into the L2; if the line that it displaces is dirty, write that to the L3. */
static unsigned int fill_l2(struct vpmu_module *module, uint64_t line, bool dirty)
{
	uint64_t victim = vpmu_cache_fill(&module->l2, line, dirty);

	if (!vpmu_was_dirty(victim))
		return 0;
	put_in_l3(module->node, vpmu_line_of(victim));
	return VPMU_L2_BACK;
}

static unsigned int get_from_l2(struct vpmu_module *module, uint64_t line,
				bool store)
{
	unsigned int what;

	if (vpmu_cache_hit(&module->l2, line, false))
		return 0;
	pthread_mutex_lock(&module->node->lock);
	what = get_from_l3(module->node, line, store);
	what |= fill_l2(module, line, false);
	pthread_mutex_unlock(&module->node->lock);
	return what | VPMU_L2_MISS;
}

/* Write a dirty line down from an L1D to the L2. */
static unsigned int put_in_l2(struct vpmu_module *module, uint64_t line)
{
	unsigned int what;

	if (vpmu_cache_hit(&module->l2, line, true))
		return 0;
	pthread_mutex_lock(&module->node->lock);
	what = fill_l2(module, line, true);
	pthread_mutex_unlock(&module->node->lock);
	return what;
}

unsigned int vpmu_path_miss(struct vpmu_path *path, uint64_t line, bool store)
{
	uint64_t victim = vpmu_cache_fill(&path->l1, line, store);
	unsigned int what;

	pthread_mutex_lock(&path->module->lock);
	what = get_from_l2(path->module, line, store);
	if (vpmu_was_dirty(victim))
		what |= put_in_l2(path->module, vpmu_line_of(victim));
	pthread_mutex_unlock(&path->module->lock);
	return what | VPMU_L1_MISS;
}

/* Write back what a cache has newer than memory, and drop the line. */
static void drop_everywhere(struct vpmu_path *path, uint64_t line)
{
	struct vpmu_module *module = path->module;
	struct vpmu_node *node = module->node;
	bool dirty = vpmu_cache_drop(&path->l1, line);

	pthread_mutex_lock(&module->lock);
	pthread_mutex_lock(&node->lock);
	dirty |= vpmu_cache_drop(&module->l2, line);
	dirty |= vpmu_cache_drop(&node->l3, line);
	node->total[VPMU_MEMORY_WRITES] += 1 + dirty;
	pthread_mutex_unlock(&node->lock);
	pthread_mutex_unlock(&module->lock);
}

bool vpmu_path_stream(struct vpmu_path *path, uint64_t line)
{
	unsigned int i;

	for (i = 0; i < VPMU_WC_BUFFERS; i++)
		if (path->combining[i] == line)
			return false;
	path->combining[path->next_buffer++ % VPMU_WC_BUFFERS] = line;
	drop_everywhere(path, line);
	return true;
}

uint64_t vpmu_unit_total(unsigned int node, enum vpmu_unit_total total)
{
	struct vpmu_node *n = node < VPMU_NODES ?
			      __atomic_load_n(&nodes[node], __ATOMIC_ACQUIRE) : NULL;

	return n ? __atomic_load_n(&n->total[total], __ATOMIC_RELAXED) : 0;
}
