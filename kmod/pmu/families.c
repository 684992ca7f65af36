// SPDX-License-Identifier: GPL-2.0-only
/*
 * families.c - which families there are tables for.
 *
 * Pure: compiled into the unit tests as well, which look at each table.
 */
#include <linux/stddef.h>

#include "pmu.h"

/* The first that fits holds: what needs more of CPUID stands before. */
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
