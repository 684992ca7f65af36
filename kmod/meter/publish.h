/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * publish.h - puts what meters read on the blackboard.
 */
#ifndef RCR_PUBLISH_H
#define RCR_PUBLISH_H

#include "evaluate.h"

void rcr_publish(const struct rcr_span *s, struct rcr_scratch *scratch);

#endif
