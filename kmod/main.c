// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - module init and exit. The suspend and reboot notifiers are registered before any
 * counter is programmed. User interfaces are registered last and removed first; none hands
 * out a file descriptor until the last step that can fail has succeeded.
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

static bool init_done;

/* True once module init can no longer fail. */
bool rcr_is_loaded(void)
{
	return READ_ONCE(init_done);
}

static int init_cpus(void)
{
	return rcr_cpus_init(&rcr_params.cpus);
}

static int init_meters(void)
{
	return rcr_meters_init(&rcr_params.cpus);
}

/* Init order; undo_steps() calls the exit functions in reverse. */
static const struct {
	int (*init)(void);
	void (*exit)(void);
} steps[] = {
	{ init_cpus, rcr_cpus_exit },
	{ rcr_power_init, rcr_power_exit },
	{ rcr_control_init, rcr_control_exit },
	{ init_meters, rcr_meters_exit },
	{ rcr_watches_init, rcr_watches_exit },
	{ rcr_lockdown_init, rcr_lockdown_exit },
	/* Safe to undo: genl_unregister_family() waits for requests in progress. */
	{ rcr_netlink_init, rcr_netlink_exit },
	{ rcr_boarddev_init, rcr_boarddev_exit },
	{ rcr_chardev_init, rcr_chardev_exit },
};

static void undo_steps(unsigned int done)
{
	while (done--)
		steps[done].exit();
	rcr_ring_exit();
}

static int __init rcr_init(void)
{
	int err = rcr_params_check();
	unsigned int i;

	if (err)
		return err;
	rcr_ring_init();
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		err = steps[i].init();
		if (err) {
			undo_steps(i);
			return err;
		}
	}
	WRITE_ONCE(init_done, true);
	rcr_debugfs_init();
	rcr_perf_pmu_init();
	return 0;
}

static void __exit rcr_exit(void)
{
	rcr_perf_pmu_close();
	rcr_debugfs_exit();
	undo_steps(ARRAY_SIZE(steps));
	/*
	 * These wait for RCU and SRCU grace periods, which a busy CPU can delay. All registers
	 * have been restored above.
	 */
	rcr_source_perf_exit();
	rcr_perf_pmu_exit();
}

module_init(rcr_init);
module_exit(rcr_exit);

MODULE_LICENSE("GPL");
MODULE_VERSION(RCR_VERSION);
MODULE_AUTHOR("The rcrtool authors");
MODULE_DESCRIPTION("Performance counters of the whole machine, sampled on every CPU");
