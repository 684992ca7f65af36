// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - the ladder: up at load, down the same way at unload. The doors open
 * last and close first.
 */
#include <linux/module.h>

#include "chardev.h"
#include "counter_set.h"
#include "cpus.h"
#include "debugfs.h"
#include "params.h"
#include "pmu/detect.h"
#include "source.h"

static struct rcr_params params;
static struct rcr_counter_set counter_set;

/* An unknown CPU leaves us inert; a set that cannot be is the caller's error. */
static int build_set(void)
{
	const struct rcr_pmu *pmu;
	bool hidden;

	pmu = rcr_pmu_detect(&hidden);
	if (!pmu) {
		if (hidden)
			rcr_fail(&counter_set.failure, -ENODEV,
				 "A hypervisor hides the performance counters of this CPU.");
		else
			rcr_fail(&counter_set.failure, -ENODEV,
				 "The performance counters of this CPU are not known to rcrtool %s.",
				 RCR_VERSION);
		return 0;
	}
	if (params.events)
		return rcr_counter_set_build(&counter_set, pmu, params.event,
					     params.events);
	return rcr_counter_set_build(&counter_set, pmu, pmu->default_event,
				     pmu->defaults);
}

/* Registers that are not to be had leave us inert, too: status says why. */
static void start(void)
{
	if (counter_set.failure.error)
		return;
	if (params.source->reserve(&counter_set, &counter_set.failure))
		return;
	if (rcr_cpus_start())
		params.source->release(&counter_set);
}

static void stop(void)
{
	if (counter_set.failure.error)
		return;
	rcr_cpus_stop();
	params.source->release(&counter_set);
}

static void announce(void)
{
	if (counter_set.failure.error)
		pr_warn("inert, nothing is counted: %s\n",
			counter_set.failure.reason);
	else
		pr_info("%s, %u counters on CPUs %*pbl every %u us; perf gets no hardware event meanwhile, and if the NMI watchdog is switched on meanwhile it has to be toggled after the unload\n",
			counter_set.pmu->name, counter_set.count,
			cpumask_pr_args(&rcr_cpus.running), params.period_us);
}

static int __init rcr_init(void)
{
	int err;

	err = rcr_params_check(&params);
	if (err)
		return err;
	err = build_set();
	if (err) {
		pr_err("%s\n", counter_set.failure.reason);
		return err;
	}
	rcr_sampling_init(&rcr_cpus.sampling, &counter_set, params.source,
			  params.period_us, params.budget_ppm);
	if (!counter_set.failure.error)
		cpumask_copy(&rcr_cpus.mask, &params.cpus);
	err = rcr_cpus_alloc(params.ring_records, counter_set.count);
	if (err)
		return err;
	start();
	announce();
	rcr_debugfs_init();
	err = rcr_chardev_init();
	if (err)
		goto err_stop;
	return 0;

err_stop:
	rcr_debugfs_exit();
	stop();
	rcr_cpus_free();
	return err;
}

static void __exit rcr_exit(void)
{
	rcr_chardev_exit();
	rcr_debugfs_exit();
	stop();
	rcr_cpus_free();
}

module_init(rcr_init);
module_exit(rcr_exit);

MODULE_LICENSE("GPL");
MODULE_VERSION(RCR_VERSION);
MODULE_AUTHOR("The rcrtool authors");
MODULE_DESCRIPTION("Samples performance counters on every CPU and tells what they mean");
