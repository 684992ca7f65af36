/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * rcr_form.h - librcr: meters in the fixed form that the module computes, and the formulas that
 * compile to it. These functions need no module.
 *
 * The language of formulas:
 *
 *	formula = product { ( "+" | "-" ) product }
 *	product = value { ( "*" | "x" | "/" ) value }
 *	value   = "-" value | NUMBER | name | "(" formula ")" |
 *		  function "(" formula { "," formula } ")"
 *	name    = [A-Za-z_][A-Za-z0-9_.:]* | '"' anything else '"'
 *
 * An "x" is an operator where an operator is possible, and a letter of a name elsewhere. Names of
 * functions and constants must be quoted when used for counters.
 *
 *	COUNTER		the sum of its counts over the CPUs
 *	GAUGE		the mean of its values over the CPUs
 *	METER		the meter's own formula, as if in parentheses
 *	sampler_cycles	TSC cycles that the sampler spent on the CPUs
 *	delta(c)	c, which must be a count: counters, their sums and multiples
 *	rate(c)		a count per second
 *	min(a)		the smallest of a over each CPU alone; max() and mean() accordingly
 *	scale(a, k)	a x k, where k has no counter in it
 *	tsc_hz		TSC cycles in a second
 *	a / cpus	a, which must be a count or a rate, per CPU
 *
 * The language also has min(a, b, ...), max(), mean() and threshold(a, b), products of counters and
 * ratios of ratios. They have no fixed form and are refused here: 'rcrctl meter add' lets rcrd(8)
 * compute them.
 */
#ifndef RCR_FORM_H
#define RCR_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/rcrboard.h>
#include <linux/rcrtool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Longest formula, with the terminating 0. */
#define RCR_FORMULA_LEN		256

/**
 * struct rcr_form_term - a counter and its factor
 * @name: name of the counter; empty: cycles that the sampler itself has spent on this CPU
 * @kind: enum rcr_term_kind
 * @weight: factor, not 0
 */
struct rcr_form_term {
	char name[RCR_NAME_LEN];
	uint32_t kind;
	int32_t weight;
};

/**
 * struct rcr_form_side - dividend or divisor of a form
 * @reduction: enum rcr_reduction, over the CPUs of a place
 * @terms: entries of @term
 * @term: all of one kind, each name once
 */
struct rcr_form_side {
	uint32_t reduction;
	uint32_t terms;
	struct rcr_form_term term[RCR_FORM_TERMS];
};

/**
 * struct rcr_form - how to compute a meter
 * @per_cpu: @above / @below is taken on each CPU alone, and reduced by the reduction of
 *	@above; that of @below is RCR_REDUCE_SUM
 * @numerator: of the factor; has no divisor in common with @denominator, and includes
 *	10 to the meter's digits
 * @denominator: not 0
 * @above: has at least one term
 * @below: no terms: it is 1
 *
 * A value in the meter's unit times 10 to its digits is @numerator / @denominator times
 * @above / @below. The weights of a side have no divisor in common, and the first weight of
 * @below is positive.
 */
struct rcr_form {
	bool per_cpu;
	uint64_t numerator;
	uint64_t denominator;
	struct rcr_form_side above;
	struct rcr_form_side below;
};

/**
 * struct rcr_formula_names - definitions of the names in a formula
 * @counter: looks up a counter: returns 0 with its canonical name and whether it is a
 *	gauge; -1: no such counter
 * @meter: looks up the form of a meter and its digits; returns NULL if there is no such
 *	meter. Called if there is no such counter
 * @context: first argument of both
 * @tsc_hz: TSC cycles per second
 */
struct rcr_formula_names {
	int (*counter)(void *context, const char *name, char canonical[RCR_NAME_LEN],
		       bool *gauge);
	const struct rcr_form *(*meter)(void *context, const char *name, unsigned int *digits);
	void *context;
	uint64_t tsc_hz;
};

/**
 * rcr_formula_compile() - compile a formula to its form
 * @text: at most RCR_FORMULA_LEN - 1 bytes
 * @digits: decimal digits of the meter's values
 * @names: definitions of the names in @text
 * @form: output; undefined on failure
 * @reason: output buffer for a sentence, filled in on failure
 * @size: size of @reason, bytes
 *
 * Needs up to 512 KiB of stack.
 *
 * Return: 0; -1 with errno EINVAL (not a formula), EDOM (no fixed form), ENOENT (unknown name) or
 * E2BIG (too many terms, too large numbers, too long or too deeply nested).
 */
int rcr_formula_compile(const char *text, unsigned int digits,
			const struct rcr_formula_names *names, struct rcr_form *form,
			char *reason, size_t size);

/**
 * rcr_form_text() - write a form as a formula
 * @form: made by rcr_formula_compile()
 * @digits: the same as there
 * @text: output buffer
 * @size: of @text in bytes; with up to RCR_FORMULA_LEN the text compiles to @form again
 *
 * Return: 0; -1 with errno E2BIG when the text does not fit in @size.
 */
int rcr_form_text(const struct rcr_form *form, unsigned int digits, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
