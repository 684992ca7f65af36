// SPDX-License-Identifier: GPL-2.0-only
/*
 * pci_box.c - which functions of the PCI bus are boxes of which node.
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

#include "pci_box.h"
#include "pmu/pmu.h"

#define UBOX_NODE_ID	0x40
#define UBOX_NODE_MAP	0x54
#define NODE_BITS	3
#define NODES		8

/* A box for each number of each PMU on each node. */
#define FOUND		256

static struct found {
	const struct rcr_pmu *pmu;
	unsigned int number;
	unsigned int node;
	struct pci_dev *dev;
} found[FOUND];
static unsigned int nfound;

/* The node whose U-box this is, or -ENOENT. */
static int node_of_ubox(struct pci_dev *ubox)
{
	u32 id, map;
	int node;

	if (pci_read_config_dword(ubox, UBOX_NODE_ID, &id) ||
	    pci_read_config_dword(ubox, UBOX_NODE_MAP, &map))
		return -ENOENT;
	for (node = 0; node < NODES; node++)
		if ((map >> (NODE_BITS * node) & (NODES - 1)) == (id & (NODES - 1)))
			return node;
	return -ENOENT;
}

/* The node of the bus that a function is on, or -ENOENT. */
static int node_of(const struct pci_dev *dev, u16 ubox_id)
{
	struct pci_dev *ubox = NULL;
	int node = -ENOENT;

	while ((ubox = pci_get_device(PCI_VENDOR_ID_INTEL, ubox_id, ubox)))
		if (ubox->bus == dev->bus && node < 0)
			node = node_of_ubox(ubox);
	return node;
}

static void keep(const struct rcr_pmu *pmu, unsigned int number, struct pci_dev *dev)
{
	int node = node_of(dev, pmu->pci->ubox);

	if (node < 0 || nfound == FOUND)
		return;
	found[nfound++] = (struct found){ pmu, number, node, pci_dev_get(dev) };
}

/**
 * rcr_pci_box_count() - looks for the boxes of a PMU, and keeps what it finds
 * @pmu: the PMU
 *
 * Context: may sleep; once for each PMU.
 * Return: how many there are, the first missing one ends them.
 */
unsigned int rcr_pci_box_count(const struct rcr_pmu *pmu)
{
	unsigned int number, before;

	for (number = 0; pmu->pci->device[number]; number++) {
		struct pci_dev *dev = NULL;

		before = nfound;
		while ((dev = pci_get_device(PCI_VENDOR_ID_INTEL,
					     pmu->pci->device[number], dev)))
			keep(pmu, number, dev);
		if (nfound == before)
			break;
	}
	return number;
}

/* The function that is a box on a node, or NULL. Any context. */
struct pci_dev *rcr_pci_box_find(const struct rcr_pmu *pmu, unsigned int number,
				 unsigned int node)
{
	const struct found *f;

	for (f = found; f != found + nfound; f++)
		if (f->pmu == pmu && f->number == number && f->node == node)
			return f->dev;
	return NULL;
}

/* Nobody reads them any more. */
void rcr_pci_box_put_all(void)
{
	while (nfound)
		pci_dev_put(found[--nfound].dev);
}
