/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compile_form.h - compiles formulas with librcr for tests of the module. A separate header is
 * needed because librcr and the module have different structures rcr_form.
 */
#ifndef UNIT_COMPILE_FORM_H
#define UNIT_COMPILE_FORM_H

#include <stdbool.h>
#include <stddef.h>

#define COMPILED_TERMS	64

struct compiled_term {
	char name[64];
	unsigned int kind;
	int weight;
};

/* A compiled form has two sides: above the line and below it. */
struct compiled_form {
	unsigned long long numerator;
	unsigned long long denominator;
	bool per_cpu;
	unsigned int reduction[2];
	unsigned int terms[2];
	struct compiled_term term[COMPILED_TERMS];
};

/*
 * @find returns whether a counter exists and whether it is a gauge. If false is returned, @why has
 * the error.
 */
bool compile_form(const char *text, unsigned int digits, unsigned long long tsc_hz,
		  bool (*find)(const char *name, bool *gauge), struct compiled_form *form,
		  char *why, size_t size);

#endif
