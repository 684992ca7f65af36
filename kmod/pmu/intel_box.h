/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * intel_box.h - what the CPUs of a Xeon's package share.
 */
#ifndef RCR_INTEL_BOX_H
#define RCR_INTEL_BOX_H

#include "pmu.h"

/* intel_cbo.c: slices of the last level cache, up to Broadwell-EP */
extern const struct rcr_layout rcr_box_layout;
extern const struct rcr_layout rcr_ivb_box_layout;
extern const struct rcr_pmu rcr_snbep_cbo;
extern const struct rcr_pmu rcr_ivbep_cbo;
extern const struct rcr_pmu rcr_hswep_cbo;
extern const struct rcr_pmu rcr_bdwep_cbo;

/* intel_cha.c: and from Skylake-SP on */
extern const struct rcr_pmu rcr_skx_cha;
extern const struct rcr_pmu rcr_icx_cha;

/* intel_pcu.c: power control, and system configuration */
extern const struct rcr_pmu rcr_snbep_pcu;
extern const struct rcr_pmu rcr_ivbep_pcu;
extern const struct rcr_pmu rcr_hswep_pcu;
extern const struct rcr_pmu rcr_bdwep_pcu;
extern const struct rcr_pmu rcr_snbep_ubox;
extern const struct rcr_pmu rcr_ivbep_ubox;
extern const struct rcr_pmu rcr_snbep_uclk;

/* intel_pci_box.c: home agents, memory channels, links, and the ring's ways out */
extern const struct rcr_pmu rcr_snbep_ha;
extern const struct rcr_pmu rcr_snbep_imc;
extern const struct rcr_pmu rcr_snbep_imcclk;
extern const struct rcr_pmu rcr_snbep_qpi;
extern const struct rcr_pmu rcr_snbep_r2pcie;
extern const struct rcr_pmu rcr_snbep_r3qpi;
extern const struct rcr_pmu rcr_ivbep_ha;
extern const struct rcr_pmu rcr_ivbep_imc;
extern const struct rcr_pmu rcr_ivbep_imcclk;
extern const struct rcr_pmu rcr_ivbep_qpi;
extern const struct rcr_pmu rcr_ivbep_r2pcie;
extern const struct rcr_pmu rcr_ivbep_r3qpi;
extern const struct rcr_pmu rcr_hswep_ha;
extern const struct rcr_pmu rcr_hswep_imc;
extern const struct rcr_pmu rcr_hswep_imcclk;
extern const struct rcr_pmu rcr_hswep_qpi;
extern const struct rcr_pmu rcr_hswep_r2pcie;
extern const struct rcr_pmu rcr_hswep_r3qpi;
extern const struct rcr_pmu rcr_bdwep_ha;
extern const struct rcr_pmu rcr_bdwep_imc;
extern const struct rcr_pmu rcr_bdwep_imcclk;
extern const struct rcr_pmu rcr_bdwep_qpi;
extern const struct rcr_pmu rcr_bdwep_r2pcie;
extern const struct rcr_pmu rcr_bdwep_r3qpi;

/* Bits of a control that all of these have in common; 20 is the interrupt. */
#define RCR_BOX_EDGE	BIT_ULL(18)
#define RCR_BOX_ENABLE	BIT_ULL(22)
#define RCR_BOX_INV	BIT_ULL(23)

/*
 * U_MSR_PMON_GLOBAL_CTL: Intel 329468 (Xeon E5 v2 Uncore Performance Monitoring), table
 * 2-2; 331051 (E5 v3) and 334291 (E5 v4), likewise. Bit 31, frz_all, freezes all boxes of
 * the package, bit 29 lets them count again; LIKWID writes both (perfmon_ivybridge.h,
 * perfmon_haswell.h, perfmon_broadwell.h), Linux's intel/uncore_snbep.c neither. Sandy
 * Bridge-EP has no such register: Intel 327043, section 2.1, and LIKWID there freeze each
 * box by itself. These manuals mark the two bits as write-only, and the same they do with
 * a box's own freeze, which Linux reads and writes back.
 */
#define RCR_IVBEP_GLOBAL_CTL	0xc00
#define RCR_HSWEP_GLOBAL_CTL	0x700

/* What a box control holds while all counters of its box stand still. */
#define RCR_BOX_FREEZE	BIT_ULL(8)

#define RCR_INTEL_PACKAGE			\
	.scope = RCR_SCOPE_PACKAGE,		\
	.feature = { 0xa, RCR_EAX, 0xff }
#define RCR_INTEL_BOX				\
	RCR_INTEL_PACKAGE,			\
	.stride = 1

#endif
