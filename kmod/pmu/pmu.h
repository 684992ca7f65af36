/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pmu.h - what a family's table says about its performance counters.
 */
#ifndef RCR_PMU_H
#define RCR_PMU_H

#include <linux/bits.h>
#include <linux/types.h>
#include <linux/rcrtool.h>
#include "event.h"

/* Bits of a core's control register that AMD and Intel have in common. */
#define RCR_SELECT_USER		BIT_ULL(16)
#define RCR_SELECT_OS		BIT_ULL(17)
#define RCR_SELECT_INT		BIT_ULL(20)	/* never set: nobody would handle it */
#define RCR_SELECT_ENABLE	BIT_ULL(22)
#define RCR_SELECT_GUEST	BIT_ULL(40)	/* AMD: in virtual machines only */
#define RCR_SELECT_HOST		BIT_ULL(41)	/* AMD: outside of them only */

/**
 * struct rcr_layout - which bits of a control register hold which field
 * @event: event select
 * @umask: unit mask, or what a unit has in its place
 * @cmask: counter mask
 * @edge: count rising edges
 * @inv: count where the counter mask is not reached
 * @user: count in user mode
 * @os: count in the kernel
 * @guest: count in virtual machines only
 * @host: count outside of them only
 * @enable: let it count
 *
 * The lowest bit of a field stands in the lowest of its bits here, and so on: an
 * event select in 35:32 and 7:0 has its bits 11:8 in the upper ones. A field with
 * no bits, or with reserved ones only, is one that nobody can ask for: so what differs
 * from a core in nothing but that it lacks some fields needs no layout of its own.
 */
struct rcr_layout {
	u64 event;
	u64 umask;
	u64 cmask;
	u64 edge;
	u64 inv;
	u64 user;
	u64 os;
	u64 guest;
	u64 host;
	u64 enable;
};

/* When a constraint holds, by the unit mask. */
enum rcr_umask_rule {
	RCR_UMASK_ANY,
	RCR_UMASK_MANY,			/* more than one bit */
	RCR_UMASK_BOTH_NIBBLES,		/* bits in 7:4 and in 3:0 */
	RCR_UMASK_IS,			/* the constraint's */
	RCR_UMASK_HAS,			/* all bits of the constraint's, and any others */
};

/**
 * struct rcr_constraint - which counters can count which events
 * @bits: bits of the event select that are compared
 * @event: what they must be
 * @rule: what the unit mask must be
 * @counters: the counters that can count it, bit n for counter n; 0: none
 * @umask: the unit mask that @rule speaks of
 * @last: it is for all events from @event to this one; 0: for @event only
 * @most: what it can count in one cycle; 0: as the family
 * @pair: it needs the counter above, too, with the family's merge event
 *
 * The first row that fits an event holds.
 */
struct rcr_constraint {
	u16 bits;
	u16 event;
	enum rcr_umask_rule rule;
	u32 counters;
	u8 umask;
	u16 last;
	u8 most;
	bool pair;
};

/* Registers of CPUID, by number. */
enum rcr_cpuid_register { RCR_EAX, RCR_EBX, RCR_ECX, RCR_EDX };

/**
 * struct rcr_cpuid - what CPUID tells
 * @leaf: the leaf; 0: nothing tells it
 * @reg: its register
 * @mask: the bits there: a number, or of which one must be set
 */
struct rcr_cpuid {
	u32 leaf;
	enum rcr_cpuid_register reg;
	u32 mask;
};

struct pci_dev;

/* Placement numbers general counters from 0, fixed ones from here. */
#define RCR_FIXED_FIRST	16
#define RCR_FIXED	4

/**
 * struct rcr_fixed - a counter that counts one thing only
 * @event: event select of that thing
 * @umask: its unit mask
 * @most: what it can count in one cycle
 */
struct rcr_fixed {
	u16 event;
	u8 umask;
	u8 most;
};

/**
 * struct rcr_filter - a register of a box that filters what its counters count
 * @address: of the register; 0: there is none
 * @bits: those that may be set; of a counter what it holds, 0: it is left alone
 */
struct rcr_filter {
	u32 address;
	u32 bits;
};

/**
 * struct rcr_pmu - counters of one kind, as a family's manual describes them
 * @name: as events have it before "event:"; the core's needs not be said
 * @boxes: how many such units share one scope, at most: a memory controller's
 *	channels. Then the name is followed by the box's number. 0: one, unnumbered.
 *	How many there are tells @boxes_told, or @pci; or those are there whose registers
 *	can be read
 * @boxes_told: CPUID has a bit for each
 * @box_stride: distance of the same register in two boxes
 * @box_offset: or how far those of each box are behind the ones told here; NULL:
 *	multiples of @box_stride
 * @pci: its boxes are functions of Intel's PCI bus: their device ids by box number,
 *	ended by 0. Addresses are offsets in configuration space, a control has 32 bits,
 *	and it is slow. NULL: its registers are MSRs
 * @layout: which bits of a control hold what; NULL: as in a core's
 * @scope: which CPUs share them
 * @feature: what CPUID must say for them to be there
 * @is_register: one register that counts by itself, and nobody can program
 * @unit: what it counts
 * @unit_register: where the scale is: of energy bits 12:8, of a temperature bits
 *	23:16; 0: nowhere
 * @scale: of energy, how often its unit, the joule, is halved, whatever
 *	@unit_register says; 0: it says
 * @gauge: the register is no count but tells at each moment, in these bits, how many
 *	degrees are left to a limit; 0: it counts
 * @gauge_valid: bit that says whether a gauge is valid; 0: it always is
 * @control0: address of the first control register
 * @counter0: address of the first count register
 * @stride: distance of two registers of a kind
 * @count_stride: that of two count registers, where it is another; 0: the same
 * @counters: how many, at most
 * @counters_told: how CPUID tells how many, those of all boxes together
 * @width: bits of a count register
 * @written: bits that a write to a general count register sets, the rest copies
 *	the highest of them; 0: all can be written, as in a fixed one
 * @saturates: a count ends at its width, instead of going round
 * @most: what an event can count in one cycle of the core at most
 * @reserved: bits of a control that are never set
 * @always: bits of a control that are always set
 * @merge: control value of the upper counter of a pair; 0: there are no pairs
 * @unfixed: of a core: an event select that all general counters can count, with
 *	no unit mask, and no fixed one
 * @constraint: which counters can count what, ended by an all-zero row; an
 *	event that no row fits goes on any
 * @fixed: what the fixed counters count
 * @nfixed: how many
 * @fixed_control: one register for all of them, four bits each
 * @fixed_counter0: address of the first; the others follow
 * @global_control: a bit for each counter must be set for it to count; 0: none
 * @global_clear: writing a bit there clears a counter's overflow; 0: none
 * @filter: the filters of its box
 * @global_bit: bit of counter 0 in the global registers
 * @global_stops: there are no such bits in @global_control: these stop all
 *	counters of the box while one of them is set
 *
 * In the global registers counter n is bit @global_bit + n, fixed counter n bit
 * 32 + n.
 */
struct rcr_pmu {
	const char *name;
	unsigned int boxes;
	struct rcr_cpuid boxes_told;
	u32 box_stride;
	const u16 *box_offset;
	const u16 *pci;
	const struct rcr_layout *layout;
	enum rcr_scope scope;
	struct rcr_cpuid feature;
	bool is_register;
	enum rcr_unit unit;
	u32 unit_register;
	u8 scale;
	u64 gauge;
	u64 gauge_valid;
	u32 control0;
	u32 counter0;
	u32 stride;
	u32 count_stride;
	unsigned int counters;
	struct rcr_cpuid counters_told;
	unsigned int width;
	unsigned int written;
	bool saturates;
	unsigned int most;
	u64 reserved;
	u64 always;
	u64 merge;
	u16 unfixed;
	const struct rcr_constraint *constraint;
	struct rcr_fixed fixed[RCR_FIXED];
	unsigned int nfixed;
	u32 fixed_control;
	u32 fixed_counter0;
	u32 global_control;
	u32 global_clear;
	unsigned int global_bit;
	u64 global_stops;
	struct rcr_filter filter[RCR_FILTERS];
};

/*
 * U_MSR_PMON_GLOBAL_CTL: Intel 329468 (Xeon E5 v2 Uncore Performance Monitoring), table
 * 2-2; 331051 (E5 v3) and 334291 (E5 v4), likewise. Bit 31, frz_all, freezes all boxes of
 * the package, bit 29 lets them count again; LIKWID writes both (perfmon_ivybridge.h,
 * perfmon_haswell.h, perfmon_broadwell.h), Linux's intel/uncore_snbep.c neither. Sandy
 * Bridge-EP has no such register: Intel 327043, section 2.1, and LIKWID there freeze each
 * box by itself. These manuals mark the two bits as write-only, and the same they do with
 * a box's own freeze, which Linux reads and writes back.
 */
#define RCR_IVBEP_GLOBAL_CTL	0xc00
#define RCR_HSWEP_GLOBAL_CTL	0x700
#define RCR_PACKAGE_FREEZE	BIT_ULL(31)

/* How many enum rcr_scope has. */
#define RCR_SCOPES	(RCR_SCOPE_CORE + 1)

/* Boxes of one machine, at most; of a family, models, lists of units, and defaults. */
#define RCR_BOXES	64
#define RCR_MODELS	5
#define RCR_UNITS	4
#define RCR_DEFAULTS	6

/**
 * struct rcr_family - a family of processors
 * @name: for people
 * @vendor: as CPUID 0 spells it
 * @family_first: display family
 * @family_last: display family; the table holds for all between
 * @models: model numbers; none: all
 * @core: its core's counters; the family is this one only if these are there
 * @units: lists of its other PMUs, each ended by one with no name
 * @ubox: device id of the PCI function that tells which node a bus belongs to; 0: none
 * @package_freeze: MSR whose bit RCR_PACKAGE_FREEZE stops all counters of a package's
 *	uncore; 0: there is none
 * @default_event: the default set, ended by an event with no name if there is room
 */
struct rcr_family {
	const char *name;
	const char *vendor;
	unsigned int family_first;
	unsigned int family_last;
	u8 models[RCR_MODELS];
	struct rcr_pmu core;
	const struct rcr_pmu *units[RCR_UNITS];
	u16 ubox;
	u32 package_freeze;
	struct rcr_event default_event[RCR_DEFAULTS];
};

/**
 * struct rcr_box - one copy of a PMU's counters
 * @pmu: its kind
 * @number: which of those that share one scope; there may be gaps
 * @counters: how many general counters it has
 * @scale: how often the joule is halved that they count in, or the degrees from
 *	which a gauge counts downwards
 */
struct rcr_box {
	const struct rcr_pmu *pmu;
	u8 number;
	u8 counters;
	u8 scale;
};

/**
 * struct rcr_machine - what this machine has of its family
 * @family: the family
 * @box: the boxes that are there, the core's first
 * @count: how many
 */
struct rcr_machine {
	const struct rcr_family *family;
	struct rcr_box box[RCR_BOXES];
	unsigned int count;
};

/**
 * struct rcr_register - the registers of one counter, and how it is run there
 * @pmu: whose counter it is
 * @index: which one, as rcr_pmu_demand() numbers them
 * @pci: the function of whose configuration space they are; NULL: they are MSRs
 * @control: address of the control register
 * @counter: address of the count register
 * @select: what @control holds, in the bits of @mask, when it counts for us
 * @mask: bits of @control that belong to this counter
 * @enable: bits of @control of which one is set while anybody counts there
 * @global: bits of the global registers that have to do with it, 0 where there
 *	are none
 * @global_on: what they are in the global control while it counts
 * @general: the general counters it takes, bit n for counter n
 * @most: what it can count in one cycle
 * @written: bits of the count register that a write sets, see struct rcr_pmu
 * @scale: see struct rcr_box
 * @filter: what the filters of its box hold
 * @per_node: bit of @select that is turned over on node 0; the next one is node
 *	1's; 0: none
 * @beyond: bits that a count never has, because it is not as wide
 * @plain: a control, if any, and a count, both MSRs, and the box's global control are
 *	all that has to be looked at, and nothing is ever written in a tick
 */
struct rcr_register {
	const struct rcr_pmu *pmu;
	unsigned int index;
	struct pci_dev *pci;
	u32 control;
	u32 counter;
	u64 select;
	u64 mask;
	u64 enable;
	u64 global;
	u64 global_on;
	u32 general;
	u32 most;
	u32 written;
	u32 scale;
	struct rcr_filter filter[RCR_FILTERS];
	u64 per_node;
	u64 beyond;
	bool plain;
};

/**
 * struct rcr_demand - what an event demands of a family's counters
 * @allowed: counters that can count it: bit n for counter n, bit
 *	RCR_FIXED_FIRST + n for fixed counter n; 0: none
 * @most: what it can count in one cycle
 * @pair: it takes the general counter above, too
 */
struct rcr_demand {
	u32 allowed;
	u32 most;
	bool pair;
};

/* registers.c: registers that count by themselves */
extern const struct rcr_pmu rcr_clocks[];
extern const struct rcr_pmu rcr_amd_energy[];
extern const struct rcr_pmu rcr_intel_energy[];
extern const struct rcr_pmu rcr_intel_energy_cores[];
extern const struct rcr_pmu rcr_intel_energy_15uj[];
extern const struct rcr_pmu rcr_intel_temp[];
extern const struct rcr_pmu rcr_intel_temp_core[];

/* amd_uncore.c and intel_box.c: what cores share */
extern const struct rcr_pmu rcr_zen_boxes[];
extern const struct rcr_pmu rcr_zen3_boxes[];
extern const struct rcr_pmu rcr_zen4_boxes[];
extern const struct rcr_pmu rcr_snbep_boxes[];
extern const struct rcr_pmu rcr_ivbep_boxes[];
extern const struct rcr_pmu rcr_hswep_boxes[];
extern const struct rcr_pmu rcr_bdwep_boxes[];
extern const struct rcr_pmu rcr_skx_boxes[];
extern const struct rcr_pmu rcr_icx_boxes[];

extern const struct rcr_family *const rcr_families[];	/* ends with NULL */
extern const struct rcr_family rcr_family_amd_10h;
extern const struct rcr_family rcr_family_amd_15h;
extern const struct rcr_family rcr_family_amd_17h;
extern const struct rcr_family rcr_family_amd_19h;
extern const struct rcr_family rcr_family_amd_perfmon_v2;
extern const struct rcr_family rcr_family_intel_nhm;
extern const struct rcr_family rcr_family_intel_nhm_ex;
extern const struct rcr_family rcr_family_intel_snb;
extern const struct rcr_family rcr_family_intel_ivb;
extern const struct rcr_family rcr_family_intel_hsw;
extern const struct rcr_family rcr_family_intel_bdw;
extern const struct rcr_family rcr_family_intel_skx;
extern const struct rcr_family rcr_family_intel_icx;
extern const struct rcr_family rcr_family_intel_spr;

const struct rcr_pmu *rcr_family_pmu(const struct rcr_family *f, unsigned int n);
unsigned int rcr_family_defaults(const struct rcr_family *f);
unsigned int rcr_pmu_counters(const struct rcr_pmu *pmu, unsigned int boxes, u32 told);
void rcr_box_name(const struct rcr_box *box, char *name);
const struct rcr_box *rcr_machine_box(const struct rcr_machine *m,
				      const struct rcr_event *e);
void rcr_machine_add_box(struct rcr_machine *m, const struct rcr_box *box);
void rcr_machine_add(struct rcr_machine *m, const struct rcr_pmu *pmu,
		     unsigned int boxes, unsigned int counters, u8 scale);
const struct rcr_layout *rcr_pmu_layout(const struct rcr_pmu *pmu);
u64 rcr_pmu_select(const struct rcr_pmu *pmu, const struct rcr_event *e);
u64 rcr_pmu_umask_first(const struct rcr_pmu *pmu);
bool rcr_pmu_has_event(const struct rcr_pmu *pmu, const struct rcr_event *e);
const char *rcr_pmu_impossible(const struct rcr_pmu *pmu, const struct rcr_event *e);
void rcr_pmu_demand(const struct rcr_box *box, const struct rcr_event *e,
		    struct rcr_demand *demand);
u64 rcr_pmu_fixed_modes(bool os, bool user, unsigned int n);
bool rcr_pmu_upper(const struct rcr_register *lower, struct rcr_register *upper);
void rcr_pmu_register(const struct rcr_box *box, const struct rcr_event *e,
		      unsigned int index, struct rcr_register *reg);

/* The distance of two count registers. */
static inline u32 rcr_pmu_count_stride(const struct rcr_pmu *pmu)
{
	return pmu->count_stride ?: pmu->stride;
}

/*
 * A register's address for people and readers: functions of the PCI bus have the
 * same offsets, so the device id stands above the offset.
 */
static inline u32 rcr_box_told(const struct rcr_box *box, u32 address)
{
	const u16 *pci = box->pmu->pci;

	return pci ? (u32)pci[box->number] << 16 | address : address;
}

/* Where a register of the first box is in this one; 0 where there is none. */
static inline u32 rcr_box_address(const struct rcr_box *box, u32 first)
{
	if (!first)
		return 0;
	return first + (box->pmu->box_offset ? box->pmu->box_offset[box->number] :
					       box->number * box->pmu->box_stride);
}

#endif
