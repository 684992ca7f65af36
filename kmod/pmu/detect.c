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

static const struct rcr_pmu *const families[] = {
	&rcr_pmu_amd_f15h,
};

static bool fits(const struct rcr_pmu *pmu)
{
	return !strcmp(boot_cpu_data.x86_vendor_id, pmu->vendor) &&
	       boot_cpu_data.x86 == pmu->family &&
	       (cpuid_ecx(pmu->feature_leaf) & BIT(pmu->feature_bit));
}

/**
 * rcr_pmu_detect() - the table of this machine's CPUs
 *
 * Return: the table, or NULL for a CPU that has none.
 */
const struct rcr_pmu *rcr_pmu_detect(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(families); i++)
		if (fits(families[i]))
			return families[i];
	return NULL;
}
