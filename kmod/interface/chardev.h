/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chardev.h - /dev/rcrtool
 */
#ifndef RCR_CHARDEV_H
#define RCR_CHARDEV_H

#include <linux/types.h>

struct file;

bool rcr_chardev_is(const struct file *file);
int rcr_chardev_init(void);
void rcr_chardev_exit(void);

#endif
