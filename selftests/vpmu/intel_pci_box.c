// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_pci_box.c - Sandy Bridge-EP's shared units that are PCI functions.
 *
 * Intel 327043 (Xeon E5-2600 Uncore Performance Monitoring Guide), sections 2.4
 * (HA), 2.5 (iMC), 2.7 (QPI) and 2.8 (R2PCIe), each "PCI Configuration Space
 * Registers"; widths as Linux's intel/uncore_snbep.c has them. Register tables
 * name offsets in configuration space. A count is two dwords, low one first.
 */
#include "intel_box.h"
#include "intel_pci_box.h"

#define QPI_EVENT_EXT		(1ull << 21)	/* bit 8 of the event select */

static uint32_t rate_of(const struct vpmu_box *box, unsigned int i, uint32_t event)
{
	uint64_t control = box->counter[i].control;
	bool fixed = i == VPMU_SNBEP_FIXED;

	if (!(control & EVENTSEL_ENABLE) || vpmu_snbep_frozen(box))
		return 0;
	return vpmu_unit_rate(box->type->unit,
			      fixed ? VPMU_SNBEP_FIXED_EVENT : event,
			      fixed ? 0 : vpmu_umask_of(control), box->instance);
}

static uint32_t plain_rate(const struct vpmu_box *box, unsigned int i)
{
	return rate_of(box, i, box->counter[i].control & 0xff);
}

static uint32_t qpi_rate(const struct vpmu_box *box, unsigned int i)
{
	uint64_t control = box->counter[i].control;

	return rate_of(box, i, (control & 0xff) |
			       (control & QPI_EVENT_EXT ? 0x100 : 0));
}

#define COUNTS { VPMU_BOX_COUNT, 0xa0, 8, 4 }
#define CONTROLS(reserved_bits) \
	{ VPMU_BOX_CONTROL, 0xd8, 4, 4, .reserved = reserved_bits }
#define BOX_CONTROL \
	{ VPMU_BOX_OTHER, 0xf4, 4, 1, VPMU_SNBEP_CONTROL, .reserved = VPMU_SNBEP_RESERVED }

static const struct vpmu_box_registers plain_registers[] = {
	COUNTS, CONTROLS(0xffffffff00390000ull), BOX_CONTROL,
	{ }
};

static const struct vpmu_box_registers imc_registers[] = {
	COUNTS, CONTROLS(0xffffffff00390000ull), BOX_CONTROL,
	{ VPMU_BOX_COUNT, 0xd0, 8, 1, VPMU_SNBEP_FIXED },
	{ VPMU_BOX_CONTROL, 0xf0, 4, 1, VPMU_SNBEP_FIXED, .reserved = ~0x580000ull },
	{ }
};

static const struct vpmu_box_registers qpi_registers[] = {
	COUNTS, CONTROLS(0xffffffff00190000ull), BOX_CONTROL,
	{ }
};

#define SNBEP(which, n, bits) \
	.unit = which, .boxes = n, .width = bits, \
	.reset = VPMU_SNBEP_RESET, .wrote = vpmu_snbep_wrote

static const struct vpmu_box_type ha = {
	SNBEP(VPMU_UNIT_HA, 1, 48),
	.registers = plain_registers, .rate = plain_rate,
};

static const struct vpmu_box_type imc = {
	SNBEP(VPMU_UNIT_IMC, 4, 48),
	.registers = imc_registers, .rate = plain_rate,
};

static const struct vpmu_box_type qpi = {
	SNBEP(VPMU_UNIT_QPI, 2, 48),
	.registers = qpi_registers, .rate = qpi_rate,
};

static const struct vpmu_box_type r2pcie = {
	SNBEP(VPMU_UNIT_R2PCIE, 1, 44),
	.registers = plain_registers, .rate = plain_rate,
};

/* Nobody looks for a function of a device that has no function 0. */
const struct vpmu_pci_box vpmu_snbep_pci_boxes[] = {
	{ "ha", 0x3c46, &ha },
	{ "imc0", 0x3cb0, &imc, 0 },
	{ "imc1", 0x3cb1, &imc, 1 },
	{ "imc2", 0x3cb4, &imc, 2 },
	{ "imc3", 0x3cb5, &imc, 3 },
	{ "qpi0", 0x3c41, &qpi, 0 },
	{ "qpi1", 0x3c42, &qpi, 1 },
	{ "r2pcie", 0x3c43, &r2pcie },
	{ "ubox", 0x3ce0, NULL },
	{ "ha-first", 0x3ca0, NULL },
	{ "qpi0-first", 0x3c80, NULL },
	{ "qpi1-first", 0x3c90, NULL },
	{ "r2pcie-first", 0x3ce4, NULL },
	{ }
};
