/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * model.h - structures that the parts of the virtual PMU share: the counters of a CPU, the table of
 * a family, the registers of a vendor, and the broken ones. Independent of QEMU.
 */
#ifndef RCR_VPMU_MODEL_H
#define RCR_VPMU_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exec.h"
#include "phase.h"

/* General counters are counters 0 to 7, fixed ones follow. */
#define VPMU_FIXED0		8
#define VPMU_FIXED		4
#define VPMU_COUNTERS		(VPMU_FIXED0 + VPMU_FIXED)

/* Bits of an event select that both vendors have. */
#define EVENTSEL_USER		(1ull << 16)
#define EVENTSEL_OS		(1ull << 17)
#define EVENTSEL_MODES_SHIFT	16	/* of both, as in vpmu_event.modes */
#define EVENTSEL_MODES		3
#define EVENTSEL_ENABLE		(1ull << 22)

/* The model's answer to an access. */
enum vpmu_answer {
	VPMU_NOT_MINE,		/* no register of the modelled PMU: QEMU decides */
	VPMU_DONE,
	VPMU_FAULT,		/* #GP by the manual: raise it */
};

/* The unit, event and instance that a counter counts, as in rate.h and phase.h. */
struct vpmu_what {
	uint32_t rate;		/* 0: nothing, it stands still */
	uint32_t unit, event, umask, instance;
};

/*
 * A counter's value, modulo its width, is base + vpmu_what_count(what, tsc) while it runs, and base
 * while it does not: it is computed on access. In exec mode it is base + vpmu_exec_count(event,
 * tsc), or vpmu_exec_unit_count() for a shared unit, and the rate only decides whether it runs.
 */
struct vpmu_counter {
	uint64_t control;	/* event select; a fixed counter has none */
	uint64_t base;
	struct vpmu_what what;
	struct vpmu_event event;	/* the event that it counts, if it runs */
};

/* A register that is broken on demand, see fault.h. */
struct vpmu_fault {
	uint32_t msr;
	uint32_t kind;		/* enum vpmu_fault_kind; 0: none */
	uint64_t stuck;		/* its value if it sticks */
};

#define VPMU_FAULTS		8

struct vpmu_cpu {
	const struct vpmu_vendor *vendor;	/* NULL: no PMU */
	const struct vpmu_family *family;
	unsigned int index;		/* as the guest numbers it */
	unsigned int package;		/* has the shared units of that number */
	unsigned int die;		/* in the machine; has those of its own */
	struct vpmu_exec *exec;		/* NULL: rate mode */
	struct vpmu_counter counter[VPMU_COUNTERS];
	uint64_t fixed_control;
	uint64_t global_control;
	uint64_t overflow;		/* global status, see vpmu_bit() */
	uint64_t prefetch;		/* Intel: MSR_MISC_FEATURE_CONTROL */
	struct vpmu_counter mperf, aperf;
	struct vpmu_fault fault[VPMU_FAULTS];
	struct vpmu_log *log;		/* register_log.h; NULL: never started */
};

/* A family's core PMU, as its manual describes it. */
struct vpmu_family {
	unsigned int family;		/* CPUID 1 EAX, extended fields added */
	unsigned int first_model, last_model;
	unsigned int counters;
	unsigned int fixed;
	unsigned int width;		/* of every counter, in bits */
	uint64_t reserved;		/* event select bits that must be zero */
	bool perfmon_v2;		/* AMD: global registers, CPUID 8000_0022 */
	uint32_t large_event;		/* AMD: needs a merged pair; 0: no pairs */
	uint32_t features;		/* AMD: bits to add to CPUID 8000_0001 ECX */
	const struct vpmu_box_type *const *boxes;	/* shared, ends with NULL */
	const struct vpmu_power *power;	/* energy registers, power.h; or NULL */
	bool thermal;			/* Intel: a CPU's temperature */
	bool package_thermal;		/* Intel: a package's temperature */
	bool full_width;		/* Intel: IA32_A_PMCx */
	unsigned int version;		/* Intel: of performance monitoring */
	bool threaded;			/* only where a core has two threads */
	/* Which counters can count an event; no function: any. */
	unsigned int (*allowed)(uint32_t event, uint32_t umask);
	const struct vpmu_exec_event *exec;	/* what exec mode counts */
};

/*
 * Registers other than those of core counters, such as those of shared units and of energy. The
 * parts are called in turn until one does not return VPMU_NOT_MINE.
 */
struct vpmu_part {
	enum vpmu_answer (*read)(struct vpmu_cpu *cpu, uint32_t msr,
				 uint64_t tsc, uint64_t *val);
	enum vpmu_answer (*write)(struct vpmu_cpu *cpu, uint32_t msr,
				  uint64_t tsc, uint64_t val);
};

extern const struct vpmu_part vpmu_boxes;
extern const struct vpmu_part vpmu_powers;
extern const struct vpmu_part vpmu_clocks;
extern const struct vpmu_part vpmu_phase_registers;

struct vpmu_cpuid {
	uint32_t eax, ebx, ecx, edx;
};

/* A vendor's registers, and their effects on the counters. */
struct vpmu_vendor {
	uint32_t id;			/* CPUID 0 EBX */
	const struct vpmu_family *families;	/* ends with one without counters */

	enum vpmu_answer (*read)(struct vpmu_cpu *cpu, uint32_t msr,
				 uint64_t tsc, uint64_t *val);
	enum vpmu_answer (*write)(struct vpmu_cpu *cpu, uint32_t msr,
				  uint64_t tsc, uint64_t val);
	enum vpmu_answer (*rdpmc)(struct vpmu_cpu *cpu, uint32_t index,
				  uint64_t tsc, uint64_t *val);

	/* Returns whether counter @i is enabled, in its control and globally. */
	bool (*enabled)(const struct vpmu_cpu *cpu, unsigned int i);
	/* Returns the event that counter @i counts with the present registers. */
	struct vpmu_what (*what)(const struct vpmu_cpu *cpu, unsigned int i);
	/* Returns the event of counter @i in exec mode, if it counts one there. */
	struct vpmu_event (*event)(const struct vpmu_cpu *cpu, unsigned int i);
	/* Called when counter @i has wrapped @times times. */
	void (*wrapped)(struct vpmu_cpu *cpu, unsigned int i, uint64_t times);
	/* @max_leaf: highest extended leaf that QEMU answers itself. */
	void (*cpuid)(const struct vpmu_cpu *cpu, uint32_t leaf,
		      uint32_t max_leaf, struct vpmu_cpuid *out);
};

extern const struct vpmu_vendor vpmu_amd;
extern const struct vpmu_vendor vpmu_intel;

/* Access a register of a CPU; part.c finds the part that has it. */
enum vpmu_answer vpmu_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t tsc,
			   uint64_t *val);
enum vpmu_answer vpmu_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t tsc,
			    uint64_t val);

/**
 * vpmu_what_count() - count of an event from power on to @tsc
 * @what: its unit, event and instance
 * @tsc: guest time stamp counter
 * @forwarded: ticks that were put before it (power.h)
 */
uint64_t vpmu_what_count(const struct vpmu_what *what, uint64_t tsc,
			 uint64_t forwarded);

static inline struct vpmu_what vpmu_core_what(uint32_t event, uint32_t umask,
					      uint32_t cpu)
{
	return (struct vpmu_what){
		.rate = vpmu_rate(event, umask, cpu),
		.unit = VPMU_UNIT_CORE, .event = event, .umask = umask, .instance = cpu,
	};
}

static inline struct vpmu_what vpmu_unit_what(enum vpmu_unit unit, uint32_t event,
					      uint32_t umask, uint32_t instance)
{
	return (struct vpmu_what){
		.rate = vpmu_unit_rate(unit, event, umask, instance),
		.unit = unit, .event = event, .umask = umask, .instance = instance,
	};
}

/* Return the value of a counter that is stopped. */
static inline struct vpmu_what vpmu_nothing(void)
{
	return (struct vpmu_what){ };
}

/* Return the bit of counter @i in a global register: fixed ones begin at bit 32. */
static inline uint64_t vpmu_bit(unsigned int i)
{
	return 1ull << (i < VPMU_FIXED0 ? i : 32 + i - VPMU_FIXED0);
}

static inline uint32_t vpmu_umask_of(uint64_t control)
{
	return (control >> 8) & 0xff;
}

static inline bool vpmu_can_count(const struct vpmu_family *f, unsigned int i,
				  uint32_t event, uint32_t umask)
{
	return !f->allowed || (f->allowed(event, umask) & (1u << i));
}

#endif
