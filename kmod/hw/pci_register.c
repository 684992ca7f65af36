// SPDX-License-Identifier: GPL-2.0-only
/*
 * pci_register.c - registers in PCI configuration space.
 *
 * A function that is gone answers with ones, which no control and no count is.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/pci.h>

#include "pci_register.h"

int rcr_pci_read_control(struct pci_dev *pci, u32 offset, u64 *val)
{
	u32 low;

	if (pci_read_config_dword(pci, offset, &low) || low == U32_MAX)
		return -EIO;
	*val = low;
	return 0;
}

int rcr_pci_write_control(struct pci_dev *pci, u32 offset, u64 val)
{
	return pci_write_config_dword(pci, offset, val) ? -EIO : 0;
}

/*
 * It counts on between its two halves: where the upper one went on, the lower one has
 * just begun again, and is read once more. It does not end twice in three reads, and a
 * device whose upper half never stands still holds nobody up.
 */
int rcr_pci_read_count(struct pci_dev *pci, u32 offset, u64 *val)
{
	u32 before, low, high;

	if (pci_read_config_dword(pci, offset + 4, &before) ||
	    pci_read_config_dword(pci, offset, &low) ||
	    pci_read_config_dword(pci, offset + 4, &high))
		return -EIO;
	if (high != before && pci_read_config_dword(pci, offset, &low))
		return -EIO;
	*val = (u64)high << 32 | low;
	return 0;
}

/* Of a counter that stands still. */
int rcr_pci_write_count(struct pci_dev *pci, u32 offset, u64 val)
{
	return pci_write_config_dword(pci, offset, val) ||
	       pci_write_config_dword(pci, offset + 4, val >> 32) ? -EIO : 0;
}
