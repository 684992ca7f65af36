/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * debugfs.h - /sys/kernel/debug/rcrtool
 */
#ifndef RCR_DEBUGFS_H
#define RCR_DEBUGFS_H

#include <linux/types.h>

const char *rcr_status_name(u8 status);

void rcr_debugfs_init(void);
void rcr_debugfs_exit(void);

#endif
