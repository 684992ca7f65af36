// SPDX-License-Identifier: GPL-2.0-only
/*
 * exec_clock.c - cycles of exec mode (exec.h): TSC ticks of each privilege level, without the time
 * in hlt.
 */
#include "qemu/osdep.h"
#include "vpmu.h"

void vpmu_exec_level(CPUX86State *env, int cpl)
{
	struct vpmu_exec *x = &env->vpmu;
	bool user = cpl == 3;

	if (x->user == user)
		return;
	vpmu_exec_settle(x, cpu_get_tsc(env));
	x->user = user;
}

void vpmu_exec_halt(CPUX86State *env)
{
	vpmu_exec_settle(&env->vpmu, cpu_get_tsc(env));
	env->vpmu.halted = true;
}

void vpmu_exec_wake(CPUX86State *env)
{
	vpmu_exec_settle(&env->vpmu, cpu_get_tsc(env));
	env->vpmu.halted = false;
}
