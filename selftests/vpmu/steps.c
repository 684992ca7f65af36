// SPDX-License-Identifier: GPL-2.0-only
/*
 * steps.c - records a guest's steps, see steps.h.
 *
 * Uses QEMU's log, and its mode that translates one instruction at a time; blocks that were
 * translated before are not executed meanwhile.
 */
#include "qemu/osdep.h"
#include "qemu/log.h"
#include "exec/cpu-common.h"
#include "sysemu/cpu-timers.h"
#include "steps.h"

#define STEPS_LOG	(CPU_LOG_EXEC | CPU_LOG_TB_NOCHAIN)

static uint64_t steps;

enum vpmu_answer vpmu_steps_read(uint32_t msr, uint64_t *val)
{
	if (msr != VPMU_STEPS_MSR)
		return VPMU_NOT_MINE;
	*val = steps;
	return VPMU_DONE;
}

enum vpmu_answer vpmu_steps_write(uint32_t msr, uint64_t val)
{
	if (msr != VPMU_STEPS_MSR)
		return VPMU_NOT_MINE;
	if (!icount_enabled())
		return VPMU_FAULT;
	steps = val;
	singlestep = val != 0;
	if (!qemu_set_log(val ? qemu_loglevel | STEPS_LOG : qemu_loglevel & ~STEPS_LOG, NULL))
		return VPMU_FAULT;
	if (val)
		qemu_log("steps %" PRIu64 "\n", val);
	return VPMU_DONE;
}
