// SPDX-License-Identifier: GPL-2.0-only
/*
 * fault.c - faults on demand, see fault.h.
 */
#include "fault.h"

/* Return the fault of @msr, or NULL; a free slot has no kind. */
static struct vpmu_fault *find_fault(struct vpmu_cpu *cpu, uint32_t msr)
{
	unsigned int i;

	for (i = 0; i < VPMU_FAULTS; i++)
		if (cpu->fault[i].kind && cpu->fault[i].msr == msr)
			return &cpu->fault[i];
	return NULL;
}

static struct vpmu_fault *find_free(struct vpmu_cpu *cpu)
{
	unsigned int i;

	for (i = 0; i < VPMU_FAULTS; i++)
		if (!cpu->fault[i].kind)
			return &cpu->fault[i];
	return NULL;
}

static uint64_t count_faults(const struct vpmu_cpu *cpu)
{
	uint64_t count = 0;
	unsigned int i;

	for (i = 0; i < VPMU_FAULTS; i++)
		count += cpu->fault[i].kind != VPMU_FAULT_NONE;
	return count;
}

static void mend_all(struct vpmu_cpu *cpu)
{
	unsigned int i;

	for (i = 0; i < VPMU_FAULTS; i++)
		cpu->fault[i].kind = VPMU_FAULT_NONE;
}

static enum vpmu_answer repair_register(struct vpmu_cpu *cpu, uint32_t msr)
{
	struct vpmu_fault *fault = find_fault(cpu, msr);

	if (!msr)
		mend_all(cpu);
	else if (fault)
		fault->kind = VPMU_FAULT_NONE;
	return VPMU_DONE;
}

/* A register whose read faults has no value that it could be stuck at. */
static enum vpmu_answer break_register(struct vpmu_cpu *cpu, uint32_t msr,
				       uint32_t kind, uint64_t tsc)
{
	struct vpmu_fault *fault = find_fault(cpu, msr);
	uint64_t stuck = 0;

	if (!fault)
		fault = find_free(cpu);
	if (!fault || kind >= VPMU_FAULT_KINDS || msr == VPMU_FAULT_MSR)
		return VPMU_FAULT;
	if (kind == VPMU_FAULT_STICK &&
	    vpmu_read(cpu, msr, tsc, &stuck) == VPMU_FAULT)
		return VPMU_FAULT;
	*fault = (struct vpmu_fault){ .msr = msr, .kind = kind, .stuck = stuck };
	return VPMU_DONE;
}

static enum vpmu_answer request_fault(struct vpmu_cpu *cpu, uint64_t tsc, uint64_t val)
{
	uint32_t kind = val >> VPMU_FAULT_KIND_SHIFT;
	uint32_t msr = val;

	return kind ? break_register(cpu, msr, kind, tsc) : repair_register(cpu, msr);
}

enum vpmu_answer vpmu_fault_read(struct vpmu_cpu *cpu, uint32_t msr,
				 uint64_t *val)
{
	const struct vpmu_fault *fault = find_fault(cpu, msr);

	if (msr == VPMU_FAULT_MSR) {
		*val = count_faults(cpu);
		return VPMU_DONE;
	}
	switch (fault ? fault->kind : VPMU_FAULT_NONE) {
	case VPMU_FAULT_READ:
	case VPMU_FAULT_BOTH:
		return VPMU_FAULT;
	case VPMU_FAULT_STICK:
		*val = fault->stuck;
		return VPMU_DONE;
	case VPMU_FAULT_ONES:
		*val = ~0ull;
		return VPMU_DONE;
	}
	return VPMU_NOT_MINE;
}

enum vpmu_answer vpmu_fault_write(struct vpmu_cpu *cpu, uint32_t msr,
				  uint64_t tsc, uint64_t val)
{
	const struct vpmu_fault *fault = find_fault(cpu, msr);

	if (msr == VPMU_FAULT_MSR)
		return request_fault(cpu, tsc, val);
	switch (fault ? fault->kind : VPMU_FAULT_NONE) {
	case VPMU_FAULT_WRITE:
	case VPMU_FAULT_BOTH:
		return VPMU_FAULT;
	case VPMU_FAULT_STICK:
		return VPMU_DONE;
	}
	return VPMU_NOT_MINE;
}
