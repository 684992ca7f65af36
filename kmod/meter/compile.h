/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compile.h - makes a meter live: binds its formula to the counters of a set.
 */
#ifndef RCR_COMPILE_H
#define RCR_COMPILE_H

#include "meter.h"

/**
 * struct rcr_binding - what names in a formula can stand for
 * @set: the counters
 * @meters: all meters, by number; NULL where there is none
 * @own: names of the module's own formulas, as events: see catalogue.h; or NULL
 */
struct rcr_binding {
	const struct rcr_counter_set *set;
	struct rcr_meter *const *meters;
	const char *own;
};

int rcr_compile(const struct rcr_binding *b, const char *text, struct rcr_formula *formula,
		u64 *inside, struct rcr_failure *f);
u32 rcr_compile_place(const struct rcr_binding *b, const struct rcr_formula *formula,
		      unsigned int i);
u32 rcr_compile_narrowest(const struct rcr_binding *b, const struct rcr_formula *formula);
int rcr_compile_check_over(const struct rcr_binding *b, const struct rcr_formula *formula,
			   u32 over, struct rcr_failure *f);

#endif
