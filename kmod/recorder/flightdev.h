/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * flightdev.h - /dev/rcrflight
 */
#ifndef RCR_FLIGHTDEV_H
#define RCR_FLIGHTDEV_H

int rcr_flightdev_init(void);
void rcr_flightdev_exit(void);

#endif
