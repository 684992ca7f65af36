// SPDX-License-Identifier: GPL-2.0-only
/*
 * lint.c - holds the records of a set against what must hold between its counters.
 *
 * What is compared is what two counters did from one record of a CPU to the next
 * one, in which both are right in both. A unit's counters are all in the records of
 * the CPU that reads them. Counters of CPUs are not held against those of a unit:
 * CPUs are not read at the same moment, and what a unit does for devices is no
 * CPU's. Nor are those that a tick reads held against those that it does not: these
 * have another time.
 *
 * Registers are read one after the other, so the left one may have counted while
 * the right one was not looked at, or not yet: for as long as reading the two
 * records took. In that time it grew by no more than it can in a cycle, of which
 * there are no more than FASTEST in a tick of the TSC: that much it is allowed.
 *
 * Whenever an event comes or goes perf stops its counters one after the other, and
 * starts them so (source=perf, and perf+msr). Nobody is told how often; an eighth is more than
 * was ever seen.
 *
 * Pure: no input, no output, no clock. Compiled into the unit tests as well.
 */
#include <string.h>

#include "bind.h"
#include "interval.h"
#include "lint.h"

#define FASTEST		8	/* limits.md */
#define LOOSE_PERF	0.125

static struct lint_check *add_check(struct lint *l, unsigned int left)
{
	struct lint_check *c;

	if (l->checks == LINT_CHECKS)
		return NULL;
	c = &l->check[l->checks++];
	*c = (struct lint_check){ .left = left };
	return c;
}

static int find_right(const struct lint *l, unsigned int left, const char *word)
{
	unsigned int i;

	for (i = 0; i < l->set->ncounters; i++)
		if (i != left && bind_means(l->set, i, word) &&
		    bind_covers(l->set, left, i))
			return i;
	return -1;
}

/* Finds the counter of a term; false: it is not in the set. */
static bool bind_term(const struct lint *l, struct lint_check *c,
		      const struct relation_term *term)
{
	struct lint_term *t = &c->term[c->terms++];
	int i = 0;

	t->factor = term->factor;
	if (!strcmp(term->word, "tsc")) {
		t->counter = LINT_TSC;
	} else if (!strcmp(term->word, "ns")) {
		t->counter = LINT_NS;
	} else {
		i = find_right(l, c->left, term->word);
		t->counter = i;
	}
	return i >= 0;
}

static void add_one(struct lint *l, const struct relation *r, unsigned int left)
{
	struct lint_check *c = add_check(l, left);
	unsigned int i;

	if (!c)
		return;
	c->constant = r->constant;
	c->slack = r->most * FASTEST;
	for (i = 0; i < r->terms; i++)
		if (!bind_term(l, c, &r->term[i])) {
			l->checks--;
			return;
		}
}

/* Once for each counter that it may speak of. */
static void add_relation(struct lint *l, const struct relation *r)
{
	unsigned int i;

	for (i = 0; i < l->set->ncounters; i++)
		if (bind_means(l->set, i, r->left))
			add_one(l, r, i);
}

static void add_known(struct lint *l)
{
	const struct known_relation *k;
	struct relation r;
	struct why why;

	for (k = known_relations; k->text; k++) {
		if ((k->family && strcmp(k->family, l->set->family)) ||
		    relation_parse(&r, k->text, &why))
			continue;
		r.most = k->most;
		add_relation(l, &r);
	}
}

void lint_init(struct lint *l, const struct rcr_set *set, const struct relations *own)
{
	unsigned int i;

	l->set = set;
	l->checks = 0;
	l->loose = strstr(set->source, "perf") ? LOOSE_PERF : 0;
	for (i = 0; i < set->ncounters; i++)
		add_check(l, i);
	for (i = 0; own && i < own->count; i++)
		add_relation(l, &own->relation[i]);
	add_known(l);
}

/**
 * struct pair - two samples of a CPU, one after the other
 * @l: what they are held against
 * @before: the first
 * @now: the second
 */
struct pair {
	const struct lint *l;
	const struct point *before;
	const struct point *now;
};

static uint64_t total_growth(const struct pair *p, unsigned int i)
{
	return p->now->total[i] - p->before->total[i];
}

/* Is what a counter did between the two known, and no step back? */
static bool is_known(const struct pair *p, unsigned int i)
{
	return p->before->status[i] == RCR_STATUS_OK && p->now->status[i] == RCR_STATUS_OK &&
	       p->now->total[i] >= p->before->total[i];
}

/* Ticks of the TSC that reading a check's counters took in one sample. */
static uint64_t reading_length(const struct lint *l, const struct lint_check *c,
			       const struct point *p)
{
	return rcr_set_is_slow(l->set, c->left) ? p->slow_reading : p->reading;
}

/* The TSC when that began; a point has the middle of it. */
static uint64_t reading_begin(const struct lint *l, const struct lint_check *c,
			      const struct point *p)
{
	uint64_t middle = rcr_set_is_slow(l->set, c->left) ? p->slow_tsc : p->tsc;

	return middle - reading_length(l, c, p) / 2;
}

/* Ticks of the TSC from the beginning of the first reading to the end of the second. */
static double elapsed(const struct pair *p, const struct lint_check *c)
{
	return reading_begin(p->l, c, p->now) + reading_length(p->l, c, p->now) -
	       reading_begin(p->l, c, p->before);
}

/* Those that the two readings took. */
static double reading(const struct pair *p, const struct lint_check *c)
{
	return reading_length(p->l, c, p->before) + reading_length(p->l, c, p->now);
}

static double value(const struct pair *p, const struct lint_check *c,
		    const struct lint_term *t)
{
	switch (t->counter) {
	case LINT_TSC:
		return t->factor * elapsed(p, c);
	case LINT_NS:
		return t->factor * elapsed(p, c) * 1e6 / p->l->set->tsc_khz;
	default:
		return t->factor * total_growth(p, t->counter);
	}
}

static bool is_counter(const struct lint_term *t)
{
	return t->counter >= 0;
}

/* How large the left side may be; false: that is not known. */
static bool find_limit(const struct pair *p, const struct lint_check *c, double *limit)
{
	bool skewed = false;
	unsigned int i;

	*limit = c->constant;
	for (i = 0; i < c->terms; i++) {
		if (is_counter(&c->term[i]) && !is_known(p, c->term[i].counter))
			return false;
		skewed |= is_counter(&c->term[i]);
		*limit += value(p, c, &c->term[i]);
	}
	if (skewed)
		*limit += *limit * p->l->loose + c->slack * reading(p, c);
	return true;
}

/* A total is never less than before, whatever its status: the first checks. */
static bool is_growth(const struct lint *l, const struct lint_check *c)
{
	return c < l->check + l->set->ncounters;
}

static bool is_broken(const struct pair *p, const struct lint_check *c)
{
	double limit;

	if (is_growth(p->l, c))
		return p->now->total[c->left] < p->before->total[c->left] &&
		       !rcr_set_is_gauge(p->l->set, c->left);
	return is_known(p, c->left) && find_limit(p, c, &limit) && total_growth(p, c->left) > limit;
}

/* Is any total less than before, of whatever counter? */
static bool has_fallen(const struct pair *p)
{
	unsigned int i, n = p->l->set->ncounters;
	bool fallen = false;

	for (i = 0; i < n; i++)
		fallen |= p->now->total[i] < p->before->total[i];
	return fallen;
}

void lint_point(struct lint *l, const struct point *before, struct point *sample)
{
	const struct pair p = { l, before, sample };
	struct lint_check *c;
	unsigned int i;

	/* The first checks are those of growth, which are quick to tell together. */
	for (i = has_fallen(&p) ? 0 : l->set->ncounters; i < l->checks; i++) {
		c = &l->check[i];
		if (!is_broken(&p, c))
			continue;
		c->records++;
		if (!sample->suspect[c->left])
			sample->suspect[c->left] = i + 1;
	}
}

static const char *term_name(const struct lint *l, const struct lint_term *t)
{
	switch (t->counter) {
	case LINT_TSC:
		return "tsc";
	case LINT_NS:
		return "ns";
	default:
		return rcr_set_counter(l->set, t->counter)->name;
	}
}

void lint_print(FILE *out, const struct lint *l, unsigned int number)
{
	const struct lint_check *c = &l->check[number - 1];
	const char *name = rcr_set_counter(l->set, c->left)->name;
	const char *between = "";
	unsigned int i;

	if (is_growth(l, c)) {
		fprintf(out, "%s is never less than before", name);
		return;
	}
	fprintf(out, "%s <= ", name);
	for (i = 0; i < c->terms; i++, between = " + ") {
		fputs(between, out);
		if (c->term[i].factor != 1)
			fprintf(out, "%.6g ", c->term[i].factor);
		fputs(term_name(l, &c->term[i]), out);
	}
	if (c->constant || !c->terms)
		fprintf(out, "%s%.15g", between, c->constant);
}
