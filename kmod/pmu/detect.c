// SPDX-License-Identifier: GPL-2.0-only
/*
 * detect.c - finds the family's table by CPUID. An unknown CPU has none: no
 * register is ever guessed.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <asm/processor.h>

#include "detect.h"
#include "pmu.h"

/* The first that fits holds: what needs more of CPUID stands before. */
static const struct rcr_pmu *const families[] = {
	&rcr_pmu_amd_f15h,
	&rcr_pmu_amd_perfmon_v2,
	&rcr_pmu_amd_f17h,
	&rcr_pmu_intel_nhm,
};

static bool has_model(const u8 *models, u8 model)
{
	for (; *models; models++)
		if (*models == model)
			return true;
	return false;
}

static bool is_family(const struct rcr_pmu *pmu, const struct cpuinfo_x86 *c)
{
	return !strcmp(c->x86_vendor_id, pmu->vendor) &&
	       c->x86 >= pmu->family_first && c->x86 <= pmu->family_last &&
	       (!pmu->models || has_model(pmu->models, c->x86_model));
}

static bool has_feature(const struct rcr_feature *f)
{
	u32 r[4];

	/* Leaf 0, or 8000_0000, tells the last of its range. */
	if (cpuid_eax(f->leaf & 0x80000000) < f->leaf)
		return false;
	cpuid_count(f->leaf, 0, &r[RCR_EAX], &r[RCR_EBX], &r[RCR_ECX],
		    &r[RCR_EDX]);
	return r[f->reg] & f->mask;
}

/**
 * rcr_pmu_detect() - the table of this machine's CPUs
 * @hidden: set when the family is known but CPUID says that its counters are
 *	not there: a hypervisor keeps them
 *
 * Return: the table, or NULL for a CPU that has none.
 */
const struct rcr_pmu *rcr_pmu_detect(bool *hidden)
{
	size_t i;

	*hidden = false;
	for (i = 0; i < ARRAY_SIZE(families); i++) {
		if (!is_family(families[i], &boot_cpu_data))
			continue;
		if (has_feature(&families[i]->feature))
			return families[i];
		*hidden = true;
	}
	return NULL;
}
