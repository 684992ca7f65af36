/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernel_rate.h - the virtual PMU's formula for counters of the kernel's PMUs. The set has no
 * register for them, so they are found by the names that pmus.sh, halves.sh and ubox.sh use.
 */
#ifndef RCR_GUEST_KERNEL_RATE_H
#define RCR_GUEST_KERNEL_RATE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <linux/rcrtool.h>

#include "rate.h"

struct known {
	const char *name;
	enum vpmu_unit unit;
	uint32_t event, umask;
	unsigned int box, boxes;	/* number of the unit, and units per package */
};

static inline const struct known *known_of(const struct rcr_counter *c)
{
	static const struct known all[] = {
		{ "L3_CACHE_MISSES", VPMU_UNIT_NB, 0x4e1, 0xf7, 0, 1 },
		{ "DCT_RD_TOT", VPMU_UNIT_NB, 0x1f0, 0x62, 0, 1 },
		{ "DCT_WRT", VPMU_UNIT_NB, 0x1f0, 0x19, 0, 1 },
		{ "L3_REQUESTS", VPMU_UNIT_L3, 0x04, 0xff, 0, 1 },
		{ "L3_LATENCY", VPMU_UNIT_L3, 0x9a, 0x1f, 0, 1 },
		{ "DF_LINK", VPMU_UNIT_DF, 0x7c7, 0x02, 0, 1 },
		{ "LLC_HITS", VPMU_UNIT_NHM, 0x08, 0x03, 0, 1 },
		{ "LLC_MISSES", VPMU_UNIT_NHM, 0x09, 0x03, 0, 1 },
		{ "LOCAL_READS", VPMU_UNIT_NHM, 0x20, 0x10, 0, 1 },
		{ "LLC_LOOKUP", VPMU_UNIT_CBO, 0x34, 0x11, 0, 8 },
		{ "LLC_LOOKUP1", VPMU_UNIT_CBO, 0x34, 0x11, 1, 8 },
		{ "OCCUPANCY", VPMU_UNIT_PCU, 0x80, 0x02, 0, 1 },
		{ "CAS_READS", VPMU_UNIT_IMC, 0x04, 0x03, 0, 4 },
		{ "CAS_WRITES", VPMU_UNIT_IMC, 0x04, 0x0c, 3, 4 },
		{ "CAS_RD0", VPMU_UNIT_IMC, 0x04, 0x03, 0, 4 },
		{ "CAS_WR0", VPMU_UNIT_IMC, 0x04, 0x0c, 0, 4 },
		{ "CAS_RD1", VPMU_UNIT_IMC, 0x04, 0x03, 1, 4 },
		{ "CAS_WR1", VPMU_UNIT_IMC, 0x04, 0x0c, 1, 4 },
		{ "CAS_RD2", VPMU_UNIT_IMC, 0x04, 0x03, 2, 4 },
		{ "CAS_WR2", VPMU_UNIT_IMC, 0x04, 0x0c, 2, 4 },
		{ "CAS_RD3", VPMU_UNIT_IMC, 0x04, 0x03, 3, 4 },
		{ "CAS_WR3", VPMU_UNIT_IMC, 0x04, 0x0c, 3, 4 },
		{ "SLICE_OF_15", VPMU_UNIT_CBO, 0x34, 0x11, 0, 15 },
		{ "SLICE_OF_18", VPMU_UNIT_CBO, 0x34, 0x11, 0, 18 },
		{ "CHANNEL_OF_8", VPMU_UNIT_IMC, 0x04, 0x03, 0, 8 },
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(all[i].name, c->name))
			return &all[i];
	return NULL;
}

/* Events of the kernel's PMU "msr" have no register in the set either. */
static inline uint32_t kernel_rate(const struct rcr_counter *c, uint32_t cpu,
				   unsigned int package)
{
	const struct known *k = known_of(c);

	if (!strcmp(c->name, "APERF"))
		return vpmu_aperf_rate(cpu);
	if (!strcmp(c->name, "MPERF"))
		return VPMU_MPERF_RATE;
	return k ? vpmu_unit_rate(k->unit, k->event, k->umask,
				  k->boxes * package + k->box) : 0;
}

#endif
