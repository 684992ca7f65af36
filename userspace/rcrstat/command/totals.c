// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * totals.c - counts of the whole machine while a command ran.
 *
 * If the counter set is changed meanwhile, the totals of all sets are added up; the time from the
 * last sample of a set to the first one of the next is not counted.
 *
 * Pure: also compiled into the unit tests.
 */
#include <string.h>

#include "command/totals.h"
#include "interval/ratio.h"

/* Finds or adds the total of a counter; returns NULL if there is no room. */
static struct total *find_total(struct totals *t, const struct rcr_counter *c)
{
	unsigned int i;

	for (i = 0; i < t->count; i++)
		if (!strcmp(t->total[i].name, c->name))
			return &t->total[i];
	if (t->count == sizeof(t->total) / sizeof(t->total[0]))
		return NULL;
	memset(&t->total[t->count], 0, sizeof(t->total[0]));
	strcpy(t->total[t->count].name, c->name);
	t->total[t->count].unit = c->unit;
	return &t->total[t->count++];
}

static double to_ns(const struct intervals *v, uint64_t cycles)
{
	return cycles * 1e6 / v->set->tsc_khz;
}

/* True if every unit that shares the counter counted it. */
static bool is_shared_whole(const struct intervals *v, const struct view *view, unsigned int counter)
{
	const struct units *units = &view->shares[counter_scope(v->set, counter)];
	unsigned int i;

	for (i = 0; i < units->count; i++)
		if (shared_status(v, &units->unit[i], counter) != RCR_STATUS_OK)
			return false;
	return true;
}

static void add_counter_total(struct total *t, const struct intervals *v, const struct view *view,
			      unsigned int counter)
{
	bool shared = counter_scope(v->set, counter) != RCR_SCOPE_CPU;
	const struct cpu_interval *c;
	unsigned int i, counted = 0;
	double rate, time = 0;

	t->gauge = rcr_set_is_gauge(v->set, counter);
	if (shared && !is_shared_whole(v, view, counter))
		t->incomplete = true;
	if (t->gauge)
		t->count = 0;
	for (i = 0; i < v->cpus; i++) {
		c = &v->cpu[i];
		if (intervals_rate(v, c, counter, &rate) != RCR_STATUS_OK) {
			t->incomplete |= !shared;
			continue;
		}
		counted++;
		time += to_ns(v, intervals_elapsed(v, c, counter));
		if (!t->gauge)
			t->count += c->to.total[counter] - c->from.total[counter];
		else if (c->to.total[counter] > t->count)
			t->count = c->to.total[counter];
	}
	if (counted)
		t->time += time / counted;
}

/**
 * totals_add() - add the counts of the current interval
 * @t: the totals
 * @v: the intervals of one set
 * @view: its units, of each CPU
 */
void totals_add(struct totals *t, const struct intervals *v, const struct view *view)
{
	struct ratio ratio = ratio_find(v->set);
	struct total *total;
	unsigned int i, n = 0;
	double time = 0;

	for (i = 0; i < v->cpus; i++) {
		if (cpu_is_silent(&v->cpu[i]))
			continue;
		time += to_ns(v, v->cpu[i].to.tsc - v->cpu[i].from.tsc);
		n++;
	}
	if (!n)
		return;
	t->time += time / n;
	t->sets++;
	for (i = 0; i < v->set->ncounters; i++) {
		total = intervals_has(v, i) ? find_total(t, rcr_set_counter(v->set, i)) : NULL;
		if (!total)
			continue;
		add_counter_total(total, v, view, i);
		total->sets++;
		total->cycles |= ratio.known && ratio.below == i;
		total->instructions |= ratio.known && ratio.above == i;
	}
	for (i = 0; i < t->count; i++)
		t->total[i].incomplete |= t->total[i].sets != t->sets;
}

/* Returns the counts per second; 0 if the counter did not count. */
double total_rate(const struct total *t)
{
	return t->time > 0 ? t->count * 1e9 / t->time : 0;
}

/* Computes instructions per cycle; returns false if either total is not known. */
bool totals_ratio(const struct totals *t, double *ratio)
{
	const struct total *above = NULL, *below = NULL;
	unsigned int i;

	for (i = 0; i < t->count; i++) {
		if (t->total[i].incomplete)
			continue;
		if (t->total[i].cycles)
			below = &t->total[i];
		if (t->total[i].instructions)
			above = &t->total[i];
	}
	if (!above || !below || total_rate(below) <= 0)
		return false;
	*ratio = total_rate(above) / total_rate(below);
	return true;
}
