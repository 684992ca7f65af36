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
 * no bits, or with reserved ones only, is one that nobody can ask for.
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
 * struct rcr_feature - what CPUID must say for a table to hold
 * @leaf: the leaf, which must exist
 * @reg: its register
 * @mask: bits of which one must be set
 */
struct rcr_feature {
	u32 leaf;
	enum rcr_cpuid_register reg;
	u32 mask;
};

/**
 * struct rcr_told_number - a number that CPUID tells
 * @leaf: the leaf; 0: nothing tells it, it is what the table has
 * @reg: its register
 * @mask: its bits
 * @population: the number is how many of them are set
 */
struct rcr_told_number {
	u32 leaf;
	enum rcr_cpuid_register reg;
	u32 mask;
	bool population;
};

/**
 * struct rcr_gauge - a register that tells how many degrees are left to a limit
 * @valid: bit that says so; 0: it always does
 * @margin: bits of the degrees
 */
struct rcr_gauge {
	u64 valid;
	u64 margin;
};

struct pci_dev;

/**
 * struct rcr_pci - where a PMU stands whose boxes are functions of Intel's PCI bus
 * @device: their device ids by box number, ended by 0
 * @ubox: device id of the function that tells which node a bus belongs to
 */
struct rcr_pci {
	const u16 *device;
	u16 ubox;
};

/* What tells how many boxes of a kind there are. */
enum rcr_boxes {
	RCR_BOXES_TABLE,		/* always as many as the table has */
	RCR_BOXES_CPUID,		/* a number that CPUID tells */
	RCR_BOXES_CORES,		/* one for each core of the package */
	RCR_BOXES_PROBED,		/* those whose registers can be read */
};

/* Placement numbers general counters from 0, fixed ones from here. */
#define RCR_FIXED_FIRST	16

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
 *	channels. Then the name is followed by the box's number. 0: one, unnumbered
 * @boxes_by: what tells how many there are
 * @boxes_told: how CPUID tells it
 * @box_stride: distance of the same register in two boxes
 * @box_offset: or how far those of each box are behind the ones told here; NULL:
 *	multiples of @box_stride
 * @pci: where its boxes are in PCI configuration space; addresses are offsets there,
 *	a control has 32 bits, and it is slow. NULL: its registers are MSRs
 * @layout: which bits of a control hold what; NULL: as in a core's
 * @scope: which CPUs share them
 * @feature: what CPUID must say for them to be there
 * @is_register: one register that counts by itself, and nobody can program
 * @unit: what it counts
 * @unit_register: where the scale is: of energy bits 12:8, of a temperature bits
 *	23:16; 0: nowhere
 * @scale: of energy, how often its unit, the joule, is halved, whatever
 *	@unit_register says; 0: it says
 * @gauge: the register is no count but a value at each moment; NULL: it counts
 * @control0: address of the first control register
 * @counter0: address of the first count register
 * @stride: distance of two registers of a kind
 * @count_stride: that of two count registers, where it is another; 0: the same
 * @counters: how many, at most
 * @counters_told: how CPUID tells how many, those of all boxes together
 * @width: bits of a count register
 * @written: bits that a write to a general count register sets, the rest copies
 *	the highest of them; as @width where all can be written, as in a fixed one
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
	enum rcr_boxes boxes_by;
	struct rcr_told_number boxes_told;
	u32 box_stride;
	const u16 *box_offset;
	const struct rcr_pci *pci;
	const struct rcr_layout *layout;
	enum rcr_scope scope;
	struct rcr_feature feature;
	bool is_register;
	enum rcr_unit unit;
	u32 unit_register;
	u8 scale;
	const struct rcr_gauge *gauge;
	u32 control0;
	u32 counter0;
	u32 stride;
	u32 count_stride;
	unsigned int counters;
	struct rcr_told_number counters_told;
	unsigned int width;
	unsigned int written;
	bool saturates;
	unsigned int most;
	u64 reserved;
	u64 always;
	u64 merge;
	u16 unfixed;
	const struct rcr_constraint *constraint;
	const struct rcr_fixed *fixed;
	unsigned int nfixed;
	u32 fixed_control;
	u32 fixed_counter0;
	u32 global_control;
	u32 global_clear;
	unsigned int global_bit;
	u64 global_stops;
	struct rcr_filter filter[RCR_FILTERS];
};

/* frz_all of U_MSR_PMON_GLOBAL_CTL, see intel_box.h. */
#define RCR_PACKAGE_FREEZE	BIT_ULL(31)

/* How many enum rcr_scope has. */
#define RCR_SCOPES	(RCR_SCOPE_CORE + 1)

/* PMUs of one family, and boxes of one machine, at most. */
#define RCR_PMUS	24
#define RCR_BOXES	64

/**
 * struct rcr_family - a family of processors
 * @name: for people
 * @vendor: as CPUID 0 spells it
 * @family_first: display family
 * @family_last: display family; the table holds for all between
 * @models: model numbers, ended by 0; NULL: all
 * @pmu: its PMUs, the core's first; the family is this one only if that is there
 * @package_freeze: MSR whose bit RCR_PACKAGE_FREEZE stops all counters of a package's
 *	uncore; 0: there is none
 * @default_event: the default set
 * @defaults: entries of @default_event
 */
struct rcr_family {
	const char *name;
	const char *vendor;
	unsigned int family_first;
	unsigned int family_last;
	const u8 *models;
	const struct rcr_pmu *pmu[RCR_PMUS];
	u32 package_freeze;
	const struct rcr_event *default_event;
	unsigned int defaults;
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

extern const struct rcr_pmu rcr_pmu_aperf;
extern const struct rcr_pmu rcr_pmu_mperf;
extern const struct rcr_pmu rcr_pmu_amd_l3_17h;
extern const struct rcr_pmu rcr_pmu_amd_l3_19h;
extern const struct rcr_pmu rcr_pmu_amd_df;
extern const struct rcr_pmu rcr_pmu_amd_df_v2;
extern const struct rcr_pmu rcr_pmu_amd_umc;
extern const struct rcr_pmu rcr_pmu_amd_energy_core;
extern const struct rcr_pmu rcr_pmu_amd_energy_pkg;
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

unsigned int rcr_told_number_in(const struct rcr_told_number *n, u32 bits);
unsigned int rcr_pmu_counters(const struct rcr_pmu *pmu, unsigned int boxes,
			      unsigned int told);
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
	const struct rcr_pci *pci = box->pmu->pci;

	return pci ? (u32)pci->device[box->number] << 16 | address : address;
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
