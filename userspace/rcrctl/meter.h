/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * meter.h - the verb "meter", whose second word says what is to be done.
 */
#ifndef RCRCTL_METER_H
#define RCRCTL_METER_H

#include "quantity.h"
#include "rcr_board.h"
#include "rcr_meters.h"
#include "verbs.h"

/* Each has a file of its own; arguments from the third word on. */
int check_meter_ls(struct call *c);
int do_meter_ls(struct call *c);
int do_meter_show(struct call *c);
int check_meter_add(struct call *c);
int do_meter_add(struct call *c);

/* The meters that there are; EXIT_SUCCESS, or EXIT_FAILURE after a sentence. */
int meters_look(struct session *s, struct rcr_meters *meters);

/* The one called @name, or NULL after a sentence. */
const struct rcr_meter_state *meters_find(struct session *s, struct rcr_meters *meters,
					  const char *name);

/* "contention" */
const char *meter_verdict_name(uint32_t verdict);

/* "read" */
const char *meter_mix_name(uint32_t mix);

#endif
