/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * steps.h - what a guest executes, instruction by instruction, between two moments
 * that it chooses itself:
 *
 *	wrmsr(VPMU_STEPS_MSR, N)	writes "steps N" into QEMU's log; from here on
 *					the address of each instruction follows, a
 *					line for each, as "-d exec" has it
 *	wrmsr(VPMU_STEPS_MSR, 0)	ends it
 *	rdmsr(VPMU_STEPS_MSR)		N, or 0
 *
 * It is for one vCPU under -icount, where the guest's time follows its execution: it
 * does not see that it is watched, however long that takes. The options -D and
 * -dfilter choose the file, and the addresses that are logged. Neither vendor has a
 * register there: see fault.h.
 *
 * An instruction that touches a device has two lines, as has one before which QEMU
 * had to stop: a timer was due, or 65,535 instructions were over.
 */
#ifndef RCR_VPMU_STEPS_H
#define RCR_VPMU_STEPS_H

#include "model.h"

#define VPMU_STEPS_MSR		0x52435202

enum vpmu_answer vpmu_steps_read(uint32_t msr, uint64_t *val);
enum vpmu_answer vpmu_steps_write(uint32_t msr, uint64_t val);

#endif
