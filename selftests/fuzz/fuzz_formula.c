// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_formula.c - librcr's compiler of formulas. A text is refused with a sentence or has a form;
 * the form written as a formula compiles to the same form.
 *
 * An input is a line, the formula of the meter "m", a byte, the digits, and a formula that may
 * name the meter.
 */
#include <errno.h>

#include "../unit/forms/form_names.h"
#include "fuzz.h"

static void check_side(const struct rcr_form_side *s, unsigned int least)
{
	unsigned int i, j;

	FUZZ_HOLDS(s->terms >= least && s->terms <= RCR_FORM_TERMS);
	FUZZ_HOLDS(s->reduction <= RCR_REDUCE_MAX);
	for (i = 0; i < s->terms; i++) {
		FUZZ_HOLDS(s->term[i].weight && s->term[i].kind == s->term[0].kind);
		for (j = 0; j < i; j++)
			FUZZ_HOLDS(strcmp(s->term[i].name, s->term[j].name));
	}
}

static void check_form(const struct rcr_form *form, unsigned int digits)
{
	char text[RCR_FORMULA_LEN], reason[256];
	struct rcr_form again;

	FUZZ_HOLDS(form->numerator && form->denominator);
	check_side(&form->above, 1);
	check_side(&form->below, form->per_cpu);
	if (rcr_form_text(form, digits, text, sizeof(text))) {
		FUZZ_HOLDS(errno == E2BIG);
		return;
	}
	FUZZ_HOLDS(!rcr_formula_compile(text, digits, &known_names, &again, reason,
					sizeof(reason)));
	FUZZ_HOLDS(!memcmp(form, &again, sizeof(again)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	char *meter = fuzz_line(&in), reason[256] = "";
	unsigned int digits = fuzz_byte(&in) % 10;
	char *text = fuzz_copy(in.data, in.size);
	struct rcr_form form;

	known_count = 0;
	make_known("m", meter, digits / 2);
	if (!rcr_formula_compile(text, digits, &known_names, &form, reason, sizeof(reason))) {
		check_form(&form, digits);
	} else {
		FUZZ_HOLDS(errno == EINVAL || errno == ENOENT || errno == E2BIG || errno == EDOM);
		FUZZ_HOLDS(strlen(reason));
	}
	free(meter);
	free(text);
	return 0;
}
