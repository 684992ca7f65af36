/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * alarm.h - whoever is to know of a meter's new values at once.
 */
#ifndef RCR_ALARM_H
#define RCR_ALARM_H

#include "meter.h"

void rcr_alarm(const struct rcr_meter *m, unsigned int place,
	       const struct rcr_board_value *v);

#endif
