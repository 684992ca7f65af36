/* SPDX-License-Identifier: GPL-2.0-or-later */
/* saved_meters.h - meters of a saved stream. */
#ifndef RCRSTAT_SAVED_METERS_H
#define RCRSTAT_SAVED_METERS_H

#include <linux/rcrtool.h>

#include "meter/meters.h"
#include "why.h"

int saved_meter_find(struct meter *m, const struct rcr_set *set, struct why *why);

#endif
