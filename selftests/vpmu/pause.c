// SPDX-License-Identifier: GPL-2.0-only
/*
 * pause.c - lets a vCPU that spins for long sleep between its pause instructions.
 *
 * A guest has more vCPUs than the host has CPUs. A vCPU that waits for a lock or for a response to
 * an interrupt may wait for a vCPU whose thread does not run, and keeps it from running: a quarter
 * of a guest's CPU time was spent on pause instructions, each of which leaves QEMU's loop and takes
 * its lock.
 */
#include "qemu/osdep.h"
#include "vpmu.h"

/* More than the wait for a lock whose owner is running. */
#define SPIN_ROUNDS	64
#define SPIN_SLEEP_US	20

void vpmu_pause(const CPUX86State *env)
{
	static __thread struct {
		uint64_t eip;
		unsigned int rounds;
	} spin;

	/* With one thread for all vCPUs, QEMU continues with the next vCPU at once. */
	if (!qemu_tcg_mttcg_enabled())
		return;
	if (env->eip != spin.eip) {
		spin.eip = env->eip;
		spin.rounds = 0;
	} else if (++spin.rounds > SPIN_ROUNDS) {
		g_usleep(SPIN_SLEEP_US);
	}
}
