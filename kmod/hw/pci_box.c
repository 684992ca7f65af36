// SPDX-License-Identifier: GPL-2.0-only
/*
 * pci_box.c - which functions of the PCI bus are boxes of which package.
 *
 * Intel 327043 (Xeon E5-2600 Uncore Performance Monitoring Guide), "PCI
 * Configuration Space": each socket has a bus of its own for them. Which socket
 * that is its U-box tells: CPUNODEID (40h) has the node id, and GIDNIDMAP (54h)
 * the node ids of sockets 0, 1, ..., three bits each.
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

/* A box for each number of each PMU in each package. */
#define FOUND		256

static struct found {
	const struct rcr_pmu *pmu;
	unsigned int number;
	unsigned int package;
	struct pci_dev *dev;
} found[FOUND];
static unsigned int nfound;

/* The package whose U-box this is, as its CPUs' APIC ids number it, or -ENOENT. */
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

/* The package whose bus a function is on, or -ENOENT. */
static int package_of(const struct pci_dev *dev, u16 ubox_id)
{
	struct pci_dev *ubox = NULL;
	int package = -ENOENT;

	while ((ubox = pci_get_device(PCI_VENDOR_ID_INTEL, ubox_id, ubox)))
		if (ubox->bus == dev->bus && package < 0)
			package = package_of_ubox(ubox);
	return package;
}

static void keep(const struct rcr_pmu *pmu, unsigned int number, u16 ubox,
		 struct pci_dev *dev)
{
	int package = package_of(dev, ubox);

	if (package < 0 || nfound == FOUND)
		return;
	found[nfound++] = (struct found){ pmu, number, package, pci_dev_get(dev) };
}

/**
 * rcr_pci_box_look() - looks for a box of a PMU, and keeps what it finds
 * @pmu: the PMU
 * @number: which of its boxes
 * @ubox: see struct rcr_family
 *
 * Context: may sleep; once for each box.
 * Return: whether any package has it.
 */
bool rcr_pci_box_look(const struct rcr_pmu *pmu, unsigned int number, u16 ubox)
{
	unsigned int before = nfound;
	struct pci_dev *dev = NULL;

	while ((dev = pci_get_device(PCI_VENDOR_ID_INTEL, pmu->pci[number], dev)))
		keep(pmu, number, ubox, dev);
	return nfound > before;
}

/* The function that is a box of a package, or NULL. Any context. */
struct pci_dev *rcr_pci_box_find(const struct rcr_pmu *pmu, unsigned int number,
				 unsigned int package)
{
	const struct found *f;

	for (f = found; f != found + nfound; f++)
		if (f->pmu == pmu && f->number == number && f->package == package)
			return f->dev;
	return NULL;
}

/* Nobody reads them any more. */
void rcr_pci_box_put_all(void)
{
	while (nfound)
		pci_dev_put(found[--nfound].dev);
}
