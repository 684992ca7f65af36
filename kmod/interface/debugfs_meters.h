/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * debugfs_meters.h - the meters' files.
 */
#ifndef RCR_DEBUGFS_METERS_H
#define RCR_DEBUGFS_METERS_H

struct dentry;

void rcr_debugfs_meters_init(struct dentry *root);
void rcr_debugfs_meters_exit(void);

#endif
