// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_pci_box.c - shared units that are PCI functions, of Sandy Bridge-EP to
 * Broadwell-EP.
 *
 * Intel 327043 (Xeon E5-2600 Uncore Performance Monitoring Guide), sections 2.4
 * (HA), 2.5 (iMC), 2.7 (QPI), 2.8 (R2PCIe) and 2.9 (R3QPI), each "PCI Configuration
 * Space Registers"; 329468 (E5 v2), 331051 (E5 v3) and 334291 (E5 v4), likewise;
 * widths and device ids as Linux's intel/uncore_snbep.c has them. Register tables
 * name offsets in configuration space. A count is two dwords, low one first.
 */
#include "intel_box.h"
#include "intel_pci_box.h"

#define QPI_EVENT_EXT		(1ull << 21)	/* bit 8 of the event select */
#define BOX_FREEZE		(1ull << 8)

/* From Ivy Bridge-EP on a freeze needs no enable bit. */
static bool is_pci_frozen(const struct vpmu_box *box)
{
	if (box->type->early)
		return vpmu_snbep_frozen(box);
	return box->other[VPMU_SNBEP_CONTROL] & BOX_FREEZE;
}

static struct vpmu_what what_of(const struct vpmu_box *box, unsigned int i,
				uint32_t event)
{
	uint64_t control = box->counter[i].control;
	bool fixed = i == VPMU_SNBEP_FIXED;

	if (!(control & EVENTSEL_ENABLE) || is_pci_frozen(box))
		return vpmu_nothing();
	return vpmu_unit_what(box->type->unit,
			      fixed ? VPMU_SNBEP_FIXED_EVENT : event,
			      fixed ? 0 : vpmu_umask_of(control), box->instance);
}

static struct vpmu_what plain_what(const struct vpmu_box *box, unsigned int i)
{
	return what_of(box, i, box->counter[i].control & 0xff);
}

static struct vpmu_what qpi_what(const struct vpmu_box *box, unsigned int i)
{
	uint64_t control = box->counter[i].control;

	return what_of(box, i, (control & 0xff) |
			       (control & QPI_EVENT_EXT ? 0x100 : 0));
}

#define COUNTS(n) { VPMU_BOX_COUNT, 0xa0, 8, n }
#define CONTROLS(n, reserved_bits) \
	{ VPMU_BOX_CONTROL, 0xd8, 4, n, .reserved = reserved_bits }
#define BOX_CONTROL \
	{ VPMU_BOX_OTHER, 0xf4, 4, 1, VPMU_SNBEP_CONTROL, .reserved = VPMU_SNBEP_RESERVED }
#define DRAM_CLOCK \
	{ VPMU_BOX_COUNT, 0xd0, 8, 1, VPMU_SNBEP_FIXED }, \
	{ VPMU_BOX_CONTROL, 0xf0, 4, 1, VPMU_SNBEP_FIXED, .reserved = ~0x580000ull }

/* Ivy Bridge-EP has no inversion: bit 23 is reserved. */
#define RESERVED	0xffffffff00390000ull
#define IVB_RESERVED	0xffffffff00b90000ull
#define EXT_RESERVED	0xffffffff00190000ull	/* the event select goes on in 21 */
#define IVB_EXT_RESERVED 0xffffffff00990000ull

#define REGISTERS(name, n, reserved_bits) \
	static const struct vpmu_box_registers name[] = { \
		COUNTS(n), CONTROLS(n, reserved_bits), BOX_CONTROL, { } \
	}
#define IMC_REGISTERS(name, reserved_bits) \
	static const struct vpmu_box_registers name[] = { \
		COUNTS(4), CONTROLS(4, reserved_bits), BOX_CONTROL, DRAM_CLOCK, { } \
	}

REGISTERS(plain, 4, RESERVED);
REGISTERS(ivb_plain, 4, IVB_RESERVED);
REGISTERS(three, 3, RESERVED);
REGISTERS(ivb_three, 3, IVB_RESERVED);
REGISTERS(extended, 4, EXT_RESERVED);
REGISTERS(ivb_extended, 4, IVB_EXT_RESERVED);
IMC_REGISTERS(memory, RESERVED);
IMC_REGISTERS(ivb_memory, IVB_RESERVED);

#define BOX(which, n, bits, list, function, is_early) { \
	.unit = VPMU_UNIT_##which, .boxes = (n), .width = (bits), \
	.registers = (list), .what = (function), .early = (is_early), \
	.reset = VPMU_SNBEP_RESET, .wrote = vpmu_snbep_wrote }

static const struct vpmu_box_type snb_ha = BOX(HA, 1, 48, plain, plain_what, true);
static const struct vpmu_box_type snb_imc = BOX(IMC, 4, 48, memory, plain_what, true);
static const struct vpmu_box_type snb_qpi = BOX(QPI, 2, 48, extended, qpi_what, true);
static const struct vpmu_box_type snb_r2pcie = BOX(R2PCIE, 1, 44, plain, plain_what, true);
static const struct vpmu_box_type snb_r3qpi = BOX(R3QPI, 2, 44, three, plain_what, true);

static const struct vpmu_box_type ivb_ha = BOX(HA, 2, 48, ivb_plain, plain_what, false);
static const struct vpmu_box_type ivb_imc = BOX(IMC, 8, 48, ivb_memory, plain_what, false);
static const struct vpmu_box_type ivb_qpi = BOX(QPI, 3, 48, ivb_extended, qpi_what, false);
static const struct vpmu_box_type ivb_r2pcie = BOX(R2PCIE, 1, 44, ivb_plain, plain_what, false);
static const struct vpmu_box_type ivb_r3qpi = BOX(R3QPI, 2, 44, ivb_three, plain_what, false);

static const struct vpmu_box_type hsw_ha = BOX(HA, 2, 48, plain, plain_what, false);
static const struct vpmu_box_type hsw_imc = BOX(IMC, 8, 48, memory, plain_what, false);
static const struct vpmu_box_type hsw_qpi = BOX(QPI, 3, 48, extended, qpi_what, false);
static const struct vpmu_box_type hsw_r2pcie = BOX(R2PCIE, 1, 48, plain, plain_what, false);
static const struct vpmu_box_type hsw_r3qpi = BOX(R3QPI, 3, 44, three, plain_what, false);
static const struct vpmu_box_type bdw_r3qpi = BOX(R3QPI, 3, 48, three, plain_what, false);

/* Haswell-EP's device ids are 2Fxxh, Broadwell-EP's the same in 6Fxxh. */
#define HSW_TO_BDW(name, base, r3qpi) \
	{ name, "ha0", (base) | 0x30, &hsw_ha, 0 }, \
	{ name, "ha1", (base) | 0x38, &hsw_ha, 1 }, \
	{ name, "imc0", (base) | 0xb0, &hsw_imc, 0 }, \
	{ name, "imc1", (base) | 0xb1, &hsw_imc, 1 }, \
	{ name, "imc2", (base) | 0xb4, &hsw_imc, 2 }, \
	{ name, "imc3", (base) | 0xb5, &hsw_imc, 3 }, \
	{ name, "imc4", (base) | 0xd0, &hsw_imc, 4 }, \
	{ name, "imc5", (base) | 0xd1, &hsw_imc, 5 }, \
	{ name, "imc6", (base) | 0xd4, &hsw_imc, 6 }, \
	{ name, "imc7", (base) | 0xd5, &hsw_imc, 7 }, \
	{ name, "qpi0", (base) | 0x32, &hsw_qpi, 0 }, \
	{ name, "qpi1", (base) | 0x33, &hsw_qpi, 1 }, \
	{ name, "qpi2", (base) | 0x3a, &hsw_qpi, 2 }, \
	{ name, "r2pcie", (base) | 0x34, &hsw_r2pcie, 0 }, \
	{ name, "r3qpi0", (base) | 0x36, &(r3qpi), 0 }, \
	{ name, "r3qpi1", (base) | 0x37, &(r3qpi), 1 }, \
	{ name, "r3qpi2", (base) | 0x3e, &(r3qpi), 2 }, \
	{ name, "ubox", (base) | 0x1e, NULL, 0 }

const struct vpmu_pci_box vpmu_pci_boxes[] = {
	{ "snbep", "ha", 0x3c46, &snb_ha, 0 },
	{ "snbep", "imc0", 0x3cb0, &snb_imc, 0 },
	{ "snbep", "imc1", 0x3cb1, &snb_imc, 1 },
	{ "snbep", "imc2", 0x3cb4, &snb_imc, 2 },
	{ "snbep", "imc3", 0x3cb5, &snb_imc, 3 },
	{ "snbep", "qpi0", 0x3c41, &snb_qpi, 0 },
	{ "snbep", "qpi1", 0x3c42, &snb_qpi, 1 },
	{ "snbep", "r2pcie", 0x3c43, &snb_r2pcie, 0 },
	{ "snbep", "r3qpi0", 0x3c44, &snb_r3qpi, 0 },
	{ "snbep", "r3qpi1", 0x3c45, &snb_r3qpi, 1 },
	{ "snbep", "ubox", 0x3ce0, NULL, 0 },
	{ "ivbep", "ha0", 0x0e30, &ivb_ha, 0 },
	{ "ivbep", "ha1", 0x0e38, &ivb_ha, 1 },
	{ "ivbep", "imc0", 0x0eb4, &ivb_imc, 0 },
	{ "ivbep", "imc1", 0x0eb5, &ivb_imc, 1 },
	{ "ivbep", "imc2", 0x0eb0, &ivb_imc, 2 },
	{ "ivbep", "imc3", 0x0eb1, &ivb_imc, 3 },
	{ "ivbep", "imc4", 0x0ef4, &ivb_imc, 4 },
	{ "ivbep", "imc5", 0x0ef5, &ivb_imc, 5 },
	{ "ivbep", "imc6", 0x0ef0, &ivb_imc, 6 },
	{ "ivbep", "imc7", 0x0ef1, &ivb_imc, 7 },
	{ "ivbep", "qpi0", 0x0e32, &ivb_qpi, 0 },
	{ "ivbep", "qpi1", 0x0e33, &ivb_qpi, 1 },
	{ "ivbep", "qpi2", 0x0e3a, &ivb_qpi, 2 },
	{ "ivbep", "r2pcie", 0x0e34, &ivb_r2pcie, 0 },
	{ "ivbep", "r3qpi0", 0x0e36, &ivb_r3qpi, 0 },
	{ "ivbep", "r3qpi1", 0x0e37, &ivb_r3qpi, 1 },
	{ "ivbep", "ubox", 0x0e1e, NULL, 0 },
	HSW_TO_BDW("hswep", 0x2f00, hsw_r3qpi),
	HSW_TO_BDW("bdwep", 0x6f00, bdw_r3qpi),
	{ }
};
