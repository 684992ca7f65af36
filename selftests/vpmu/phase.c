// SPDX-License-Identifier: GPL-2.0-only
/*
 * phase.c - the machine's phases, as its guest has written them: see phase.h.
 *
 * Each vCPU is a thread, and may request the count at a TSC that it read some time ago. So a
 * request that takes effect "now" takes effect after the last TSC for which any vCPU has requested
 * a count: no count that was returned changes.
 */
#include <pthread.h>

#include "model.h"
#include "phase.h"

static struct vpmu_phases phases;
static uint64_t seen;		/* the last TSC that a count was returned for */
static uint64_t start;		/* of the next phase, 0: now */
static uint64_t taken;		/* from which the last request holds */
static bool assigned;		/* some pair was: all others need no lock */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void __attribute__((constructor)) phase_power_on(void)
{
	vpmu_phases_init(&phases);
}

static unsigned __int128 warp_of(const struct vpmu_what *what, uint64_t tsc)
{
	unsigned __int128 warp;

	if (!__atomic_load_n(&assigned, __ATOMIC_ACQUIRE))
		return (unsigned __int128)tsc << VPMU_RATE_SHIFT;
	pthread_mutex_lock(&lock);
	if (tsc > seen)
		seen = tsc;
	warp = vpmu_phases_warp(&phases, what->unit, what->event, what->umask,
				what->instance, tsc);
	pthread_mutex_unlock(&lock);
	return warp;
}

uint64_t vpmu_what_count(const struct vpmu_what *what, uint64_t tsc,
			 uint64_t forwarded)
{
	if (!what->rate)
		return 0;
	return vpmu_warped_count(what->rate, warp_of(what, tsc) +
				 ((unsigned __int128)forwarded << VPMU_RATE_SHIFT));
}

static bool take_phase_request(uint32_t msr, uint64_t request, uint64_t tsc)
{
	uint64_t now = tsc > seen ? tsc : seen + 1;
	uint64_t from = msr == VPMU_PHASE_MSR && start ? start : now;

	if (from < now || !vpmu_phases_take(&phases, msr, request, from, now))
		return false;
	if (msr == VPMU_PHASE_MSR)
		start = 0;
	if (msr == VPMU_ASSIGN_MSR)
		__atomic_store_n(&assigned, true, __ATOMIC_RELEASE);
	seen = now;
	taken = from;
	return true;
}

static bool is_mine(uint32_t msr)
{
	return msr >= VPMU_START_MSR && msr <= VPMU_INSTANCE_MSR;
}

static enum vpmu_answer phase_read(struct vpmu_cpu *cpu, uint32_t msr,
				   uint64_t tsc, uint64_t *val)
{
	(void)cpu;
	(void)tsc;
	if (!is_mine(msr))
		return VPMU_NOT_MINE;
	pthread_mutex_lock(&lock);
	*val = taken;
	pthread_mutex_unlock(&lock);
	return VPMU_DONE;
}

static enum vpmu_answer phase_write(struct vpmu_cpu *cpu, uint32_t msr,
				    uint64_t tsc, uint64_t val)
{
	bool ok = true;

	(void)cpu;
	if (!is_mine(msr))
		return VPMU_NOT_MINE;
	pthread_mutex_lock(&lock);
	if (msr == VPMU_START_MSR)
		start = val;
	else
		ok = take_phase_request(msr, val, tsc);
	pthread_mutex_unlock(&lock);
	return ok ? VPMU_DONE : VPMU_FAULT;
}

const struct vpmu_part vpmu_phase_registers = {
	.read = phase_read,
	.write = phase_write,
};
