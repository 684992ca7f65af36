/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vet.h - what can be a meter.
 */
#ifndef RCR_VET_H
#define RCR_VET_H

struct rcr_failure;
struct rcr_meter_spec;
struct rcr_run;

int rcr_meter_vet(const struct rcr_meter_spec *spec, const struct rcr_run *run,
		  struct rcr_failure *f);

#endif
