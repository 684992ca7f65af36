/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * owner.h - which CPU reads what several CPUs share.
 */
#ifndef RCR_OWNER_H
#define RCR_OWNER_H

#include "sampler/sampler.h"

void rcr_owner_came(struct rcr_sampler *s);
struct rcr_sampler *rcr_owner_next(const struct rcr_sampler *s, unsigned int scope);

#endif
