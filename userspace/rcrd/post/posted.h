/* SPDX-License-Identifier: GPL-2.0-or-later */
/* posted.h - create the posted meters of rcrd. */
#ifndef RCRD_POSTED_H
#define RCRD_POSTED_H

#include "rcr_meters.h"
#include "why.h"

/**
 * posted_make() - create posted meters that do not exist
 * @c: connection to the module
 * @r: the meters; an existing one is used if it is posted and has the same unit and digits
 * @count: number of entries in @r
 * @why: filled in on failure
 *
 * Return: 0 or -1. If any meter conflicts with an existing one, none is created.
 */
int posted_make(struct rcr_control *c, const struct rcr_meter_request *r, unsigned int count,
		struct why *why);

#endif
