/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chardev.h - /dev/rcrtool
 */
#ifndef RCR_CHARDEV_H
#define RCR_CHARDEV_H

int rcr_chardev_init(void);
void rcr_chardev_exit(void);

#endif
