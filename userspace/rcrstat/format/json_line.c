// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * json_line.c - an interval or a mark as a line of JSON.
 *
 *	{"time": 1700000002.000000, "interval": 1, "lost": 0, "overruns": 0,
 *	 "places": [{"place": "cpu0", "status": "ok", "counters": [
 *		{"name": "TOT_CYC", "unit": "", "status": "ok", "rate": 2662209098.0}]}],
 *	 "meters": [{"name": "ipc", "place": "all", "unit": "1", "status": "ok",
 *		"current": 0.722681, "average": 0.605669}]}
 *
 * The places, their counters and statuses are those of CSV (csv.c); a group of CPUs has sum, mean,
 * min, max and dev in place of the rate, a gauge a value. What is not known is null. Columns of
 * --derive are in an array "derived", with a value. The line of a mark has the key "mark". The node
 * that the records are of is "node" (identity.c).
 *
 * Pure. Compiled into the unit tests as well.
 */
#include <inttypes.h>

#include "format/format.h"
#include "format/identity.h"
#include "format/meter_rows.h"
#include "format/task_rows.h"
#include "interval/aggregate.h"
#include "interval/interval.h"
#include "interval/view.h"
#include "meter/meters.h"
#include "print/digits.h"
#include "print/json.h"
#include "rcr.h"

static void put_seconds(struct json *j, const char *key, uint64_t ns)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64 ".%06" PRIu64, ns / 1000000000,
		 ns % 1000000000 / 1000);
	json_decimal(j, key, text);
}

static void put_tenths_or_null(struct json *j, const char *key, bool known, uint64_t tenths)
{
	char text[DIGITS_MOST + 1];

	*digits_put_tenths(text, known ? tenths : 0) = 0;
	json_decimal(j, key, known ? text : "null");
}

static const char *unit_name(unsigned int unit)
{
	return unit == RCR_UNIT_NANOJOULE ? "nJ" : unit == RCR_UNIT_MILLIDEGREE ? "mC" : "";
}

static void open_counter(struct json *j, const struct intervals *v, unsigned int counter,
			 enum rcr_status status, bool suspect)
{
	const struct rcr_counter *c = rcr_set_counter(v->set, counter);

	json_open(j, NULL, '{');
	json_text(j, "name", c->name);
	json_text(j, "unit", unit_name(c->unit));
	json_text(j, "status", suspect && status == RCR_STATUS_OK ? "suspect" :
		  rcr_status_name(status));
}

static const char *rate_key(const struct intervals *v, unsigned int counter)
{
	return rcr_set_is_gauge(v->set, counter) ? "value" : "rate";
}

static bool is_in_scope(const struct intervals *v, unsigned int counter, unsigned int scope)
{
	return intervals_has(v, counter) && counter_scope(v->set, counter) == scope;
}

static void put_cpu_place(struct json *j, const struct intervals *v, const struct cpu_interval *c)
{
	enum rcr_status status;
	unsigned int counter;
	char name[16];
	double rate;

	snprintf(name, sizeof(name), "cpu%u", c->cpu);
	json_open(j, NULL, '{');
	json_text(j, "place", name);
	json_text(j, "status", rcr_status_name(cpu_is_silent(c) ? RCR_STATUS_GAP : RCR_STATUS_OK));
	json_open(j, "counters", '[');
	for (counter = 0; counter < v->set->ncounters; counter++) {
		if (!is_in_scope(v, counter, RCR_SCOPE_CPU))
			continue;
		status = intervals_rate(v, c, counter, &rate);
		open_counter(j, v, counter, status, cpu_suspect(c, counter));
		put_tenths_or_null(j, rate_key(v, counter), status == RCR_STATUS_OK,
				   status == RCR_STATUS_OK ? rate_tenths(rate) : 0);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}

/* Returns the worst status of a counter on a unit's CPUs, or on the units in it that share it. */
static enum rcr_status group_status(const struct intervals *v, const struct view *view,
				    const struct unit *u, unsigned int counter)
{
	unsigned int scope = counter_scope(v->set, counter), i;
	const struct units *shares = &view->shares[scope];
	enum rcr_status status = RCR_STATUS_OK;
	double rate;

	for (i = 0; scope == RCR_SCOPE_CPU && i < u->cpus; i++)
		status = status_worse(status, intervals_rate(v, &v->cpu[unit_member(u, i)], counter,
							     &rate));
	for (i = 0; scope != RCR_SCOPE_CPU && i < shares->count; i++)
		if (unit_holds(u, &shares->unit[i]))
			status = status_worse(status, shared_status(v, &shares->unit[i], counter));
	return status;
}

static bool is_group_suspect(const struct intervals *v, const struct unit *u, unsigned int counter)
{
	unsigned int i;

	for (i = 0; i < u->cpus; i++)
		if (cpu_suspect(&v->cpu[unit_member(u, i)], counter))
			return true;
	return false;
}

static void put_group_counter(struct json *j, const struct intervals *v, const struct view *view,
			      const struct unit *u, unsigned int counter)
{
	enum rcr_status status = group_status(v, view, u, counter);
	bool known, gauge = rcr_set_is_gauge(v->set, counter);
	struct stats s = { };
	unsigned int i;

	known = view_stats(view, v, u, counter, &s);
	open_counter(j, v, counter, status == RCR_STATUS_OK && !known ? RCR_STATUS_GAP : status,
		     is_group_suspect(v, u, counter));
	/* A sum of gauges is meaningless. */
	for (i = 0; i < STATS; i++)
		put_tenths_or_null(j, stats_name[i], known && (i || !gauge), stats_value(&s, i));
	json_close(j, '}');
}

static void put_group_place(struct json *j, const struct intervals *v, const struct view *view,
			    const struct unit *u)
{
	unsigned int counter;

	json_open(j, NULL, '{');
	json_text(j, "place", u->name);
	json_text(j, "status", unit_is_uneven(v, u) ? "uneven" : "ok");
	json_open(j, "counters", '[');
	for (counter = 0; counter < v->set->ncounters; counter++)
		if (intervals_has(v, counter) &&
		    !view_is_apart(view, counter_scope(v->set, counter)))
			put_group_counter(j, v, view, u, counter);
	json_close(j, ']');
	json_close(j, '}');
}

/* Writes a unit with the counters that its CPUs share. */
static void put_shared_place(struct json *j, const struct intervals *v, const struct unit *u,
			     unsigned int scope)
{
	enum rcr_status status;
	unsigned int counter;
	uint64_t tenths;

	json_open(j, NULL, '{');
	json_text(j, "place", u->name);
	json_text(j, "status", "ok");
	json_open(j, "counters", '[');
	for (counter = 0; counter < v->set->ncounters; counter++) {
		if (!is_in_scope(v, counter, scope))
			continue;
		status = shared_rate(v, u, counter, &tenths);
		/* Status 0: no CPU of a mixed unit reads the counter. */
		open_counter(j, v, counter, status ? status : RCR_STATUS_ELSEWHERE,
			     shared_suspect(v, u, counter));
		put_tenths_or_null(j, rate_key(v, counter), status == RCR_STATUS_OK, tenths);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}

static bool has_scope_chosen(const struct intervals *v, unsigned int scope)
{
	unsigned int counter;

	for (counter = 0; counter < v->set->ncounters; counter++)
		if (is_in_scope(v, counter, scope))
			return true;
	return false;
}

static void put_places(struct json *j, const struct intervals *v, const struct view *view)
{
	unsigned int i, scope;

	json_open(j, "places", '[');
	for (i = 0; v->chosen && view->grouped && i < view->per.count; i++)
		put_group_place(j, v, view, &view->per.unit[i]);
	for (i = 0; v->chosen && !view->grouped && i < v->cpus; i++)
		put_cpu_place(j, v, &v->cpu[i]);
	for (scope = 0; scope < SCOPES; scope++)
		for (i = 0; view_is_apart(view, scope) && has_scope_chosen(v, scope) &&
		     i < view->shares[scope].count; i++)
			put_shared_place(j, v, &view->shares[scope].unit[i], scope);
	json_close(j, ']');
}

static void json_line(const struct page *p)
{
	struct json j = { .out = p->out, .in_line = true };
	const struct view *view = p->view;
	const struct intervals *v = p->v;
	char interval[32];

	if (v->tasks) {
		task_rows_json(p);
		return;
	}
	json_open(&j, NULL, '{');
	put_seconds(&j, "time", intervals_wall_time(v));
	snprintf(interval, sizeof(interval), "%.6g", v->length / 1e9);
	json_decimal(&j, "interval", interval);
	json_number(&j, "lost", intervals_lost(v));
	json_number(&j, "overruns", intervals_overruns(v));
	put_places(&j, v, view);
	meter_rows_json(&j, v, view);
	identity_json(&j, p->node);
	json_close(&j, '}');
	fputc('\n', p->out);
}

static void json_mark(const struct page *p, const struct rcr_mark *mark)
{
	struct json j = { .out = p->out, .in_line = true };

	json_open(&j, NULL, '{');
	json_text(&j, "mark", rcr_mark_kind_name(mark->kind));
	put_seconds(&j, "time", mark->time + p->v->offset);
	json_text(&j, "text", mark->text);
	json_number(&j, "lost", mark->lost);
	identity_json(&j, p->node);
	json_close(&j, '}');
	fputc('\n', p->out);
}

const struct format format_json = {
	.name = "json",
	.grouped = true,
	.chosen = true,
	.meters = true,
	.derives = true,
	.line = json_line,
	.mark = json_mark,
};
