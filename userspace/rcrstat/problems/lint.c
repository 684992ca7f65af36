// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lint.c - checks the records of a set against relations between its counters.
 *
 * A check compares the growth of counters between two consecutive records of a CPU, if all counters
 * involved are ok in both. The counters of a unit are all in the records of the CPU that reads
 * them. Counters of CPUs are not compared with those of a unit: CPUs are not read at the same
 * moment, and a unit also serves devices. Counters that are read in the tick are not compared with
 * those read outside of it, which are read at other times.
 *
 * Registers are read one after the other, so the left counter may have counted while the right one
 * was not being read, for as long as reading the two records took. In that time it can grow at most
 * by its limit per cycle, with at most FASTEST cycles per TSC tick: this much is allowed.
 *
 * perf stops its counters one after the other, and restarts them likewise, whenever an event is
 * added or removed (source=perf and perf+msr). It does not report how often; an eighth is more than
 * was ever observed.
 *
 * Pure: no input, no output, no clock. Also compiled into the unit tests.
 */
#include <string.h>

#include "problems/bind.h"
#include "interval/interval.h"
#include "events.h"
#include "problems/lint.h"

#define FASTEST		8	/* core cycles per TSC tick; see limits.md */
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

/* Finds the counter of a term; returns false if the set has none. */
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

/* Adds a check for each counter that the left side denotes. */
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

	for (k = relation_next(NULL); k; k = relation_next(k)) {
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
 * struct pair - two consecutive samples of a CPU
 * @l: the checks
 * @before: the first sample
 * @now: the second sample
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

/* True if the counter is ok in both samples and did not decrease. */
static bool is_pair_known(const struct pair *p, unsigned int i)
{
	return p->before->status[i] == RCR_STATUS_OK && p->now->status[i] == RCR_STATUS_OK &&
	       p->now->total[i] >= p->before->total[i];
}

/* Duration of reading a check's counters for one sample, TSC ticks. */
static uint64_t reading_length(const struct lint *l, const struct lint_check *c,
			       const struct point *p)
{
	return rcr_set_is_slow(l->set, c->left) ? p->slow_reading : p->reading;
}

/* TSC at the beginning of the reading; a point holds the middle. */
static uint64_t reading_begin(const struct lint *l, const struct lint_check *c,
			      const struct point *p)
{
	uint64_t middle = rcr_set_is_slow(l->set, c->left) ? p->slow_tsc : p->tsc;

	return middle - reading_length(l, c, p) / 2;
}

/* TSC ticks from the beginning of the first reading to the end of the second. */
static double elapsed_ticks(const struct pair *p, const struct lint_check *c)
{
	return reading_begin(p->l, c, p->now) + reading_length(p->l, c, p->now) -
	       reading_begin(p->l, c, p->before);
}

/* Duration of both readings, TSC ticks. */
static double reading_ticks(const struct pair *p, const struct lint_check *c)
{
	return reading_length(p->l, c, p->before) + reading_length(p->l, c, p->now);
}

static double term_value(const struct pair *p, const struct lint_check *c,
			 const struct lint_term *t)
{
	switch (t->counter) {
	case LINT_TSC:
		return t->factor * elapsed_ticks(p, c);
	case LINT_NS:
		return t->factor * elapsed_ticks(p, c) * 1e6 / p->l->set->tsc_khz;
	default:
		return t->factor * total_growth(p, t->counter);
	}
}

static bool is_counter_term(const struct lint_term *t)
{
	return t->counter >= 0;
}

/* Computes the upper bound of the left side; false if a counter of the right side is not known. */
static bool find_limit(const struct pair *p, const struct lint_check *c, double *limit)
{
	bool skewed = false;
	unsigned int i;

	*limit = c->constant;
	for (i = 0; i < c->terms; i++) {
		if (is_counter_term(&c->term[i]) && !is_pair_known(p, c->term[i].counter))
			return false;
		skewed |= is_counter_term(&c->term[i]);
		*limit += term_value(p, c, &c->term[i]);
	}
	if (skewed)
		*limit += *limit * p->l->loose + c->slack * reading_ticks(p, c);
	return true;
}

/* True for the checks that a total never decreases, whatever its status: the first ones. */
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
	return is_pair_known(p, c->left) && find_limit(p, c, &limit) &&
	       total_growth(p, c->left) > limit;
}

/* True if any total decreased. */
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

	/* The first checks are those of growth, which has_fallen() tests all at once. */
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
