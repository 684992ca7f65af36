/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pci_register.h - registers in PCI configuration space: a control is 32 bits, a count
 * two times 32, the lower ones first.
 *
 * All of them: any context. 0, or -EIO for one that does not answer.
 */
#ifndef RCR_PCI_REGISTER_H
#define RCR_PCI_REGISTER_H

#include <linux/types.h>

struct pci_dev;

int rcr_pci_read_control(struct pci_dev *pci, u32 offset, u64 *val);
int rcr_pci_write_control(struct pci_dev *pci, u32 offset, u64 val);
int rcr_pci_read_count(struct pci_dev *pci, u32 offset, u64 *val);
int rcr_pci_write_count(struct pci_dev *pci, u32 offset, u64 val);

#endif
