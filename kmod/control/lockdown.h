/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lockdown.h - a kernel that is locked down later.
 */
#ifndef RCR_LOCKDOWN_H
#define RCR_LOCKDOWN_H

void rcr_lockdown_init(void);
void rcr_lockdown_exit(void);

#endif
