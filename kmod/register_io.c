// SPDX-License-Identifier: GPL-2.0-only
/*
 * register_io.c - registers in PCI configuration space.
 *
 * A function that is gone answers with ones, which no control and no count is.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/pci.h>

#include "register_io.h"

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

/* It counts on between its two halves: the upper one is the same before and after. */
int rcr_pci_read_count(struct pci_dev *pci, u32 offset, u64 *val)
{
	u32 low, high, again;

	if (pci_read_config_dword(pci, offset + 4, &again))
		return -EIO;
	do {
		high = again;
		if (pci_read_config_dword(pci, offset, &low) ||
		    pci_read_config_dword(pci, offset + 4, &again))
			return -EIO;
	} while (high != again);
	*val = (u64)high << 32 | low;
	return 0;
}

/* Of a counter that stands still. */
int rcr_pci_write_count(struct pci_dev *pci, u32 offset, u64 val)
{
	return pci_write_config_dword(pci, offset, val) ||
	       pci_write_config_dword(pci, offset + 4, val >> 32) ? -EIO : 0;
}
