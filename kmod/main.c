// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - the order of initialization, and its reverse at unload. The notifiers of suspend
 * and reboot are there before anything is programmed. Interfaces come last and go first;
 * of those that hand out descriptors, none does so before the last step that may fail.
 */
#include <linux/module.h>

#include "interface/interface.h"
#include "control/control.h"
#include "cpu/cpus.h"
#include "loaded.h"
#include "meter/meter.h"
#include "perf_pmu/perf_pmu.h"
#include "control/params.h"
#include "ring/ring.h"
#include "source/source.h"
#include "watch/watch.h"

static bool loaded;

/* No step of the load can fail any more. */
bool rcr_is_loaded(void)
{
	return READ_ONCE(loaded);
}

static int __init rcr_init(void)
{
	int err;

	err = rcr_params_check();
	if (err)
		return err;
	rcr_ring_init();
	err = rcr_cpus_init(&rcr_params.cpus);
	if (err)
		return err;
	err = rcr_power_init();
	if (err)
		goto err_cpus;
	err = rcr_control_init();
	if (err)
		goto err_power;
	err = rcr_meters_init(&rcr_params.cpus);
	if (err)
		goto err_control;
	err = rcr_watches_init();
	if (err)
		goto err_meters;
	rcr_lockdown_init();
	/* Leaves nothing behind: genl_unregister_family() waits for requests. */
	err = rcr_netlink_init();
	if (err)
		goto err_lockdown;
	err = rcr_boarddev_init();
	if (err)
		goto err_netlink;
	err = rcr_chardev_init();
	if (err)
		goto err_boarddev;
	WRITE_ONCE(loaded, true);
	rcr_debugfs_init();
	rcr_perf_pmu_init();
	return 0;

err_boarddev:
	rcr_boarddev_exit();
err_netlink:
	rcr_netlink_exit();
err_lockdown:
	rcr_lockdown_exit();
	rcr_watches_exit();
err_meters:
	rcr_meters_exit();
err_control:
	rcr_control_exit();
err_power:
	rcr_power_exit();
err_cpus:
	rcr_cpus_exit();
	rcr_ring_exit();
	return err;
}

static void __exit rcr_exit(void)
{
	rcr_perf_pmu_close();
	rcr_debugfs_exit();
	rcr_chardev_exit();
	rcr_boarddev_exit();
	rcr_netlink_exit();
	rcr_lockdown_exit();
	rcr_watches_exit();
	rcr_meters_exit();
	rcr_control_exit();
	rcr_power_exit();
	rcr_cpus_exit();
	rcr_ring_exit();
	/* These wait for RCU and SRCU: every register is back by then, whatever a CPU runs. */
	rcr_source_perf_exit();
	rcr_perf_pmu_exit();
}

module_init(rcr_init);
module_exit(rcr_exit);

MODULE_LICENSE("GPL");
MODULE_VERSION(RCR_VERSION);
MODULE_AUTHOR("The rcrtool authors");
MODULE_DESCRIPTION("Samples performance counters on every CPU and tells what they mean");
