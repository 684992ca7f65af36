/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * boarddev.h - /dev/rcrboard
 */
#ifndef RCR_BOARDDEV_H
#define RCR_BOARDDEV_H

int rcr_boarddev_init(void);
void rcr_boarddev_exit(void);

#endif
