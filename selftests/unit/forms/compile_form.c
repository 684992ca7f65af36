// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "compile_form.h"
#include "../../userspace/librcr/rcr_form.h"

struct context {
	bool (*find)(const char *name, bool *gauge);
};

static int find_counter(void *context, const char *name, char canonical[RCR_NAME_LEN],
			bool *gauge)
{
	struct context *c = context;

	snprintf(canonical, RCR_NAME_LEN, "%s", name);
	return c->find(name, gauge) ? 0 : -1;
}

static const struct rcr_form *no_meter(void *context, const char *name, unsigned int *digits)
{
	(void)context;
	(void)name;
	(void)digits;
	return NULL;
}

static void copy_side(struct compiled_form *to, unsigned int side,
		      const struct rcr_form_side *from)
{
	struct compiled_term *t = &to->term[side ? to->terms[0] : 0];
	unsigned int i;

	to->reduction[side] = from->reduction;
	to->terms[side] = from->terms;
	for (i = 0; i < from->terms; i++, t++) {
		strcpy(t->name, from->term[i].name);
		t->kind = from->term[i].kind;
		t->weight = from->term[i].weight;
	}
}

bool compile_form(const char *text, unsigned int digits, unsigned long long tsc_hz,
		  bool (*find)(const char *name, bool *gauge), struct compiled_form *form,
		  char *why, size_t size)
{
	struct context context = { find };
	const struct rcr_formula_names names = { find_counter, no_meter, &context, tsc_hz };
	struct rcr_form made;

	if (rcr_formula_compile(text, digits, &names, &made, why, size))
		return false;
	form->numerator = made.numerator;
	form->denominator = made.denominator;
	form->per_cpu = made.per_cpu;
	copy_side(form, 0, &made.above);
	copy_side(form, 1, &made.below);
	return true;
}
