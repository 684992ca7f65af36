// SPDX-License-Identifier: GPL-2.0-only
/*
 * access.c - exec mode sees an access to memory: what translate.h has put into
 * translated code calls it when the access is done.
 */
#include "qemu/osdep.h"
#include "cpu.h"
#include "exec/helper-proto.h"
#include "exec/exec-all.h"
#include "exec/cpu_ldst.h"
#include "access.h"
#include "memory.h"

/* A package is a node. */
static struct vpmu_path *make_path(CPUX86State *env)
{
	CPUState *cs = env_cpu(env);
	unsigned int cores = cs->nr_cores * cs->nr_threads;

	return vpmu_path_make(cs->cpu_index / cores, cs->cpu_index % cores);
}

/*
 * The host's address of guest memory, 0 for what is none. The access has just
 * gone through QEMU's TLB, so the entry is there (accel/tcg/cputlb.c).
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

static void touch(struct vpmu_path *path, uint64_t *total, uint64_t line,
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
	total[VPMU_L1_MISSES]++;
	total[VPMU_L2_MISSES] += !!(what & VPMU_L2_MISS);
	total[VPMU_L2_BACKS] += !!(what & VPMU_L2_BACK);
}

/* One that ends in the next line, perhaps of another page, touches both. */
static void touch_all(CPUX86State *env, target_ulong addr, uint32_t info,
		      uint64_t *total)
{
	target_ulong last = addr + (info & VPMU_ACCESS_SIZE) - 1;
	uintptr_t host = host_address(env, addr, info);

	if (!host)
		return;
	total[VPMU_L1_ACCESSES] += !!(info & VPMU_ACCESS_LOAD) +
				   !!(info & VPMU_ACCESS_STORE);
	touch(env->vpmu.path, total, host >> VPMU_LINE_SHIFT, info);
	if (likely(!((addr ^ last) >> VPMU_LINE_SHIFT)))
		return;
	host = host_address(env, last, info);
	if (host)
		touch(env->vpmu.path, total, host >> VPMU_LINE_SHIFT, info);
}

void helper_vpmu_access(CPUX86State *env, target_ulong addr, uint32_t info)
{
	bool user = info & VPMU_ACCESS_USER;
	uint64_t *total = env->vpmu.total[user ? VPMU_USER : VPMU_OS];

	total[VPMU_LOADS] += !!(info & VPMU_ACCESS_LOAD);
	total[VPMU_STORES] += !!(info & VPMU_ACCESS_STORE);
	if (unlikely(!env->vpmu.path))
		env->vpmu.path = make_path(env);
	touch_all(env, addr, info, total);
}
