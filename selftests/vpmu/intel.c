// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel.c - the core counters of Intel Nehalem and Westmere and of Xeons from
 * Sandy Bridge-EP to Sapphire Rapids: architectural performance monitoring,
 * versions 3 to 5. Shared units are in intel_box.c and xeon_box.c.
 *
 * Intel SDM volume 3B, chapter "Performance Monitoring": "Architectural Performance Monitoring"
 * versions 1 to 5, and the sections on each of these processors. No interrupt is delivered, and
 * there is no PEBS (by CPUID 1). IA32_PERF_CAPABILITIES reports full-width writes (from Sandy
 * Bridge on) and nothing else, also no PERF_METRICS. Of the additions of versions 4 and 5 only
 * IA32_PERF_GLOBAL_STATUS_RESET is modelled, another name of the overflow control. The switches of
 * prefetchers (volume 4, MSR 1A4H) keep their value and have no effect.
 *
 * Accesses that raise #GP, by this manual:
 *
 *	IA32_PERFEVTSELx		bits 63:32
 *	IA32_PMCx			none: see write_count()
 *	IA32_A_PMCx			bits above the counter's width
 *	IA32_FIXED_CTRx			the same
 *	IA32_FIXED_CTR_CTRL		bits of counters that are not there
 *	IA32_PERF_GLOBAL_CTRL		the same
 *	IA32_PERF_GLOBAL_OVF_CTRL	the same, but for bits 63:61; reads 0
 *	IA32_PERF_GLOBAL_STATUS		any write: read-only
 *	IA32_PERF_CAPABILITIES		the same
 *	MSR_MISC_FEATURE_CONTROL	bits 63:6
 *	missing register		any access
 */
#include "counter.h"
#include "intel_box.h"
#include "intel_events.h"
#include "power.h"
#include "rate.h"
#include "xeon_box.h"

#define PMC0			0xc1
#define PERFEVTSEL0		0x186
#define FIXED_CTR0		0x309
#define MAX_FIXED		7u	/* up to 30Fh */
#define FIXED_CTR_CTRL		0x38d
#define GLOBAL_STATUS		0x38e
#define GLOBAL_CTRL		0x38f
#define GLOBAL_OVF_CTRL		0x390
#define A_PMC0			0x4c1	/* IA32_A_PMCx: full-width writes */
#define PERF_CAPABILITIES	0x345
#define MISC_FEATURE_CONTROL	0x1a4
#define FULL_WIDTH		(1ull << 13)
#define PDCM			(1u << 15)	/* CPUID 1 ECX: there are capabilities */

/* Bits 63:32; AnyThread (21) and pin control (19) are there on Nehalem. */
#define EVENTSEL_RESERVED	0xffffffff00000000ull

/* FIXED_CTR_CTRL has four bits a counter: OS, user, AnyThread, interrupt. */
#define FIXED_CONTROL_BITS	4
#define FIXED_OS_USER		3

/*
 * GLOBAL_OVF_CTRL: uncore overflow (Nehalem), buffer overflow, condition change;
 * from version 4 on also LBRs and counters frozen, and a secure enclave.
 */
#define OVF_CTRL_OTHERS		(7ull << 61)
#define OVF_CTRL_OTHERS_V4	(0x3full << 58)

/* Bits 3:0 are there from Nehalem on, 5 on the latest ones. */
#define MISC_FEATURE_RESERVED	(~0x3full)

#define RDPMC_FIXED		(1u << 30)

#define CORE(model, v, n, f) \
	6, model, model, .version = (v), .counters = (n), .fixed = (f), .width = 48, \
	.reserved = EVENTSEL_RESERVED, .thermal = true
#define NEHALEM(model) \
	{ CORE(model, 3, 4, 3), .allowed = vpmu_nehalem_allowed, \
	  .boxes = vpmu_nehalem_boxes, .exec = vpmu_exec_nehalem }
#define WESTMERE(model) \
	{ CORE(model, 3, 4, 3), .allowed = vpmu_westmere_allowed, \
	  .boxes = vpmu_nehalem_boxes, .exec = vpmu_exec_nehalem }
/* The uncore of Nehalem-EX differs, and is not modelled. */
#define NEHALEM_EX(model) \
	{ CORE(model, 3, 4, 3), .allowed = vpmu_nehalem_allowed, \
	  .exec = vpmu_exec_nehalem }
#define WESTMERE_EX(model) \
	{ CORE(model, 3, 4, 3), .allowed = vpmu_westmere_allowed, \
	  .exec = vpmu_exec_nehalem }
/* Xeons from Sandy Bridge on. */
#define XEON(model, v, n, f) \
	CORE(model, v, n, f), .package_thermal = true, .full_width = true
/* A core has eight counters, four for each of its two threads. */
#define EIGHT_OF_TWO(model, v, ...) \
	{ XEON(model, v, 4, 3), .threaded = true, __VA_ARGS__ }, \
	{ XEON(model, v, 8, 3), __VA_ARGS__ }
#define SANDY_BRIDGE_EP(model) \
	EIGHT_OF_TWO(model, 3, .allowed = vpmu_snb_allowed, \
		     .boxes = vpmu_snbep_boxes, .power = &vpmu_intel_server_power, \
		     .exec = vpmu_exec_snbep)
#define IVY_BRIDGE_EP(model) \
	EIGHT_OF_TWO(model, 3, .allowed = vpmu_ivb_allowed, \
		     .boxes = vpmu_ivbep_boxes, .power = &vpmu_intel_server_power)
#define HASWELL_EP(model) \
	EIGHT_OF_TWO(model, 3, .allowed = vpmu_hsw_allowed, \
		     .boxes = vpmu_hswep_boxes, .power = &vpmu_intel_dram_power)
#define BROADWELL_EP(model) \
	EIGHT_OF_TWO(model, 3, .allowed = vpmu_bdw_allowed, \
		     .boxes = vpmu_bdwep_boxes, .power = &vpmu_intel_dram_power)
#define SKYLAKE_SP(model) \
	EIGHT_OF_TWO(model, 4, .allowed = vpmu_skx_allowed, \
		     .boxes = vpmu_skx_boxes, .power = &vpmu_intel_dram_power)
/* Eight for each thread; the fourth fixed counter counts slots. */
#define ICE_LAKE_SP(model) \
	{ XEON(model, 5, 8, 4), .allowed = vpmu_icx_allowed, \
	  .boxes = vpmu_icx_boxes, .power = &vpmu_intel_dram_power }
#define SAPPHIRE_RAPIDS(model) \
	{ XEON(model, 5, 8, 4), .allowed = vpmu_spr_allowed, \
	  .power = &vpmu_intel_server_power }

static const struct vpmu_family families[] = {
	NEHALEM(26), NEHALEM(30), NEHALEM_EX(46),
	WESTMERE(37), WESTMERE(44), WESTMERE_EX(47),
	SANDY_BRIDGE_EP(45), IVY_BRIDGE_EP(62), HASWELL_EP(63),
	BROADWELL_EP(79), BROADWELL_EP(86), SKYLAKE_SP(85),
	ICE_LAKE_SP(106), ICE_LAKE_SP(108),
	SAPPHIRE_RAPIDS(143), SAPPHIRE_RAPIDS(207),
	{ }
};

static uint64_t all_counters(const struct vpmu_cpu *cpu)
{
	return ((1ull << cpu->family->counters) - 1) |
	       ((1ull << cpu->family->fixed) - 1) << 32;
}

static uint64_t fixed_control_mask(const struct vpmu_cpu *cpu)
{
	return (1ull << (FIXED_CONTROL_BITS * cpu->family->fixed)) - 1;
}

static struct vpmu_what fixed_what(const struct vpmu_cpu *cpu, unsigned int j)
{
	uint64_t control = cpu->fixed_control >> (FIXED_CONTROL_BITS * j);

	if (!(control & FIXED_OS_USER))
		return vpmu_nothing();
	return vpmu_core_what(vpmu_fixed_as[j].event, vpmu_fixed_as[j].umask,
			      cpu->index);
}

/*
 * Return whether a counter is enabled in its control and globally; a fixed one by its OS and user
 * bits.
 */
static bool intel_enabled(const struct vpmu_cpu *cpu, unsigned int i)
{
	if (!(cpu->global_control & vpmu_bit(i)))
		return false;
	if (i < VPMU_FIXED0)
		return cpu->counter[i].control & EVENTSEL_ENABLE;
	return cpu->fixed_control >> (FIXED_CONTROL_BITS * (i - VPMU_FIXED0)) & FIXED_OS_USER;
}

static struct vpmu_what intel_what(const struct vpmu_cpu *cpu, unsigned int i)
{
	uint64_t control = cpu->counter[i].control;
	uint32_t umask = vpmu_umask_of(control);
	uint32_t event = control & 0xff;

	if (!(cpu->global_control & vpmu_bit(i)))
		return vpmu_nothing();
	if (i >= VPMU_FIXED0)
		return fixed_what(cpu, i - VPMU_FIXED0);
	if (!(control & EVENTSEL_ENABLE) ||
	    !(control & (EVENTSEL_USER | EVENTSEL_OS)) ||
	    !vpmu_can_count(cpu->family, i, event, umask))
		return vpmu_nothing();
	return vpmu_core_what(event, umask, cpu->index);
}

/* A fixed counter's bits for OS and user are in the other order. */
static struct vpmu_event fixed_event(const struct vpmu_cpu *cpu, unsigned int j)
{
	uint64_t control = cpu->fixed_control >> (FIXED_CONTROL_BITS * j);

	return (struct vpmu_event){
		.event = vpmu_fixed_as[j].event,
		.umask = vpmu_fixed_as[j].umask,
		.modes = (control & 1) << VPMU_OS | ((control >> 1) & 1) << VPMU_USER,
	};
}

static struct vpmu_event intel_event(const struct vpmu_cpu *cpu, unsigned int i)
{
	uint64_t control = cpu->counter[i].control;

	if (i >= VPMU_FIXED0)
		return fixed_event(cpu, i - VPMU_FIXED0);
	return (struct vpmu_event){
		.event = control & 0xff,
		.umask = vpmu_umask_of(control),
		.modes = (control >> EVENTSEL_MODES_SHIFT) & EVENTSEL_MODES,
	};
}

static void intel_wrapped(struct vpmu_cpu *cpu, unsigned int i, uint64_t times)
{
	cpu->overflow |= vpmu_bit(i);
}

static bool is_full_width(const struct vpmu_cpu *cpu, uint32_t msr)
{
	return cpu->family->full_width && msr - A_PMC0 < cpu->family->counters;
}

/* Return the counter whose count is @msr, or -1. */
static int find_counter(const struct vpmu_cpu *cpu, uint32_t msr)
{
	if (is_full_width(cpu, msr))
		return msr - A_PMC0;
	if (msr - PMC0 < cpu->family->counters)
		return msr - PMC0;
	if (msr - FIXED_CTR0 < cpu->family->fixed)
		return msr - FIXED_CTR0 + VPMU_FIXED0;
	return -1;
}

/* An access to counters, or full-width writes, that the family lacks raises #GP. */
static enum vpmu_answer no_register(uint32_t msr)
{
	if (msr - PMC0 < VPMU_FIXED0 || msr - PERFEVTSEL0 < VPMU_FIXED0 ||
	    msr - FIXED_CTR0 < MAX_FIXED || msr - A_PMC0 < VPMU_FIXED0)
		return VPMU_FAULT;
	return VPMU_NOT_MINE;
}

static enum vpmu_answer intel_read(struct vpmu_cpu *cpu, uint32_t msr,
				   uint64_t tsc, uint64_t *val)
{
	int i = find_counter(cpu, msr);

	if (i >= 0) {
		*val = vpmu_get(cpu, i, tsc);
	} else if (msr - PERFEVTSEL0 < cpu->family->counters) {
		*val = cpu->counter[msr - PERFEVTSEL0].control;
	} else if (msr == FIXED_CTR_CTRL) {
		*val = cpu->fixed_control;
	} else if (msr == GLOBAL_CTRL) {
		*val = cpu->global_control;
	} else if (msr == PERF_CAPABILITIES && cpu->family->full_width) {
		*val = FULL_WIDTH;
	} else if (msr == GLOBAL_OVF_CTRL) {
		*val = 0;
	} else if (msr == MISC_FEATURE_CONTROL) {
		*val = cpu->prefetch;
	} else if (msr == GLOBAL_STATUS) {
		vpmu_settle(cpu, tsc);
		*val = cpu->overflow;
	} else {
		return no_register(msr);
	}
	return VPMU_DONE;
}

/*
 * "Full-Width Writes to Performance Counter Registers": without that capability
 * a write to IA32_PMCx takes bits 31:0, extends their sign and ignores the rest.
 * Fixed counters take their whole width, and above it they have reserved bits.
 */
static enum vpmu_answer write_count(struct vpmu_cpu *cpu, unsigned int i,
				    uint32_t msr, uint64_t tsc, uint64_t val)
{
	if (i < VPMU_FIXED0 && !is_full_width(cpu, msr))
		val = (uint64_t)(int64_t)(int32_t)val;
	else if (val >> cpu->family->width)
		return VPMU_FAULT;
	vpmu_set(cpu, i, tsc, val);
	return VPMU_DONE;
}

/* Set a control register to @val, unless that has a bit of @reserved. */
static enum vpmu_answer write_control(struct vpmu_cpu *cpu, uint64_t *control,
				      uint64_t reserved, uint64_t tsc,
				      uint64_t val)
{
	if (val & reserved)
		return VPMU_FAULT;
	vpmu_settle(cpu, tsc);
	*control = val;
	vpmu_restart(cpu, tsc);
	return VPMU_DONE;
}

static enum vpmu_answer clear_overflow(struct vpmu_cpu *cpu, uint64_t tsc,
				       uint64_t val)
{
	uint64_t others = cpu->family->version < 4 ? OVF_CTRL_OTHERS :
						     OVF_CTRL_OTHERS_V4;

	if (val & ~(all_counters(cpu) | others))
		return VPMU_FAULT;
	vpmu_settle(cpu, tsc);
	cpu->overflow &= ~val;
	return VPMU_DONE;
}

static enum vpmu_answer intel_write(struct vpmu_cpu *cpu, uint32_t msr,
				    uint64_t tsc, uint64_t val)
{
	int i = find_counter(cpu, msr);

	if (i >= 0)
		return write_count(cpu, i, msr, tsc, val);
	if (msr - PERFEVTSEL0 < cpu->family->counters)
		return write_control(cpu, &cpu->counter[msr - PERFEVTSEL0].control,
				     cpu->family->reserved, tsc, val);
	switch (msr) {
	case FIXED_CTR_CTRL:
		return write_control(cpu, &cpu->fixed_control,
				     ~fixed_control_mask(cpu), tsc, val);
	case GLOBAL_CTRL:
		return write_control(cpu, &cpu->global_control,
				     ~all_counters(cpu), tsc, val);
	case GLOBAL_OVF_CTRL:
		return clear_overflow(cpu, tsc, val);
	case GLOBAL_STATUS:
		return VPMU_FAULT;
	case MISC_FEATURE_CONTROL:
		if (val & MISC_FEATURE_RESERVED)
			return VPMU_FAULT;
		cpu->prefetch = val;
		return VPMU_DONE;
	case PERF_CAPABILITIES:
		return cpu->family->full_width ? VPMU_FAULT : VPMU_NOT_MINE;
	}
	return no_register(msr);
}

static enum vpmu_answer intel_rdpmc(struct vpmu_cpu *cpu, uint32_t index,
				    uint64_t tsc, uint64_t *val)
{
	bool fixed = index & RDPMC_FIXED;

	index &= ~RDPMC_FIXED;
	if (index >= (fixed ? cpu->family->fixed : cpu->family->counters))
		return VPMU_FAULT;
	*val = vpmu_get(cpu, index + (fixed ? VPMU_FIXED0 : 0), tsc);
	return VPMU_DONE;
}

/* CPUID 0AH reports seven architectural events, all of them available. */
static void intel_cpuid(const struct vpmu_cpu *cpu, uint32_t leaf,
			uint32_t max_leaf, struct vpmu_cpuid *out)
{
	const struct vpmu_family *f = cpu->family;

	if (leaf == 1 && f->full_width)
		out->ecx |= PDCM;
	if (leaf != 0x0a)
		return;
	*out = (struct vpmu_cpuid){
		.eax = f->version | f->counters << 8 | f->width << 16 | 7 << 24,
		.ecx = f->version < 5 ? 0 : (1u << f->fixed) - 1,
		.edx = f->fixed | f->width << 5,
	};
}

const struct vpmu_vendor vpmu_intel = {
	.id = 0x756e6547,		/* "Genu" */
	.families = families,
	.read = intel_read,
	.write = intel_write,
	.rdpmc = intel_rdpmc,
	.enabled = intel_enabled,
	.what = intel_what,
	.event = intel_event,
	.wrapped = intel_wrapped,
	.cpuid = intel_cpuid,
};
