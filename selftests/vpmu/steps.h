/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * steps.h - records the instructions that a guest executes between two points of its choice:
 *
 *	wrmsr(VPMU_STEPS_MSR, N)	writes "steps N" into QEMU's log; from here on
 *					the address of each instruction follows, a
 *					line for each, as "-d exec" has it
 *	wrmsr(VPMU_STEPS_MSR, 0)	ends it
 *	rdmsr(VPMU_STEPS_MSR)		N, or 0
 *
 * For one vCPU under -icount: there the guest's time follows its execution, so the guest cannot
 * notice how long recording takes. The options -D and -dfilter choose the file and the addresses
 * that are logged. Neither vendor has a register at this number: see fault.h.
 *
 * An instruction that accesses a device has two lines, and so has one before which QEMU stopped for
 * a timer or after 65,535 instructions.
 */
#ifndef RCR_VPMU_STEPS_H
#define RCR_VPMU_STEPS_H

#include "model.h"

#define VPMU_STEPS_MSR		0x52435202

enum vpmu_answer vpmu_steps_read(uint32_t msr, uint64_t *val);
enum vpmu_answer vpmu_steps_write(uint32_t msr, uint64_t val);

#endif
