// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_caches.c - coherence of the caches of the virtual PMU's exec mode (vpmu/memory.h), compared
 * with a list of the cores that have each line.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ksft.h"
#include "memory.h"

#define CORES	8	/* four per node, two per module */
#define NODES	2
#define LINES	200
#define HOME	0x10000000000ull	/* first of 90 lines in the memory of the other node */
#define MANY	100000	/* number of lines that do not fit in the caches */

static struct vpmu_path *path[CORES];

/* The sequence is the same on every machine. */
static uint64_t next_number(uint64_t *state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return *state >> 33;
}

static void make_paths(void)
{
	unsigned int i;

	setenv("RCR_VPMU_COHERENT", "1", 1);
	setenv("RCR_VPMU_CACHES", "16,64,256", 1);
	setenv("RCR_VPMU_ROWS", "1", 1);
	setenv("RCR_VPMU_TLB", "64", 1);
	vpmu_memory_home(NODES + 1, HOME, 90);
	for (i = 0; i < CORES; i++)
		path[i] = vpmu_path_make(i / (CORES / NODES), i % (CORES / NODES));
}

/* The cores that have a line, and the core in whose L1D or L2 it is modified (number + 1, or 0). */
static struct {
	unsigned int has;
	unsigned int core, module;
} lines[LINES];

/* Return the result that the list predicts for an access; assumes that all lines fit. */
static unsigned int expected(unsigned int core, unsigned int line, bool store)
{
	unsigned int what = lines[line].has & (1u << core) ? 0 : VPMU_L1_MISS;

	/* Write a line back to the L2 of its core; from another module's L2 to the next level. */
	if (lines[line].core && lines[line].core != core + 1) {
		what |= VPMU_MODIFIED;
		lines[line].module = (lines[line].core - 1) / 2 + 1;
		lines[line].core = 0;
	}
	if (lines[line].module && lines[line].module != core / 2 + 1) {
		what |= VPMU_MODIFIED;
		lines[line].module = 0;
	}
	if (store) {
		lines[line].has = 0;
		lines[line].core = core + 1;
	}
	lines[line].has |= 1u << core;
	return what;
}

static void test_list(void)
{
	unsigned int i, core, line, bad = 0, modified = 0, what;
	uint64_t state = 1;
	bool store;

	for (i = 0; i < 200000; i++) {
		core = next_number(&state) % CORES;
		line = next_number(&state) % LINES;
		store = next_number(&state) % 4 == 0;
		what = vpmu_path_access(path[core], line + 1, store) & (VPMU_L1_MISS | VPMU_MODIFIED);
		bad += what != expected(core, line, store);
		modified += !!(what & VPMU_MODIFIED);
	}
	ksft_test_result(!bad && modified > 10000,
			 "misses and modified lines agree with a list of owners (%u of %u differ, %u modified)\n",
			 bad, i, modified);
}

/* Count lines that are modified in one cache and valid in a cache of another path to memory. */
static unsigned int shared_lines(uint64_t most)
{
	unsigned int i, j, bad = 0;
	uint64_t line;

	for (line = 1; line <= most; line++)
		for (i = 0; i < CORES; i++)
			for (j = 0; j < CORES; j++) {
				if (i == j || !vpmu_cache_has(&path[i]->l1, line, true))
					continue;
				bad += vpmu_cache_has(&path[j]->l1, line, false);
				bad += path[i]->module != path[j]->module &&
				       vpmu_cache_has(&path[j]->module->l2, line, false);
				bad += path[i]->module->node != path[j]->module->node &&
				       vpmu_cache_has(&path[j]->module->node->l3, line, false);
			}
	return bad;
}

static void *access_many(void *core)
{
	uint64_t state = 7 + (uintptr_t)core;
	unsigned int i, line;

	for (i = 0; i < 20000; i++) {
		/* A quarter of the accesses go to few lines, for which the cores compete. */
		line = next_number(&state) % (i % 4 ? MANY : 16);
		if (i % 100 == 99)
			vpmu_path_stream(path[(uintptr_t)core], line + 1);
		else
			vpmu_path_access(path[(uintptr_t)core], line + 1, next_number(&state) % 2);
	}
	return NULL;
}

static void test_threads(void)
{
	pthread_t thread[CORES];
	uintptr_t i;
	bool ok = true;

	for (i = 0; i < CORES; i++)
		ok &= !pthread_create(&thread[i], NULL, access_many, (void *)i);
	for (i = 0; ok && i < CORES; i++)
		ok &= !pthread_join(thread[i], NULL);
	ksft_test_result(ok && !shared_lines(MANY),
			 "eight concurrent cores never leave a line modified in one cache and valid in another\n");
}

#define CONTESTED	(2 * MANY)	/* a line of its own */
#define TAKES		1000
#define STORES		5000000	/* maximum, because a thread may run alone for a while */

/* Number of stores of each core that took the line from the other core. */
static unsigned int takes[2];

static void *store_often(void *which)
{
	unsigned int *taken = which;
	struct vpmu_path *own = path[taken == &takes[0] ? 0 : CORES - 1];
	unsigned int i, what;

	for (i = 0; i < STORES && *taken < TAKES; i++) {
		what = vpmu_path_access(own, CONTESTED, true);
		*taken += !!(what & VPMU_MODIFIED);
		if (what & VPMU_AGAIN)
			vpmu_path_yield(own);
	}
	return NULL;
}

static void test_turns(void)
{
	pthread_t thread[2];
	bool ok = true;
	unsigned int i;

	for (i = 0; i < 2; i++)
		ok &= !pthread_create(&thread[i], NULL, store_often, &takes[i]);
	for (i = 0; ok && i < 2; i++)
		ok &= !pthread_join(thread[i], NULL);
	ksft_print_msg("%u and %u stores took the line (expected: %u)\n",
		       takes[0], takes[1], TAKES);
	/* The last thread runs alone. */
	ksft_test_result(ok && takes[0] >= TAKES - 1 && takes[1] >= TAKES - 1,
			 "two cores that store to the same line alternate on any host\n");
}

static void read_lines(struct vpmu_path *of, uint64_t first, unsigned int lines_read)
{
	while (lines_read--)
		vpmu_path_access(of, first++, false);
}

static bool conflicts(struct vpmu_path *of, uint64_t line)
{
	return vpmu_path_access(of, line, false) & VPMU_ROW_CONFLICT;
}

/* Use a node without other accesses, so that its totals are known. */
static void test_rows(void)
{
	struct vpmu_path *of = vpmu_path_make(NODES, 0);
	const unsigned int row = 1u << VPMU_ROW_SHIFT;
	unsigned int i, held = 0;

	read_lines(of, VPMU_BANKS * row, VPMU_BANKS * row);
	ksft_test_result(vpmu_unit_total(NODES, VPMU_ROW_MISSES) == VPMU_BANKS &&
			 vpmu_unit_total(NODES, VPMU_ROW_HITS) == VPMU_BANKS * (row - 1) &&
			 !vpmu_unit_total(NODES, VPMU_ROW_CONFLICTS),
			 "sequential reads of memory open each row once\n");
	for (i = 0; i < row; i++) {
		held += conflicts(of, 1000 * VPMU_BANKS * row + i);
		held += conflicts(of, 2000 * VPMU_BANKS * row + i);
	}
	ksft_test_result(held == 2 * row && vpmu_unit_total(NODES, VPMU_ROW_CONFLICTS) == held,
			 "two streams in one bank conflict at each access (%u of %u)\n", held, 2 * row);
}

static void test_homes(void)
{
	struct vpmu_path *of = vpmu_path_make(NODES, 2);
	uint64_t own = vpmu_unit_total(NODES, VPMU_MEMORY_READS);
	uint64_t to_own = vpmu_unit_total(NODES, VPMU_TO_NODE + NODES);

	read_lines(of, HOME, 100);
	ksft_test_result(vpmu_unit_total(NODES, VPMU_MEMORY_READS) == own + 10 &&
			 vpmu_unit_total(NODES + 1, VPMU_MEMORY_READS) == 90 &&
			 vpmu_unit_total(NODES, VPMU_TO_NODE + NODES + 1) == 90 &&
			 vpmu_unit_total(NODES, VPMU_TO_NODE + NODES) == to_own + 10,
			 "a line is read from the node that has its memory\n");
}

static void test_pages(void)
{
	unsigned int i, missed = 0, again = 0, many = 0;

	for (i = 1; i <= 64; i++)
		missed += vpmu_path_page(path[0], i);
	for (i = 1; i <= 64; i++)
		again += vpmu_path_page(path[0], i);
	for (i = 0; i < 10 * 128; i++)
		many += vpmu_path_page(path[0], 1000 + i % 128);
	ksft_test_result(missed == 64 && !again && many == 10 * 128,
			 "a TLB holds as many pages as it has entries (%u, %u, %u misses)\n",
			 missed, again, many);
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(7);
	make_paths();
	test_list();
	test_threads();
	test_turns();
	test_rows();
	test_homes();
	test_pages();
	ksft_finished();
}
