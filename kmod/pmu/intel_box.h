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

/* What a box control holds while all counters of its box stand still. */
#define RCR_BOX_FREEZE	BIT_ULL(8)

#define RCR_INTEL_PACKAGE			\
	.scope = RCR_SCOPE_PACKAGE,		\
	.feature = { 0xa, RCR_EAX, 0xff }
#define RCR_INTEL_BOX				\
	RCR_INTEL_PACKAGE,			\
	.stride = 1

#endif
