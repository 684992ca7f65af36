/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shared_rate.h - the virtual PMU's formula for shared counters. Maps the registers that the module
 * prints to units of vpmu/rate.h, and has the positions of event and unit mask in their controls.
 * Written from the manuals, not from the module.
 */
#ifndef RCR_GUEST_SHARED_RATE_H
#define RCR_GUEST_SHARED_RATE_H

#include <stdint.h>
#include <stdio.h>
#include <linux/rcrtool.h>

#include "rate.h"

/**
 * struct shared_registers - the control registers of a kind of unit
 * @first: first control
 * @last: last control
 * @needs: bits that are set in control values of this kind, and not of others in the same range
 * @unit: number of the unit in the formula
 * @event: mask of the event select
 * @umask: mask of the unit mask
 * @boxes: number of these units in a package
 * @stride: distance between the controls of two units
 * @scope: the CPUs that share a unit
 * @model: Intel model (CPUID 1); 0: any
 * @box0: number of the first unit
 * @event0: offset to add to the event
 */
struct shared_registers {
	uint32_t first, last;
	uint64_t needs;
	enum vpmu_unit unit;
	uint64_t event, umask;
	unsigned int boxes, stride;
	unsigned int scope;
	unsigned int model, box0, event0;
};

#define CBO(first, last, boxes, stride, model, box0)				\
	{ first, last, 0, VPMU_UNIT_CBO, 0xff, 0xffffff0000ff00ull, boxes, stride, \
	  RCR_SCOPE_PACKAGE, model, box0, 0 }

/* PCI functions: bits above the offset are the device id. */
#define FUNCTION(device, which, event_bits, boxes, box0)			\
	{ (device) << 16 | 0xd8, (device) << 16 | 0xe4, 0, VPMU_UNIT_##which,	\
	  event_bits, 0xff00, boxes, 0, RCR_SCOPE_PACKAGE, 0, box0, 0 }
#define LINK_EVENT	0x2000ffull
/* Memory channels also have a fixed counter of their clock. */
#define CHANNEL(device, boxes, box0)						\
	FUNCTION(device, IMC, 0xff, boxes, box0),				\
	{ (device) << 16 | 0xf0, (device) << 16 | 0xf0, 0, VPMU_UNIT_IMC, 0, 0,	\
	  boxes, 0, RCR_SCOPE_PACKAGE, 0, box0, 0xff }

/* Device ids of Haswell-EP are 2Fxxh, those of Broadwell-EP 6Fxxh. */
#define HSW_TO_BDW(base)							\
	FUNCTION((base) | 0x30u, HA, 0xff, 2, 0), FUNCTION((base) | 0x38u, HA, 0xff, 2, 1), \
	CHANNEL((base) | 0xb0u, 8, 0), CHANNEL((base) | 0xb1u, 8, 1), \
	CHANNEL((base) | 0xb4u, 8, 2), CHANNEL((base) | 0xb5u, 8, 3), \
	CHANNEL((base) | 0xd0u, 8, 4), CHANNEL((base) | 0xd1u, 8, 5), \
	CHANNEL((base) | 0xd4u, 8, 6), CHANNEL((base) | 0xd5u, 8, 7), \
	FUNCTION((base) | 0x32u, QPI, LINK_EVENT, 3, 0),			\
	FUNCTION((base) | 0x33u, QPI, LINK_EVENT, 3, 1),			\
	FUNCTION((base) | 0x3au, QPI, LINK_EVENT, 3, 2),			\
	FUNCTION((base) | 0x34u, R2PCIE, 0xff, 1, 0),				\
	FUNCTION((base) | 0x36u, R3QPI, 0xff, 3, 0), FUNCTION((base) | 0x37u, R3QPI, 0xff, 3, 1), \
	FUNCTION((base) | 0x3eu, R3QPI, 0xff, 3, 2)

static const struct shared_registers shared_registers[] = {
	/* AMD 42301: bit 36 is always set. */
	{ 0xc0010240, 0xc0010246, 1ull << 36, VPMU_UNIT_NB, 0xf000000ffull, 0xff00, 1, 0,
	  .scope = RCR_SCOPE_DIE },
	{ 0xc0010240, 0xc0010246, 0, VPMU_UNIT_DF, 0x1800000f000000ffull, 0xff00, 1, 0,
	  .scope = RCR_SCOPE_DIE },
	/* PerfMonV2 */
	{ 0xc0010240, 0xc001025e, 0, VPMU_UNIT_DF, 0x3f000000ffull, 0xf00ff00, 1, 0,
	  .scope = RCR_SCOPE_PACKAGE },
	{ 0xc0010800, 0xc001085e, 0, VPMU_UNIT_UMC, 0xff, 0x300, 12, 8, .scope = RCR_SCOPE_PACKAGE },
	{ 0xc0010230, 0xc001023a, 0, VPMU_UNIT_L3, 0xff, 0xff00, 1, 0, .scope = RCR_SCOPE_LLC },
	{ 0x3c0, 0x3c7, 0, VPMU_UNIT_NHM, 0xff, 0xff00, 1, 0, .scope = RCR_SCOPE_PACKAGE },
	/* Sandy Bridge-EP to Broadwell-EP, Skylake-SP */
	CBO(0xd10, 0xdf3, 8, 0x20, 45, 0),
	CBO(0xd10, 0xed3, 15, 0x20, 62, 0),
	CBO(0xe01, 0xf14, 18, 0x10, 63, 0),
	CBO(0xe01, 0xf74, 24, 0x10, 79, 0),
	CBO(0xe01, 0xfb4, 28, 0x10, 85, 0),
	/* Ice Lake-SP: three ranges. */
	CBO(0xe01, 0xef2, 40, 0xe, 106, 0),
	CBO(0xf0b, 0xfe0, 40, 0xe, 106, 18),
	CBO(0xb61, 0xbaa, 40, 0xe, 106, 34),
	{ 0xc30, 0xc33, 0, VPMU_UNIT_PCU, 0xff, 0xc000, 1, 0, .scope = RCR_SCOPE_PACKAGE },
	{ 0x711, 0x714, 0, VPMU_UNIT_PCU, 0xff, 0xc000, 1, 0, .scope = RCR_SCOPE_PACKAGE },
	{ 0xc10, 0xc11, 0, VPMU_UNIT_UBOX, 0xff, 0xff00, 1, 0, .scope = RCR_SCOPE_PACKAGE },
	FUNCTION(0x3c46u, HA, 0xff, 1, 0),
	CHANNEL(0x3cb0u, 4, 0), CHANNEL(0x3cb1u, 4, 1),
	CHANNEL(0x3cb4u, 4, 2), CHANNEL(0x3cb5u, 4, 3),
	FUNCTION(0x3c41u, QPI, LINK_EVENT, 2, 0), FUNCTION(0x3c42u, QPI, LINK_EVENT, 2, 1),
	FUNCTION(0x3c43u, R2PCIE, 0xff, 1, 0),
	FUNCTION(0x3c44u, R3QPI, 0xff, 2, 0), FUNCTION(0x3c45u, R3QPI, 0xff, 2, 1),
	FUNCTION(0x0e30u, HA, 0xff, 2, 0), FUNCTION(0x0e38u, HA, 0xff, 2, 1),
	CHANNEL(0x0eb4u, 8, 0), CHANNEL(0x0eb5u, 8, 1),
	CHANNEL(0x0eb0u, 8, 2), CHANNEL(0x0eb1u, 8, 3),
	CHANNEL(0x0ef4u, 8, 4), CHANNEL(0x0ef5u, 8, 5),
	CHANNEL(0x0ef0u, 8, 6), CHANNEL(0x0ef1u, 8, 7),
	FUNCTION(0x0e32u, QPI, LINK_EVENT, 3, 0), FUNCTION(0x0e33u, QPI, LINK_EVENT, 3, 1),
	FUNCTION(0x0e3au, QPI, LINK_EVENT, 3, 2),
	FUNCTION(0x0e34u, R2PCIE, 0xff, 1, 0),
	FUNCTION(0x0e36u, R3QPI, 0xff, 2, 0), FUNCTION(0x0e37u, R3QPI, 0xff, 2, 1),
	HSW_TO_BDW(0x2f00u),
	HSW_TO_BDW(0x6f00u),
	{ 0xc08, 0xc08, 0, VPMU_UNIT_UBOX, 0, 0, 1, 0, .scope = RCR_SCOPE_PACKAGE, .event0 = 0xff },
};

/* Return the model (CPUID 1) according to the kernel. */
static inline unsigned int cpu_model(void)
{
	static unsigned int model;
	char line[256];
	FILE *f;

	if (model)
		return model;
	f = fopen("/proc/cpuinfo", "r");
	while (f && fgets(line, sizeof(line), f) && sscanf(line, "model : %u", &model) != 1)
		;
	if (f)
		fclose(f);
	return model;
}

/* Extract the bits of @mask and pack them together. */
static inline uint32_t gather(uint64_t select, uint64_t mask)
{
	unsigned int at = 0;
	uint32_t all = 0;

	for (; mask; mask &= mask - 1, at++)
		if (select & mask & -mask)
			all |= 1u << at;
	return all;
}

/* Find the kind of unit that a counter belongs to; NULL if unknown. */
static inline const struct shared_registers *shared_find(const struct rcr_counter *c)
{
	const struct shared_registers *s;
	unsigned int i;

	for (i = 0; i < sizeof(shared_registers) / sizeof(shared_registers[0]); i++) {
		s = &shared_registers[i];
		if (c->control >= s->first && c->control <= s->last &&
		    c->scope == s->scope && (c->select & s->needs) == s->needs &&
		    (!s->model || s->model == cpu_model()))
			return s;
	}
	return NULL;
}

static inline uint32_t shared_event(const struct shared_registers *s,
				    const struct rcr_counter *c)
{
	return s->event0 + gather(c->select, s->event);
}

/*
 * Return the number of a unit in the machine; @unit is the number of its package or pair of CPUs.
 */
static inline uint32_t shared_instance(const struct shared_registers *s,
				       const struct rcr_counter *c, unsigned int unit)
{
	unsigned int box = s->box0 + (s->stride ? (c->control - s->first) / s->stride : 0);

	return unit * s->boxes + box;
}

/*
 * Return the rate of a counter in package @unit, or, by its scope, in die or last-level cache
 * @unit, which are the same in these guests and have two CPUs. 0 if unknown.
 */
static inline uint32_t shared_rate(const struct rcr_counter *c, unsigned int unit)
{
	const struct shared_registers *s = shared_find(c);

	if (!s)
		return 0;
	return vpmu_unit_rate(s->unit, shared_event(s, c), gather(c->select, s->umask),
			      shared_instance(s, c, unit));
}

#endif
