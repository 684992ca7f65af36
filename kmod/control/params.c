// SPDX-License-Identifier: GPL-2.0-only
/*
 * params.c - the module parameters. For an invalid one the module prints a message and does
 * not load.
 */
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched/isolation.h>
#include <linux/string.h>

#include "error.h"
#include "params.h"
#include "sampler/sampler.h"
#include "source/source.h"

#define RING_RECORDS_MIN	16u
#define RING_RECORDS_MAX	262144u
#define BUDGET_MAX_PPM		1000000u

struct rcr_params rcr_params = {
	.period_us = 10000, .slow_period_us = 10000, .energy_period_us = 10000,
	.budget_ppm = 25000, .ring_records = 1024, .spare = 2,
};

module_param_named(period_us, rcr_params.period_us, uint, 0444);
MODULE_PARM_DESC(period_us, "sampling period in microseconds, 20 to 3600000000 (default 10000)");

module_param_named(energy_period_us, rcr_params.energy_period_us, uint, 0444);
MODULE_PARM_DESC(energy_period_us, "minimum time between readings of energy in microseconds (default 10000): frequent readings reveal what programs compute");

module_param_named(offset_us, rcr_params.offset_us, uint, 0444);
MODULE_PARM_DESC(offset_us, "offset of the samples from the multiples of period_us on the wall clock in microseconds, up to 3600000000 (default 0)");

static char *idle = "sample";
module_param(idle, charp, 0444);
MODULE_PARM_DESC(idle, "idle CPUs: 'sample' like busy ones (default), or 'skip' samples, up to 100 ms apart");

module_param_named(ring_records, rcr_params.ring_records, uint, 0444);
MODULE_PARM_DESC(ring_records, "records in the ring of each CPU, 16 to 262144, rounded up to a power of two (default 1024)");

module_param_named(budget_ppm, rcr_params.budget_ppm, uint, 0444);
MODULE_PARM_DESC(budget_ppm, "share of a CPU's time that sampling may take before it is sampled less often, in millionths, 0 for no limit (default 25000)");

module_param_named(slow_period_us, rcr_params.slow_period_us, uint, 0444);
MODULE_PARM_DESC(slow_period_us, "time between readings of slow counters in microseconds, rounded up to a multiple of period_us (default 10000)");

module_param_named(spare, rcr_params.spare, uint, 0444);
MODULE_PARM_DESC(spare, "source perf: counters of each core that stay free for other users of perf, 1 to 8 (default 2); one more while the NMI watchdog is off");

static char *source = "auto";
module_param(source, charp, 0444);
MODULE_PARM_DESC(source, "source of the counts: 'perf', shared with other users of perf; 'msr', registers that this module programs; or 'auto', perf for each event that it can count (default)");

static char *cpus;
module_param(cpus, charp, 0444);
MODULE_PARM_DESC(cpus, "list of CPUs to sample, for example 0-3,8 (default: all except isolated and nohz_full ones)");

static const struct {
	const char *name;
	const u32 *val;
	u32 min;
	u32 max;
} ranges[] = {
	{ "period_us", &rcr_params.period_us, RCR_PERIOD_MIN_US, RCR_PERIOD_MAX_US },
	{ "slow_period_us", &rcr_params.slow_period_us, RCR_PERIOD_MIN_US, RCR_PERIOD_MAX_US },
	{ "energy_period_us", &rcr_params.energy_period_us, RCR_PERIOD_MIN_US,
	  RCR_PERIOD_MAX_US },
	{ "offset_us", &rcr_params.offset_us, 0, RCR_PERIOD_MAX_US },
	{ "ring_records", &rcr_params.ring_records, RING_RECORDS_MIN, RING_RECORDS_MAX },
	{ "budget_ppm", &rcr_params.budget_ppm, 0, BUDGET_MAX_PPM },
	{ "spare", &rcr_params.spare, RCR_SPARE_MIN, RCR_SPARE_MOST },
};

static int check_ranges(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ranges); i++) {
		if (*ranges[i].val >= ranges[i].min && *ranges[i].val <= ranges[i].max)
			continue;
		pr_err("%s=%u is out of range: %u to %u\n", ranges[i].name, *ranges[i].val,
		       ranges[i].min, ranges[i].max);
		return -EINVAL;
	}
	return 0;
}

static int check_idle(struct rcr_params *p)
{
	p->idle_skip = !strcmp(idle, "skip");
	if (p->idle_skip || !strcmp(idle, "sample"))
		return 0;
	pr_err("invalid idle=%s: use sample or skip\n", idle);
	return -EINVAL;
}

static int check_source(struct rcr_params *p)
{
	int n = strcmp(source, "auto") ? rcr_sources_find(source) : RCR_SOURCES;

	if (n < 0) {
		pr_err("invalid source=%s: use auto, msr or perf\n", source);
		return -EINVAL;
	}
	p->source = n;
	return 0;
}

/* Isolated and nohz_full CPUs are sampled only if the parameter cpus= lists them. */
static void default_cpus(struct cpumask *mask)
{
	cpumask_and(mask, cpu_possible_mask, housekeeping_cpumask(HK_TYPE_DOMAIN));
	cpumask_and(mask, mask, housekeeping_cpumask(HK_TYPE_TICK));
}

static int check_cpus(struct rcr_params *p)
{
	if (!cpus) {
		default_cpus(&p->cpus);
		return 0;
	}
	if (cpulist_parse(cpus, &p->cpus) || cpumask_empty(&p->cpus) ||
	    !cpumask_subset(&p->cpus, cpu_possible_mask)) {
		pr_err("invalid cpus=%s: this machine has the CPUs %*pbl\n",
		       cpus, cpumask_pr_args(cpu_possible_mask));
		return -EINVAL;
	}
	return 0;
}

/**
 * rcr_params_check() - validate the module parameters and fill in rcr_params
 *
 * Return: 0; -EINVAL after a message in the kernel log.
 */
int rcr_params_check(void)
{
	int err = check_ranges();

	if (!err)
		err = check_source(&rcr_params);
	if (!err)
		err = check_idle(&rcr_params);
	if (!err)
		err = check_cpus(&rcr_params);
	rcr_params.ring_records = roundup_pow_of_two(rcr_params.ring_records);
	return err;
}
