// SPDX-License-Identifier: GPL-2.0-only
/*
 * register_io.c - read and write a register: an MSR, or one in the configuration space of a PCI
 * function, where a control has 32 bits, and a count two times 32, the lower half first.
 *
 * All functions: any context, for an MSR on a CPU that has the register. Return: 0, or -errno
 * if the register does not respond. A removed PCI function reads as ones, which neither a
 * control nor a count ever does.
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
		return rdmsrq_safe(address, val);
	if (pci_read_config_dword(pci, address, &low) || low == U32_MAX)
		return -EIO;
	*val = low;
	return 0;
}

int rcr_write_control(struct pci_dev *pci, u32 address, u64 val)
{
	if (!pci)
		return wrmsrq_safe(address, val);
	return pci_write_config_dword(pci, address, val) ? -EIO : 0;
}

/*
 * A count may be incremented between the reads of its halves: if the upper one has changed,
 * the lower one has just wrapped and is read once more. It cannot wrap twice within three
 * reads. There is no loop, so a broken device cannot cause an endless one.
 */
int rcr_read_count(struct pci_dev *pci, u32 address, u64 *val)
{
	u32 before, low, high;

	if (!pci)
		return rdmsrq_safe(address, val);
	if (pci_read_config_dword(pci, address + 4, &before) ||
	    pci_read_config_dword(pci, address, &low) ||
	    pci_read_config_dword(pci, address + 4, &high))
		return -EIO;
	if (high != before && pci_read_config_dword(pci, address, &low))
		return -EIO;
	*val = (u64)high << 32 | low;
	return 0;
}

/* Write a count in halves; the counter must be stopped. */
int rcr_write_count(struct pci_dev *pci, u32 address, u64 val)
{
	if (!pci)
		return wrmsrq_safe(address, val);
	return pci_write_config_dword(pci, address, val) ||
	       pci_write_config_dword(pci, address + 4, val >> 32) ? -EIO : 0;
}
