// SPDX-License-Identifier: GPL-2.0-only
/*
 * pause.c - a vCPU that spins for long sleeps between the rounds.
 *
 * A guest has more vCPUs than the host gives it CPUs. One that waits for a lock or for the
 * answer to an interrupt may wait for a vCPU whose thread does not run, and keeps it from
 * running: a quarter of a guest's CPU time was spent on pause instructions, each of which
 * leaves QEMU's loop and takes its lock.
 */
#include "qemu/osdep.h"
#include "vpmu.h"

/* What a lock takes that its owner holds while it runs is over before. */
#define SPIN_ROUNDS	64
#define SPIN_SLEEP_US	20

void vpmu_pause(const CPUX86State *env)
{
	static __thread struct {
		uint64_t eip;
		unsigned int rounds;
	} spin;

	/* With one thread for all of them QEMU has the next one run at once. */
	if (!qemu_tcg_mttcg_enabled())
		return;
	if (env->eip != spin.eip) {
		spin.eip = env->eip;
		spin.rounds = 0;
	} else if (++spin.rounds > SPIN_ROUNDS) {
		g_usleep(SPIN_SLEEP_US);
	}
}
