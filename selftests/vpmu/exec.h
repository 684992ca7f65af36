/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * exec.h - exec mode: the virtual PMU counts what the guest executes.
 *
 * RCR_VPMU=exec in QEMU's environment selects it; the default is rate mode (rate.h). Translated
 * code adds to totals of its vCPU, one set for CPL 3 and one for all other levels, which never
 * stop. The value of a running counter is a base plus a total; in rate mode, a base plus the count
 * of its rate.
 *
 * Counted:
 *
 *  - instructions, exactly: a block adds all of its instructions when it is
 *    entered, and those that an exception leaves out are subtracted again. An
 *    instruction that faults and is executed again counts once; a rep string
 *    instruction counts once, at its end. hlt, int and syscall count at the
 *    privilege level at which they are executed.
 *  - branches: jumps, calls, returns, loops, taken or not, near or far, iret,
 *    syscall and sysret. Not interrupts and exceptions, which event 0C2h of an
 *    AMD processor counts, too.
 *  - loads and stores of translated code, by pieces of up to 16 bytes: an
 *    access of 32 is two. An atomic instruction, or one that modifies memory,
 *    is a load and a store (never a "load-op-store"). Each repetition of a
 *    string instruction is an access. Left out are accesses by helper functions
 *    of QEMU: cmpxchg8b/16b, x87 of 80 bits, fxsave and
 *    xsave, gathers and masked moves, far transfers, interrupts, descriptors.
 *  - floating-point operations of SSE, AVX and FMA, by the unit mask of AMD
 *    42301's event 003h: one for each element, two for each of a multiply-add;
 *    horizontal and alternating adds are adds. Not those of x87, of 3DNow! and
 *    of dot products, nor minima, comparisons, conversions, roundings and
 *    approximations, which are other operations. By width, since Zen 4: one for each of these
 *    instructions, scalar or packed, which a processor counts for the others, too.
 *  - SSE and AVX instructions, as QEMU's table-driven decoder knows them (not
 *    movnti, ldmxcsr and their like), and x87 instructions.
 *  - misses and write-backs of the caches of memory.h.
 *  - cycles: TSC ticks while the vCPU is not in hlt, also while the host runs
 *    something else, so they do not measure work. With RCR_VPMU_CYCLES=work
 *    they do, as on a processor of 1 GHz: one for each instruction, the time of
 *    RCR_VPMU_STALL for a line from memory (access.c), and VPMU_TAKE_CYCLES for
 *    a line that another core had modified.
 *  - requests to the L3 and to memory of each node, on the northbridge counters
 *    of a Family 15h; other families' shared units count nothing.
 *
 * MPERF, APERF, energy and temperature follow rate.h in either mode. The counters of Family 10h do
 * not count.
 *
 * All other events count nothing, including TLB misses unless the TLB of memory.h is enabled, as
 * QEMU's TLB differs from a processor's. exec mode cannot be combined with -icount, which has no
 * clock at changes of the privilege level.
 *
 * Run times relative to rate mode, in a guest of four CPUs on a host of two: boot 1.8, a loop of a
 * busybox shell 2.2, fork and exec 1.7, a triad over 12 MiB 2.3, SSE additions in registers 1.3,
 * integer instructions in registers 1.0, gzip 5.1 (most of its accesses miss a 16 KiB L1D).
 */
#ifndef RCR_VPMU_EXEC_H
#define RCR_VPMU_EXEC_H

#include <stdbool.h>
#include <stdint.h>

enum vpmu_total {
	VPMU_INSNS,
	VPMU_BRANCHES,
	VPMU_LOADS,
	VPMU_STORES,
	VPMU_SSE_INSNS,
	VPMU_X87_INSNS,
	VPMU_CYCLES,
	VPMU_NOT_CACHED,	/* minus the loads and stores of other addresses than memory */
	VPMU_L1_MISSES,
	VPMU_L2_MISSES,
	VPMU_L2_BACKS,
	VPMU_MODIFIED_FILLS,	/* L2 misses whose line another core had modified */
	VPMU_OTHER_FILLS,
	VPMU_STREAM_LINES,	/* lines that non-temporal stores began */
	VPMU_TLB_MISSES,	/* if there is a TLB */
	VPMU_WAITS,	/* cycles that lines take, by RCR_VPMU_CYCLES=work */
	VPMU_SCALAR_OPS,	/* instructions with floating-point operations, by width */
	VPMU_PACKED_OPS,
	VPMU_FLOPS,		/* eight, by the bits of the unit mask */
	VPMU_TOTALS = VPMU_FLOPS + 8
};

/* Bits of the unit mask of event 003h. */
#define VPMU_FLOPS_ADD		0
#define VPMU_FLOPS_MUL		1
#define VPMU_FLOPS_DIV		2
#define VPMU_FLOPS_FMA		3
#define VPMU_FLOPS_DOUBLE	4	/* added for double precision */

/* The mode that an event counts in: an index into total[], and a bit of 17:16 in a select. */
#define VPMU_USER		0
#define VPMU_OS			1

struct vpmu_path;

#define VPMU_RECENT		64	/* the lines of a page */

/* A vCPU's totals; a part of QEMU's CPUX86State. */
struct vpmu_exec {
	uint64_t total[2][VPMU_TOTALS];
	struct vpmu_path *path;	/* NULL before the first access */
	uint64_t recent[VPMU_RECENT];	/* see access.c */
	uint64_t recent_mask;
	bool halted;
	bool user;		/* at CPL 3 */
	uint64_t since;		/* TSC that the cycles are counted to */
};

/* As on real processors: pmu-tools uses 60 to 200. */
#define VPMU_TAKE_CYCLES	100

/* exec mode and RCR_VPMU_CYCLES=work; set from QEMU's environment before the guest runs. */
extern bool vpmu_exec_on, vpmu_work_cycles;

/* Add the cycles of a vCPU up to @tsc to its totals. */
static inline void vpmu_exec_settle(struct vpmu_exec *x, uint64_t tsc)
{
	if (!x->halted)
		x->total[x->user ? VPMU_USER : VPMU_OS][VPMU_CYCLES] += tsc - x->since;
	x->since = tsc;
}

/* The totals that make up an event: a row of a family's list. */
struct vpmu_exec_event {
	uint32_t event;
	uint32_t umask;		/* any of these bits; 0: whatever the unit mask */
	uint32_t total;
};

/* Each list ends with a row whose total is VPMU_TOTALS. */
extern const struct vpmu_exec_event vpmu_exec_fam15h[];
extern const struct vpmu_exec_event vpmu_exec_fam17h[];
extern const struct vpmu_exec_event vpmu_exec_fam19h[];
extern const struct vpmu_exec_event vpmu_exec_nehalem[];
extern const struct vpmu_exec_event vpmu_exec_snbep[];

/* The event that a counter is programmed for. */
struct vpmu_event {
	uint32_t event;
	uint32_t umask;
	uint32_t modes;		/* bits VPMU_USER and VPMU_OS */
};

struct vpmu_cpu;

/**
 * vpmu_exec_count() - count of @event on a vCPU since power on
 * @cpu: a vCPU in exec mode; the caller is its thread
 * @tsc: guest time stamp counter
 */
uint64_t vpmu_exec_count(const struct vpmu_cpu *cpu,
			 const struct vpmu_event *event, uint64_t tsc);

/**
 * vpmu_exec_unit_count() - count of an event of a Fam15h northbridge since power on
 * @node: the package; callable from any thread
 * @event: 12 bits
 *
 * 4E0h requests to the L3, 4E1h its misses, 4E2h write-backs of the L2s, 1F0h requests to memory,
 * 0E0h requests by rows (if memory has rows), 1E0h requests by the node that has the memory. The
 * core selection, bits 7:4 of an L3 event's unit mask, always means all cores. Other events count
 * 0.
 */
uint64_t vpmu_exec_unit_count(unsigned int node, uint32_t event, uint32_t umask);

#endif
