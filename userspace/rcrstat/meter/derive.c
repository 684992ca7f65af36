// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * derive.c - columns that a file of formulas derives from those of the stream, as LDMS's function
 * store does:
 *
 *	flops = rate(RETIRED_FLOPS)
 *	gflops = flops / 1000000000
 *
 * A formula (rcr_form.h) may use counters of the set, and columns of earlier lines. A column is
 * computed like a meter over the interval; only counts differ: they are those of the interval, not
 * of one sampling period.
 */
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "meter/derive.h"
#include "rcr.h"

/* Decimal digits of values that are not counts. */
#define DERIVED_DIGITS 6

/* Where the names in a formula are looked up. */
struct derive_names {
	const struct derive_source *source;
	const struct meters *meters;
};

static int find_column(const struct rcr_set *set, const char *name)
{
	unsigned int i;

	for (i = 0; i < set->ncounters; i++)
		if (!strcmp(rcr_set_counter(set, i)->name, name))
			return i;
	return -1;
}

static int find_source_counter(void *context, const char *name, char canonical[RCR_NAME_LEN],
			       bool *gauge)
{
	const struct derive_source *source = ((const struct derive_names *)context)->source;
	const char *own = source->rename(source->context, name);
	int i = find_column(source->set, own);

	if (i < 0)
		return -1;
	snprintf(canonical, RCR_NAME_LEN, "%s", own);
	*gauge = rcr_set_is_gauge(source->set, i);
	return 0;
}

/* Finds the column of an earlier line. */
static const struct rcr_form *find_derived(void *context, const char *name, unsigned int *digits)
{
	const struct meters *m = ((const struct derive_names *)context)->meters;
	unsigned int i;

	for (i = 0; i < m->count; i++) {
		if (!m->meter[i].derived || strcmp(m->meter[i].name, name))
			continue;
		*digits = m->meter[i].digits;
		return &m->meter[i].bound.form;
	}
	return NULL;
}

/* True if the values are whole numbers: counts, and sums and multiples of them. */
static bool is_whole_form(const struct rcr_form *form)
{
	return form_is_count(form) && form->denominator == 1 &&
	       form->above.reduction != RCR_REDUCE_MEAN;
}

/* Compiles a formula into the next meter; -1 with @reason filled in. */
static int compile_line(const struct derive_line *l, struct meters *m,
			const struct derive_source *source, char reason[RCR_SENTENCE_LEN])
{
	struct derive_names context = { source, m };
	struct rcr_formula_names names = {
		.counter = find_source_counter, .meter = find_derived, .context = &context,
		.tsc_hz = source->set->tsc_khz * 1000ull,
	};
	struct meter *to = &m->meter[m->count];

	*to = (struct meter){ .derived = true, .unit = "1" };
	strcpy(to->name, l->name);
	if (rcr_formula_compile(l->formula, 0, &names, &to->bound.form, reason, RCR_SENTENCE_LEN))
		return -1;
	if (is_whole_form(&to->bound.form))
		return 0;
	to->digits = DERIVED_DIGITS;
	return rcr_formula_compile(l->formula, to->digits, &names, &to->bound.form, reason,
				   RCR_SENTENCE_LEN);
}

/* Drops the mention of the kernel from a reason: these formulas are computed in userspace. */
static const char *skip_kernel(char *reason)
{
	static const char words[] = "cannot be computed in the kernel: ";
	char *at = strstr(reason, words);

	if (at)
		memmove(at, at + strlen(words), strlen(at + strlen(words)) + 1);
	return reason;
}

static void drop_derived(struct meters *m)
{
	while (m->count && m->meter[m->count - 1].derived)
		m->count--;
}

/* Reports a name that is already in use and returns false. */
static bool is_new_column(const struct derive *d, const struct derive_line *l,
			  const struct meters *m, const struct derive_source *source)
{
	const char *own = source->rename(source->context, l->name);
	unsigned int i;

	if (find_column(source->set, l->name) >= 0 || find_column(source->set, own) >= 0) {
		note_line(d->path, l->number, "'%s' is a counter of the stream: use another name",
			  l->name);
		return false;
	}
	for (i = 0; i < m->count; i++) {
		if (m->meter[i].derived || strcmp(m->meter[i].name, l->name))
			continue;
		note_line(d->path, l->number, "'%s' is a meter of option -m: use another name",
			  l->name);
		return false;
	}
	return true;
}

/**
 * derive_check() - check that all formulas can be computed
 * @d: the file
 * @m: the other meters
 * @source: the stream's first set
 *
 * Returns 0, or EXIT_USAGE after reporting what is wrong with each line.
 */
int derive_check(const struct derive *d, struct meters *m, const struct derive_source *source)
{
	char reason[RCR_SENTENCE_LEN];
	unsigned int i;
	int ret = 0;

	drop_derived(m);
	for (i = 0; i < d->lines; i++) {
		const struct derive_line *l = &d->line[i];

		if (!is_new_column(d, l, m, source)) {
			ret = EXIT_USAGE;
		} else if (compile_line(l, m, source, reason)) {
			note_line(d->path, l->number, "%s", skip_kernel(reason));
			ret = EXIT_USAGE;
		} else {
			m->count++;
		}
	}
	drop_derived(m);
	return ret;
}

/* Makes a meter without a value, whose counter @name is missing. */
static void leave_unknown(struct meter *m, const char *name)
{
	*m = (struct meter){ .derived = true, .unit = "1", .digits = m->digits };
	strcpy(m->name, name);
	m->bound.form.above.terms = 1;
	strcpy(m->bound.form.above.term[0].name, "its formula");
}

/**
 * derive_compile() - make the columns of a set
 * @d: the file, after derive_check()
 * @m: the other meters; the columns are added to them
 * @source: the set
 *
 * A formula has no value in a set that lacks its counters.
 */
void derive_compile(const struct derive *d, struct meters *m, const struct derive_source *source)
{
	char reason[RCR_SENTENCE_LEN];
	unsigned int i;

	drop_derived(m);
	for (i = 0; i < d->lines; i++, m->count++)
		if (compile_line(&d->line[i], m, source, reason))
			leave_unknown(&m->meter[m->count], d->line[i].name);
}
