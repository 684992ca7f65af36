// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * meters.c - the meters of option -m, computed from the samples of an interval.
 *
 * A meter has a value for a place only if all of its counters were ok in the interval on all
 * selected CPUs of the place; a shared counter on the CPU that reads it.
 *
 * Pure: no input, no output, no clock. Compiled into the unit tests as well.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "interval/interval.h"
#include "meter/meters.h"

static bool bind_form_term(const struct rcr_set *set, const struct rcr_form_term *term,
			   uint8_t *operand)
{
	unsigned int i;

	*operand = OPERAND_SPENT;
	if (!*term->name)
		return true;
	for (i = 0; i < set->ncounters; i++) {
		if (strcmp(rcr_set_counter(set, i)->name, term->name))
			continue;
		*operand = i;
		return true;
	}
	return false;
}

static void bind_side(struct meter *m, const struct rcr_form_side *side, uint8_t *operand,
		      const struct rcr_set *set)
{
	unsigned int i;

	for (i = 0; i < side->terms; i++)
		if (!bind_form_term(set, &side->term[i], &operand[i]))
			strcpy(m->missing, side->term[i].name);
}

/**
 * meters_bind() - find the counters of all meters in a set
 * @m: the meters
 * @set: the set, with the names that the module has for its counters
 */
void meters_bind(struct meters *m, const struct rcr_set *set)
{
	unsigned int i;

	for (i = 0; i < m->count; i++) {
		struct meter *each = &m->meter[i];

		*each->missing = 0;
		bind_side(each, &each->bound.form.above, each->bound.above, set);
		bind_side(each, &each->bound.form.below, each->bound.below, set);
	}
}

/* Bit n: counter n is an operand; the sampler's cycles are not in the mask. */
static uint32_t find_operands(const struct bound_form *b)
{
	uint64_t mask = 0;
	unsigned int i;

	for (i = 0; i < b->form.above.terms; i++)
		mask |= 1ull << b->above[i];
	for (i = 0; i < b->form.below.terms; i++)
		mask |= 1ull << b->below[i];
	return mask;
}

/**
 * meter_applies() - check whether a meter has values for a unit
 * @meter: the meter
 * @v: the intervals
 * @view: their view
 * @unit: a unit of @view, a single CPU, or the whole machine
 *
 * A shared counter cannot be divided among the CPUs that share it, so the unit must hold all of
 * them.
 */
bool meter_applies(const struct meter *meter, const struct intervals *v, const struct view *view,
		   const struct unit *unit)
{
	uint32_t operands = find_operands(&meter->bound);
	unsigned int i;

	if (*meter->missing || !unit->member)
		return true;
	for (i = 0; i < v->set->ncounters; i++)
		if (operands >> i & 1 && view_is_apart(view, counter_scope(v->set, i)))
			return false;
	return true;
}

/* Finds the first sample of a span on a CPU; returns false if there are not two samples. */
static bool find_span(const struct cpu_interval *c, enum meter_span span,
		      const struct point **from)
{
	*from = span == METER_CURRENT && c->before.valid ? &c->before : &c->from;
	return (*from)->valid && c->to.valid && c->to.tsc > (*from)->tsc;
}

static enum rcr_status find_status(const struct cpu_interval *c, const struct point *from,
				   enum meter_span span, unsigned int counter)
{
	return status_worse(from->status[counter], span == METER_CURRENT ?
			    c->to.status[counter] : c->to.worst[counter]);
}

/* True if another CPU reads the counter, judged by the first sample. */
static bool is_read_elsewhere(const struct cpu_interval *c, unsigned int counter)
{
	return c->from.valid && c->from.status[counter] == RCR_STATUS_ELSEWHERE;
}

/* Fills in one counter of a CPU; returns RCR_STATUS_OK even if another CPU reads it. */
static enum rcr_status fill_operand(const struct intervals *v, const struct cpu_interval *c,
				    enum meter_span span, unsigned int counter,
				    struct form_lane *lane)
{
	const struct point *from;
	enum rcr_status status;
	uint64_t time;

	if (!find_span(c, span, &from))
		return is_read_elsewhere(c, counter) ? RCR_STATUS_OK : RCR_STATUS_GAP;
	status = find_status(c, from, span, counter);
	if (status == RCR_STATUS_ELSEWHERE)
		return RCR_STATUS_OK;
	if (status != RCR_STATUS_OK)
		return status;
	if (v->gauges >> counter & 1) {
		lane->delta[counter] = c->to.total[counter];
		lane->time[counter] = 1;
		return RCR_STATUS_OK;
	}
	time = v->slow >> counter & 1 ? c->to.slow_tsc - from->slow_tsc : c->to.tsc - from->tsc;
	/* A slow counter has no rate until it is read again. */
	if (!time)
		return RCR_STATUS_GAP;
	lane->delta[counter] = c->to.total[counter] - from->total[counter];
	lane->time[counter] = time;
	return RCR_STATUS_OK;
}

static void fill_spent(const struct cpu_interval *c, enum meter_span span, struct form_lane *lane)
{
	const struct point *from;

	if (!find_span(c, span, &from))
		return;
	lane->delta[OPERAND_SPENT] = c->to.spent - from->spent;
	lane->time[OPERAND_SPENT] = c->to.tsc - from->tsc;
}

/* Fills in a CPU; returns false with the reason in @value if an operand is not known. */
static bool fill_lane(const struct intervals *v, const struct cpu_interval *c,
		      enum meter_span span, uint32_t operands, struct form_lane *lane,
		      struct meter_value *value)
{
	enum rcr_status status;
	unsigned int i;

	fill_spent(c, span, lane);
	for (i = 0; i < v->set->ncounters; i++) {
		if (!(operands >> i & 1))
			continue;
		status = fill_operand(v, c, span, i, lane);
		if (status == RCR_STATUS_OK)
			continue;
		*value = (struct meter_value){ .status = status, .counter = i, .cpu = c->cpu };
		return false;
	}
	return true;
}

/* Returns the number of sampling periods between the samples of a unit's CPUs, at least 1. */
static uint64_t count_periods(const struct intervals *v, const struct unit *unit,
			      enum meter_span span)
{
	const struct point *from;
	uint64_t time, least = 0;
	unsigned int i;

	for (i = 0; i < unit->cpus; i++) {
		const struct cpu_interval *c = &v->cpu[unit_member(unit, i)];

		if (!find_span(c, span, &from))
			continue;
		time = c->to.time - from->time;
		least = !least || time < least ? time : least;
	}
	time = (least + v->set->period_ns / 2) / (v->set->period_ns ? v->set->period_ns : 1);
	return time ? time : 1;
}

/* Finds the first operand that no CPU of the unit reads. */
static struct meter_value find_unread(const struct intervals *v, const struct unit *unit,
				      uint32_t operands, const struct form_lane *lane)
{
	unsigned int i, n;

	for (i = 0; i < v->set->ncounters; i++) {
		if (!(operands >> i & 1))
			continue;
		for (n = 0; n < unit->cpus && !lane[n].time[i]; n++)
			;
		if (n == unit->cpus)
			return (struct meter_value){
				.status = RCR_STATUS_ELSEWHERE, .counter = i,
				.cpu = v->cpu[unit_member(unit, 0)].cpu,
			};
	}
	return (struct meter_value){ .status = METER_UNDEFINED };
}

/*
 * True if on all CPUs the samples are those at both ends of the interval: otherwise a count would
 * be that of another time. Fills in the reason if not.
 */
static bool spans_interval(const struct intervals *v, const struct unit *unit, uint32_t operands,
			   struct meter_value *value)
{
	uint64_t time, off;
	unsigned int i;

	for (i = 0; i < unit->cpus; i++) {
		const struct cpu_interval *c = &v->cpu[unit_member(unit, i)];

		time = c->to.time - c->from.time;
		off = time > v->length ? time - v->length : v->length - time;
		if (off < v->set->period_ns)
			continue;
		*value = (struct meter_value){
			.status = RCR_STATUS_GAP, .cpu = c->cpu,
			.counter = operands ? __builtin_ctz(operands) : 0,
		};
		return false;
	}
	return true;
}

/**
 * meter_compute() - compute a meter for a unit in the current interval
 * @meter: the meter, bound to the set of @v
 * @v: the intervals; METER_CURRENT needs @keeps_before
 * @unit: a unit that the meter applies to
 * @span: the samples to use
 *
 * A count, such as joules, is per sampling period, like the average of the module's meters; that of
 * a derived column is for the interval. A gauge has its latest value.
 */
struct meter_value meter_compute(const struct meter *meter, const struct intervals *v,
				 const struct unit *unit, enum meter_span span)
{
	struct form_lane *lane = calloc(unit->cpus + 1, sizeof(*lane));
	struct meter_value value = { .status = METER_UNDEFINED };
	uint32_t operands = find_operands(&meter->bound);
	uint64_t periods = 1;
	bool known = lane && !*meter->missing;
	unsigned int i;

	for (i = 0; known && i < unit->cpus; i++)
		known = fill_lane(v, &v->cpu[unit_member(unit, i)], span, operands, &lane[i],
				  &value);
	if (known && form_is_count(&meter->bound.form)) {
		if (meter->derived)
			known = spans_interval(v, unit, operands, &value);
		else
			periods = count_periods(v, unit, span);
	}
	if (known && form_compute(&meter->bound, lane, unit->cpus, v->set->tsc_khz * 1000ull,
				  periods, &value.value)) {
		value.status = RCR_STATUS_OK;
		value.value /= pow(10, meter->digits);
	} else if (known) {
		value = find_unread(v, unit, operands, lane);
	}
	free(lane);
	return value;
}

const char *meter_status_name(enum rcr_status status)
{
	return status == METER_UNDEFINED ? "undefined" : rcr_status_name(status);
}
