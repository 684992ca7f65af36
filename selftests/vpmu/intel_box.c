// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_box.c - Intel's shared units.
 *
 * Nehalem, Westmere: SDM volume 3B, "Performance Monitoring for Processors Based
 * on Nehalem Microarchitecture", "Uncore Performance Monitoring Facility". Sandy
 * Bridge-EP: Intel 327043 (Xeon E5-2600 Uncore Performance Monitoring Guide),
 * sections 2.2 (U-box), 2.3 (CBo) and 2.6 (PCU). Widths are those that Linux's
 * intel/uncore_snb.c and uncore_snbep.c have.
 *
 * A reserved bit of any of these registers raises #GP.
 */
#include "intel_box.h"

#define FIXED			8	/* the fixed counter's number */
#define FIXED_EVENT		0xff	/* and what rate.h calls its event */

/* Nehalem: other[0] is the global control, other[1] the address match. */
#define GLOBAL_CONTROL		0
#define FIXED_ENABLE		(1ull << 0)

static uint64_t nehalem_bit(unsigned int i)
{
	return 1ull << (i < FIXED ? i : 32);
}

static struct vpmu_what nehalem_what(const struct vpmu_box *box, unsigned int i)
{
	uint64_t control = box->counter[i].control;
	bool fixed = i == FIXED;

	if (i > FIXED || !(box->other[GLOBAL_CONTROL] & nehalem_bit(i)) ||
	    !(control & (fixed ? FIXED_ENABLE : EVENTSEL_ENABLE)))
		return vpmu_nothing();
	return vpmu_unit_what(VPMU_UNIT_NHM,
			      fixed ? FIXED_EVENT : control & 0xff,
			      fixed ? 0 : vpmu_umask_of(control), box->instance);
}

static const struct vpmu_box_registers nehalem_registers[] = {
	{ VPMU_BOX_CONTROL, 0x3c0, 1, 8, .reserved = 0xffffffff00290000ull },
	{ VPMU_BOX_COUNT, 0x3b0, 1, 8 },
	{ VPMU_BOX_CONTROL, 0x395, 1, 1, FIXED, .reserved = ~5ull },
	{ VPMU_BOX_COUNT, 0x394, 1, 1, FIXED },
	{ VPMU_BOX_OTHER, 0x391, 1, 1, GLOBAL_CONTROL, .reserved = 0x7ff0fffeffffff00ull },
	{ VPMU_BOX_STATUS, 0x392, 1, 1 },
	{ VPMU_BOX_CLEAR, 0x393, 1, 1, .reserved = 0x5ffffffeffffff00ull },
	{ VPMU_BOX_OTHER, 0x396, 1, 1, 1, .reserved = 0x1fff000000000007ull },
	{ }
};

static const struct vpmu_box_type nehalem = {
	.unit = VPMU_UNIT_NHM, .boxes = 1, .width = 48,
	.registers = nehalem_registers,
	.what = nehalem_what, .bit = nehalem_bit,
};

#define BOX_CONTROL		VPMU_SNBEP_CONTROL	/* in box->other[] */
#define BOX_RESET_CONTROLS	(1ull << 0)
#define BOX_RESET_COUNTS	(1ull << 1)
#define BOX_FREEZE		(1ull << 8)
#define BOX_FREEZE_ENABLE	(1ull << 16)

bool vpmu_snbep_frozen(const struct vpmu_box *box)
{
	return (box->other[BOX_CONTROL] & BOX_FREEZE) &&
	       (box->other[BOX_CONTROL] & BOX_FREEZE_ENABLE);
}

void vpmu_snbep_wrote(struct vpmu_box *box, unsigned int i, uint64_t tsc)
{
	uint64_t control = box->other[BOX_CONTROL];
	unsigned int n;

	if (i != BOX_CONTROL)
		return;
	for (n = 0; n < VPMU_BOX_COUNTERS; n++) {
		if (control & BOX_RESET_CONTROLS)
			box->counter[n].control = 0;
		if (control & BOX_RESET_COUNTS)
			vpmu_box_preset(box, n, tsc, 0);
	}
	box->other[BOX_CONTROL] &= ~(BOX_RESET_CONTROLS | BOX_RESET_COUNTS);
}

static struct vpmu_what cbo_what(const struct vpmu_box *box, unsigned int i)
{
	uint64_t control = box->counter[i].control;

	if (!(control & EVENTSEL_ENABLE) || vpmu_snbep_frozen(box))
		return vpmu_nothing();
	return vpmu_unit_what(VPMU_UNIT_CBO, control & 0xff,
			      vpmu_umask_of(control), box->instance);
}

/* The PCU has an occupancy select (15:14) in place of the unit mask of other boxes. */
static struct vpmu_what pcu_what(const struct vpmu_box *box, unsigned int i)
{
	uint64_t control = box->counter[i].control;

	if (!(control & EVENTSEL_ENABLE) || vpmu_snbep_frozen(box))
		return vpmu_nothing();
	return vpmu_unit_what(VPMU_UNIT_PCU, control & 0xff,
			      (control >> 14) & 3, box->instance);
}

/* The U-box has no box control, but a fixed counter of the uncore's clock. */
static struct vpmu_what ubox_what(const struct vpmu_box *box, unsigned int i)
{
	uint64_t control = box->counter[i].control;

	if (!(control & EVENTSEL_ENABLE))
		return vpmu_nothing();
	if (i == FIXED)
		return vpmu_unit_what(VPMU_UNIT_UBOX, FIXED_EVENT, 0, box->instance);
	return vpmu_unit_what(VPMU_UNIT_UBOX, control & 0xff,
			      vpmu_umask_of(control), box->instance);
}

static const struct vpmu_box_registers cbo_registers[] = {
	{ VPMU_BOX_OTHER, 0xd04, 1, 1, BOX_CONTROL, .reserved = VPMU_SNBEP_RESERVED },
	{ VPMU_BOX_CONTROL, 0xd10, 1, 4, .reserved = 0xffffffff00310000ull },
	{ VPMU_BOX_OTHER, 0xd14, 1, 1, 1, .reserved = 0xffffffff000003e0ull },
	{ VPMU_BOX_COUNT, 0xd16, 1, 4 },
	{ }
};

static const struct vpmu_box_registers pcu_registers[] = {
	{ VPMU_BOX_OTHER, 0xc24, 1, 1, BOX_CONTROL, .reserved = VPMU_SNBEP_RESERVED },
	{ VPMU_BOX_CONTROL, 0xc30, 1, 4, .reserved = 0xffffffff20393f00ull },
	{ VPMU_BOX_OTHER, 0xc34, 1, 1, 1, .reserved = 0xffffffff00000000ull },
	{ VPMU_BOX_COUNT, 0xc36, 1, 4 },
	{ }
};

/* @inv is the bit that inverts, where it is reserved. */
#define UBOX_REGISTERS(inv) \
	{ VPMU_BOX_CONTROL, 0xc08, 1, 1, FIXED, .reserved = ~0x500000ull }, \
	{ VPMU_BOX_COUNT, 0xc09, 1, 1, FIXED }, \
	{ VPMU_BOX_CONTROL, 0xc10, 1, 2, .reserved = 0xffffffffe0390000ull | (inv) }, \
	{ VPMU_BOX_COUNT, 0xc16, 1, 2 }, \
	{ }

static const struct vpmu_box_registers ubox_registers[] = {
	UBOX_REGISTERS(0)
};

/* IVBEP_U_MSR_PMON_RAW_EVENT_MASK of Linux's intel/uncore_snbep.c lacks bit 23. */
static const struct vpmu_box_registers ivbep_ubox_registers[] = {
	UBOX_REGISTERS(0x800000ull)
};

/* Ivy Bridge-EP: links in bits 8:5 of the filter, and a second one. */
static const struct vpmu_box_registers ivbep_cbo_registers[] = {
	{ VPMU_BOX_OTHER, 0xd04, 1, 1, BOX_CONTROL, .reserved = VPMU_SNBEP_RESERVED },
	{ VPMU_BOX_CONTROL, 0xd10, 1, 4, .reserved = 0xffffffff00310000ull },
	{ VPMU_BOX_OTHER, 0xd14, 1, 1, 1, .reserved = 0xffffffffff81fe00ull },
	{ VPMU_BOX_COUNT, 0xd16, 1, 4 },
	{ VPMU_BOX_OTHER, 0xd1a, 1, 1, 2, .reserved = 0xffffffff000f0000ull },
	{ }
};

#define CBO(number, list) \
	.unit = VPMU_UNIT_CBO, .boxes = (number), .stride = 0x20, .width = 44, \
	.registers = (list), .what = cbo_what, \
	.reset = VPMU_SNBEP_RESET, .wrote = vpmu_snbep_wrote

static const struct vpmu_box_type cbo = { CBO(8, cbo_registers) };
static const struct vpmu_box_type ivbep_cbo = { CBO(15, ivbep_cbo_registers) };

static const struct vpmu_box_type pcu = {
	.unit = VPMU_UNIT_PCU, .boxes = 1, .width = 48,
	.registers = pcu_registers, .what = pcu_what,
	.reset = VPMU_SNBEP_RESET, .wrote = vpmu_snbep_wrote,
};

#define UBOX(list) \
	.unit = VPMU_UNIT_UBOX, .boxes = 1, .width = 44, .width_of_8 = 48, \
	.registers = (list), .what = ubox_what, .reset = VPMU_SNBEP_RESET

static const struct vpmu_box_type ubox = { UBOX(ubox_registers) };
static const struct vpmu_box_type ivbep_ubox = { UBOX(ivbep_ubox_registers) };

/*
 * The U-box's global control, from Ivy Bridge-EP on. Intel 329468 (Xeon E5 v2 Uncore
 * Performance Monitoring), table 2-2 U_MSR_PMON_GLOBAL_CTL at C00h; 331051 (E5 v3) and
 * 334291 (E5 v4) the same at 700h: frz_all (31) stops all counters of the package's
 * uncore, unfrz_all (29) lets them go on, wk_on_pmi (30), pmi_core_sel (14:0). These
 * manuals mark the two as write-only. Here frz_all keeps the written value, which
 * LIKWID relies on when it writes 0 at its end; unfrz_all reads 0. Sandy Bridge-EP has
 * no such register (327043, section 2.1: each box is frozen by itself).
 */
#define FREEZE_ALL		(1ull << 31)
#define UNFREEZE_ALL		(1ull << 29)

static void global_wrote(struct vpmu_box *box, unsigned int i, uint64_t tsc)
{
	if (box->other[i] & UNFREEZE_ALL)
		box->other[i] &= ~(UNFREEZE_ALL | FREEZE_ALL);
	vpmu_box_freeze_package(box->instance, tsc, box->other[i] & FREEZE_ALL);
}

#define GLOBAL_RESERVED		(~0xe0007fffull)

static const struct vpmu_box_registers ivbep_global_registers[] = {
	{ VPMU_BOX_OTHER, 0xc00, 1, 1, 0, .reserved = GLOBAL_RESERVED },
	{ }
};

static const struct vpmu_box_registers hswep_global_registers[] = {
	{ VPMU_BOX_OTHER, 0x700, 1, 1, 0, .reserved = GLOBAL_RESERVED },
	{ }
};

const struct vpmu_box_type vpmu_ivbep_global = {
	.boxes = 1, .registers = ivbep_global_registers, .wrote = global_wrote,
};

const struct vpmu_box_type vpmu_hswep_global = {
	.boxes = 1, .registers = hswep_global_registers, .wrote = global_wrote,
};

const struct vpmu_box_type *const vpmu_nehalem_boxes[] = { &nehalem, NULL };
const struct vpmu_box_type *const vpmu_snbep_boxes[] = { &cbo, &pcu, &ubox, NULL };
const struct vpmu_box_type *const vpmu_ivbep_boxes[] = {
	&ivbep_cbo, &pcu, &ivbep_ubox, &vpmu_ivbep_global, NULL
};
