/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * register_io.h - reads and writes a register, wherever it is.
 *
 * All of them: any context, on the register's own CPU where it is an MSR. 0, or
 * -errno for one that does not answer.
 */
#ifndef RCR_REGISTER_IO_H
#define RCR_REGISTER_IO_H

#include <linux/types.h>
#include "compat/compat.h"
#include "pci_register.h"

/* A control register: an MSR, or 32 bits of a PCI function. */
static inline int rcr_read_control(struct pci_dev *pci, u32 address, u64 *val)
{
	return pci ? rcr_pci_read_control(pci, address, val) :
		     rcr_rdmsr_safe(address, val);
}

static inline int rcr_write_control(struct pci_dev *pci, u32 address, u64 val)
{
	return pci ? rcr_pci_write_control(pci, address, val) :
		     rcr_wrmsr_safe(address, val);
}

/* A count register: an MSR, or two times 32 bits of a PCI function. */
static inline int rcr_read_count(struct pci_dev *pci, u32 address, u64 *val)
{
	return pci ? rcr_pci_read_count(pci, address, val) :
		     rcr_rdmsr_safe(address, val);
}

static inline int rcr_write_count(struct pci_dev *pci, u32 address, u64 val)
{
	return pci ? rcr_pci_write_count(pci, address, val) :
		     rcr_wrmsr_safe(address, val);
}

#endif
