// SPDX-License-Identifier: GPL-2.0-only
/*
 * families.c - list of the supported families.
 *
 * Pure: also compiled into the unit tests, which check each table.
 */
#include <linux/stddef.h>

#include "pmu.h"

/* The first match applies: entries that require more CPUID features come first. */
const struct rcr_family *const rcr_families[] = {
	&rcr_family_amd_10h,
	&rcr_family_amd_15h,
	&rcr_family_amd_perfmon_v2,
	&rcr_family_amd_17h,
	&rcr_family_amd_19h,
	&rcr_family_intel_nhm,
	&rcr_family_intel_nhm_ex,
	&rcr_family_intel_snb,
	&rcr_family_intel_ivb,
	&rcr_family_intel_hsw,
	&rcr_family_intel_bdw,
	&rcr_family_intel_skx,
	&rcr_family_intel_icx,
	&rcr_family_intel_spr,
	NULL
};
