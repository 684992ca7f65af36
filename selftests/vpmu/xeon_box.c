// SPDX-License-Identifier: GPL-2.0-only
/*
 * xeon_box.c - the shared units of Xeons from Haswell-EP on: slices of the last level
 * cache (CBo; CHA from Skylake-SP on) and power control.
 *
 * Intel 331051 (Xeon E5 v3 Uncore Performance Monitoring), 334291 (E5 v4), 336274
 * (Xeon Scalable), 639778 (3rd generation), each "CBo" or "CHA Performance
 * Monitoring" and "PCU"; where each box of Ice Lake-SP is, as Linux's
 * intel/uncore_snbep.c has it. A slice has two filters; they change no
 * count here.
 *
 * A reserved bit of any of these registers raises #GP, and so does any access to a
 * box that is not there.
 */
#include "intel_box.h"
#include "xeon_box.h"

/* other[0] is the box control, other[1] and on are filters. */
#define BOX_CONTROL		0
#define RESET_CONTROLS		(1ull << 0)
#define RESET_COUNTS		(1ull << 1)
#define FREEZE			(1ull << 8)	/* needs no enable bit, unlike on older boxes */
#define WAS_ENABLE		(1ull << 16)	/* enable bit of older boxes: Linux sets it */
#define BOX_RESERVED		(~(RESET_CONTROLS | RESET_COUNTS | FREEZE | WAS_ENABLE))
#define COUNT_RESET		(1ull << 17)	/* in a counter's control */

static bool is_counting(const struct vpmu_box *box, unsigned int i)
{
	return (box->counter[i].control & EVENTSEL_ENABLE) &&
	       !(box->other[BOX_CONTROL] & FREEZE);
}

/* The reset bits act when written, and read as 0. */
static void xeon_wrote(struct vpmu_box *box, unsigned int i, uint64_t tsc)
{
	uint64_t control = box->other[BOX_CONTROL];
	unsigned int n;

	if (i != BOX_CONTROL)
		return;
	for (n = 0; n < VPMU_BOX_COUNTERS; n++) {
		if (control & RESET_CONTROLS)
			box->counter[n].control = 0;
		if (control & RESET_COUNTS)
			vpmu_box_preset(box, n, tsc, 0);
	}
	box->other[BOX_CONTROL] &= FREEZE;
}

/* Counter 0 alone counts some events, and the first two count 09h. */
static unsigned int slice_allowed(uint32_t event)
{
	switch (event) {
	case 0x09:
		return 0x3;
	case 0x11: case 0x36: case 0x3b: case 0x3e:
		return 0x1;
	}
	return 0xf;
}

/* Boxes without bits 55:32 read them as 0. */
static uint32_t slice_umask(uint64_t control)
{
	return vpmu_umask_of(control) | (control >> 32 & 0xffffff) << 8;
}

static struct vpmu_what slice_what(const struct vpmu_box *box, unsigned int i)
{
	uint64_t control = box->counter[i].control;

	if (!is_counting(box, i) || !(slice_allowed(control & 0xff) & (1u << i)))
		return vpmu_nothing();
	return vpmu_unit_what(VPMU_UNIT_CBO, control & 0xff,
			      slice_umask(control), box->instance);
}

/* The PCU has an occupancy select (15:14) in place of the unit mask of other boxes. */
static struct vpmu_what pcu_what(const struct vpmu_box *box, unsigned int i)
{
	uint64_t control = box->counter[i].control;

	if (!is_counting(box, i))
		return vpmu_nothing();
	return vpmu_unit_what(VPMU_UNIT_PCU, control & 0xff,
			      (control >> 14) & 3, box->instance);
}

/* Bits 16, 20 and 21 of a slice's control are reserved; from Ice Lake on 57:32 are not. */
#define SLICE(first, control_reserved) \
	{ VPMU_BOX_OTHER, first, 1, 1, BOX_CONTROL, .reserved = BOX_RESERVED }, \
	{ VPMU_BOX_CONTROL, (first) + 1, 1, 4, .reserved = (control_reserved) }, \
	{ VPMU_BOX_OTHER, (first) + 5, 1, 2, 1 }, \
	{ VPMU_BOX_COUNT, (first) + 8, 1, 4 }

static const struct vpmu_box_registers slice_registers[] = {
	SLICE(0xe00, 0xffffffff00310000ull),
	{ }
};

static const struct vpmu_box_registers icx_registers[] = {
	SLICE(0xb60, 0xfc00000000310000ull),
	{ }
};

static const struct vpmu_box_registers pcu_registers[] = {
	{ VPMU_BOX_OTHER, 0x710, 1, 1, BOX_CONTROL, .reserved = BOX_RESERVED },
	{ VPMU_BOX_CONTROL, 0x711, 1, 4, .reserved = 0xffffffff20393f00ull },
	{ VPMU_BOX_OTHER, 0x715, 1, 1, 1, .reserved = 0xffffffff00000000ull },
	{ VPMU_BOX_COUNT, 0x717, 1, 4 },
	{ }
};

#define SLICES(number) \
	.unit = VPMU_UNIT_CBO, .boxes = (number), .stride = 0x10, .width = 48, \
	.registers = slice_registers, .what = slice_what, \
	.reset = COUNT_RESET, .wrote = xeon_wrote

static const struct vpmu_box_type hswep_slice = { SLICES(18) };
static const struct vpmu_box_type bdwep_slice = { SLICES(24) };
static const struct vpmu_box_type skx_slice = { SLICES(28) };

/* Slices beyond those of a model, and the gaps of Ice Lake-SP, are absent. */
static const struct vpmu_box_registers no_slice[] = {
	{ VPMU_BOX_ABSENT, 0xb60, 1, 0x54 },
	{ VPMU_BOX_ABSENT, 0xe00, 1, 0x1f0 },
	{ }
};

static const struct vpmu_box_type absent = { .boxes = 1, .registers = no_slice };

static const struct vpmu_box_type pcu = {
	.unit = VPMU_UNIT_PCU, .boxes = 1, .width = 48,
	.registers = pcu_registers, .what = pcu_what,
	.reset = COUNT_RESET, .wrote = xeon_wrote,
};

/* Offsets from 0B60h, where slice 34 begins. */
static const uint16_t icx_offset[] = {
	0x2a0, 0x2ae, 0x2bc, 0x2ca, 0x2d8, 0x2e6, 0x2f4, 0x302, 0x310, 0x31e,
	0x32c, 0x33a, 0x348, 0x356, 0x364, 0x372, 0x380, 0x38e, 0x3aa, 0x3b8,
	0x3c6, 0x3d4, 0x3e2, 0x3f0, 0x3fe, 0x40c, 0x41a, 0x428, 0x436, 0x444,
	0x452, 0x460, 0x46e, 0x47c, 0x000, 0x00e, 0x01c, 0x02a, 0x038, 0x046,
};

static const struct vpmu_box_type icx_slice = {
	.unit = VPMU_UNIT_CBO, .boxes = 40, .offset = icx_offset, .width = 48,
	.registers = icx_registers, .what = slice_what,
	.reset = COUNT_RESET, .wrote = xeon_wrote,
};

/* Absent boxes are last in each list. */
const struct vpmu_box_type *const vpmu_hswep_boxes[] = {
	&hswep_slice, &pcu, &vpmu_hswep_global, &absent, NULL
};

const struct vpmu_box_type *const vpmu_bdwep_boxes[] = {
	&bdwep_slice, &pcu, &vpmu_hswep_global, &absent, NULL
};

const struct vpmu_box_type *const vpmu_skx_boxes[] = { &skx_slice, &pcu, &absent, NULL };
const struct vpmu_box_type *const vpmu_icx_boxes[] = { &icx_slice, &pcu, &absent, NULL };
