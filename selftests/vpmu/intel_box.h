/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * intel_box.h - the shared units of Intel's processors that are programmed by
 * MSRs, lists for vpmu_family.boxes; and what Sandy Bridge-EP's boxes have in
 * common with those that are PCI functions.
 */
#ifndef RCR_VPMU_INTEL_BOX_H
#define RCR_VPMU_INTEL_BOX_H

#include "box.h"

extern const struct vpmu_box_type *const vpmu_nehalem_boxes[];
extern const struct vpmu_box_type *const vpmu_snbep_boxes[];
extern const struct vpmu_box_type *const vpmu_ivbep_boxes[];

/* The U-box's register that stops all boxes of its package. */
extern const struct vpmu_box_type vpmu_ivbep_global;
extern const struct vpmu_box_type vpmu_hswep_global;

/* Sandy Bridge-EP: other[0] is the box control, other[1] a filter. */
#define VPMU_SNBEP_CONTROL	0
#define VPMU_SNBEP_RESERVED	(~0x10103ull)	/* of the box control */
#define VPMU_SNBEP_RESET	(1ull << 17)	/* of a count, in its control */
#define VPMU_SNBEP_FIXED	8		/* the fixed counter's number */
#define VPMU_SNBEP_FIXED_EVENT	0xff		/* what rate.h calls its event */

/* Return whether the box control has stopped the counters. */
bool vpmu_snbep_frozen(const struct vpmu_box *box);

/* For vpmu_box_type.wrote: the box control's reset bits act, and read 0. */
void vpmu_snbep_wrote(struct vpmu_box *box, unsigned int i, uint64_t tsc);

/* The U-box's register that stops all boxes of its package. */
extern const struct vpmu_box_type vpmu_ivbep_global;
extern const struct vpmu_box_type vpmu_hswep_global;

/* Sandy Bridge-EP: other[0] is the box control, other[1] a filter. */
#define VPMU_SNBEP_CONTROL	0
#define VPMU_SNBEP_RESERVED	(~0x10103ull)	/* of the box control */
#define VPMU_SNBEP_RESET	(1ull << 17)	/* of a count, in its control */
#define VPMU_SNBEP_FIXED	8		/* the fixed counter's number */
#define VPMU_SNBEP_FIXED_EVENT	0xff		/* what rate.h calls its event */

/* Return whether the box control has stopped the counters. */
bool vpmu_snbep_frozen(const struct vpmu_box *box);

/* For vpmu_box_type.wrote: the box control's reset bits act, and read 0. */
void vpmu_snbep_wrote(struct vpmu_box *box, unsigned int i, uint64_t tsc);

#endif
