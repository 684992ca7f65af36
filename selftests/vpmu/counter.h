/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * counter.h - counters: reading, presetting, starting, wrapping.
 */
#ifndef RCR_VPMU_COUNTER_H
#define RCR_VPMU_COUNTER_H

#include "model.h"

/**
 * vpmu_raw() - value of a clock at @tsc, as if it were 64 bits wide
 *
 * A clock counts by its rate in either mode.
 */
uint64_t vpmu_raw(const struct vpmu_counter *c, uint64_t tsc);

/*
 * vpmu_preset() - makes a clock count on from @val
 */
void vpmu_preset(struct vpmu_counter *c, uint64_t tsc, uint64_t val);

/*
 * vpmu_get() - returns the value of counter @i at @tsc
 */
uint64_t vpmu_get(const struct vpmu_cpu *cpu, unsigned int i, uint64_t tsc);

/*
 * vpmu_set() - presets counter @i, which counts on from there if it runs
 */
void vpmu_set(struct vpmu_cpu *cpu, unsigned int i, uint64_t tsc, uint64_t val);

/*
 * vpmu_settle() - report all wraps up to @tsc to the vendor's code
 *
 * Call it before reads of registers that a wrap changes (a status, the other half of a pair), and
 * before writes of registers on which the effect of a wrap depends.
 */
void vpmu_settle(struct vpmu_cpu *cpu, uint64_t tsc);

/*
 * vpmu_restart() - let every counter count by its present registers from @tsc on
 */
void vpmu_restart(struct vpmu_cpu *cpu, uint64_t tsc);

#endif
