/* SPDX-License-Identifier: GPL-2.0-or-later */
/* form_value.h - computes meters from the counts of CPUs. */
#ifndef METERS_FORM_VALUE_H
#define METERS_FORM_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "rcr_form.h"

/* Operand of a term without a name: cycles that the sampler has spent. */
#define OPERAND_SPENT	RCR_MAX_COUNTERS
#define OPERANDS	(RCR_MAX_COUNTERS + 1)

/**
 * struct form_lane - counts of one CPU, by operand
 * @delta: the count; of a gauge the sum of its values
 * @time: TSC cycles in which it was counted; of a gauge the number of values; 0: not counted
 */
struct form_lane {
	uint64_t delta[OPERANDS];
	uint64_t time[OPERANDS];
};

/**
 * struct bound_form - a form, and the operands of its terms
 * @form: the form
 * @above: by term of the dividend: its operand
 * @below: by term of the divisor: its operand
 */
struct bound_form {
	struct rcr_form form;
	uint8_t above[RCR_FORM_TERMS];
	uint8_t below[RCR_FORM_TERMS];
};

bool form_is_count(const struct rcr_form *form);
bool form_compute(const struct bound_form *b, const struct form_lane *lane, unsigned int lanes,
		  uint64_t tsc_hz, uint64_t periods, double *value);

#endif
