/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * families.h - list of the supported families, one line each.
 *
 * The first match applies: families that require more CPUID features come first.
 */
#ifndef RCR_FAMILIES_H
#define RCR_FAMILIES_H

#define RCR_FAMILIES(family) \
	family(amd_10h) \
	family(amd_15h) \
	family(amd_perfmon_v2) \
	family(amd_17h) \
	family(amd_19h) \
	family(intel_nhm) \
	family(intel_nhm_ex) \
	family(intel_snb) \
	family(intel_ivb) \
	family(intel_hsw) \
	family(intel_bdw) \
	family(intel_skx) \
	family(intel_icx) \
	family(intel_spr)

#endif
