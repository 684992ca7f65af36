// SPDX-License-Identifier: GPL-2.0-only
/*
 * part.c - finds the part of the model that has a register.
 */
#include "model.h"

static const struct vpmu_part *const parts[] = {
	&vpmu_boxes, &vpmu_powers, &vpmu_clocks, &vpmu_phase_registers,
};

#define PARTS	(sizeof(parts) / sizeof(parts[0]))

enum vpmu_answer vpmu_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t tsc,
			   uint64_t *val)
{
	enum vpmu_answer answer;
	size_t i;

	for (i = 0; i < PARTS; i++) {
		answer = parts[i]->read(cpu, msr, tsc, val);
		if (answer != VPMU_NOT_MINE)
			return answer;
	}
	return cpu->vendor->read(cpu, msr, tsc, val);
}

enum vpmu_answer vpmu_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t tsc,
			    uint64_t val)
{
	enum vpmu_answer answer;
	size_t i;

	for (i = 0; i < PARTS; i++) {
		answer = parts[i]->write(cpu, msr, tsc, val);
		if (answer != VPMU_NOT_MINE)
			return answer;
	}
	return cpu->vendor->write(cpu, msr, tsc, val);
}
