// SPDX-License-Identifier: GPL-2.0-only
/*
 * power.c - suspend, resume and reboot.
 *
 * CPUs lose their registers in a suspend, and no hotplug callback runs for the boot CPU: stop
 * sampling and restore all registers before the suspend, and continue after it.
 * Before a reboot sampling stops for good, so that a kernel started by kexec finds the
 * registers as firmware leaves them.
 *
 * Both notifiers run before tasks are frozen or killed; control.c refuses requests of these
 * tasks from then on.
 */
#include <linux/notifier.h>
#include <linux/reboot.h>
#include <linux/suspend.h>

#include "control.h"

static int power_event(struct notifier_block *block, unsigned long event,
		       void *unused)
{
	switch (event) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
	case PM_RESTORE_PREPARE:
		rcr_control_pause();
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		rcr_control_resume();
		break;
	}
	return NOTIFY_DONE;
}

static int reboot_event(struct notifier_block *block, unsigned long event,
			void *unused)
{
	rcr_control_shutdown();
	return NOTIFY_DONE;
}

static struct notifier_block power_block = { .notifier_call = power_event };
static struct notifier_block reboot_block = { .notifier_call = reboot_event };

int rcr_power_init(void)
{
	int err;

	err = register_pm_notifier(&power_block);
	if (err)
		return err;
	err = register_reboot_notifier(&reboot_block);
	if (err)
		unregister_pm_notifier(&power_block);
	return err;
}

void rcr_power_exit(void)
{
	unregister_reboot_notifier(&reboot_block);
	unregister_pm_notifier(&power_block);
}
