/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * catalogue.h - the meters that come with the module.
 */
#ifndef RCR_CATALOGUE_H
#define RCR_CATALOGUE_H

#include <linux/types.h>

/**
 * struct rcr_catalogued - one way in which a machine tells a meter
 * @name: of the meter; several ways stand one behind the other, the best first
 * @family: how the name of the PMU's family begins; NULL: any, or none
 * @formula: see formula.h
 * @events: what the names in @formula are, in the raw form: a counter of the
 *	set with that name or of that event will do; NULL: it needs none
 * @unit: of its values
 * @digits: behind the point
 * @flags: RCR_METER_PUBLIC or 0
 */
struct rcr_catalogued {
	const char *name;
	const char *family;
	const char *formula;
	const char *events;
	const char *unit;
	u32 digits;
	u32 flags;
};

const struct rcr_catalogued *rcr_catalogue_next(const struct rcr_catalogued *before,
						const char *family);

#endif
