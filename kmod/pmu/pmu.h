/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pmu.h - tables that describe the performance counters of a CPU family.
 */
#ifndef RCR_PMU_H
#define RCR_PMU_H

#include <linux/bits.h>
#include <linux/types.h>
#include <linux/rcrtool.h>
#include "event.h"
#include "families.h"

/* Bits of a core's control register that AMD and Intel have in common. */
#define RCR_SELECT_USER		BIT_ULL(16)
#define RCR_SELECT_OS		BIT_ULL(17)
#define RCR_SELECT_INT		BIT_ULL(20)	/* never set: no interrupt handler */
#define RCR_SELECT_ENABLE	BIT_ULL(22)
#define RCR_SELECT_GUEST	BIT_ULL(40)	/* AMD: count in guests only */
#define RCR_SELECT_HOST		BIT_ULL(41)	/* AMD: count on the host only */

/**
 * struct rcr_layout - bits of a control register, by field
 * @event: event select
 * @umask: unit mask, or the field that a unit has in its place
 * @cmask: counter mask
 * @edge: count rising edges
 * @inv: invert the counter mask
 * @user: count in user mode
 * @os: count in kernel mode
 * @guest: count in guests only
 * @host: count on the host only
 * @enable: enable the counter
 *
 * Fields are filled from the lowest bit up: an event select in 35:32 and 7:0 has its bits
 * 11:8 in 35:32. A field whose bits are 0 or all reserved is not supported, so a PMU that
 * only lacks some fields of a core uses the core's layout and reserves their bits.
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

/* Unit masks that a constraint applies to. */
enum rcr_umask_rule {
	RCR_UMASK_ANY,
	RCR_UMASK_MANY,			/* more than one bit */
	RCR_UMASK_BOTH_NIBBLES,		/* bits in 7:4 and bits in 3:0 */
	RCR_UMASK_IS,			/* equal to the constraint's */
	RCR_UMASK_HAS,			/* all bits of the constraint's set */
};

/**
 * struct rcr_constraint - counters that can count an event
 * @bits: bits of the event select that are compared
 * @event: value of these bits
 * @rule: unit masks that the row applies to
 * @counters: counters that can count it, bit n for counter n; 0: none
 * @umask: unit mask for @rule
 * @last: last event select of the range that begins at @event; 0: @event only
 * @most: largest increment per cycle; 0: the PMU's
 * @pair: also takes the next higher counter, which holds the family's merge event
 *
 * The first matching row applies.
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
 * struct rcr_cpuid - a field of CPUID
 * @leaf: the leaf; 0: no such field
 * @reg: the register
 * @mask: bits of the register: a number, or flags of which one must be set
 */
struct rcr_cpuid {
	u32 leaf;
	enum rcr_cpuid_register reg;
	u32 mask;
};

struct pci_dev;

/* Within a PMU, general counters are numbered from 0, fixed ones from RCR_FIXED_FIRST. */
#define RCR_FIXED_FIRST	16
#define RCR_FIXED	4

/**
 * struct rcr_fixed - event of a fixed counter
 * @event: event select
 * @umask: unit mask
 * @most: largest increment per cycle
 */
struct rcr_fixed {
	u16 event;
	u8 umask;
	u8 most;
};

/**
 * struct rcr_filter - a filter register of a box
 * @address: address of the register; 0: none
 * @bits: in a PMU: the bits that may be set; in a counter: the value, 0: not written
 */
struct rcr_filter {
	u32 address;
	u32 bits;
};

/**
 * struct rcr_pmu - counters of one kind
 * @name: unit name, as in "unit:event"; events of the core omit it
 * @boxes: largest number of boxes that share one scope, for example the channels of a
 *	memory controller; box names are then @name and the box number. 0: one box without
 *	a number. @boxes_cpuid or @pci gives the actual number; without them, a box exists
 *	if its registers can be read
 * @boxes_cpuid: CPUID field with one bit per box
 * @box_stride: distance between the same register of two adjacent boxes
 * @box_offset: by box number: offset from the addresses given here; NULL: multiples of
 *	@box_stride
 * @pci: by box number: device id of the PCI function of the box, terminated by 0.
 *	Addresses are offsets in configuration space, controls have 32 bits, and the
 *	counters are slow. NULL: registers are MSRs
 * @layout: fields of a control register; NULL: as in a core
 * @scope: CPUs that share the counters
 * @feature: CPUID field that must be non-zero
 * @is_register: a single free-running register without a control
 * @unit: unit of its count
 * @unit_register: MSR with the scale: bits 12:8 for energy, bits 23:16 for a temperature;
 *	0: none
 * @scale: for energy: the unit is 2^-@scale J, whatever @unit_register holds; 0: read
 *	@unit_register
 * @gauge: the register is a gauge: these bits hold the distance to a limit in degrees;
 *	0: it counts
 * @gauge_valid: bit that is set while a gauge is valid; 0: always valid
 * @control0: address of the first control register
 * @counter0: address of the first count register
 * @stride: distance between two adjacent registers of a kind
 * @count_stride: the same for count registers, if it differs; 0: @stride
 * @counters: largest number of general counters of a box
 * @counters_cpuid: CPUID field with the number of general counters of all boxes together
 * @width: bits of a count register
 * @written: number of low bits that a write to a general count register sets, the others
 *	copy the highest of them; 0: @width. Fixed counters always use @width
 * @saturates: a count stops at its largest value instead of wrapping
 * @most: largest increment per core cycle
 * @reserved: bits of a control that are never set
 * @always: bits of a control that are always set
 * @merge: control value of the upper counter of a pair; 0: no pairs
 * @general_event: core: event select (unit mask 0) that each general counter can count and no
 *	fixed counter can
 * @constraint: terminated by a row of zeros; an event without a matching row may use any
 *	counter
 * @fixed: events of the fixed counters
 * @nfixed: number of fixed counters
 * @fixed_control: address of the control of all fixed counters, four bits each
 * @fixed_counter0: address of the first fixed count register; the others follow
 * @global_control: address of the global control, one enable bit per counter; 0: none
 * @global_clear: address of the register that clears overflow bits; 0: none
 * @filter: filter registers of a box
 * @global_bit: bit of counter 0 in the global registers
 * @global_stops: bits of @global_control that stop all counters of the box when set;
 *	0: it has enable bits
 *
 * In the global registers counter n is bit @global_bit + n and fixed counter n is bit
 * 32 + n.
 */
struct rcr_pmu {
	const char *name;
	unsigned int boxes;
	struct rcr_cpuid boxes_cpuid;
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
	struct rcr_cpuid counters_cpuid;
	unsigned int width;
	unsigned int written;
	bool saturates;
	unsigned int most;
	u64 reserved;
	u64 always;
	u64 merge;
	u16 general_event;
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
 * the package, bit 29 unfreezes them; LIKWID writes both (perfmon_ivybridge.h,
 * perfmon_haswell.h, perfmon_broadwell.h), Linux's intel/uncore_snbep.c neither. Sandy
 * Bridge-EP has no such register (Intel 327043, section 2.1): LIKWID freezes each box there.
 * The manuals mark the two bits as write-only, but also a box's own freeze bit, which Linux
 * reads and writes back.
 */
#define RCR_IVBEP_GLOBAL_CTL	0xc00
#define RCR_HSWEP_GLOBAL_CTL	0x700
#define RCR_PACKAGE_FREEZE	BIT_ULL(31)

/* Number of values of enum rcr_scope. */
#define RCR_SCOPES	(RCR_SCOPE_CORE + 1)

/* Limits: boxes of a machine; models, lists of units and default events of a family. */
#define RCR_BOXES	64
#define RCR_MODELS	5
#define RCR_UNITS	4
#define RCR_DEFAULTS	6

/**
 * struct rcr_family - a family of processors
 * @name: printed name
 * @vendor: vendor string of CPUID leaf 0
 * @family_first: first display family
 * @family_last: last display family
 * @models: model numbers; none: all
 * @core: core counters; a CPU matches only if it has their CPUID feature
 * @units: lists of other PMUs, each terminated by an entry without a name
 * @ubox: device id of the PCI function that maps a bus to its node; 0: none
 * @package_freeze: MSR whose bit RCR_PACKAGE_FREEZE stops all uncore counters of a package;
 *	0: none
 * @default_event: default set, terminated by an event without a name unless full
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
 * struct rcr_box - one instance of a PMU
 * @pmu: its PMU
 * @number: number within its scope; numbers may have gaps
 * @counters: number of general counters
 * @scale: energy: the unit is 2^-@scale J; a gauge: the limit in degrees
 */
struct rcr_box {
	const struct rcr_pmu *pmu;
	u8 number;
	u8 counters;
	u8 scale;
};

/**
 * struct rcr_machine - the detected PMUs of this machine
 * @family: the family
 * @box: boxes of the machine; the first is the core
 * @count: number of boxes
 */
struct rcr_machine {
	const struct rcr_family *family;
	struct rcr_box box[RCR_BOXES];
	unsigned int count;
};

/**
 * struct rcr_register - registers of one counter and their values
 * @pmu: PMU of the counter
 * @index: counter, numbered as by rcr_pmu_demand()
 * @pci: PCI function with the registers in its configuration space; NULL: MSRs
 * @control: address of the control register; 0: none
 * @counter: address of the count register
 * @select: value of @control, within @mask, while the counter counts for us
 * @mask: bits of @control that belong to this counter
 * @enable: bits of @control; the counter is in use if any of them is set
 * @global: bits of the global registers that belong to this counter; 0: none
 * @global_on: their value in the global control while it counts
 * @general: general counters that it takes, bit n for counter n
 * @most: largest increment per cycle
 * @written: number of low bits that a write sets, see struct rcr_pmu
 * @scale: see struct rcr_box
 * @filter: values of the filters of its box
 * @per_node: bit of @select that is inverted on node 0, the next bit on node 1; 0: none
 * @unused_bits: bits above the width of the count, which always read as 0
 * @plain: the counter consists of an optional control and a count, both MSRs, and the
 *	box's global control, and a tick never writes to it
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
	u64 unused_bits;
	bool plain;
};

/**
 * struct rcr_demand - counters that an event can use
 * @allowed: bit n for counter n, bit RCR_FIXED_FIRST + n for fixed counter n; 0: none
 * @most: largest increment per cycle
 * @pair: it also takes the next higher general counter
 */
struct rcr_demand {
	u32 allowed;
	u32 most;
	bool pair;
};

/* registers.c: free-running registers */
extern const struct rcr_pmu rcr_clocks[];
extern const struct rcr_pmu rcr_amd_energy[];
extern const struct rcr_pmu rcr_intel_energy[];
extern const struct rcr_pmu rcr_intel_energy_cores[];
extern const struct rcr_pmu rcr_intel_energy_15uj[];
extern const struct rcr_pmu rcr_intel_temp[];
extern const struct rcr_pmu rcr_intel_temp_core[];

/* amd_uncore.c and intel_box.c: uncore */
extern const struct rcr_pmu rcr_zen_boxes[];
extern const struct rcr_pmu rcr_zen3_boxes[];
extern const struct rcr_pmu rcr_zen4_boxes[];
extern const struct rcr_pmu rcr_snbep_boxes[];
extern const struct rcr_pmu rcr_ivbep_boxes[];
extern const struct rcr_pmu rcr_hswep_boxes[];
extern const struct rcr_pmu rcr_bdwep_boxes[];
extern const struct rcr_pmu rcr_skx_boxes[];
extern const struct rcr_pmu rcr_icx_boxes[];

extern const struct rcr_family *const rcr_families[];	/* terminated by NULL */

#define RCR_DECLARE_FAMILY(name)	extern const struct rcr_family rcr_family_##name;
RCR_FAMILIES(RCR_DECLARE_FAMILY)

const struct rcr_pmu *rcr_family_pmu(const struct rcr_family *f, unsigned int n);
unsigned int rcr_family_defaults(const struct rcr_family *f);
unsigned int rcr_pmu_counters(const struct rcr_pmu *pmu, unsigned int boxes, u32 total);
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
const char *rcr_pmu_unsupported(const struct rcr_pmu *pmu, const struct rcr_event *e);
void rcr_pmu_demand(const struct rcr_box *box, const struct rcr_event *e,
		    struct rcr_demand *demand);
u64 rcr_pmu_fixed_modes(bool os, bool user, unsigned int n);
bool rcr_pmu_upper(const struct rcr_register *lower, struct rcr_register *upper);
void rcr_pmu_register(const struct rcr_box *box, const struct rcr_event *e,
		      unsigned int index, struct rcr_register *reg);

/* Distance between two adjacent count registers. */
static inline u32 rcr_pmu_count_stride(const struct rcr_pmu *pmu)
{
	return pmu->count_stride ?: pmu->stride;
}

/*
 * Address of a register including its PCI function: offsets are the same in all functions, so
 * the device id is in the upper half.
 */
static inline u32 rcr_box_full_address(const struct rcr_box *box, u32 address)
{
	const u16 *pci = box->pmu->pci;

	return pci ? (u32)pci[box->number] << 16 | address : address;
}

/* Address in this box of a register of the first box; 0 if there is none. */
static inline u32 rcr_box_address(const struct rcr_box *box, u32 first)
{
	if (!first)
		return 0;
	return first + (box->pmu->box_offset ? box->pmu->box_offset[box->number] :
					       box->number * box->pmu->box_stride);
}

#endif
