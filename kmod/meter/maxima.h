/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * maxima.h - how much of what a resource can do is used.
 */
#ifndef RCR_MAXIMA_H
#define RCR_MAXIMA_H

#include "meter.h"

/* Where the mix is not measured, or there is nothing to measure. */
#define RCR_SHARE_UNKNOWN	-1

void rcr_maxima_judge(const struct rcr_maxima *x, s64 write_share_ppm,
		      struct rcr_board_value *v);

#endif
