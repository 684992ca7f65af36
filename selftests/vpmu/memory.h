/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * memory.h - the caches of exec mode, and the memory below them.
 *
 * An L1D for each core, an L2 for each module of two cores, an L3 for each node (a package). All
 * have lines of 64 bytes and LRU replacement, and are write-allocate and write-back. A line is
 * filled into every level; if a level drops it, the levels above keep it. The sizes are those of an
 * Interlagos (CPUID 8000_0005h and 8000_0006h):
 *
 *	L1D	16 KiB	 4 ways
 *	L2	 2 MiB	16 ways
 *	L3	 8 MiB	64 ways
 *
 * RCR_VPMU_CACHES=L1D,L2,L3 in QEMU's environment sets other sizes, in KiB, so that a small
 * workload exceeds a cache. RCR_VPMU_STALL sets the cost of a line from memory (access.c).
 *
 * RCR_VPMU_COHERENT=1 keeps at most one copy of a line that a core has modified: a store removes
 * the line from all caches that are not between its core and memory, and a load has a modified line
 * in them written back. That costs lookups and locks for each miss; without it caches of other
 * cores keep stale copies. A vCPU that stores again to a line which it took from another core first
 * lets that core take it back (vpmu_path_yield()): on a host with fewer CPUs its thread would
 * otherwise do thousands of stores before the other one runs.
 *
 * RCR_VPMU_ROWS=1 gives each node's memory 16 banks with one open row of 8 KiB each; consecutive
 * rows are in different banks. An access to another row of a bank is a conflict.
 *
 * RCR_VPMU_TLB=ENTRIES gives each core a data TLB of 4 ways for pages of 4 KiB. An access to a line
 * that the fast path of access.c remembers does not use it.
 *
 * A non-temporal store goes to memory through one of four write-combining buffers, with one write
 * for each line that it begins, and leaves no copy in a cache.
 *
 * Memory of a NUMA node of QEMU (guest.sh -N) belongs to that node; without NUMA nodes, all memory
 * counts as that of the node that accesses it.
 *
 * Left out: prefetching, instruction fetch, page-table walks, devices.
 *
 * Lines are numbered by host addresses: one to one with the guest's memory.
 */
#ifndef RCR_VPMU_MEMORY_H
#define RCR_VPMU_MEMORY_H

#include <pthread.h>

#include "cache.h"

#define VPMU_NODES		64
#define VPMU_WC_BUFFERS		4
#define VPMU_BANKS		16
#define VPMU_ROW_SHIFT		7	/* lines of a row */

/* What a node's L3 and memory controller count. */
enum vpmu_unit_total {
	VPMU_L3_READS,		/* requests of the L2s, for a load */
	VPMU_L3_WRITES,		/* and for a store */
	VPMU_L3_READ_MISSES,
	VPMU_L3_WRITE_MISSES,
	VPMU_L3_PUTS,		/* dirty lines that an L2 gives back */
	VPMU_MEMORY_READS,	/* of 64 bytes each */
	VPMU_MEMORY_WRITES,
	VPMU_ROW_HITS,
	VPMU_ROW_MISSES,	/* no row of the bank was open yet */
	VPMU_ROW_CONFLICTS,
	VPMU_TO_NODE,		/* eight: requests of this node's caches to each node's memory */
	VPMU_UNIT_TOTALS = VPMU_TO_NODE + 8
};

/* memory_lock protects the totals of memory and of its rows, which other nodes update, too. */
struct vpmu_node {
	pthread_mutex_t lock;	/* taken after a module's lock */
	struct vpmu_cache l3;
	unsigned int index;
	uint64_t total[VPMU_UNIT_TOTALS];
	pthread_mutex_t memory_lock;	/* the last of all */
	uint64_t open[VPMU_BANKS];	/* its row + 1 */
};

struct vpmu_module {
	pthread_mutex_t lock;
	struct vpmu_node *node;
	struct vpmu_cache l2;
};

/* The caches between a core and memory. */
struct vpmu_path {
	pthread_mutex_t lock;	/* of the L1D, if caches are coherent */
	struct vpmu_cache l1;
	struct vpmu_cache tlb;	/* of page numbers; without ways if there is none */
	struct vpmu_module *module;
	uint64_t *recent;	/* of access.c, by the low bits of the line; NULL: none */
	uint64_t recent_mask;
	uint64_t combining[VPMU_WC_BUFFERS];	/* lines, 0: none */
	unsigned int next_buffer;
	struct vpmu_path *next;	/* of all */
	/* Lines that were taken from cores which had modified them; under the lock "sharing": */
	unsigned int taken;		/* how many */
	pthread_cond_t has_taken;	/* one more */
	uint64_t contested;		/* the last one that a store took */
	struct vpmu_path *rival;	/* who had it */
	unsigned int rival_taken;	/* @taken of that one then */
};

/* By RCR_VPMU_COHERENT; set when the first path is made. */
extern bool vpmu_coherent;

/* The results of an access, as bits. */
#define VPMU_L1_MISS		1u
#define VPMU_L2_MISS		2u
#define VPMU_L2_BACK		4u	/* the L2 gave a dirty line back for it */
#define VPMU_L3_MISS		8u	/* the line came from memory */
#define VPMU_MODIFIED		16u	/* another core's L1D or L2 had modified it */
#define VPMU_ROW_CONFLICT	32u	/* another row of its bank was open */
#define VPMU_AGAIN		64u	/* a store took the line that it took before */

/*
 * vpmu_path_make() - make the caches of core @core of node @node
 *
 * Numbers that are too large wrap around.
 */
struct vpmu_path *vpmu_path_make(unsigned int node, unsigned int core);

/*
 * vpmu_memory_home() - assign @lines lines of memory from @first on to @node
 *
 * Called before the first path is made.
 */
void vpmu_memory_home(unsigned int node, uint64_t first, uint64_t lines);

/*
 * vpmu_path_miss() - handles an access to a line that the L1D does not hold
 *
 * Called by vpmu_path_access() only.
 */
unsigned int vpmu_path_miss(struct vpmu_path *path, uint64_t line, bool store);

/*
 * vpmu_path_remember() - use @key for @line in the fast path until another core takes the line
 *
 * Does nothing if another core has already taken it. Called if caches are coherent.
 */
void vpmu_path_remember(struct vpmu_path *path, uint64_t line, uint64_t key, bool store);

/*
 * vpmu_path_page() - look up a page in the core's TLB, and load it on a miss
 * @page: number of the page, with that of its address space in the upper bits; not 0
 *
 * Return: true for a miss; false if there is no TLB.
 */
bool vpmu_path_page(struct vpmu_path *path, uint64_t page);

/*
 * vpmu_path_share() - handles an access if caches are coherent
 *
 * Called by vpmu_path_access() only.
 */
unsigned int vpmu_path_share(struct vpmu_path *path, uint64_t line, bool store);

/*
 * vpmu_path_yield() - wait until the core that had a line has taken one itself
 *
 * Called after VPMU_AGAIN. Waits for at most VPMU_YIELD_NS: that core may not need a line.
 */
void vpmu_path_yield(struct vpmu_path *path);

#define VPMU_YIELD_NS	300000

/*
 * vpmu_path_stream() - handle a non-temporal store to @line
 *
 * Return: true if the store began a line.
 */
bool vpmu_path_stream(struct vpmu_path *path, uint64_t line);

/*
 * vpmu_unit_total() - get a total of node @node since power on
 */
uint64_t vpmu_unit_total(unsigned int node, enum vpmu_unit_total total);

/*
 * vpmu_path_access() - handles a load or store of @line
 *
 * Return: a mask of VPMU_L1_MISS and the bits after it; 0 for a hit. A store to a line that
 * others have, too, is a hit.
 */
static inline unsigned int vpmu_path_access(struct vpmu_path *path,
					    uint64_t line, bool store)
{
	uint64_t *set = path->l1.way +
			(line & (path->l1.sets - 1)) * path->l1.ways;

	if (vpmu_coherent)
		return vpmu_path_share(path, line, store);
	/* Most accesses are to the line that the set used last. */
	if (vpmu_line_of(*set) == line) {
		*set |= store;
		return 0;
	}
	if (vpmu_cache_hit(&path->l1, line, store))
		return 0;
	return vpmu_path_miss(path, line, store);
}

#endif
