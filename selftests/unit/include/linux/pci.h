/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_LINUX_PCI_H
#define UNIT_LINUX_PCI_H

#include <linux/types.h>

struct pci_dev;

/* Tests of code that reads PCI configuration space define this. */
int pci_read_config_dword(const struct pci_dev *pci, int offset, u32 *val);
int pci_write_config_dword(const struct pci_dev *pci, int offset, u32 val);

#endif
