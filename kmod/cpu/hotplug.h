/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hotplug.h - CPUs that come and go.
 */
#ifndef RCR_HOTPLUG_H
#define RCR_HOTPLUG_H

int rcr_hotplug_init(void);
void rcr_hotplug_exit(void);

#endif
