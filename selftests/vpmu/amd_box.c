// SPDX-License-Identifier: GPL-2.0-only
/*
 * amd_box.c - AMD's shared units.
 *
 * Family 15h: AMD 42301 (BKDG for Family 15h Models 00h-0Fh), MSRC001_024[6,4,2,0]
 * and the counts next to them in section 3.22. Later families: the PPRs (54945 for
 * 17h 01h, 55898 for 19h 01h, 55901 for 19h 11h), "L3 Cache Performance Monitor
 * Counters", "Data Fabric Performance Monitor Counters" and "UMC Performance
 * Monitor Counters"; Linux's amd/uncore.c uses the same fields.
 *
 * As in amd.c, a reserved bit of a control raises #GP, although some silicon ignores it.
 */
#include "amd_box.h"

#define UMC_ENABLE		(1ull << 31)

static uint32_t field_of(uint64_t control, unsigned int high, unsigned int low)
{
	return (control >> low) & ((1ull << (high - low + 1)) - 1);
}

/*
 * NB_PERF_CTL: IntCoreSel (40:37) and IntCoreEn (36) choose the core that is
 * interrupted, Int (20) enables the interrupt; none of them changes the count.
 */
static struct vpmu_event nb_event(const struct vpmu_box *box, unsigned int i)
{
	uint64_t control = box->counter[i].control;

	return (struct vpmu_event){
		.event = field_of(control, 7, 0) | field_of(control, 35, 32) << 8,
		.umask = vpmu_umask_of(control),
	};
}

static struct vpmu_what nb_what(const struct vpmu_box *box, unsigned int i)
{
	struct vpmu_event e = nb_event(box, i);

	if (!(box->counter[i].control & EVENTSEL_ENABLE))
		return vpmu_nothing();
	return vpmu_unit_what(VPMU_UNIT_NB, e.event, e.umask, box->instance);
}

static const struct vpmu_box_registers nb_registers[] = {
	{ VPMU_BOX_CONTROL, 0xc0010240, 2, 4, .reserved = 0xfffffe00ffaf0000ull },
	{ VPMU_BOX_COUNT, 0xc0010241, 2, 4 },
	{ VPMU_BOX_ABSENT, 0xc0010248, 1, 8 },
	{ VPMU_BOX_ABSENT, 0xc0010230, 1, 12 },
	{ }
};

static const struct vpmu_box_type nb = {
	.unit = VPMU_UNIT_NB, .boxes = 1, .of_die = true, .width = 48,
	.registers = nb_registers, .what = nb_what, .event = nb_event,
};

/* ChL3PmcCfg: SliceMask (51:48) and ThreadMask (63:56). */
static struct vpmu_what fam17h_l3_what(const struct vpmu_box *box, unsigned int i)
{
	uint64_t control = box->counter[i].control;

	if (!(control & EVENTSEL_ENABLE) ||
	    !field_of(control, 51, 48) || !field_of(control, 63, 56))
		return vpmu_nothing();
	return vpmu_unit_what(VPMU_UNIT_L3, field_of(control, 7, 0),
			      vpmu_umask_of(control), box->instance);
}

/*
 * From Family 19h on: ThreadMask (57:56), SliceId (50:48) unless EnAllSlices
 * (46), CoreId (44:42) unless EnAllCores (47). Every value of an id selects one.
 */
static struct vpmu_what fam19h_l3_what(const struct vpmu_box *box, unsigned int i)
{
	uint64_t control = box->counter[i].control;

	if (!(control & EVENTSEL_ENABLE) || !field_of(control, 57, 56))
		return vpmu_nothing();
	return vpmu_unit_what(VPMU_UNIT_L3, field_of(control, 7, 0),
			      vpmu_umask_of(control), box->instance);
}

static const struct vpmu_box_registers fam17h_l3_registers[] = {
	{ VPMU_BOX_CONTROL, 0xc0010230, 2, 6, .reserved = 0x00f0ffffffbf0000ull },
	{ VPMU_BOX_COUNT, 0xc0010231, 2, 6 },
	{ }
};

static const struct vpmu_box_registers fam19h_l3_registers[] = {
	{ VPMU_BOX_CONTROL, 0xc0010230, 2, 6, .reserved = 0xfcf823ffffbf0000ull },
	{ VPMU_BOX_COUNT, 0xc0010231, 2, 6 },
	{ }
};

static const struct vpmu_box_type fam17h_l3 = {
	.unit = VPMU_UNIT_L3, .boxes = 1, .of_die = true, .width = 48,
	.registers = fam17h_l3_registers, .what = fam17h_l3_what,
};

static const struct vpmu_box_type fam19h_l3 = {
	.unit = VPMU_UNIT_L3, .boxes = 1, .of_die = true, .width = 48,
	.registers = fam19h_l3_registers, .what = fam19h_l3_what,
};

/* DF_PERF_CTL: event select in bits 60:59, 35:32 and 7:0. */
static struct vpmu_what df_what(const struct vpmu_box *box, unsigned int i)
{
	uint64_t control = box->counter[i].control;

	if (!(control & EVENTSEL_ENABLE))
		return vpmu_nothing();
	return vpmu_unit_what(VPMU_UNIT_DF, field_of(control, 7, 0) |
			      field_of(control, 35, 32) << 8 |
			      field_of(control, 60, 59) << 12,
			      vpmu_umask_of(control), box->instance);
}

/* With PerfMonV2: event select in 37:32 and 7:0, unit mask in 27:24 and 15:8. */
static struct vpmu_what zen4_df_what(const struct vpmu_box *box, unsigned int i)
{
	uint64_t control = box->counter[i].control;

	if (!(control & EVENTSEL_ENABLE))
		return vpmu_nothing();
	return vpmu_unit_what(VPMU_UNIT_DF, field_of(control, 7, 0) |
			      field_of(control, 37, 32) << 8,
			      vpmu_umask_of(control) | field_of(control, 27, 24) << 8,
			      box->instance);
}

static const struct vpmu_box_registers df_registers[] = {
	{ VPMU_BOX_CONTROL, 0xc0010240, 2, 4, .reserved = 0xe7fffff0ffbf0000ull },
	{ VPMU_BOX_COUNT, 0xc0010241, 2, 4 },
	{ VPMU_BOX_ABSENT, 0xc0010248, 1, 8 },
	{ }
};

static const struct vpmu_box_registers zen4_df_registers[] = {
	{ VPMU_BOX_CONTROL, 0xc0010240, 2, VPMU_ZEN4_DF,
	  .reserved = 0xffffffc0f0bf0000ull },
	{ VPMU_BOX_COUNT, 0xc0010241, 2, VPMU_ZEN4_DF },
	{ }
};

static const struct vpmu_box_type df = {
	.unit = VPMU_UNIT_DF, .boxes = 1, .of_die = true, .width = 48,
	.registers = df_registers, .what = df_what,
};

static const struct vpmu_box_type zen4_df = {
	.unit = VPMU_UNIT_DF, .boxes = 1, .width = 48,
	.registers = zen4_df_registers, .what = zen4_df_what,
};

/* UMC_PERF_CTL: enable (31), RdWrMask (9:8), event select (7:0). */
static struct vpmu_what umc_what(const struct vpmu_box *box, unsigned int i)
{
	uint64_t control = box->counter[i].control;

	if (!(control & UMC_ENABLE))
		return vpmu_nothing();
	return vpmu_unit_what(VPMU_UNIT_UMC, field_of(control, 7, 0),
			      field_of(control, 9, 8), box->instance);
}

static const struct vpmu_box_registers umc_registers[] = {
	{ VPMU_BOX_CONTROL, 0xc0010800, 2, 4, .reserved = 0xffffffff7ffffc00ull },
	{ VPMU_BOX_COUNT, 0xc0010801, 2, 4 },
	{ }
};

static const struct vpmu_box_type umc = {
	.unit = VPMU_UNIT_UMC, .boxes = VPMU_ZEN4_UMCS, .stride = 8,
	.width = 48, .saturates = true,
	.registers = umc_registers, .what = umc_what,
};

const struct vpmu_box_type *const vpmu_fam15h_boxes[] = { &nb, NULL };
const struct vpmu_box_type *const vpmu_fam17h_boxes[] = { &fam17h_l3, &df, NULL };
const struct vpmu_box_type *const vpmu_fam19h_boxes[] = { &fam19h_l3, &df, NULL };
const struct vpmu_box_type *const vpmu_zen4_boxes[] = {
	&fam19h_l3, &zen4_df, &umc, NULL
};
