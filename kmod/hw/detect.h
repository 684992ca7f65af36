/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * detect.h - which family's tables this machine needs.
 */
#ifndef RCR_DETECT_H
#define RCR_DETECT_H

#include <linux/types.h>

struct rcr_machine;

void rcr_machine_forget(void);
bool rcr_machine_detect(struct rcr_machine *m, bool *hidden);

#endif
