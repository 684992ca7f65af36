// SPDX-License-Identifier: GPL-2.0-only
/*
 * access.c - counts accesses to memory in exec mode. The code that translate.h adds to translated
 * code calls it after each access.
 */
#include "qemu/osdep.h"
#include "qemu/cutils.h"
#include "cpu.h"
#include "exec/helper-proto.h"
#include "exec/exec-all.h"
#include "exec/cpu_ldst.h"
#include "hw/boards.h"
#include "sysemu/hostmem.h"
#include "sysemu/numa.h"
#include "access.h"
#include "memory.h"

/*
 * RCR_VPMU_STALL=NS stalls a vCPU for this time for each line that is loaded from memory, for twice
 * the time if another row of the bank was open, and for an eighth for a store, as stores of a
 * processor overlap. Default: 0. Each vCPU is a thread that holds no lock here, so the guest's
 * clocks and other vCPUs continue meanwhile. Without a stall a miss only costs the time of the
 * model.
 *
 * The host's timers are coarse, so a thread sleeps only when it owes STALL_BATCH_NS. A sleep that
 * took too long is credited to the next one, up to a batch, so that the next misses on a busy host
 * are not free.
 */
#define STALL_BATCH_NS	300000
#define STALL_MOST_NS	1000000

static unsigned int stall_ns;

static void read_stall(void)
{
	const char *text = getenv("RCR_VPMU_STALL");

	if (text && (qemu_strtoui(text, NULL, 10, &stall_ns) || stall_ns > STALL_MOST_NS)) {
		fprintf(stderr, "invalid RCR_VPMU_STALL: use 0 to %d, ns for each miss of the L3\n",
			STALL_MOST_NS);
		exit(1);
	}
}

static void hold_vcpu(uint64_t *total, int64_t ns)
{
	static __thread int64_t owed;
	int64_t from;

	total[VPMU_WAITS] += ns;
	owed += ns;
	if (owed < STALL_BATCH_NS)
		return;
	from = g_get_monotonic_time();
	g_usleep(owed / 1000);
	owed -= 1000 * (g_get_monotonic_time() - from);
	owed = MAX(owed, -STALL_BATCH_NS);
}

/* Register the memory of each NUMA node that has memory of its own. */
static void find_homes(void)
{
	const NumaState *numa = MACHINE(qdev_get_machine())->numa_state;
	MemoryRegion *memory;
	int i;

	for (i = 0; numa && i < numa->num_nodes; i++) {
		if (!numa->nodes[i].node_memdev)
			continue;
		memory = host_memory_backend_get_memory(numa->nodes[i].node_memdev);
		vpmu_memory_home(i, (uintptr_t)memory_region_get_ram_ptr(memory) >> VPMU_LINE_SHIFT,
				 memory_region_size(memory) >> VPMU_LINE_SHIFT);
	}
}

static void read_machine(void)
{
	read_stall();
	find_homes();
}

/* Make the caches of a vCPU's core. Each package is a node. */
static void make_path(CPUX86State *env)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	CPUState *cs = env_cpu(env);
	unsigned int cores = cs->nr_cores * cs->nr_threads;
	struct vpmu_exec *x = &env->vpmu;

	pthread_once(&once, read_machine);
	x->path = vpmu_path_make(cs->cpu_index / cores, cs->cpu_index % cores);
	x->recent_mask = MIN(x->path->l1.sets, VPMU_RECENT) - 1;
	x->path->recent_mask = x->recent_mask;
	x->path->recent = x->recent;
}

/*
 * Return: host address of guest memory; 0 for other addresses. QEMU's TLB still has the entry,
 * which the access has just used (accel/tcg/cputlb.c).
 */
static uintptr_t host_address(CPUX86State *env, target_ulong addr, uint32_t info)
{
	CPUTLBEntry *entry = tlb_entry(env, info >> VPMU_ACCESS_MMU_SHIFT, addr);
	target_ulong tag = info & VPMU_ACCESS_STORE ? tlb_addr_write(entry) :
						      entry->addr_read;

	if (!tlb_hit(tag, addr) || (tag & TLB_MMIO))
		return 0;
	return addr + entry->addend;
}

static int64_t memory_ns(unsigned int what, uint32_t info)
{
	int64_t ns = what & VPMU_ROW_CONFLICT ? 2 * stall_ns : stall_ns;

	return info & VPMU_ACCESS_LOAD ? ns : ns / 8;
}

static void touch_line(struct vpmu_path *path, uint64_t *total, uint64_t line,
		       uint32_t info)
{
	unsigned int what;

	if (info & VPMU_ACCESS_STREAM) {
		total[VPMU_STREAM_LINES] += vpmu_path_stream(path, line);
		return;
	}
	what = vpmu_path_access(path, line, info & VPMU_ACCESS_STORE);
	if (!what)
		return;
	total[VPMU_L1_MISSES] += !!(what & VPMU_L1_MISS);
	total[VPMU_L2_MISSES] += !!(what & VPMU_L2_MISS);
	total[VPMU_L2_BACKS] += !!(what & VPMU_L2_BACK);
	if (what & VPMU_L2_MISS)
		total[what & VPMU_MODIFIED ? VPMU_MODIFIED_FILLS : VPMU_OTHER_FILLS]++;
	if (what & VPMU_MODIFIED)
		total[VPMU_WAITS] += VPMU_TAKE_CYCLES;
	if (what & VPMU_L3_MISS)
		hold_vcpu(total, memory_ns(what, info));
	if (what & VPMU_AGAIN)
		vpmu_path_yield(path);
}

/*
 * Key of the fast path. An access to the line that was used last in its set of the L1D is a hit and
 * changes nothing, except for the first store to a clean line. For each set (or group of sets whose
 * numbers have the same low bits) that line is remembered by its virtual address, whose bits 11:6
 * equal those of the physical one, with the address space in the upper bits and "dirty" in the low
 * ones. If the kernel maps another page at that address in the same address space, its line is
 * mistaken for the old one until another line of the set is used: at most 64 lines each time.
 *
 * If caches are coherent, a core that takes the line away also removes the key: bits 11:6 of the
 * host address are the same, too.
 */
static uint64_t key_of(const CPUX86State *env, target_ulong addr)
{
	return ((addr >> VPMU_LINE_SHIFT) ^ (env->cr[3] << 26)) << 1;
}

static uint64_t *recent_of(struct vpmu_exec *x, target_ulong addr)
{
	return &x->recent[(addr >> VPMU_LINE_SHIFT) & x->recent_mask];
}

static bool is_plain(target_ulong addr, uint32_t info)
{
	unsigned int offset = addr & ((1u << VPMU_LINE_SHIFT) - 1);

	return offset + (info & VPMU_ACCESS_SIZE) <= 1u << VPMU_LINE_SHIFT &&
	       !(info & VPMU_ACCESS_STREAM);
}

/* Return: page and address space as one number. Pages of the kernel belong to all of them. */
static uint64_t page_of(const CPUX86State *env, target_ulong addr)
{
	return (addr >> TARGET_PAGE_BITS) ^ (addr >> 63 ? 0 : env->cr[3] << 24);
}

/* Count an access to the next line, too, if the access ends there; it may be in another page. */
static void touch_other(CPUX86State *env, target_ulong addr, uint32_t info,
			uint64_t *total)
{
	target_ulong last = addr + (info & VPMU_ACCESS_SIZE) - 1;
	uintptr_t host = host_address(env, last, info);

	if ((addr ^ last) >> VPMU_LINE_SHIFT && host)
		touch_line(env->vpmu.path, total, host >> VPMU_LINE_SHIFT, info);
	*recent_of(&env->vpmu, last) = 0;
}

static void __attribute__((noinline))
long_way(CPUX86State *env, target_ulong addr, uint32_t info, uint64_t *total)
{
	bool store = info & VPMU_ACCESS_STORE;
	uintptr_t host = host_address(env, addr, info);

	if (!env->vpmu.path)
		make_path(env);
	total[VPMU_TLB_MISSES] += vpmu_path_page(env->vpmu.path, page_of(env, addr));
	if (!host) {
		total[VPMU_NOT_CACHED] -= store + !!(info & VPMU_ACCESS_LOAD);
		return;
	}
	touch_line(env->vpmu.path, total, host >> VPMU_LINE_SHIFT, info);
	*recent_of(&env->vpmu, addr) = 0;
	if (!is_plain(addr, info))
		touch_other(env, addr, info, total);
	else if (vpmu_coherent)
		vpmu_path_remember(env->vpmu.path, host >> VPMU_LINE_SHIFT,
				   key_of(env, addr) | store, store);
	else
		*recent_of(&env->vpmu, addr) = key_of(env, addr) | store;
}

void helper_vpmu_access(CPUX86State *env, target_ulong addr, uint32_t info)
{
	unsigned int mode = (info >> VPMU_ACCESS_OS_SHIFT) & 1;
	uint64_t *total = env->vpmu.total[mode];
	uint64_t recent = qatomic_read(recent_of(&env->vpmu, addr));

	total[VPMU_LOADS] += !!(info & VPMU_ACCESS_LOAD);
	total[VPMU_STORES] += !!(info & VPMU_ACCESS_STORE);
	if (!(info & VPMU_ACCESS_STORE))
		recent &= ~1ull;
	if (recent != (key_of(env, addr) | !!(info & VPMU_ACCESS_STORE)) ||
	    !is_plain(addr, info))
		long_way(env, addr, info, total);
}
