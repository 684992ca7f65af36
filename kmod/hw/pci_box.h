/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pci_box.h - which functions of the PCI bus are boxes of which package.
 */
#ifndef RCR_PCI_BOX_H
#define RCR_PCI_BOX_H

#include <linux/types.h>

struct pci_dev;
struct rcr_pmu;

bool rcr_pci_box_look(const struct rcr_pmu *pmu, unsigned int number, u16 ubox);
struct pci_dev *rcr_pci_box_find(const struct rcr_pmu *pmu, unsigned int number,
				 unsigned int package);
void rcr_pci_box_put_all(void);

#endif
