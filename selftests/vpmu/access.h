/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * access.h - translated code reports each access to memory, in exec mode.
 */
#ifndef RCR_VPMU_ACCESS_H
#define RCR_VPMU_ACCESS_H

#define VPMU_ACCESS_SIZE	0xffu		/* in bytes */
#define VPMU_ACCESS_LOAD	(1u << 8)
#define VPMU_ACCESS_STORE	(1u << 9)
#define VPMU_ACCESS_STREAM	(1u << 10)	/* non-temporal */
#define VPMU_ACCESS_OS_SHIFT	11		/* VPMU_USER or VPMU_OS */
#define VPMU_ACCESS_OS		(1u << VPMU_ACCESS_OS_SHIFT)
#define VPMU_ACCESS_MMU_SHIFT	16		/* index of QEMU's TLB */

#endif
