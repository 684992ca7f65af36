// SPDX-License-Identifier: GPL-2.0-only
/*
 * vpmu.c - a register-level performance monitoring unit for QEMU's x86 TCG.
 *
 * An enabled counter counts exactly by the formula of rate.h over the guest's TSC, or in exec mode
 * (exec.h) the guest's execution. The registers are those of the vendor's manual, and an access
 * that the manual forbids faults. A CPU whose PMU is not modelled behaves as in stock QEMU:
 * registers read 0, and writes are ignored. A guest can break a register on one of its CPUs
 * (fault.h), and record its instructions (steps.h) and changes of its counters (register_log.h).
 *
 * This file is the part that depends on QEMU. Only the thread of a vCPU accesses its registers, so
 * there is no lock here; shared units have their own.
 *
 * The environment variable RCR_VPMU=off removes the model from the machine, RCR_VPMU=exec selects
 * exec mode.
 */
#include "qemu/osdep.h"
#include "clock.h"
#include "qemu/error-report.h"
#include "sysemu/cpu-timers.h"
#include "fault.h"
#include "phase.h"
#include "power.h"
#include "register_log.h"
#include "steps.h"
#include "vpmu.h"

#define VPMU_MAX_CPUS		256

static const struct vpmu_vendor *const vendors[] = { &vpmu_amd, &vpmu_intel };

static struct vpmu_cpu vpmu_cpus[VPMU_MAX_CPUS];
static bool vpmu_known[VPMU_MAX_CPUS];

bool vpmu_exec_on, vpmu_work_cycles;

/* Runs before main(): the translator needs the mode for each instruction. */
static void __attribute__((constructor)) vpmu_choose_mode(void)
{
	vpmu_exec_on = !g_strcmp0(g_getenv("RCR_VPMU"), "exec");
	vpmu_work_cycles = !g_strcmp0(g_getenv("RCR_VPMU_CYCLES"), "work");
}

static bool vpmu_is_off(void)
{
	static int off = -1;

	if (off < 0)
		off = !g_strcmp0(g_getenv("RCR_VPMU"), "off");
	return off;
}

/* CPUID 1 EAX, AMD 24594 (APM volume 3), appendix E.3.2; Intel the same. */
static unsigned int family_of(uint32_t version)
{
	unsigned int family = (version >> 8) & 0xf;

	return family == 0xf ? family + ((version >> 20) & 0xff) : family;
}

static unsigned int model_of(uint32_t version)
{
	unsigned int family = (version >> 8) & 0xf;
	unsigned int model = (version >> 4) & 0xf;

	return family == 0xf || family == 6 ? model | ((version >> 12) & 0xf0) :
					      model;
}

/* Rows for threaded cores come before the rows without that condition. */
static const struct vpmu_family *find_family(const struct vpmu_vendor *vendor,
					     uint32_t version, bool threaded)
{
	unsigned int family = family_of(version);
	unsigned int model = model_of(version);
	const struct vpmu_family *f;

	for (f = vendor->families; f->counters; f++)
		if (f->family == family && f->first_model <= model &&
		    model <= f->last_model && (threaded || !f->threaded))
			return f;
	return NULL;
}

/*
 * Power on: the global control enables all general counters. Intel SDM volume
 * 3A, "Processor States Following Power-up, Reset, or INIT"; AMD does alike.
 */
static void vpmu_init(struct vpmu_cpu *cpu, CPUX86State *env)
{
	size_t i;

	if (vpmu_exec_on && icount_enabled()) {
		error_report("RCR_VPMU=exec does not go with -icount");
		exit(1);
	}
	cpu->index = env_cpu(env)->cpu_index;
	cpu->package = env_archcpu(env)->socket_id;
	cpu->die = cpu->package * env->nr_dies + env_archcpu(env)->die_id;
	cpu->exec = vpmu_exec_on ? &env->vpmu : NULL;
	for (i = 0; i < ARRAY_SIZE(vendors); i++) {
		if (vendors[i]->id != env->cpuid_vendor1)
			continue;
		cpu->family = find_family(vendors[i], env->cpuid_version,
					  env_cpu(env)->nr_threads > 1);
		if (!cpu->family)
			continue;
		cpu->vendor = vendors[i];
		cpu->global_control = (1ull << cpu->family->counters) - 1;
		vpmu_clock_init(cpu);
	}
}

/* Return the PMU of the vCPU, or NULL if it has none. */
static struct vpmu_cpu *vpmu_cpu_of(CPUX86State *env)
{
	unsigned int index = env_cpu(env)->cpu_index;

	if (vpmu_is_off() || index >= VPMU_MAX_CPUS)
		return NULL;
	if (!vpmu_known[index]) {
		vpmu_known[index] = true;
		vpmu_init(&vpmu_cpus[index], env);
	}
	return vpmu_cpus[index].vendor ? &vpmu_cpus[index] : NULL;
}

/* True for registers of the model itself. Two with the same number do not compile. */
static bool is_the_benchs(uint32_t msr)
{
	switch (msr) {
	case VPMU_FAULT_MSR:
	case VPMU_FORWARD_MSR:
	case VPMU_STEPS_MSR:
	case VPMU_LOG_MSR:
	case VPMU_LOG_LOST_MSR:
	case VPMU_START_MSR:
	case VPMU_PHASE_MSR:
	case VPMU_ASSIGN_MSR:
	case VPMU_LOAD_MSR:
	case VPMU_KNEE_MSR:
	case VPMU_SCALE_MSR:
	case VPMU_CLEAR_MSR:
	case VPMU_INSTANCE_MSR:
		return true;
	default:
		return false;
	}
}

enum vpmu_answer vpmu_rdmsr(CPUX86State *env, uint32_t msr, uint64_t *val)
{
	struct vpmu_cpu *cpu = vpmu_cpu_of(env);
	enum vpmu_answer answer;

	if (!cpu)
		return VPMU_NOT_MINE;
	answer = is_the_benchs(msr) ? vpmu_steps_read(msr, val) : VPMU_NOT_MINE;
	if (answer == VPMU_NOT_MINE)
		answer = vpmu_log_read(cpu, msr, val);
	if (answer == VPMU_NOT_MINE)
		answer = vpmu_fault_read(cpu, msr, val);
	if (answer != VPMU_NOT_MINE)
		return answer;
	return vpmu_read(cpu, msr, cpu_get_tsc(env), val);
}

enum vpmu_answer vpmu_wrmsr(CPUX86State *env, uint32_t msr, uint64_t val)
{
	struct vpmu_cpu *cpu = vpmu_cpu_of(env);
	enum vpmu_answer answer;
	uint64_t tsc;

	if (!cpu)
		return VPMU_NOT_MINE;
	tsc = cpu_get_tsc(env);
	answer = is_the_benchs(msr) ? vpmu_steps_write(msr, val) : VPMU_NOT_MINE;
	if (answer == VPMU_NOT_MINE)
		answer = vpmu_log_write(cpu, msr, tsc, val);
	if (answer == VPMU_NOT_MINE)
		answer = vpmu_fault_write(cpu, msr, tsc, val);
	if (answer != VPMU_NOT_MINE)
		return answer;
	return vpmu_write(cpu, msr, tsc, val);
}

enum vpmu_answer vpmu_rdpmc(CPUX86State *env, uint32_t index, uint64_t *val)
{
	struct vpmu_cpu *cpu = vpmu_cpu_of(env);

	if (!cpu)
		return VPMU_FAULT;
	return cpu->vendor->rdpmc(cpu, index, cpu_get_tsc(env), val);
}

void vpmu_cpuid(CPUX86State *env, uint32_t leaf, uint32_t *eax, uint32_t *ebx,
		uint32_t *ecx, uint32_t *edx)
{
	struct vpmu_cpu *cpu = vpmu_cpu_of(env);
	struct vpmu_cpuid out = { *eax, *ebx, *ecx, *edx };

	if (!cpu)
		return;
	vpmu_clock_cpuid(cpu, leaf, &out);
	cpu->vendor->cpuid(cpu, leaf, env->cpuid_xlevel, &out);
	*eax = out.eax;
	*ebx = out.ebx;
	*ecx = out.ecx;
	*edx = out.edx;
}
