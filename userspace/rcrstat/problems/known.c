// SPDX-License-Identifier: GPL-2.0-only
/*
 * known.c - relations that hold between counters on any machine.
 *
 * Only relations that follow from the definitions of the events are listed. Relations that merely
 * hold as a rule are left out: cache misses that prefetches or replays cause as well (Family 15h's
 * PMCx07E with unit mask 02h), and requests of cores to their node, because devices send requests,
 * too.
 *
 * Events: AMD 31116 (Family 10h), 42301 (Family 15h, the northbridge's in section 3.24), 54945,
 * 55803 and 55901 (Zen); Intel SDM volume 3B, events of Nehalem; Intel's event lists (JKT, IVT,
 * HSX, BDX, SKX, ICX, SPR). Limits per cycle: AMD 40546, 47414 and 56665 (Software Optimization
 * Guides of these families), Intel 248966 (Optimization Reference Manual).
 *
 * The constant of a relation bounds the operations in flight when a record is read: requested
 * before the read, but missed or completed after it. lint.c allows for the time between reading two
 * registers.
 */
#include "problems/relations.h"

#define FAM10H	"AMD Fam10h"
#define FAM15H	"AMD Fam15h"
#define FAM17H	"AMD Fam17h"
#define FAM19H	"AMD Fam19h"
#define V2	"AMD PerfMonV2"
#define NEHALEM	"Intel Nehalem"
#define SNB	"Intel Sandy Bridge"
#define IVB	"Intel Ivy Bridge"
#define HSW	"Intel Haswell"
#define BDW	"Intel Broadwell"
#define SKX	"Intel Skylake-SP"
#define ICX	"Intel Ice Lake-SP"
#define SPR	"Intel Sapphire Rapids"

/*
 * Taken and mispredicted branches are branches. Instructions and branches both include each
 * exception and interrupt, according to the manuals of 10h and 15h.
 */
#define AMD_BRANCHES(family) \
	{ (family), "event:0xc3 <= event:0xc2", 16 }, \
	{ (family), "event:0xc4 <= event:0xc2", 16 }

/*
 * Eight macro-ops retire per cycle, each of up to two instructions. Event 003h counts at most 96
 * per cycle: two multiply-adds and two additions of 512 bits each.
 */
#define ZEN(family) \
	AMD_BRANCHES(family), \
	{ (family), "TOT_INS <= 16 TOT_CYC", 16 }, \
	{ (family), "RETIRED_FLOPS <= 96 TOT_CYC", 96 }, \
	{ (family), "VEC_INS <= TOT_INS", 16 }

/*
 * @retired: instructions that retire in a cycle at most: each micro-op may be a comparison and
 *	its branch
 * @issued: UOPS_ISSUED.ANY, of which eight are issued in a cycle at most
 * @conditional: unit mask of conditional branches, BR_INST_RETIRED.CONDITIONAL or .COND
 */
#define SINCE_SNB(family, retired, issued, conditional) \
	{ (family), "TOT_INS <= " retired " TOT_CYC", 64 }, \
	{ (family), issued " <= 8 TOT_CYC", 64 }, \
	{ (family), "event:0xc4 <= TOT_INS", 64 }, \
	/* Near branches that are taken, and mispredicted ones. */ \
	{ (family), "event:0xc4,umask:0x20 <= TOT_INS", 64 }, \
	{ (family), "event:0xc4,umask:0x20 <= event:0xc4", 64 }, \
	{ (family), "event:0xc4,umask:" conditional " <= event:0xc4", 64 }, \
	{ (family), "event:0xc5 <= event:0xc4", 64 }, \
	/* The architectural events: misses are among the references. */ \
	{ (family), "event:0x2e,umask:0x41 <= event:0x2e,umask:0x4f + 256", 64 }, \
	/* At the rate of the time stamp counter, in steps of a bus clock. */ \
	{ (family), "event:0x00,umask:0x03 <= 1.1 tsc + 1000", 1 }

/* From Skylake-SP on loads and stores are counted as instructions, not as micro-ops. */
#define SINCE_SKX(family) \
	{ (family), "LOADS <= TOT_INS", 64 }, \
	{ (family), "STORES <= TOT_INS", 64 }

/* FP_ARITH_INST_RETIRED: packed ones are among all. */
#define PACKED(family) \
	{ (family), "VEC_INS <= FP_INS", 64 }

const struct known_relation known_relations[] = {
	/* Three macro-ops, and an interrupt. */
	{ FAM10H, "event:0xc0 <= 4 event:0x76", 16 },
	{ FAM10H, "event:0xc2 <= event:0xc0", 16 },
	AMD_BRANCHES(FAM10H),
	/* Each instruction is at least one micro-op. */
	{ FAM10H, "event:0xcb,umask:0x07 <= event:0xc1", 16 },
	{ FAM10H, "event:0xd1 <= event:0x76", 1 },

	/* Four macro-ops, each of which may be a comparison and its branch. */
	{ FAM15H, "TOT_INS <= 8 TOT_CYC", 16 },
	/* Two pipes of 128 bits, multiplying and adding; 128 macro-ops in flight. */
	{ FAM15H, "RETIRED_FLOPS <= 16 TOT_CYC + 1024", 32 },
	{ FAM15H, "DP_OPS <= 8 TOT_CYC + 512", 32 },
	{ FAM15H, "VEC_INS <= TOT_INS", 16 },
	{ FAM15H, "event:0xc2 <= TOT_INS", 16 },
	AMD_BRANCHES(FAM15H),
	/* Includes streaming stores; an access that crosses a line is two misses. */
	{ FAM15H, "L1_DCM <= 2 LS_DISP + 256", 16 },
	{ FAM15H, "event:0x7e,umask:0x01 <= event:0x7d,umask:0x01 + 256", 16 },
	{ FAM15H, "L3_CACHE_MISSES <= nb:event:0x4e0,umask:0xf7 + 1024", 32 },
	{ FAM15H, "DCT_PREFETCH <= DCT_RD_TOT", 32 },

	ZEN(FAM17H),
	ZEN(FAM19H),
	ZEN(V2),

	/* Four micro-ops, each of which may be a comparison and its branch. */
	{ NEHALEM, "TOT_INS <= 8 TOT_CYC", 64 },
	/* Three ports compute. */
	{ NEHALEM, "FP_OPS <= 3 TOT_CYC", 64 },
	{ NEHALEM, "DP_OPS <= 3 TOT_CYC", 64 },
	{ NEHALEM, "VEC_INS <= 3 TOT_CYC", 64 },
	{ NEHALEM, "event:0xa2,umask:0x01 <= TOT_CYC", 1 },
	{ NEHALEM, "event:0xc4 <= TOT_INS", 64 },
	{ NEHALEM, "event:0x0b,umask:0x01 <= TOT_INS", 64 },
	{ NEHALEM, "event:0x0b,umask:0x02 <= TOT_INS", 64 },
	{ NEHALEM, "event:0xcb,umask:0x10 <= event:0x0b,umask:0x01", 64 },
	/* At the rate of the time stamp counter, in steps of a bus clock. */
	{ NEHALEM, "event:0x00,umask:0x03 <= 1.1 tsc + 1000", 1 },

	SINCE_SNB(SNB, "8", "event:0x0e,umask:0x01", "0x01"),
	SINCE_SNB(IVB, "8", "event:0x0e,umask:0x01", "0x01"),
	SINCE_SNB(HSW, "8", "event:0x0e,umask:0x01", "0x01"),
	SINCE_SNB(BDW, "8", "event:0x0e,umask:0x01", "0x01"),
	PACKED(BDW),
	SINCE_SNB(SKX, "16", "event:0x0e,umask:0x01", "0x01"),
	SINCE_SKX(SKX),
	PACKED(SKX),
	SINCE_SNB(ICX, "16", "event:0x0e,umask:0x01", "0x11"),
	SINCE_SKX(ICX),
	PACKED(ICX),
	SINCE_SNB(SPR, "16", "event:0xae,umask:0x01", "0x11"),
	SINCE_SKX(SPR),
	PACKED(SPR),

	/* The module also assumes that no core is faster than that: see limits.md. */
	{ NULL, "register:aperf <= 8 register:mperf", 1 },
	{ NULL, "register:mperf <= 1.1 tsc + 1000", 1 },
	/* 5 kW; the constant is 2 ms of that, because energy counters update once per ms. */
	{ NULL, "nanojoules <= 5000 ns + 10000000000", 0 },
	{ }
};
