// SPDX-License-Identifier: GPL-2.0-only
/*
 * own.c - rcrtool's own names: what they mean on each family.
 *
 * The names are those of Table I of the LDMS MSR sampler paper, those of the
 * dictionary that comes with that sampler, and the PAPI presets that the paper
 * names. (It writes PAPI_LL_DCM for PAPI_L1_DCM: both are known.) Further presets are
 * those that PAPI's papi_events.csv makes of one event, and so are their events.
 *
 * Events: AMD 31116 (Family 10h, section 3.14), 42301 (Family 15h, the northbridge's
 * in section 3.24), 54945 (Family 17h Models 00h-2Fh: Zen 1), 55803 and 56255 (Zen
 * 2), 55898 (Zen 3), 55901 (Zen 4); Intel SDM volume 3B, events of Nehalem; Intel's
 * lists of events of JKT, IVT, HSX, BDX, SKX, ICX and SPR.
 */
#include <string.h>

#include "own.h"

#define CYCLES		"clock cycles, not halted"
#define INSTRUCTIONS	"instructions retired"
#define FLOPS		"floating-point operations retired, SSE and AVX"
#define VECTOR		"SSE and AVX instructions retired"
#define WALKS		"loads that miss all data TLBs: page table walks"
#define FLOAT_INS	"floating-point instructions retired, one that multiplies and adds twice"
#define PACKED_INS	"packed floating-point instructions retired, likewise"

#define L1_DEMAND	"L2 accesses for L1 data cache misses"
#define L1_LINES	"lines brought into the L1 data cache"

#define CORE(e, u)	{ .event = (e), .umask = (u) }
#define L3(e, u)	{ .unit = "l3", .event = (e), .umask = (u) }
#define NB(e, u)	{ .unit = "nb", .event = (e), .umask = (u) }
#define NB_NODES(e, u)	{ .unit = "nb", .event = (e), .umask = (u), .per_node = true }

/*
 * Table I's events of the northbridge, and the rest of the sampler's dictionary. A
 * unit mask of nodes is 0 for the own one, of which the bit is turned over, and 0xf
 * for all others of the four that those machines have.
 */
#define NORTHBRIDGE \
	{ "L3_CACHE_MISSES", NB(0x4e1, 0xf7), "L3 cache misses" }, \
	{ "DCT_PREFETCH", NB(0x1f0, 0x64), "memory prefetch requests" }, \
	{ "DCT_RD_TOT", NB(0x1f0, 0x62), "memory read requests, prefetches among them" }, \
	{ "DCT_WRT", NB(0x1f0, 0x19), "memory write requests" }, \
	{ "RW_DRAM_INT", NB_NODES(0x1e0, 0x00), "accesses of cores to the node's own memory" }, \
	{ "RW_DRAM_EXT", NB_NODES(0x1e0, 0x0f), "accesses of cores to other nodes' memory" }, \
	{ "IO_DRAM_INT", NB_NODES(0x1e1, 0x00), "accesses of devices to the node's own memory" }, \
	{ "IO_DRAM_EXT", NB_NODES(0x1e1, 0x0f), "accesses of devices to other nodes' memory" }

const struct own_name own_uncore[] = {
	NORTHBRIDGE,
	{ .name = NULL }
};

/* PAPI's presets in which all AMDs agree, */
#define AMD_BRANCHES \
	{ "PAPI_BR_INS", CORE(0x0c2, 0x00), "branches retired" }, \
	{ "PAPI_BR_TKN", CORE(0x0c4, 0x00), "branches taken, retired" }, \
	{ "PAPI_BR_MSP", CORE(0x0c3, 0x00), "branches mispredicted, retired" }

/* and families 10h and 15h. */
#define AMD_CACHES \
	{ "PAPI_L1_DCA", CORE(0x040, 0x00), "L1 data cache accesses" }, \
	{ "PAPI_L1_ICA", CORE(0x080, 0x00), "instruction cache fetches" }, \
	{ "PAPI_L1_ICM", CORE(0x081, 0x00), "instruction cache misses" }, \
	{ "PAPI_L2_DCA", CORE(0x07d, 0x02), "L2 requests of the data cache" }, \
	{ "PAPI_L2_DCM", CORE(0x07e, 0x02), "L2 misses of the data cache" }, \
	{ "PAPI_L2_ICM", CORE(0x07e, 0x01), "L2 misses of the instruction cache" }, \
	{ "PAPI_L2_TCM", CORE(0x07e, 0x03), "L2 misses of data and instructions" }, \
	{ "PAPI_HW_INT", CORE(0x0cf, 0x00), "interrupts taken" }, \
	{ "PAPI_RES_STL", CORE(0x0d1, 0x00), "cycles without dispatch" }

/* Of event 003h bit 6 counts operations instead of what they are made of. */
static const struct own_name fam10h[] = {
	AMD_BRANCHES,
	AMD_CACHES,
	{ "TOT_CYC", CORE(0x076, 0x00), CYCLES },
	{ "TOT_INS", CORE(0x0c0, 0x00), INSTRUCTIONS },
	{ "RETIRED_FLOPS", CORE(0x003, 0x7f), "floating-point operations retired, SSE" },
	{ "DP_OPS", CORE(0x003, 0x78), "double precision floating-point operations retired" },
	{ "VEC_INS", CORE(0x0cb, 0x04), "SSE instructions retired" },
	{ "MMX_FP_INS", CORE(0x0cb, 0x07), "x87, MMX and SSE instructions retired" },
	{ "L1_DCM", CORE(0x041, 0x00), "L1 data cache misses" },
	{ "L1_DCA", CORE(0x040, 0x00), "L1 data cache accesses" },
	{ "L2_DCM", CORE(0x07e, 0x02), "L2 misses of the data cache" },
	{ "TLB_DM", CORE(0x046, 0x07), "data misses of both TLBs" },
	{ "RETIRED_UOPS", CORE(0x0c1, 0x00), "micro-operations retired" },
	{ "DISPATCH_STALLS", CORE(0x0d1, 0x00), "cycles without dispatch" },
	{ "DATA_CACHE_ACCESSES", CORE(0x040, 0x00), "L1 data cache accesses" },
	{ "PAPI_TOT_CYC", CORE(0x076, 0x00), CYCLES },
	{ "PAPI_TOT_INS", CORE(0x0c0, 0x00), INSTRUCTIONS },
	{ "PAPI_FP_OPS", CORE(0x003, 0x5b), "SSE additions and multiplications retired" },
	{ "PAPI_VEC_INS", CORE(0x0cb, 0x04), "SSE instructions retired" },
	{ "PAPI_L1_DCM", CORE(0x041, 0x00), "L1 data cache misses" },
	{ "PAPI_LL_DCM", CORE(0x041, 0x00), "L1 data cache misses" },
	{ "PAPI_TLB_DM", CORE(0x046, 0x07), "data misses of both TLBs" },
	{ "PAPI_TLB_IM", CORE(0x085, 0x03), "instruction misses of both TLBs" },
};

static const struct own_name fam15h[] = {
	NORTHBRIDGE,
	AMD_BRANCHES,
	AMD_CACHES,
	{ "TOT_CYC", CORE(0x076, 0x00), CYCLES },
	{ "TOT_INS", CORE(0x0c0, 0x00), INSTRUCTIONS },
	{ "RETIRED_FLOPS", CORE(0x003, 0xff), FLOPS },
	{ "DP_OPS", CORE(0x003, 0xf0), "double precision floating-point operations retired" },
	{ "VEC_INS", CORE(0x0cb, 0x04), VECTOR },
	{ "L1_DCM", CORE(0x041, 0x01), "L1 data cache misses" },
	{ "L1_DCA", CORE(0x040, 0x00), "L1 data cache accesses" },
	{ "L2_DCM", CORE(0x043, 0x00), "data cache refills from beyond the L2 cache" },
	{ "TLB_DM", CORE(0x046, 0x07), "data misses of the unified TLB" },
	{ "LS_DISP", CORE(0x029, 0x07), "loads and stores dispatched" },
	{ "PAPI_TOT_CYC", CORE(0x076, 0x00), CYCLES },
	{ "PAPI_TOT_INS", CORE(0x0c0, 0x00), INSTRUCTIONS },
	{ "PAPI_FP_OPS", CORE(0x003, 0xff), FLOPS },
	{ "PAPI_VEC_INS", CORE(0x0cb, 0x04), VECTOR },
	{ "PAPI_L1_DCM", CORE(0x041, 0x01), "L1 data cache misses" },
	{ "PAPI_LL_DCM", CORE(0x041, 0x01), "L1 data cache misses" },
	{ "PAPI_TLB_DM", CORE(0x046, 0x07), "data misses of the unified TLB" },
	{ "PAPI_TLB_IM", CORE(0x046, 0x70), "instruction misses of the unified TLB" },
};

/* @l1: unit mask of L2 accesses from data cache misses, which has a bit more from Zen 3 on */
#define ZEN_BOTH(l1) \
	AMD_BRANCHES, \
	{ "PAPI_L1_ICM", CORE(0x060, 0x10), "L2 accesses for instruction cache misses" }, \
	{ "PAPI_L2_DCM", CORE(0x064, 0x08), "L1 data cache misses that miss the L2 cache" }, \
	{ "PAPI_L2_ICM", CORE(0x064, 0x01), "instruction cache misses that miss the L2 cache" }, \
	{ "TOT_CYC", CORE(0x076, 0x00), CYCLES }, \
	{ "TOT_INS", CORE(0x0c0, 0x00), INSTRUCTIONS }, \
	{ "VEC_INS", CORE(0x0cb, 0x04), VECTOR }, \
	{ "L1_DCM", CORE(0x060, l1), L1_DEMAND }, \
	{ "L1_DCA", CORE(0x040, 0x00), "L1 data cache accesses" }, \
	{ "L2_DCM", CORE(0x064, 0x08), "L1 data cache misses that miss the L2 cache" }, \
	{ "TLB_DM", CORE(0x045, 0xf0), "data misses of the L2 TLB: page table walks" }, \
	{ "LS_DISP", CORE(0x029, 0x07), "loads and stores dispatched" }, \
	{ "PAPI_TOT_CYC", CORE(0x076, 0x00), CYCLES }, \
	{ "PAPI_TOT_INS", CORE(0x0c0, 0x00), INSTRUCTIONS }, \
	{ "PAPI_VEC_INS", CORE(0x0cb, 0x04), VECTOR }, \
	{ "PAPI_L1_DCM", CORE(0x060, l1), L1_DEMAND }, \
	{ "PAPI_LL_DCM", CORE(0x060, l1), L1_DEMAND }, \
	{ "PAPI_TLB_DM", CORE(0x045, 0xf0), "data misses of the L2 TLB: page table walks" }

/* L3 misses have another event from Zen 3 on. */
#define ZEN_L3(e) \
	{ "L3_CACHE_MISSES", L3(e, 0x01), "L3 cache misses" }, \
	{ "L3_CACHE_ACCESSES", L3(0x04, 0xff), "L3 cache accesses" }

/* On Zen 1 bits 7:4 of event 003h are double precision, from Zen 2 on nothing. */
static const struct own_name zen1[] = {
	ZEN_BOTH(0xc8),
	ZEN_L3(0x06),
	{ "RETIRED_FLOPS", CORE(0x003, 0xff), FLOPS },
	{ "DP_OPS", CORE(0x003, 0xf0), "double precision floating-point operations retired" },
	{ "PAPI_FP_OPS", CORE(0x003, 0xff), FLOPS },
};

#define ZEN_FLOPS \
	{ "RETIRED_FLOPS", CORE(0x003, 0x0f), FLOPS }, \
	{ "PAPI_FP_OPS", CORE(0x003, 0x0f), FLOPS }

static const struct own_name zen2[] = {
	ZEN_BOTH(0xc8),
	ZEN_L3(0x06),
	ZEN_FLOPS,
};

static const struct own_name zen[] = {
	ZEN_BOTH(0xe8),
	ZEN_L3(0x04),
	ZEN_FLOPS,
};

/* PAPI's presets in which all Intels agree: of the architectural events. */
#define INTEL_PRESETS \
	{ "PAPI_REF_CYC", CORE(0x00, 0x03), "reference clock cycles, not halted" }, \
	{ "PAPI_L2_TCM", CORE(0x2e, 0x4f), "accesses of the last level cache" }, \
	{ "PAPI_L3_TCA", CORE(0x2e, 0x4f), "accesses of the last level cache" }, \
	{ "PAPI_L3_TCM", CORE(0x2e, 0x41), "misses of the last level cache" }

static const struct own_name nehalem[] = {
	INTEL_PRESETS,
	{ "PAPI_BR_INS", CORE(0x88, 0x7f), "branches executed" },
	{ "PAPI_BR_MSP", CORE(0x89, 0x7f), "branches executed and mispredicted" },
	{ "PAPI_L1_DCA", CORE(0x43, 0x01), "L1 data cache accesses" },
	{ "PAPI_L1_ICM", CORE(0x80, 0x02), "instruction cache misses" },
	{ "PAPI_LD_INS", CORE(0x0b, 0x01), "loads retired" },
	{ "PAPI_SR_INS", CORE(0x0b, 0x02), "stores retired" },
	{ "PAPI_TLB_IM", CORE(0x85, 0x01), "instruction TLB misses" },
	{ "PAPI_RES_STL", CORE(0xa2, 0x01), "cycles in which a resource is short" },
	{ "TOT_CYC", CORE(0x3c, 0x00), CYCLES },
	{ "TOT_INS", CORE(0xc0, 0x00), INSTRUCTIONS },
	{ "FP_OPS", CORE(0x10, 0x05), "floating-point operations executed, x87 and SSE" },
	{ "RETIRED_FLOPS", CORE(0x10, 0x05), "floating-point operations executed, x87 and SSE" },
	{ "DP_OPS", CORE(0x10, 0x80), "double precision SSE operations executed" },
	{ "VEC_INS", CORE(0x10, 0x10), "packed SSE floating-point operations executed" },
	{ "L1_DCM", CORE(0x51, 0x01), L1_LINES },
	{ "L1_DCA", CORE(0x43, 0x01), "L1 data cache accesses" },
	{ "TLB_DM", CORE(0x49, 0x01), "data TLB misses" },
	{ "PAPI_TOT_CYC", CORE(0x3c, 0x00), CYCLES },
	{ "PAPI_TOT_INS", CORE(0xc0, 0x00), INSTRUCTIONS },
	{ "PAPI_FP_OPS", CORE(0x10, 0x05), "floating-point operations executed, x87 and SSE" },
	{ "PAPI_VEC_INS", CORE(0x10, 0x10), "packed SSE floating-point operations executed" },
	{ "PAPI_L1_DCM", CORE(0x51, 0x01), L1_LINES },
	{ "PAPI_LL_DCM", CORE(0x51, 0x01), L1_LINES },
	{ "PAPI_TLB_DM", CORE(0x49, 0x01), "data TLB misses" },
};

/* Those in which all cores from Sandy Bridge on agree. */
#define SINCE_SNB \
	INTEL_PRESETS, \
	{ "PAPI_BR_INS", CORE(0xc4, 0x00), "branches retired" }, \
	{ "PAPI_LD_INS", CORE(0xd0, 0x81), "loads retired" }, \
	{ "PAPI_SR_INS", CORE(0xd0, 0x82), "stores retired" }, \
	{ "TOT_CYC", CORE(0x3c, 0x00), CYCLES }, \
	{ "TOT_INS", CORE(0xc0, 0x00), INSTRUCTIONS }, \
	{ "L1_DCM", CORE(0x51, 0x01), L1_LINES }, \
	{ "LOADS", CORE(0xd0, 0x81), "loads retired" }, \
	{ "STORES", CORE(0xd0, 0x82), "stores retired" }, \
	{ "PAPI_TOT_CYC", CORE(0x3c, 0x00), CYCLES }, \
	{ "PAPI_TOT_INS", CORE(0xc0, 0x00), INSTRUCTIONS }, \
	{ "PAPI_L1_DCM", CORE(0x51, 0x01), L1_LINES }, \
	{ "PAPI_LL_DCM", CORE(0x51, 0x01), L1_LINES }

/* Conditional branches, and which mispredicted ones PAPI counts. */
#define BRANCHES(conditional, mispredicted) \
	{ "PAPI_BR_CN", CORE(0xc4, conditional), "conditional branches retired" }, \
	{ "PAPI_BR_MSP", CORE(0xc5, mispredicted), "branches mispredicted, retired" }

#define CODE(e, u) \
	{ "PAPI_L1_ICM", CORE(e, u), "instruction cache misses" }

#define TLB(e, u) \
	{ "TLB_DM", CORE(e, u), WALKS }, \
	{ "PAPI_TLB_DM", CORE(e, u), WALKS }

#define SNB_FLOATS \
	{ "FP_INS", CORE(0x10, 0xf1), \
	  "x87, SSE and 128-bit AVX floating-point operations issued" }, \
	{ "VEC_INS", CORE(0x11, 0x03), "256-bit AVX floating-point operations issued" }

#define FP_ARITH(all, packed) \
	{ "FP_INS", CORE(0xc7, all), FLOAT_INS }, \
	{ "VEC_INS", CORE(0xc7, packed), PACKED_INS }, \
	{ "PAPI_FP_INS", CORE(0xc7, all), FLOAT_INS }, \
	{ "PAPI_VEC_INS", CORE(0xc7, packed), PACKED_INS }

static const struct own_name snb[] = {
	SINCE_SNB, SNB_FLOATS, TLB(0x08, 0x01), BRANCHES(0x01, 0x00), CODE(0x80, 0x02),
};

static const struct own_name ivb[] = {
	SINCE_SNB, SNB_FLOATS, TLB(0x08, 0x81), BRANCHES(0x01, 0x00), CODE(0x80, 0x02),
};

static const struct own_name hsw[] = {
	SINCE_SNB, TLB(0x08, 0x01), BRANCHES(0x01, 0x01), CODE(0x24, 0xe4),
	{ "VEC_INS", CORE(0xc6, 0x07), "AVX instructions, about as many as were executed" },
};

static const struct own_name bdw[] = {
	SINCE_SNB, FP_ARITH(0x3f, 0x3c), TLB(0x08, 0x01), BRANCHES(0x01, 0x01), CODE(0x24, 0xe4),
};

static const struct own_name skx[] = {
	SINCE_SNB, FP_ARITH(0xff, 0xfc), TLB(0x08, 0x01), BRANCHES(0x01, 0x01), CODE(0x24, 0xe4),
};

static const struct own_name icx[] = {
	SINCE_SNB, FP_ARITH(0xff, 0xfc), TLB(0x08, 0x0e), BRANCHES(0x11, 0x11), CODE(0x24, 0xe4),
};

static const struct own_name spr[] = {
	SINCE_SNB, FP_ARITH(0xff, 0xfc), TLB(0x12, 0x0e), BRANCHES(0x11, 0x11), CODE(0x24, 0xe4),
};

/*
 * The set @ldms: Table I of the LDMS MSR sampler paper, and on other families what comes
 * closest to it and fits on the counters of a core. On Zen RETIRED_FLOPS takes two.
 */
#define SET(...) ((const char *const []){ __VA_ARGS__, NULL })

#define LDMS_FAM15H SET("TOT_CYC", "TOT_INS", "RETIRED_FLOPS", "VEC_INS", "L1_DCM", "TLB_DM", \
			"L3_CACHE_MISSES", "DCT_PREFETCH", "DCT_RD_TOT", "DCT_WRT")
#define LDMS_FAM10H SET("TOT_CYC", "TOT_INS", "RETIRED_FLOPS", "L1_DCM")
#define LDMS_ZEN SET("TOT_CYC", "TOT_INS", "VEC_INS", "L1_DCM", "TLB_DM", "L3_CACHE_MISSES")
#define LDMS_NEHALEM SET("TOT_CYC", "TOT_INS", "RETIRED_FLOPS", "VEC_INS", "L1_DCM", "TLB_DM")
#define LDMS_HASWELL SET("TOT_CYC", "TOT_INS", "VEC_INS", "L1_DCM", "TLB_DM")
#define LDMS_XEON SET("TOT_CYC", "TOT_INS", "FP_INS", "VEC_INS", "L1_DCM", "TLB_DM")

#define TABLE(table) (table), sizeof(table) / sizeof((table)[0])

static const struct family {
	const char *family;
	const char *pmu;	/* how what libpfm4 calls it begins */
	const struct own_name *names;
	size_t count;
	const char *const *ldms;
} families[] = {
	{ "AMD Fam10h", "", TABLE(fam10h), LDMS_FAM10H },
	{ "AMD Fam15h", "", TABLE(fam15h), LDMS_FAM15H },
	{ "AMD Fam17h", "amd64_fam17h_zen1", TABLE(zen1), LDMS_ZEN },
	{ "AMD Fam17h", "", TABLE(zen2), LDMS_ZEN },
	{ "AMD Fam19h", "", TABLE(zen), LDMS_ZEN },
	{ "AMD PerfMonV2", "", TABLE(zen), LDMS_ZEN },
	{ "Intel Nehalem", "", TABLE(nehalem), LDMS_NEHALEM },
	{ "Intel Sandy Bridge", "", TABLE(snb), LDMS_XEON },
	{ "Intel Ivy Bridge", "", TABLE(ivb), LDMS_XEON },
	{ "Intel Haswell", "", TABLE(hsw), LDMS_HASWELL },
	{ "Intel Broadwell", "", TABLE(bdw), LDMS_XEON },
	{ "Intel Skylake-SP", "", TABLE(skx), LDMS_XEON },
	{ "Intel Ice Lake-SP", "", TABLE(icx), LDMS_XEON },
	{ "Intel Sapphire Rapids", "", TABLE(spr), LDMS_XEON },
};

static const struct family *find_family(const char *family, const char *pmu)
{
	size_t i;

	for (i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (!strcmp(families[i].family, family) &&
		    !strncmp(families[i].pmu, pmu, strlen(families[i].pmu)))
			return &families[i];
	return NULL;
}

const struct own_name *own_names(const char *family, const char *pmu,
				 size_t *count)
{
	const struct family *f = find_family(family, pmu);

	*count = f ? f->count : 0;
	return f ? f->names : NULL;
}

const char *const *own_ldms(const char *family, const char *pmu)
{
	const struct family *f = find_family(family, pmu);

	return f ? f->ldms : NULL;
}

const struct own_name *own_find(const char *family, const char *pmu,
				const char *name)
{
	const struct own_name *names;
	size_t count, i;

	names = own_names(family, pmu, &count);
	for (i = 0; i < count; i++)
		if (!strcmp(names[i].name, name))
			return &names[i];
	return NULL;
}

bool own_is_uncore(const char *name)
{
	size_t i;

	for (i = 0; own_uncore[i].name; i++)
		if (!strcmp(own_uncore[i].name, name))
			return true;
	return false;
}
