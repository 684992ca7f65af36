// SPDX-License-Identifier: GPL-2.0-only
/*
 * families.c - array of the supported families, from the list in families.h.
 *
 * Has no kernel state: also compiled into the unit tests, which check each table.
 */
#include <linux/stddef.h>

#include "pmu.h"

#define RCR_FAMILY_ENTRY(name)	&rcr_family_##name,

const struct rcr_family *const rcr_families[] = {
	RCR_FAMILIES(RCR_FAMILY_ENTRY)
	NULL
};
