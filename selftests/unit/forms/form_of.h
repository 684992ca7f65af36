/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * form_of.h - the module's form of a formula.
 */
#ifndef UNIT_FORM_OF_H
#define UNIT_FORM_OF_H

#include <string.h>

#include <linux/kernel.h>

#include "compile_form.h"
#include "error.h"
#include "ksft.h"
#include "meter/form.h"

/* Allocate a form without terms; the caller frees it. */
static inline struct rcr_form *form_alloc(unsigned int terms)
{
	return calloc(1, sizeof(struct rcr_form) + terms * sizeof(struct rcr_term));
}

/* Compile a form, which the caller frees; exit the test if the text has no form. */
static inline struct rcr_form *form_of(const char *text, unsigned int digits, u64 tsc_hz,
				       bool (*find)(const char *name, bool *gauge))
{
	struct rcr_failure failure = { };
	struct compiled_form c;
	struct rcr_form *f;
	char why[256] = "";
	unsigned int i, n;

	if (!compile_form(text, digits, tsc_hz, find, &c, why, sizeof(why)))
		ksft_exit_fail_msg("%s: %s\n", text, why);
	n = c.terms[0] + c.terms[1];
	f = form_alloc(n);
	f->numerator = c.numerator;
	f->denominator = c.denominator;
	f->per_cpu = c.per_cpu;
	for (i = 0; i < RCR_SIDES; i++) {
		f->reduction[i] = c.reduction[i];
		f->terms[i] = c.terms[i];
	}
	for (i = 0; i < n; i++) {
		strcpy(f->term[i].name, c.term[i].name);
		f->term[i].kind = c.term[i].kind;
		f->term[i].weight = c.term[i].weight;
	}
	if (rcr_form_prepare(f, &failure))
		ksft_exit_fail_msg("%s: reason %u\n", text, failure.reason.code);
	return f;
}

#endif
