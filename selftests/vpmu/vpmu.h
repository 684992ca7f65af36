/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vpmu.h - the doors of the virtual PMU into QEMU's x86 TCG.
 *
 * Each is called from the place in QEMU where an access that QEMU itself does
 * not know would be ignored; build.sh puts the calls there.
 */
#ifndef RCR_VPMU_H
#define RCR_VPMU_H

#include "cpu.h"
#include "model.h"

enum vpmu_answer vpmu_rdmsr(CPUX86State *env, uint32_t msr, uint64_t *val);
enum vpmu_answer vpmu_wrmsr(CPUX86State *env, uint32_t msr, uint64_t val);
enum vpmu_answer vpmu_rdpmc(CPUX86State *env, uint32_t index, uint64_t *val);

/* Adds the PMU's bits to what QEMU answered for a CPUID leaf. */
void vpmu_cpuid(CPUX86State *env, uint32_t leaf, uint32_t *eax, uint32_t *ebx,
		uint32_t *ecx, uint32_t *edx);

#endif
