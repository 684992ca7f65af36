// SPDX-License-Identifier: GPL-2.0-only
/*
 * register_io.c - reads and writes a register: an MSR, or in the configuration space of a
 * PCI function, where a control is 32 bits, and a count two times 32, the lower ones first.
 *
 * All of them: any context, on the register's own CPU where it is an MSR. 0, or -errno for
 * one that does not answer. A function that is gone answers with ones, which no control and
 * no count is.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/pci.h>

#include "compat/compat.h"
#include "hw.h"

int rcr_read_control(struct pci_dev *pci, u32 address, u64 *val)
{
	u32 low;

	if (!pci)
		return rcr_rdmsr_safe(address, val);
	if (pci_read_config_dword(pci, address, &low) || low == U32_MAX)
		return -EIO;
	*val = low;
	return 0;
}

int rcr_write_control(struct pci_dev *pci, u32 address, u64 val)
{
	if (!pci)
		return rcr_wrmsr_safe(address, val);
	return pci_write_config_dword(pci, address, val) ? -EIO : 0;
}

/*
 * It counts on between its two halves: where the upper one went on, the lower one has
 * just begun again, and is read once more. It does not end twice in three reads, and a
 * device whose upper half never stands still holds nobody up.
 */
int rcr_read_count(struct pci_dev *pci, u32 address, u64 *val)
{
	u32 before, low, high;

	if (!pci)
		return rcr_rdmsr_safe(address, val);
	if (pci_read_config_dword(pci, address + 4, &before) ||
	    pci_read_config_dword(pci, address, &low) ||
	    pci_read_config_dword(pci, address + 4, &high))
		return -EIO;
	if (high != before && pci_read_config_dword(pci, address, &low))
		return -EIO;
	*val = (u64)high << 32 | low;
	return 0;
}

/* Of a counter that stands still. */
int rcr_write_count(struct pci_dev *pci, u32 address, u64 val)
{
	if (!pci)
		return rcr_wrmsr_safe(address, val);
	return pci_write_config_dword(pci, address, val) ||
	       pci_write_config_dword(pci, address + 4, val >> 32) ? -EIO : 0;
}
