/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * intel_box.h - the shared units of Intel's processors that are programmed by
 * MSRs, lists for vpmu_family.boxes.
 */
#ifndef RCR_VPMU_INTEL_BOX_H
#define RCR_VPMU_INTEL_BOX_H

#include "box.h"

extern const struct vpmu_box_type *const vpmu_nehalem_boxes[];
extern const struct vpmu_box_type *const vpmu_snbep_boxes[];

#endif
