/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oom.h - hears of processes that are killed because memory has run out.
 */
#ifndef RCR_OOM_H
#define RCR_OOM_H

int rcr_oom_listen(void (*killed)(int pid));
void rcr_oom_ignore(void);

#endif
