/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * xeon_box.h - the shared units of Xeons from Haswell-EP on that are programmed by
 * MSRs, lists for vpmu_family.boxes.
 */
#ifndef RCR_VPMU_XEON_BOX_H
#define RCR_VPMU_XEON_BOX_H

#include "box.h"

extern const struct vpmu_box_type *const vpmu_hswep_boxes[];
extern const struct vpmu_box_type *const vpmu_bdwep_boxes[];
extern const struct vpmu_box_type *const vpmu_skx_boxes[];
extern const struct vpmu_box_type *const vpmu_icx_boxes[];

#endif
