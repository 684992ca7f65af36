/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * power.h - suspend and resume.
 */
#ifndef RCR_POWER_H
#define RCR_POWER_H

int rcr_power_init(void);
void rcr_power_exit(void);

#endif
