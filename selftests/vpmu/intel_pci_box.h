/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * intel_pci_box.h - shared units of Xeons that are PCI functions.
 */
#ifndef RCR_VPMU_INTEL_PCI_BOX_H
#define RCR_VPMU_INTEL_PCI_BOX_H

#include "box.h"

/* A function of a package's own bus: its registers are in configuration space. */
struct vpmu_pci_box {
	const char *model;		/* property "model" of the device */
	const char *name;		/* property "function" */
	uint16_t device;		/* PCI device id of Intel */
	const struct vpmu_box_type *type;	/* NULL: it counts nothing */
	unsigned int box;		/* which one of its type */
};

extern const struct vpmu_pci_box vpmu_pci_boxes[];	/* ends without a name */

#endif
