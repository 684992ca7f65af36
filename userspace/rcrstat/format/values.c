// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * values.c - every value of an interval, one at a time.
 *
 * Pure: no input, no output, no clock. Also compiled into the unit tests.
 */
#include <inttypes.h>
#include <string.h>

#include "format/values.h"
#include "interval/aggregate.h"
#include "interval/interval.h"
#include "interval/view.h"

/**
 * struct visit - state of a call of values_visit()
 * @v: the intervals
 * @take: the caller's function
 * @to: its first argument
 */
struct visit {
	const struct intervals *v;
	void (*take)(void *to, const struct value *value);
	void *to;
};

bool value_is_ok(const struct value *value)
{
	return !strcmp(value->status, rcr_status_name(RCR_STATUS_OK));
}

void value_print_rate(FILE *out, const struct value *value)
{
	fprintf(out, "%" PRIu64 ".%u", value->tenths / 10, (unsigned int)(value->tenths % 10));
}

static const char *status_word(enum rcr_status status, bool suspect)
{
	return status == RCR_STATUS_OK && suspect ? "suspect" : rcr_status_name(status);
}

static void visit_cpu(const struct visit *visit, const struct cpu_interval *c)
{
	const struct intervals *v = visit->v;
	unsigned int counter;
	enum rcr_status status;
	struct value value;
	char place[32];
	double rate;

	snprintf(place, sizeof(place), "cpu%u", c->cpu);
	for (counter = 0; counter < v->set->ncounters; counter++) {
		if (!intervals_has(v, counter) ||
		    counter_scope(v->set, counter) != RCR_SCOPE_CPU)
			continue;
		status = intervals_rate(v, c, counter, &rate);
		value = (struct value){
			.event = rcr_set_counter(v->set, counter)->name, .place = place,
			.cpu = c->cpu, .gauge = v->gauges >> counter & 1,
			.status = status_word(status, cpu_suspect(c, counter)),
			.total = c->to.total[counter], .known = status == RCR_STATUS_OK,
		};
		if (value.known)
			value.tenths = rate_tenths(rate);
		visit->take(visit->to, &value);
	}
}

static void visit_unit(const struct visit *visit, const struct unit *unit,
		       unsigned int counter)
{
	const struct intervals *v = visit->v;
	struct value value = {
		.event = rcr_set_counter(v->set, counter)->name, .place = unit->name,
		.shared = true, .gauge = v->gauges >> counter & 1,
	};
	enum rcr_status status = shared_rate(v, unit, counter, &value.tenths);

	/* A mixed unit without an owner has nothing to report. */
	if (!status)
		return;
	value.known = status == RCR_STATUS_OK;
	value.status = status_word(status, shared_suspect(v, unit, counter));
	value.total = shared_total(v, unit, counter);
	visit->take(visit->to, &value);
}

void values_visit(const struct intervals *v, const struct view *view,
		  void (*take)(void *to, const struct value *value), void *to)
{
	const struct visit visit = { v, take, to };
	const struct units *units;
	unsigned int i, unit;

	for (i = 0; i < v->cpus; i++)
		if (v->cpu[i].to.valid && !cpu_is_silent(&v->cpu[i]))
			visit_cpu(&visit, &v->cpu[i]);
	for (i = 0; i < v->set->ncounters; i++) {
		if (!intervals_has(v, i) || counter_scope(v->set, i) == RCR_SCOPE_CPU)
			continue;
		units = &view->shares[counter_scope(v->set, i)];
		for (unit = 0; unit < units->count; unit++)
			visit_unit(&visit, &units->unit[unit], i);
	}
}
