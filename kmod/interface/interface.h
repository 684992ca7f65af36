/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * interface.h - init and exit of the user interfaces.
 */
#ifndef RCR_INTERFACE_H
#define RCR_INTERFACE_H

#include <linux/types.h>

/* chardev.c: /dev/rcrtool */
struct file;

bool rcr_chardev_is(const struct file *file);
int rcr_chardev_init(void);
void rcr_chardev_exit(void);

/* netlink.c: the generic netlink family, for control */
int rcr_netlink_init(void);
void rcr_netlink_exit(void);

/* debugfs.c: /sys/kernel/debug/rcrtool */
const char *rcr_status_name(u8 status);

void rcr_debugfs_init(void);
void rcr_debugfs_exit(void);

/* debugfs_meters.c: files of meters */
struct dentry;

void rcr_debugfs_meters_init(struct dentry *root);
void rcr_debugfs_meters_exit(void);

#endif
