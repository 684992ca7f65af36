// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - the ladder: up at load, down the same way at unload. The doors open
 * last and close first.
 */
#include <linux/module.h>

#include "boarddev.h"
#include "chardev.h"
#include "control.h"
#include "cpus.h"
#include "debugfs.h"
#include "flight.h"
#include "flightdev.h"
#include "lockdown.h"
#include "meter/engine.h"
#include "meter/meters.h"
#include "netlink.h"
#include "own_pmu.h"
#include "params.h"
#include "power.h"
#include "ring.h"

static struct rcr_params params;

static int __init rcr_init(void)
{
	int err;

	err = rcr_params_check(&params);
	if (err)
		return err;
	rcr_ring_init();
	err = rcr_cpus_init(&params.cpus);
	if (err)
		return err;
	err = rcr_control_init(&params);
	if (err)
		goto err_cpus;
	err = rcr_flight_init();
	if (err)
		goto err_control;
	err = rcr_meters_init();
	if (err)
		goto err_flight;
	err = rcr_engine_init(params.board_period_us);
	if (err)
		goto err_meters;
	err = rcr_power_init();
	if (err)
		goto err_engine;
	rcr_lockdown_init();
	rcr_debugfs_init();
	err = rcr_chardev_init();
	if (err)
		goto err_debugfs;
	err = rcr_boarddev_init();
	if (err)
		goto err_chardev;
	err = rcr_flightdev_init();
	if (err)
		goto err_boarddev;
	err = rcr_netlink_init();
	if (err)
		goto err_flightdev;
	rcr_own_pmu_init();
	return 0;

err_flightdev:
	rcr_flightdev_exit();
err_boarddev:
	rcr_boarddev_exit();
err_chardev:
	rcr_chardev_exit();
err_debugfs:
	rcr_debugfs_exit();
	rcr_lockdown_exit();
	rcr_power_exit();
err_engine:
	rcr_engine_exit();
err_meters:
	rcr_meters_exit();
err_flight:
	rcr_flight_exit();
err_control:
	rcr_control_exit();
err_cpus:
	rcr_cpus_exit();
	rcr_ring_exit();
	return err;
}

static void __exit rcr_exit(void)
{
	rcr_own_pmu_exit();
	rcr_netlink_exit();
	rcr_flightdev_exit();
	rcr_boarddev_exit();
	rcr_chardev_exit();
	rcr_debugfs_exit();
	rcr_lockdown_exit();
	rcr_power_exit();
	rcr_engine_exit();
	rcr_meters_exit();
	rcr_flight_exit();
	rcr_control_exit();
	rcr_cpus_exit();
	rcr_ring_exit();
}

module_init(rcr_init);
module_exit(rcr_exit);

MODULE_LICENSE("GPL");
MODULE_VERSION(RCR_VERSION);
MODULE_AUTHOR("The rcrtool authors");
MODULE_DESCRIPTION("Samples performance counters on every CPU and tells what they mean");
