// SPDX-License-Identifier: GPL-2.0-only
/*
 * vpmu.c - a register-level performance monitoring unit for QEMU's x86 TCG.
 *
 * Rate mode: a counter that is enabled counts as rate.h says, exactly, in the
 * guest's own TSC. The registers are those of the vendor's manual, and an
 * access that the manual forbids faults. A CPU whose PMU is not modelled here
 * answers as stock QEMU does (every register reads 0, writes vanish).
 *
 * Only a vCPU's own thread touches its registers, so nothing here is locked.
 *
 * The environment variable RCR_VPMU=off takes the model out of the machine.
 */
#include "qemu/osdep.h"
#include "vpmu.h"
#include "rate.h"

#define VPMU_MAX_CPUS		256
#define VPMU_MAX_COUNTERS	8

#define EVENTSEL_USER		(1ull << 16)
#define EVENTSEL_OS		(1ull << 17)
#define EVENTSEL_ENABLE		(1ull << 22)

/*
 * A counter's value is base + vpmu_count(rate, tsc) while it runs and base
 * while it does not, modulo its width: no clock has to tick for it to count.
 */
struct vpmu_counter {
	uint64_t control;
	uint64_t base;
	uint32_t rate;			/* 0: stopped */
};

struct vpmu_cpu {
	struct vpmu_counter counter[VPMU_MAX_COUNTERS];
};

/* A family's core PMU, as its manual describes it. */
struct vpmu_family {
	uint32_t vendor;		/* CPUID 0 EBX */
	unsigned int family;
	uint32_t control0;		/* first event select, then every second */
	uint32_t counter0;
	uint32_t legacy_control0;	/* aliases of the first four, stride 1 */
	uint32_t legacy_counter0;
	unsigned int counters;
	unsigned int width;
	uint64_t reserved;		/* control bits that must be zero */
	uint32_t ecx_80000001;		/* what CPUID 8000_0001 ECX adds */
	unsigned int (*allowed)(uint32_t event, uint32_t umask);
};

static struct vpmu_cpu vpmu_cpus[VPMU_MAX_CPUS];

static uint32_t event_of(uint64_t control)
{
	return (control & 0xff) | ((control >> 24) & 0xf00);
}

static uint32_t umask_of(uint64_t control)
{
	return (control >> 8) & 0xff;
}

/*
 * Which of the six counters can count an event: AMD 42301 (BKDG for Family 15h
 * Models 00h-0Fh), section 3.24, the PERF_CTL[] list of each event. Events
 * that only the northbridge counters count are in none.
 */
static unsigned int fam15h_allowed(uint32_t event, uint32_t umask)
{
	switch (event) {
	case 0x003: case 0x00b: case 0x00d: case 0x02d:
		return 0x08;
	case 0x000:
		return (umask & 0xf0) && (umask & 0x0f) ? 0x08 : 0x38;
	case 0x004:
		return ctpop8(umask) > 1 ? 0x08 : 0x38;
	case 0x02e:
		return 0x09;
	case 0x031:
		return ctpop8(umask) > 1 ? 0x00 : 0x07;
	case 0x1c0:
		return 0x38;
	case 0x023: case 0x043: case 0x045: case 0x046: case 0x054: case 0x055:
		return 0x07;
	case 0x08f: case 0x187: case 0x188:
		return 0x01;
	case 0x0db ... 0x0df: case 0x1d6: case 0x1d8:
		return 0x3f;
	}

	switch (event & 0xf0) {
	case 0x00: case 0x10:
		return 0x38;
	case 0x60: case 0x70: case 0x80: case 0x90: case 0xd0:
		return 0x07;
	case 0xa0: case 0xb0: case 0xe0: case 0xf0:
		return 0x00;
	}
	return 0x3f;
}

static const struct vpmu_family vpmu_families[] = {
	{
		/*
		 * AMD 42301: MSRC001_020[A,8,6,4,2,0] PERF_CTL, section
		 * 3.22; bits 63:42, 39:36, 21 and 19 are reserved.
		 */
		.vendor = CPUID_VENDOR_AMD_1,
		.family = 0x15,
		.control0 = 0xc0010200,
		.counter0 = 0xc0010201,
		.legacy_control0 = 0xc0010000,
		.legacy_counter0 = 0xc0010004,
		.counters = 6,
		.width = 48,
		.reserved = 0xfffffcf000280000ull,
		.ecx_80000001 = 1u << 23,	/* PerfCtrExtCore */
		.allowed = fam15h_allowed,
	},
};

static unsigned int family_of(CPUX86State *env)
{
	unsigned int family = (env->cpuid_version >> 8) & 0xf;

	if (family == 0xf)
		family += (env->cpuid_version >> 20) & 0xff;
	return family;
}

static bool vpmu_is_off(void)
{
	static int off = -1;

	if (off < 0)
		off = !g_strcmp0(g_getenv("RCR_VPMU"), "off");
	return off;
}

static const struct vpmu_family *vpmu_family(CPUX86State *env)
{
	size_t i;

	if (vpmu_is_off() || env_cpu(env)->cpu_index >= VPMU_MAX_CPUS)
		return NULL;
	for (i = 0; i < ARRAY_SIZE(vpmu_families); i++)
		if (vpmu_families[i].vendor == env->cpuid_vendor1 &&
		    vpmu_families[i].family == family_of(env))
			return &vpmu_families[i];
	return NULL;
}

/* Counter that @msr belongs to, with @is_control set, or -1. */
static int find_register(const struct vpmu_family *f, uint32_t msr,
			 bool *is_control)
{
	unsigned int n = f->counters;
	unsigned int legacy = MIN(n, 4);

	if (f->legacy_control0 && msr - f->legacy_control0 < legacy) {
		*is_control = true;
		return msr - f->legacy_control0;
	}
	if (f->legacy_counter0 && msr - f->legacy_counter0 < legacy) {
		*is_control = false;
		return msr - f->legacy_counter0;
	}
	if (msr - f->control0 < 2 * n) {
		*is_control = !((msr - f->control0) & 1);
		return (msr - f->control0) / 2;
	}
	return -1;
}

static uint64_t mask_of(const struct vpmu_family *f)
{
	return (1ull << f->width) - 1;
}

static uint64_t counter_value(CPUX86State *env, const struct vpmu_family *f,
			      const struct vpmu_counter *c)
{
	return (c->base + vpmu_count(c->rate, cpu_get_tsc(env))) & mask_of(f);
}

static void set_counter(CPUX86State *env, const struct vpmu_family *f,
			struct vpmu_counter *c, uint64_t val)
{
	c->base = (val - vpmu_count(c->rate, cpu_get_tsc(env))) & mask_of(f);
}

static void set_control(CPUX86State *env, const struct vpmu_family *f,
			struct vpmu_counter *c, unsigned int index, uint64_t val)
{
	uint64_t tsc = cpu_get_tsc(env);
	uint32_t event = event_of(val);
	uint32_t umask = umask_of(val);

	c->base += vpmu_count(c->rate, tsc);
	c->rate = 0;
	c->control = val;
	if ((val & EVENTSEL_ENABLE) && (val & (EVENTSEL_USER | EVENTSEL_OS)) &&
	    (f->allowed(event, umask) & (1u << index)))
		c->rate = vpmu_rate(event, umask, env_cpu(env)->cpu_index);
	c->base = (c->base - vpmu_count(c->rate, tsc)) & mask_of(f);
}

enum vpmu_answer vpmu_rdmsr(CPUX86State *env, uint32_t msr, uint64_t *val)
{
	const struct vpmu_family *f = vpmu_family(env);
	struct vpmu_counter *c;
	bool is_control;
	int index;

	if (!f)
		return VPMU_NOT_MINE;
	index = find_register(f, msr, &is_control);
	if (index < 0)
		return VPMU_NOT_MINE;
	c = &vpmu_cpus[env_cpu(env)->cpu_index].counter[index];
	*val = is_control ? c->control : counter_value(env, f, c);
	return VPMU_DONE;
}

enum vpmu_answer vpmu_wrmsr(CPUX86State *env, uint32_t msr, uint64_t val)
{
	const struct vpmu_family *f = vpmu_family(env);
	struct vpmu_counter *c;
	bool is_control;
	int index;

	if (!f)
		return VPMU_NOT_MINE;
	index = find_register(f, msr, &is_control);
	if (index < 0)
		return VPMU_NOT_MINE;
	c = &vpmu_cpus[env_cpu(env)->cpu_index].counter[index];
	if (!is_control) {
		set_counter(env, f, c, val);
		return VPMU_DONE;
	}
	if (val & f->reserved)
		return VPMU_FAULT;
	set_control(env, f, c, index, val);
	return VPMU_DONE;
}

enum vpmu_answer vpmu_rdpmc(CPUX86State *env, uint32_t index, uint64_t *val)
{
	const struct vpmu_family *f = vpmu_family(env);

	if (!f || index >= f->counters)
		return VPMU_FAULT;
	*val = counter_value(env, f,
			     &vpmu_cpus[env_cpu(env)->cpu_index].counter[index]);
	return VPMU_DONE;
}

void vpmu_cpuid(CPUX86State *env, uint32_t leaf, uint32_t *eax, uint32_t *ebx,
		uint32_t *ecx, uint32_t *edx)
{
	const struct vpmu_family *f = vpmu_family(env);

	if (f && leaf == 0x80000001)
		*ecx |= f->ecx_80000001;
}
