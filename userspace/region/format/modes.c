// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * modes.c - the table of modes. Events are perf's generic ones, and those of floating-point
 * operations by family: AMD 31116 and 42301, the PPRs of later families (PMCx003, PMCx0CB), and
 * Intel SDM volume 3, chapter 20 (FP_ARITH_INST_RETIRED).
 */
#include <cpuid.h>
#include <linux/perf_event.h>
#include <string.h>

#include "format/modes.h"

/*
 * On AMD Family 15h some events are only counted by counters 2 to 0, or by counter 3 (AMD 42301,
 * section 3.23), but the kernel does not enforce this. In the order of these lists, each event gets
 * a counter that counts it, if all six are free.
 */
#define ANY	0
#define F15H_20	0x07
#define F15H_3	0x08

#define HARDWARE(name, event, counters) \
	{ (name), PERF_TYPE_HARDWARE, PERF_COUNT_HW_##event, (counters) }
#define CACHE(name, cache, result, counters) \
	{ (name), PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_##cache | \
	  PERF_COUNT_HW_CACHE_OP_READ << 8 | PERF_COUNT_HW_CACHE_RESULT_##result << 16, (counters) }
#define RAW(name, event, umask, counters) \
	{ (name), PERF_TYPE_RAW, (umask) << 8 | (event), (counters) }

#define SSE_INSTRUCTIONS	RAW("sse-instructions", 0x0cb, 0x04, ANY)
#define CYCLES		HARDWARE("cycles", CPU_CYCLES, F15H_20)
#define INSTRUCTIONS	HARDWARE("instructions", INSTRUCTIONS, ANY)
#define BRANCHES	HARDWARE("branches", BRANCH_INSTRUCTIONS, ANY)
#define BRANCH_MISSES	HARDWARE("branch-misses", BRANCH_MISSES, ANY)
#define CACHE_MISSES	HARDWARE("cache-misses", CACHE_MISSES, F15H_20)

/* Events that a family has in a mode; a NULL name ends them if there are fewer. */
#define MODE_EVENTS	8

/* Modes whose events depend on the family. */
#define FLOPS_MODE	1
#define MIX_MODE	5
/* Mode with the events of all modes before it. */
#define ALL_MODE	4

static const struct region_mode region_modes[REGION_MODES] = {
	{ "general", { CYCLES, INSTRUCTIONS, CACHE_MISSES, BRANCHES, BRANCH_MISSES,
		       HARDWARE("cache-references", CACHE_REFERENCES, F15H_20) } },
	{ "flops", { INSTRUCTIONS, CYCLES } },
	{ "memory", { CYCLES, CACHE_MISSES, CACHE("dTLB-load-misses", DTLB, MISS, F15H_20),
		      INSTRUCTIONS, CACHE("L1-dcache-loads", L1D, ACCESS, ANY),
		      CACHE("L1-dcache-load-misses", L1D, MISS, ANY) } },
	{ "frontend", { CYCLES, CACHE("L1-icache-load-misses", L1I, MISS, F15H_20),
			CACHE("iTLB-load-misses", ITLB, MISS, F15H_20), INSTRUCTIONS, BRANCHES,
			BRANCH_MISSES } },
	{ "all", { } },
	{ "mix", { INSTRUCTIONS, CYCLES } },
};

static const struct region_event amd_10h[MODE_EVENTS] = {
	RAW("fp-ops", 0x003, 0x7f, ANY), SSE_INSTRUCTIONS, INSTRUCTIONS, CYCLES,
};

static const struct region_event amd_15h[MODE_EVENTS] = {
	CYCLES, INSTRUCTIONS, SSE_INSTRUCTIONS, RAW("fp-ops", 0x003, 0xff, F15H_3),
};

/* Zen 2 and later do not use bits 7:4 of the unit mask. */
static const struct region_event amd_zen1[MODE_EVENTS] = {
	RAW("fp-ops", 0x003, 0xff, ANY), SSE_INSTRUCTIONS, INSTRUCTIONS, CYCLES,
};

static const struct region_event amd_zen[MODE_EVENTS] = {
	RAW("fp-ops", 0x003, 0x0f, ANY), SSE_INSTRUCTIONS, INSTRUCTIONS, CYCLES,
};

/* Zen 4 added PMCx008, which counts operations by width, separately from x87 and MMX. */
static const struct region_event amd_zen4[MODE_EVENTS] = {
	RAW("fp-ops", 0x003, 0x0f, ANY), RAW("fp-width-packed", 0x008, 0x38, ANY),
	RAW("fp-width-all", 0x008, 0x3c, ANY), INSTRUCTIONS, CYCLES,
};

/*
 * Operations by kind, of single and double precision together. Divisions include square roots; a
 * multiply-add counts as two operations.
 */
#define KIND(name, umask, counters)	RAW(name, 0x003, umask, counters)

/* Family 10h has no multiply-add. The names differ, as these kinds are all operations. */
static const struct region_event amd_10h_mix[MODE_EVENTS] = {
	KIND("sse-add", 0x49, ANY), KIND("sse-multiply", 0x52, ANY), KIND("sse-divide", 0x64, ANY),
	INSTRUCTIONS, CYCLES,
};

/* Only one kind fits at a time; the events before it occupy the wrong counters: see split.c. */
static const struct region_event amd_15h_mix[MODE_EVENTS] = {
	INSTRUCTIONS, CYCLES, SSE_INSTRUCTIONS, KIND("fp-add", 0x11, F15H_3),
	KIND("fp-multiply", 0x22, F15H_3), KIND("fp-divide", 0x44, F15H_3),
	KIND("fp-multiply-add", 0x88, F15H_3),
};

static const struct region_event amd_zen1_mix[MODE_EVENTS] = {
	KIND("fp-add", 0x11, ANY), KIND("fp-multiply", 0x22, ANY), KIND("fp-divide", 0x44, ANY),
	KIND("fp-multiply-add", 0x88, ANY), INSTRUCTIONS, CYCLES,
};

static const struct region_event amd_zen_mix[MODE_EVENTS] = {
	KIND("fp-add", 0x01, ANY), KIND("fp-multiply", 0x02, ANY), KIND("fp-divide", 0x04, ANY),
	KIND("fp-multiply-add", 0x08, ANY), INSTRUCTIONS, CYCLES,
};

static const struct region_event intel_nehalem[MODE_EVENTS] = {
	RAW("fp-ops", 0x10, 0x05, ANY), RAW("fp-packed", 0x10, 0x10, ANY), INSTRUCTIONS, CYCLES,
};

static const struct region_event intel_arith[MODE_EVENTS] = {
	RAW("fp-scalar", 0xc7, 0x03, ANY), RAW("fp-packed-128", 0xc7, 0x0c, ANY),
	RAW("fp-packed-256", 0xc7, 0x30, ANY), RAW("fp-packed-512", 0xc7, 0xc0, ANY),
	INSTRUCTIONS, CYCLES,
};

static const struct {
	unsigned int family, model;
	const struct region_event *event;
} intel_models[] = {
	{ 6, 0x1a, intel_nehalem }, { 6, 0x1e, intel_nehalem }, { 6, 0x1f, intel_nehalem },
	{ 6, 0x2e, intel_nehalem }, { 6, 0x25, intel_nehalem }, { 6, 0x2c, intel_nehalem },
	{ 6, 0x2f, intel_nehalem },
	{ 6, 0x3d, intel_arith }, { 6, 0x47, intel_arith }, { 6, 0x4f, intel_arith },
	{ 6, 0x56, intel_arith }, { 6, 0x4e, intel_arith }, { 6, 0x5e, intel_arith },
	{ 6, 0x55, intel_arith }, { 6, 0x6a, intel_arith }, { 6, 0x6c, intel_arith },
	{ 6, 0x8f, intel_arith }, { 6, 0xcf, intel_arith },
};

/* Vendor, family and model of this CPU. */
struct region_cpu {
	char vendor[13];
	unsigned int family;
	unsigned int model;
};

static void read_region_cpu(struct region_cpu *cpu)
{
	unsigned int a, b, c, d;

	*cpu = (struct region_cpu){ };
	if (!__get_cpuid(0, &a, &b, &c, &d))
		return;
	memcpy(cpu->vendor, &b, 4);
	memcpy(cpu->vendor + 4, &d, 4);
	memcpy(cpu->vendor + 8, &c, 4);
	__get_cpuid(1, &a, &b, &c, &d);
	cpu->family = a >> 8 & 15;
	cpu->model = (a >> 4 & 15) | (a >> 12 & 0xf0);
	cpu->family += cpu->family == 15 ? a >> 20 & 255 : 0;
}

/* Distinguishes Zen 4 and Zen 3, both Family 19h, by the model numbers in their PPRs. */
static bool is_zen4(const struct region_cpu *cpu)
{
	return cpu->family == 0x1a || (cpu->model >= 0x10 && cpu->model < 0x20) ||
	       (cpu->model >= 0x60 && cpu->model < 0xb0);
}

/* Returns AMD's events of the mode "flops" or "mix". */
static const struct region_event *amd_events(const struct region_cpu *cpu, bool mix)
{
	switch (cpu->family) {
	case 0x10:
		return mix ? amd_10h_mix : amd_10h;
	case 0x15:
		return mix ? amd_15h_mix : amd_15h;
	case 0x17:
		if (cpu->model < 0x30)
			return mix ? amd_zen1_mix : amd_zen1;
		break;
	case 0x19:
	case 0x1a:
		if (!mix && is_zen4(cpu))
			return amd_zen4;
		break;
	default:
		return NULL;
	}
	return mix ? amd_zen_mix : amd_zen;
}

/*
 * Returns the events of the mode "flops" or "mix", which on Intel are the same; NULL if no
 * floating-point event of this CPU is known.
 */
static const struct region_event *flops_events(const struct region_cpu *cpu, bool mix)
{
	unsigned int i;

	if (!strcmp(cpu->vendor, "AuthenticAMD"))
		return amd_events(cpu, mix);
	if (strcmp(cpu->vendor, "GenuineIntel"))
		return NULL;
	for (i = 0; i < sizeof(intel_models) / sizeof(intel_models[0]); i++)
		if (intel_models[i].family == cpu->family && intel_models[i].model == cpu->model)
			return intel_models[i].event;
	return NULL;
}

/* Adds events that the mode does not have yet, after its first @n; returns the new number. */
static unsigned int add_mode_events(struct region_mode *mode, unsigned int n,
				    const struct region_event *event)
{
	unsigned int i, k;

	for (k = 0; k < MODE_EVENTS && event[k].name; k++) {
		for (i = 0; i < n && strcmp(mode->event[i].name, event[k].name); i++)
			;
		if (i == n && n < REGION_LIST)
			mode->event[n++] = event[k];
	}
	return n;
}

unsigned int region_mode(unsigned int number, struct region_mode *mode)
{
	const struct region_event *event, *flops;
	unsigned int i, count = 0;
	struct region_cpu cpu;

	if (number >= REGION_MODES)
		return 0;
	read_region_cpu(&cpu);
	flops = flops_events(&cpu, number == MIX_MODE);
	*mode = (struct region_mode){ .name = region_modes[number].name };
	for (i = 0; i < REGION_MODES; i++) {
		event = flops && (i == FLOPS_MODE || i == MIX_MODE) ? flops : region_modes[i].event;
		if (number == i || (number == ALL_MODE && i < ALL_MODE))
			count = add_mode_events(mode, count, event);
	}
	for (i = 0; i < count; i++)
		if (strcmp(cpu.vendor, "AuthenticAMD") || cpu.family != 0x15)
			mode->event[i].counters = ANY;
	return count;
}

static bool is_among_events(const char *name, const struct region_event *event)
{
	unsigned int i;

	for (i = 0; i < MODE_EVENTS && event[i].name && strcmp(event[i].name, name); i++)
		;
	return i < MODE_EVENTS && event[i].name;
}

bool region_has_event(const char *name)
{
	static const struct region_event *const flops[] = {
		amd_10h, amd_15h, amd_zen1, amd_zen, amd_zen4, intel_nehalem, intel_arith,
		amd_10h_mix, amd_15h_mix, amd_zen1_mix, amd_zen_mix,
	};
	unsigned int i;

	for (i = 0; i < ALL_MODE; i++)
		if (is_among_events(name, region_modes[i].event))
			return true;
	for (i = 0; i < sizeof(flops) / sizeof(flops[0]); i++)
		if (is_among_events(name, flops[i]))
			return true;
	return false;
}

int region_mode_find(const char *word)
{
	int i;

	for (i = 0; i < REGION_MODES; i++)
		if (!strcmp(region_modes[i].name, word) || (word[0] == '0' + i && !word[1]))
			return i;
	return -1;
}
