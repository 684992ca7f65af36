/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * amd_box.h - the shared units of AMD's families, lists for vpmu_family.boxes.
 */
#ifndef RCR_VPMU_AMD_BOX_H
#define RCR_VPMU_AMD_BOX_H

#include "box.h"

extern const struct vpmu_box_type *const vpmu_fam15h_boxes[];
extern const struct vpmu_box_type *const vpmu_fam17h_boxes[];
extern const struct vpmu_box_type *const vpmu_fam19h_boxes[];	/* Zen 3 */
extern const struct vpmu_box_type *const vpmu_zen4_boxes[];

#define VPMU_AMD_NB_CTR		0xc0010241	/* of NB or DF, every second one */
#define VPMU_AMD_L3_CTR		0xc0010231

/* CPUID 8000_0022 of Zen 4. */
#define VPMU_ZEN4_DF		16u	/* EBX[15:10]: counters of a data fabric */
#define VPMU_ZEN4_UMCS		12u	/* ECX: mask of the active controllers */
#define VPMU_ZEN4_UMC		(4 * VPMU_ZEN4_UMCS)	/* EBX[21:16]: counters of all */

#endif
