/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * detect.h - which family's table this machine needs.
 */
#ifndef RCR_DETECT_H
#define RCR_DETECT_H

#include <linux/types.h>

struct rcr_pmu;

const struct rcr_pmu *rcr_pmu_detect(bool *hidden);

#endif
