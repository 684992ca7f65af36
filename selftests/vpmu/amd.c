// SPDX-License-Identifier: GPL-2.0-only
/*
 * amd.c - the core counters of AMD Family 10h, 15h, 17h, 19h and 1Ah. What
 * their CPUs share is in amd_box.c.
 *
 * Family 10h: AMD 31116 (BKDG for Family 10h), MSRC001_000[3:0], which are its
 * only counters, and section 3.14, whose northbridge events they count. Family
 * 15h: AMD 42301 (BKDG for Family 15h Models 00h-0Fh), MSRC001_020[B:0]
 * in section 3.22. Later families: AMD 24593 (APM volume 2), section 13.2.1, and
 * the PPR of each (54945 for 17h 01h, 55898 for 19h 01h, 55901 for 19h 11h).
 *
 * Values that a register does not accept, by these manuals:
 *
 *	PERF_CTL		reserved bits
 *	PERF_CTR		bits 63:48 are reserved, read as zero: dropped
 *	global control		bits of counters that are not there: reserved
 *	global status		read-only: a write is ignored
 *	global status clear	takes any bits, reads 0
 *	missing register	#GP for reads and writes
 *
 * Two rules are stricter than on silicon, so that tests detect a careless driver: a reserved bit of
 * PERF_CTL or of the global control raises #GP on every family (Zen ignores it), and a large
 * increment event without its pair counts nothing (Zen loses the excess over 15 per cycle).
 */
#include "amd_box.h"
#include "counter.h"
#include "power.h"
#include "rate.h"

#define PERF_CTL0		0xc0010200	/* a count after each control */
#define LEGACY_CTL0		0xc0010000	/* aliases of the first four */
#define LEGACY_CTR0		0xc0010004
#define LEGACY_COUNTERS		4u

#define GLOBAL_STATUS		0xc0000300
#define GLOBAL_CONTROL		0xc0000301
#define GLOBAL_STATUS_CLEAR	0xc0000302

/* Bits 63:42, 39:36, 21 and 19 of PERF_CTL: the same on all these families. */
#define CTL_RESERVED		0xfffffcf000280000ull

#define EVENT_FLOPS		0x003
#define EVENT_MERGE		0xfff

/* CPUID 8000_0001 ECX */
#define TOPOLOGY_EXT		(1u << 22)	/* QEMU has its leaves without the bit, too */
#define PERFCTR_EXT_CORE	(1u << 23)
#define PERFCTR_EXT_NB		(1u << 24)
#define PERFCTR_EXT_LLC		(1u << 28)
#define LEAF_POWER		0x80000007
#define RAPL			(1u << 14)	/* its EDX */
#define LEAF_PERFMON		0x80000022
#define PERFMON_V2		(1u << 0)	/* its EAX */

/* ECX of rdpmc: the counters of the data fabric from the fifth on have the last numbers. */
#define RDPMC_NB		6u
#define RDPMC_L3		10u
#define RDPMC_MORE_DF		16u

static uint32_t event_of(uint64_t control)
{
	return (control & 0xff) | ((control >> 24) & 0xf00);
}

/*
 * Return: mask of the six counters that can count an event, by the PERF_CTL[] list of each event in
 * AMD 42301, section 3.24; 0 for events that only the northbridge counters count.
 */
static unsigned int fam15h_allowed(uint32_t event, uint32_t umask)
{
	bool several = umask & (umask - 1);

	switch (event) {
	case 0x003: case 0x00b: case 0x00d: case 0x02d:
		return 0x08;
	case 0x000:
		return (umask & 0xf0) && (umask & 0x0f) ? 0x08 : 0x38;
	case 0x004:
		return several ? 0x08 : 0x38;
	case 0x02e:
		return 0x09;
	case 0x031:
		return several ? 0x00 : 0x07;
	case 0x1c0:
		return 0x38;
	case 0x023: case 0x043: case 0x045: case 0x046: case 0x054: case 0x055:
		return 0x07;
	case 0x08f: case 0x187: case 0x188:
		return 0x01;
	case 0x0db ... 0x0df: case 0x1d6: case 0x1d8:
		return 0x3f;
	}

	switch (event & 0xf0) {
	case 0x00: case 0x10:
		return 0x38;
	case 0x60: case 0x70: case 0x80: case 0x90: case 0xd0:
		return 0x07;
	case 0xa0: case 0xb0: case 0xe0: case 0xf0:
		return 0x00;
	}
	return 0x3f;
}

#define CORE(more) \
	.counters = 6, .width = 48, .reserved = CTL_RESERVED, \
	.features = TOPOLOGY_EXT | PERFCTR_EXT_CORE | PERFCTR_EXT_NB | (more)
/* From Zen on any counter can count any event, and one event needs two counters. */
#define ZEN(units, list) \
	CORE(PERFCTR_EXT_LLC), .large_event = EVENT_FLOPS, .boxes = units, \
	.power = &vpmu_amd_power, .exec = list
#define ZEN4 \
	ZEN(vpmu_zen4_boxes, vpmu_exec_fam19h), .perfmon_v2 = true

/*
 * PerfMonV2 is new in Zen 4, which shares family 19h with Zen 3. The ranges of models are those of
 * the PPRs, extended over the gaps between them.
 */
static const struct vpmu_family families[] = {
	{ 0x10, 0x00, 0xff, .counters = 4, .width = 48, .reserved = CTL_RESERVED },
	{ 0x15, 0x00, 0xff, CORE(0), .allowed = fam15h_allowed,
	  .boxes = vpmu_fam15h_boxes, .exec = vpmu_exec_fam15h },
	{ 0x17, 0x00, 0xff, ZEN(vpmu_fam17h_boxes, vpmu_exec_fam17h) },
	{ 0x19, 0x00, 0x0f, ZEN(vpmu_fam19h_boxes, vpmu_exec_fam19h) },
	{ 0x19, 0x10, 0x1f, ZEN4 },
	{ 0x19, 0x20, 0x5f, ZEN(vpmu_fam19h_boxes, vpmu_exec_fam19h) },
	{ 0x19, 0x60, 0xaf, ZEN4 },
	{ 0x1a, 0x00, 0xff, ZEN4 },
	{ }
};

static uint64_t all_counters(const struct vpmu_cpu *cpu)
{
	return (1ull << cpu->family->counters) - 1;
}

/*
 * Return whether the family has more counters than the four of all AMD processors, whose addresses
 * are other ones.
 */
static bool has_extended(const struct vpmu_cpu *cpu)
{
	return cpu->family->features & PERFCTR_EXT_CORE;
}

/*
 * Return whether an event of a core's counter counts for the whole node, which has no counters of
 * its own.
 */
static bool is_northbridge(const struct vpmu_cpu *cpu, uint32_t event)
{
	return !(cpu->family->features & PERFCTR_EXT_NB) && (event & 0xe0) == 0xe0;
}

/*
 * Return whether a counter is enabled in its control and, if there is one, in the global control.
 */
static bool amd_enabled(const struct vpmu_cpu *cpu, unsigned int i)
{
	return (cpu->counter[i].control & EVENTSEL_ENABLE) &&
	       (!cpu->family->perfmon_v2 || (cpu->global_control & vpmu_bit(i)));
}

/*
 * PPR, "Large Increment per Cycle Events": an odd counter with the merge event
 * lends its low 16 bits to the even one below it, as bits 63:48 of the pair.
 */
static bool is_merged(const struct vpmu_cpu *cpu, unsigned int i)
{
	return cpu->family->large_event && !(i & 1) &&
	       i + 1 < cpu->family->counters && amd_enabled(cpu, i + 1) &&
	       event_of(cpu->counter[i + 1].control) == EVENT_MERGE;
}

static struct vpmu_what amd_what(const struct vpmu_cpu *cpu, unsigned int i)
{
	uint64_t control = cpu->counter[i].control;
	uint32_t large = cpu->family->large_event;
	uint32_t umask = vpmu_umask_of(control);
	uint32_t event = event_of(control);

	if (!amd_enabled(cpu, i) || !(control & (EVENTSEL_USER | EVENTSEL_OS)))
		return vpmu_nothing();
	if (!vpmu_can_count(cpu->family, i, event, umask))
		return vpmu_nothing();
	if (large && (event == EVENT_MERGE || (event == large && !is_merged(cpu, i))))
		return vpmu_nothing();
	if (is_northbridge(cpu, event))
		return vpmu_unit_what(VPMU_UNIT_NB, event, umask, cpu->package);
	return vpmu_core_what(event, umask, cpu->index);
}

static struct vpmu_event amd_event(const struct vpmu_cpu *cpu, unsigned int i)
{
	uint64_t control = cpu->counter[i].control;

	return (struct vpmu_event){
		.event = event_of(control),
		.umask = vpmu_umask_of(control),
		.modes = (control >> EVENTSEL_MODES_SHIFT) & EVENTSEL_MODES,
	};
}

/* The upper half of a pair does not count; the lower half carries into it. */
static void amd_wrapped(struct vpmu_cpu *cpu, unsigned int i, uint64_t times)
{
	struct vpmu_counter *upper = &cpu->counter[i + 1];
	uint64_t sum;

	if (!is_merged(cpu, i)) {
		cpu->overflow |= vpmu_bit(i);
		return;
	}
	sum = (upper->base & 0xffff) + times;
	upper->base = (upper->base & ~0xffffull) | (sum & 0xffff);
	if (sum >> 16)
		cpu->overflow |= vpmu_bit(i);
}

/* Return the counter that @msr belongs to, -1 if none; set @is_control if it is the control. */
static int find_register(const struct vpmu_cpu *cpu, uint32_t msr,
			 bool *is_control)
{
	if (msr - LEGACY_CTL0 < LEGACY_COUNTERS) {
		*is_control = true;
		return msr - LEGACY_CTL0;
	}
	if (msr - LEGACY_CTR0 < LEGACY_COUNTERS) {
		*is_control = false;
		return msr - LEGACY_CTR0;
	}
	if (has_extended(cpu) && msr - PERF_CTL0 < 2 * cpu->family->counters) {
		*is_control = !((msr - PERF_CTL0) & 1);
		return (msr - PERF_CTL0) / 2;
	}
	return -1;
}

static bool is_global(const struct vpmu_cpu *cpu, uint32_t msr)
{
	return cpu->family->perfmon_v2 &&
	       msr >= GLOBAL_STATUS && msr <= GLOBAL_STATUS_CLEAR;
}

/* An access to a counter or global register that the family lacks raises #GP. */
static enum vpmu_answer no_register(uint32_t msr)
{
	if (msr - PERF_CTL0 < 2 * VPMU_FIXED0 ||
	    (msr >= GLOBAL_STATUS && msr <= GLOBAL_STATUS_CLEAR))
		return VPMU_FAULT;
	return VPMU_NOT_MINE;
}

static uint64_t count_of(struct vpmu_cpu *cpu, unsigned int i, uint64_t tsc)
{
	if ((i & 1) && is_merged(cpu, i - 1))
		vpmu_settle(cpu, tsc);
	return vpmu_get(cpu, i, tsc);
}

static enum vpmu_answer read_global(struct vpmu_cpu *cpu, uint32_t msr,
				    uint64_t tsc, uint64_t *val)
{
	vpmu_settle(cpu, tsc);
	*val = msr == GLOBAL_STATUS ? cpu->overflow :
	       msr == GLOBAL_CONTROL ? cpu->global_control : 0;
	return VPMU_DONE;
}

/* Linux writes the complement of the status that it read to the clear register. */
static enum vpmu_answer write_global(struct vpmu_cpu *cpu, uint32_t msr,
				     uint64_t tsc, uint64_t val)
{
	vpmu_settle(cpu, tsc);
	if (msr == GLOBAL_STATUS_CLEAR)
		cpu->overflow &= ~val;
	if (msr != GLOBAL_CONTROL)
		return VPMU_DONE;
	if (val & ~all_counters(cpu))
		return VPMU_FAULT;
	cpu->global_control = val;
	vpmu_restart(cpu, tsc);
	return VPMU_DONE;
}

static enum vpmu_answer amd_read(struct vpmu_cpu *cpu, uint32_t msr,
				 uint64_t tsc, uint64_t *val)
{
	bool is_control;
	int i;

	if (is_global(cpu, msr))
		return read_global(cpu, msr, tsc, val);
	i = find_register(cpu, msr, &is_control);
	if (i < 0)
		return no_register(msr);
	*val = is_control ? cpu->counter[i].control : count_of(cpu, i, tsc);
	return VPMU_DONE;
}

static enum vpmu_answer amd_write(struct vpmu_cpu *cpu, uint32_t msr,
				  uint64_t tsc, uint64_t val)
{
	bool is_control;
	int i;

	if (is_global(cpu, msr))
		return write_global(cpu, msr, tsc, val);
	i = find_register(cpu, msr, &is_control);
	if (i < 0)
		return no_register(msr);
	if (!is_control) {
		vpmu_set(cpu, i, tsc, val);
		return VPMU_DONE;
	}
	if (val & cpu->family->reserved)
		return VPMU_FAULT;
	vpmu_settle(cpu, tsc);
	cpu->counter[i].control = val;
	vpmu_restart(cpu, tsc);
	return VPMU_DONE;
}

/* APM volume 3, RDPMC: a shared unit's counters follow the core's. */
static enum vpmu_answer rdpmc_shared(struct vpmu_cpu *cpu, uint32_t index,
				     uint64_t tsc, uint64_t *val)
{
	enum vpmu_answer answer;
	uint32_t msr;

	if (index >= RDPMC_MORE_DF)
		msr = VPMU_AMD_NB_CTR + 2 * (index - RDPMC_MORE_DF + RDPMC_L3 - RDPMC_NB);
	else if (index >= RDPMC_L3)
		msr = VPMU_AMD_L3_CTR + 2 * (index - RDPMC_L3);
	else
		msr = VPMU_AMD_NB_CTR + 2 * (index - RDPMC_NB);
	answer = vpmu_boxes.read(cpu, msr, tsc, val);
	return answer == VPMU_NOT_MINE ? VPMU_FAULT : answer;
}

static enum vpmu_answer amd_rdpmc(struct vpmu_cpu *cpu, uint32_t index,
				  uint64_t tsc, uint64_t *val)
{
	if (index >= RDPMC_NB && index < RDPMC_MORE_DF + VPMU_ZEN4_DF)
		return rdpmc_shared(cpu, index, tsc, val);
	if (index >= cpu->family->counters)
		return VPMU_FAULT;
	*val = count_of(cpu, index, tsc);
	return VPMU_DONE;
}

static void amd_cpuid(const struct vpmu_cpu *cpu, uint32_t leaf,
		      uint32_t max_leaf, struct vpmu_cpuid *out)
{
	if (leaf == 0x80000001)
		out->ecx |= cpu->family->features;
	if (leaf == LEAF_POWER && cpu->family->power)
		out->edx |= RAPL;
	if (!cpu->family->perfmon_v2)
		return;
	if (leaf == 0x80000000 && out->eax < LEAF_PERFMON)
		out->eax = LEAF_PERFMON;
	/* QEMU returns the values of another leaf for a leaf beyond its highest one. */
	if (leaf > max_leaf && leaf <= LEAF_PERFMON)
		*out = (struct vpmu_cpuid){ };
	if (leaf == LEAF_PERFMON) {
		out->eax = PERFMON_V2;
		out->ebx = cpu->family->counters | VPMU_ZEN4_DF << 10 |
			   VPMU_ZEN4_UMC << 16;
		out->ecx = (1u << VPMU_ZEN4_UMCS) - 1;
	}
}

const struct vpmu_vendor vpmu_amd = {
	.id = 0x68747541,		/* "Auth" */
	.families = families,
	.read = amd_read,
	.write = amd_write,
	.rdpmc = amd_rdpmc,
	.enabled = amd_enabled,
	.what = amd_what,
	.event = amd_event,
	.wrapped = amd_wrapped,
	.cpuid = amd_cpuid,
};
