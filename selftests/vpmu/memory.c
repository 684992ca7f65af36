// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory.c - the caches of exec mode, see memory.h.
 *
 * Only the thread of a vCPU accesses its L1D. It takes the lock of its module for the L2, and then
 * that of its node for the L3. If caches are coherent, other threads access the L1D, too, one at a
 * time under the lock "sharing"; then each L1D has a lock, which is taken before that of the
 * module.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "memory.h"

#define CORES_PER_MODULE	2
#define MODULES			128	/* of a node */

static struct { unsigned int kib, ways; } table[] = {
	{ 16, 4 }, { 2048, 16 }, { 8192, 64 },
};

static struct vpmu_node *nodes[VPMU_NODES];
static struct vpmu_module *modules[VPMU_NODES][MODULES];
static struct vpmu_path *paths;
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t sharing = PTHREAD_MUTEX_INITIALIZER;

bool vpmu_coherent;
/* Ranges of memory that belong to a node; not sorted. */
static struct { uint64_t first, lines; struct vpmu_node *node; } homes[VPMU_NODES];
static unsigned int home_count;

static bool has_rows;
static unsigned int tlb_entries;

#define TLB_WAYS	4

static bool is_on(const char *name)
{
	const char *value = getenv(name);

	return value && !strcmp(value, "1");
}

static void read_settings(void)
{
	const char *sizes = getenv("RCR_VPMU_CACHES"), *tlb = getenv("RCR_VPMU_TLB");
	static bool done;

	if (done)
		return;
	done = true;
	vpmu_coherent = is_on("RCR_VPMU_COHERENT");
	has_rows = is_on("RCR_VPMU_ROWS");
	if (sizes && sscanf(sizes, "%u,%u,%u", &table[0].kib, &table[1].kib,
			    &table[2].kib) != 3) {
		fprintf(stderr, "invalid RCR_VPMU_CACHES: use L1D,L2,L3 in KiB\n");
		exit(1);
	}
	if (tlb)
		tlb_entries = strtoul(tlb, NULL, 10);
	if (tlb && tlb_entries < TLB_WAYS) {
		fprintf(stderr, "invalid RCR_VPMU_TLB: use a number of entries, at least %u\n", TLB_WAYS);
		exit(1);
	}
}

static void make_cache(struct vpmu_cache *c, unsigned int level)
{
	vpmu_cache_make(c, (uint64_t)table[level].kib << 10, table[level].ways);
}

static void *allocate_zeroed(size_t size)
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
		node = allocate_zeroed(sizeof(*node));
		pthread_mutex_init(&node->lock, NULL);
		pthread_mutex_init(&node->memory_lock, NULL);
		node->index = i;
		make_cache(&node->l3, 2);
		__atomic_store_n(&nodes[i], node, __ATOMIC_RELEASE);
	}
	return node;
}

static struct vpmu_module *find_module(unsigned int i, unsigned int j)
{
	struct vpmu_module *module = modules[i][j];

	if (!module) {
		module = allocate_zeroed(sizeof(*module));
		pthread_mutex_init(&module->lock, NULL);
		make_cache(&module->l2, 1);
		module->node = find_node(i);
		modules[i][j] = module;
	}
	return module;
}

void vpmu_memory_home(unsigned int node, uint64_t first, uint64_t lines)
{
	pthread_mutex_lock(&making);
	read_settings();
	if (node < VPMU_NODES && home_count < VPMU_NODES) {
		homes[home_count].first = first;
		homes[home_count].lines = lines;
		homes[home_count++].node = find_node(node);
	}
	pthread_mutex_unlock(&making);
}

/* Return the node that the memory of @line belongs to; @node if it is unknown. */
static struct vpmu_node *home_of(struct vpmu_node *node, uint64_t line)
{
	unsigned int i;

	for (i = 0; i < home_count; i++)
		if (line - homes[i].first < homes[i].lines)
			return homes[i].node;
	return node;
}

static void make_condition(pthread_cond_t *condition)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(condition, &attributes);
	pthread_condattr_destroy(&attributes);
}

struct vpmu_path *vpmu_path_make(unsigned int node, unsigned int core)
{
	unsigned int module = core / CORES_PER_MODULE % MODULES;
	struct vpmu_path *path = allocate_zeroed(sizeof(*path));

	pthread_mutex_lock(&making);
	read_settings();
	make_cache(&path->l1, 0);
	if (tlb_entries)
		vpmu_cache_make(&path->tlb, (uint64_t)tlb_entries << VPMU_LINE_SHIFT, TLB_WAYS);
	pthread_mutex_init(&path->lock, NULL);
	make_condition(&path->has_taken);
	path->module = find_module(node % VPMU_NODES, module);
	pthread_mutex_lock(&sharing);
	path->next = paths;
	paths = path;
	pthread_mutex_unlock(&sharing);
	pthread_mutex_unlock(&making);
	return path;
}

bool vpmu_path_page(struct vpmu_path *path, uint64_t page)
{
	if (!path->tlb.ways || vpmu_cache_hit(&path->tlb, page, false))
		return false;
	vpmu_cache_fill(&path->tlb, page, false);
	return true;
}

/* Open the row of @line. Return the total that counts the access: hit, miss or conflict. */
static enum vpmu_unit_total open_row(struct vpmu_node *node, uint64_t line)
{
	uint64_t row = line >> VPMU_ROW_SHIFT;
	uint64_t *open = &node->open[row % VPMU_BANKS];
	enum vpmu_unit_total what = *open == row + 1 ? VPMU_ROW_HITS :
				    *open ? VPMU_ROW_CONFLICTS : VPMU_ROW_MISSES;

	*open = row + 1;
	return what;
}

/*
 * Read or write a line of memory for a cache of @node, whose lock is held. Return VPMU_ROW_CONFLICT
 * if another row was open.
 */
static unsigned int use_memory(struct vpmu_node *node, uint64_t line,
			       enum vpmu_unit_total total)
{
	struct vpmu_node *home = home_of(node, line);
	enum vpmu_unit_total row = VPMU_ROW_HITS;

	node->total[VPMU_TO_NODE + home->index % 8]++;
	pthread_mutex_lock(&home->memory_lock);
	home->total[total]++;
	if (has_rows) {
		row = open_row(home, line);
		home->total[row]++;
	}
	pthread_mutex_unlock(&home->memory_lock);
	return row == VPMU_ROW_CONFLICTS ? VPMU_ROW_CONFLICT : 0;
}

/* Fill a line into the L3, and write the displaced line to memory if it is dirty. */
static void fill_l3(struct vpmu_node *node, uint64_t line, bool dirty)
{
	uint64_t victim = vpmu_cache_fill(&node->l3, line, dirty);

	if (vpmu_was_dirty(victim))
		use_memory(node, vpmu_line_of(victim), VPMU_MEMORY_WRITES);
}

/* Write a dirty line to the L3. The line is complete, so it is not read from memory. */
static void put_in_l3(struct vpmu_node *node, uint64_t line)
{
	node->total[VPMU_L3_PUTS]++;
	if (!vpmu_cache_hit(&node->l3, line, true))
		fill_l3(node, line, true);
}

/* Read a line that the L2 does not hold. */
static unsigned int get_from_l3(struct vpmu_node *node, uint64_t line, bool store)
{
	unsigned int what;

	node->total[store ? VPMU_L3_WRITES : VPMU_L3_READS]++;
	if (vpmu_cache_hit(&node->l3, line, false))
		return 0;
	node->total[store ? VPMU_L3_WRITE_MISSES : VPMU_L3_READ_MISSES]++;
	what = use_memory(node, line, VPMU_MEMORY_READS);
	fill_l3(node, line, false);
	return what | VPMU_L3_MISS;
}

/* Fill a line into the L2, and write the displaced line to the L3 if it is dirty. */
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

/* Write a dirty line from an L1D to the L2. */
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

/* Another core loads @line, or stores to it. Return whether the cache had it modified. */
static bool take_line_from(struct vpmu_cache *c, uint64_t line, bool store)
{
	return store ? vpmu_cache_drop(c, line) : vpmu_cache_clean(c, line);
}

static bool give_up_l1(struct vpmu_path *path, uint64_t line, bool store)
{
	bool modified;

	pthread_mutex_lock(&path->lock);
	modified = take_line_from(&path->l1, line, store);
	if (path->recent)
		__atomic_store_n(&path->recent[line & path->recent_mask], 0, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&path->lock);
	if (!modified)
		return false;
	pthread_mutex_lock(&path->module->lock);
	put_in_l2(path->module, line);
	pthread_mutex_unlock(&path->module->lock);
	return true;
}

static bool give_up_l2(struct vpmu_module *module, uint64_t line, bool store)
{
	bool modified;

	pthread_mutex_lock(&module->lock);
	modified = take_line_from(&module->l2, line, store);
	if (modified) {
		pthread_mutex_lock(&module->node->lock);
		put_in_l3(module->node, line);
		pthread_mutex_unlock(&module->node->lock);
	}
	pthread_mutex_unlock(&module->lock);
	return modified;
}

static void give_up_l3(struct vpmu_node *node, uint64_t line, bool store)
{
	pthread_mutex_lock(&node->lock);
	if (take_line_from(&node->l3, line, store))
		use_memory(node, line, VPMU_MEMORY_WRITES);
	pthread_mutex_unlock(&node->lock);
}

/*
 * Take @line from all caches that are not between @path's core and memory, from the L1Ds down, so
 * that a line which one level writes back is then taken from the next. Return whether an L1D or L2
 * had it modified; if an L1D had, path->rival is its core. "sharing" is held.
 */
static bool take_from_others(struct vpmu_path *path, uint64_t line, bool store)
{
	struct vpmu_path *other;
	bool modified = false;

	path->rival = NULL;
	for (other = paths; other; other = other->next) {
		if (other == path || !give_up_l1(other, line, store))
			continue;
		modified = true;
		path->rival = other;
	}
	for (other = paths; other; other = other->next)
		if (other->module != path->module)
			modified |= give_up_l2(other->module, line, store);
	for (other = paths; other; other = other->next)
		if (other->module->node != path->module->node)
			give_up_l3(other->module->node, line, store);
	return modified;
}

/* No other cache has a line that the L1D has modified; others may have one that it only holds. */
static bool is_own(struct vpmu_path *path, uint64_t line, bool store)
{
	bool own;

	pthread_mutex_lock(&path->lock);
	own = vpmu_cache_has(&path->l1, line, store) && vpmu_cache_hit(&path->l1, line, store);
	pthread_mutex_unlock(&path->lock);
	return own;
}

void vpmu_path_remember(struct vpmu_path *path, uint64_t line, uint64_t key, bool store)
{
	pthread_mutex_lock(&path->lock);
	if (vpmu_cache_has(&path->l1, line, store))
		__atomic_store_n(&path->recent[line & path->recent_mask], key, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&path->lock);
}

/* Called after a line that another core had modified was taken; "sharing" is held. */
static unsigned int note_taken(struct vpmu_path *path, uint64_t line, bool store)
{
	bool again = store && path->rival && path->contested == line;

	path->taken++;
	pthread_cond_broadcast(&path->has_taken);
	if (store)
		path->contested = line;
	if (path->rival)
		path->rival_taken = path->rival->taken;
	return again ? VPMU_MODIFIED | VPMU_AGAIN : VPMU_MODIFIED;
}

void vpmu_path_yield(struct vpmu_path *path)
{
	struct timespec until;
	int error = 0;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += VPMU_YIELD_NS;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&sharing);
	while (!error && path->rival->taken == path->rival_taken)
		error = pthread_cond_timedwait(&path->rival->has_taken, &sharing, &until);
	pthread_mutex_unlock(&sharing);
}

unsigned int vpmu_path_share(struct vpmu_path *path, uint64_t line, bool store)
{
	unsigned int what = 0;

	if (is_own(path, line, store))
		return 0;
	pthread_mutex_lock(&sharing);
	if (take_from_others(path, line, store))
		what = note_taken(path, line, store);
	pthread_mutex_lock(&path->lock);
	if (!vpmu_cache_hit(&path->l1, line, store))
		what |= vpmu_path_miss(path, line, store);
	pthread_mutex_unlock(&path->lock);
	pthread_mutex_unlock(&sharing);
	return what;
}

/* Drop a line from all caches of the path; write it to memory if it is dirty. */
static void drop_everywhere(struct vpmu_path *path, uint64_t line)
{
	struct vpmu_module *module = path->module;
	struct vpmu_node *node = module->node;
	bool dirty = vpmu_cache_drop(&path->l1, line);

	pthread_mutex_lock(&module->lock);
	pthread_mutex_lock(&node->lock);
	dirty |= vpmu_cache_drop(&module->l2, line);
	dirty |= vpmu_cache_drop(&node->l3, line);
	use_memory(node, line, VPMU_MEMORY_WRITES);
	if (dirty)
		use_memory(node, line, VPMU_MEMORY_WRITES);
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
	if (vpmu_coherent) {
		pthread_mutex_lock(&sharing);
		take_from_others(path, line, true);
		pthread_mutex_lock(&path->lock);
	}
	drop_everywhere(path, line);
	if (vpmu_coherent) {
		pthread_mutex_unlock(&path->lock);
		pthread_mutex_unlock(&sharing);
	}
	return true;
}

uint64_t vpmu_unit_total(unsigned int node, enum vpmu_unit_total total)
{
	struct vpmu_node *n = node < VPMU_NODES ?
			      __atomic_load_n(&nodes[node], __ATOMIC_ACQUIRE) : NULL;

	return n ? __atomic_load_n(&n->total[total], __ATOMIC_RELAXED) : 0;
}
