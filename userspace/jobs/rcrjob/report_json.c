// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * report_json.c - prints what a command did as one JSON object. rcrjob(1) documents its keys. Later
 * versions may add keys; they raise "version" if the meaning of one changes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "print/json.h"
#include "rcrjob/job.h"
#include "topology.h"

#define JSON_VERSION 1

/* Writes a text, or null if it is empty. */
static void json_reason(struct json *json, const char *key, const char *text)
{
	json_text(json, key, *text ? text : NULL);
}

static void json_tick(struct json *json, const char *key, const struct rate_tick *t)
{
	json_open(json, key, '{');
	json_number(json, "tick", t->tick);
	json_number(json, "time", t->time);
	json_number(json, "tsc", t->tsc);
	json_number(json, "tsc_end", t->tsc_end);
	json_close(json, '}');
}

/* True if an event has counts of a CPU, even of one outside the run that reads a shared counter. */
static bool is_counted_on(const struct job *j, unsigned int cpu)
{
	unsigned int i;

	for (i = 0; i < j->rate.count; i++)
		if (rate_has(&j->rate, i, cpu))
			return true;
	return false;
}

static void json_ticks(struct json *json, const struct job *j)
{
	const struct rate_cpu *c;
	unsigned int cpu;

	json_open(json, "ticks", '[');
	for (cpu = 0; cpu < j->rate.ncpus; cpu++) {
		c = &j->rate.cpu[cpu];
		if (!c->first.valid || !is_counted_on(j, cpu))
			continue;
		json_open(json, NULL, '{');
		json_number(json, "cpu", cpu);
		json_tick(json, "first", &c->first);
		json_tick(json, "last", &c->last);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* Writes total, rate and completeness; null if nothing was counted. */
static void json_sum(struct json *json, const struct rate_event *e, const struct rate_sum *sum)
{
	if (sum->counted)
		json_number(json, "total", sum->count);
	else
		json_decimal(json, "total", "null");
	if (sum->counted && !e->gauge)
		json_format(json, "rate", "%.1f", sum->per_second);
	else
		json_decimal(json, "rate", "null");
	json_format(json, "completeness", "%.6f", sum->completeness);
}

static void json_parts(struct json *json, const struct job *j, unsigned int event)
{
	char name[PLACE_NAME];
	struct rate_sum sum;
	unsigned int cpu;

	json_open(json, "parts", '[');
	for (cpu = 0; cpu < j->rate.ncpus; cpu++) {
		if (j->places.first[cpu] != cpu ||
		    !rate_sum(&j->rate, event, &j->places, cpu, &sum))
			continue;
		places_name(name, cpu, j->options->per, TOPOLOGY_ROOT);
		json_open(json, NULL, '{');
		json_text(json, "part", name);
		json_sum(json, &j->rate.event[event], &sum);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static const char *event_unit(const struct rate_event *e)
{
	return e->gauge ? "mC" : e->counter.unit == RCR_UNIT_NANOJOULE ? "nJ" : "";
}

/* Writes the command's own part; if it is not known, null and the reason. */
static void json_estimate(struct json *json, const struct job *j, unsigned int event)
{
	char why[JOB_REASON_LEN];
	struct estimates_sum sum = job_estimate(j, event, why);

	if (sum.reason == ESTIMATES_KNOWN) {
		json_format(json, "estimate", "%.0f", sum.count);
		json_format(json, "estimate_error", "%.0f", ceil(sum.error));
	} else {
		json_decimal(json, "estimate", "null");
		json_decimal(json, "estimate_error", "null");
	}
	json_reason(json, "estimate_reason", why);
}

static void json_events(struct json *json, const struct job *j)
{
	const struct rate_event *e;
	char why[JOB_REASON_LEN];
	struct rate_sum sum;
	unsigned int i;

	json_open(json, "events", '[');
	for (i = 0; i < j->rate.count; i++) {
		e = &j->rate.event[i];
		rate_sum(&j->rate, i, NULL, 0, &sum);
		job_sum_reason(j, i, &sum, why);
		json_open(json, NULL, '{');
		json_text(json, "name", e->counter.name);
		json_text(json, "unit", event_unit(e));
		json_bool(json, "shared", e->scope != RCR_SCOPE_CPU);
		json_sum(json, e, &sum);
		json_reason(json, "reason", why);
		json_estimate(json, j, i);
		if (j->places.first)
			json_parts(json, j, i);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void json_rows(struct json *json, const struct job *j)
{
	const struct rate_run *r = &j->rate;
	unsigned int i, n;

	json_open(json, "intervals", '[');
	for (i = 0; i < r->rows; i++) {
		json_open(json, NULL, '{');
		json_format(json, "until", "%.9f", (i + 1) * (r->row_ns / 1e9));
		json_open(json, "totals", '{');
		for (n = 0; n < r->count; n++)
			if (!r->event[n].gauge)
				json_number(json, r->event[n].counter.name,
					    r->row[(size_t)i * RATE_EVENTS + n]);
		json_close(json, '}');
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void json_meters(struct json *json, const struct job *j)
{
	const struct job_meter *m;

	json_open(json, "meters", '[');
	for (m = j->meter; m < j->meter + j->meters; m++) {
		json_open(json, NULL, '{');
		json_text(json, "name", m->name);
		json_text(json, "unit", m->unit);
		if (m->known)
			json_format(json, "value", "%.*f", (int)m->digits, m->value);
		else
			json_decimal(json, "value", "null");
		if (m->maximum > 0)
			json_format(json, "maximum", "%.*f", (int)m->digits, m->maximum);
		else
			json_decimal(json, "maximum", "null");
		json_reason(json, "origin", m->origin);
		json_reason(json, "reason", m->reason);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void json_limit(struct json *json, const struct job *j)
{
	const struct job_meter *m = job_limiter(j);

	if (!m) {
		json_decimal(json, "limit", "null");
		return;
	}
	json_open(json, "limit", '{');
	json_text(json, "meter", m->name);
	json_format(json, "share", "%.6f", m->value / m->maximum);
	json_reason(json, "origin", m->origin);
	json_close(json, '}');
}

void report_job_json(FILE *out, const struct job *j)
{
	struct json json = { .out = out };
	unsigned int i;

	json_open(&json, NULL, '{');
	json_number(&json, "version", JSON_VERSION);
	json_open(&json, "command", '[');
	for (i = 0; j->options->command[i]; i++)
		json_text(&json, NULL, j->options->command[i]);
	json_close(&json, ']');
	json_number(&json, "status", j->child.status);
	json_number(&json, "begin", j->rate.begin);
	json_number(&json, "end", j->rate.end);
	json_format(&json, "elapsed", "%.9f", (j->rate.end - j->rate.begin) / 1e9);
	json_cpus(&json, "cpus", j->cpu);
	json_reason(&json, "mark", j->mark);
	json_number(&json, "lost", j->rate.lost);
	json_number(&json, "sets", j->rate.sets);
	json_ticks(&json, j);
	json_events(&json, j);
	if (j->options->interval_ns)
		json_rows(&json, j);
	json_meters(&json, j);
	json_limit(&json, j);
	json_open(&json, "reasons", '[');
	for (i = 0; i < j->reasons; i++)
		json_text(&json, NULL, j->reason[i]);
	json_close(&json, ']');
	json_close(&json, '}');
	fputc('\n', out);
}
