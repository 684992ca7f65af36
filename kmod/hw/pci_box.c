// SPDX-License-Identifier: GPL-2.0-only
/*
 * pci_box.c - find the PCI functions that are boxes, and their packages.
 *
 * Intel 327043 (Xeon E5-2600 Uncore Performance Monitoring Guide), "PCI Configuration Space":
 * each socket has its own bus for them. The U-box on that bus identifies the socket:
 * CPUNODEID (40h) is its node id, and GIDNIDMAP (54h) has the node ids of sockets 0, 1, ...,
 * three bits each.
 *
 * Functions are found at load and kept until unload.
 */
#include <linux/errno.h>
#include <linux/pci.h>

#include "hw.h"
#include "pmu/pmu.h"

#define UBOX_NODE_ID	0x40
#define UBOX_NODE_MAP	0x54
#define NODE_BITS	3
#define NODES		8

/* Upper bound of the functions that are kept: each box of each PMU in each package. */
#define FOUND		256

static struct found {
	const struct rcr_pmu *pmu;
	unsigned int number;
	unsigned int package;
	struct pci_dev *dev;
} found[FOUND];
static unsigned int nfound;

/* Package of a U-box, numbered as in its CPUs' APIC ids, or -ENOENT. */
static int package_of_ubox(struct pci_dev *ubox)
{
	u32 id, map;
	int package;

	if (pci_read_config_dword(ubox, UBOX_NODE_ID, &id) ||
	    pci_read_config_dword(ubox, UBOX_NODE_MAP, &map))
		return -ENOENT;
	for (package = 0; package < NODES; package++)
		if ((map >> (NODE_BITS * package) & (NODES - 1)) == (id & (NODES - 1)))
			return package;
	return -ENOENT;
}

/* Package of a function's bus, or -ENOENT. */
static int package_of_function(const struct pci_dev *dev, u16 ubox_id)
{
	struct pci_dev *ubox = NULL;
	int package = -ENOENT;

	while ((ubox = pci_get_device(PCI_VENDOR_ID_INTEL, ubox_id, ubox)))
		if (ubox->bus == dev->bus && package < 0)
			package = package_of_ubox(ubox);
	return package;
}

static void add_found(const struct rcr_pmu *pmu, unsigned int number, u16 ubox,
		      struct pci_dev *dev)
{
	int package = package_of_function(dev, ubox);

	if (package < 0 || nfound == FOUND)
		return;
	found[nfound++] = (struct found){ pmu, number, package, pci_dev_get(dev) };
}

/**
 * rcr_pci_box_probe() - find a box of a PMU in all packages, and keep references
 * @pmu: the PMU
 * @number: number of the box
 * @ubox: see struct rcr_family
 *
 * Context: may sleep; once per box.
 * Return: true if any package has it.
 */
bool rcr_pci_box_probe(const struct rcr_pmu *pmu, unsigned int number, u16 ubox)
{
	unsigned int before = nfound;
	struct pci_dev *dev = NULL;

	while ((dev = pci_get_device(PCI_VENDOR_ID_INTEL, pmu->pci[number], dev)))
		add_found(pmu, number, ubox, dev);
	return nfound > before;
}

/* PCI function of a box in a package, or NULL. Any context. */
struct pci_dev *rcr_pci_box_find(const struct rcr_pmu *pmu, unsigned int number,
				 unsigned int package)
{
	const struct found *f;

	for (f = found; f != found + nfound; f++)
		if (f->pmu == pmu && f->number == number && f->package == package)
			return f->dev;
	return NULL;
}

/* Release all references. Called when no box is read any more. */
void rcr_pci_box_put_all(void)
{
	while (nfound)
		pci_dev_put(found[--nfound].dev);
}
