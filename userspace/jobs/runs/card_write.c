// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * card_write.c - writes the card of a run as JSON: pmdarcr(1) documents its keys. Each entry of an
 * array is a line. card_read.c expects exactly this order of keys.
 */
#include <string.h>

#include "print/json.h"
#include "runs/card.h"

#define CARD_VERSION 1

/* Writes a number, or null if it is not known. */
static void card_optional(struct json *json, const char *key, bool known, uint64_t value)
{
	if (known)
		json_number(json, key, value);
	else
		json_decimal(json, key, "null");
}

static void write_cpus(struct json *json, const struct run *run)
{
	bool cpu[CPU_LIMIT] = { };

	if (!run->rate || !run->cpus) {
		json_text(json, "cpus", NULL);
		return;
	}
	memcpy(cpu, run->rate->wanted, run->rate->ncpus * sizeof(*cpu));
	json_cpus(json, "cpus", cpu);
}

static void write_head(struct json *json, const struct runs *r, const struct run *run,
		       const struct card_source *source)
{
	char name[RUN_NAME_LEN];
	bool ended = run->end != UINT64_MAX;

	run_name(name, run);
	json_number(json, "rcrtool_job", CARD_VERSION);
	json_text(json, "name", name);
	json_text(json, "id", run->id);
	json_number(json, "number", run->number);
	json_number(json, "serial", run->serial);
	json_text(json, "boot", source->boot);
	json_number(json, "load", source->load);
	json_number(json, "begin", run->begin_wall);
	json_number(json, "begin_monotonic", run->begin);
	card_optional(json, "end", ended, run->end_wall);
	card_optional(json, "end_monotonic", ended, run->end);
	json_text(json, "state", run_state_name(run));
	write_cpus(json, run);
	json_number(json, "cpu_count", run->cpus);
	card_optional(json, "uid", run->has_uid, run->uid);
	json_number(json, "shared", run->shared);
	json_format(json, "completeness", "%.6f", run_completeness(run));
	json_number(json, "generation", r->set->item.generation);
	json_number(json, "mark", r->mark);
	json_number(json, "sets", run->rate ? run->rate->sets : 0);
	json_number(json, "lost", run->rate ? run->rate->lost : 0);
}

static void card_event(struct json *json, const struct run_total *total,
		       const struct rcr_counter *c, unsigned int scope)
{
	json_open(json, NULL, '{');
	json_text(json, "name", total->name);
	card_optional(json, "total", total->known, total->count);
	json_format(json, "completeness", "%.6f", total->completeness);
	json_text(json, "reason", *total->reason ? total->reason : NULL);
	card_optional(json, "estimate", total->has_estimate, total->estimate);
	card_optional(json, "estimate_error", total->has_estimate, total->error);
	json_text(json, "estimate_reason", *total->estimate_reason ? total->estimate_reason : NULL);
	json_bool(json, "shared", total->shared);
	json_number(json, "unit", total->unit);
	json_bool(json, "gauge", total->gauge);
	json_bool(json, "slow", total->slow);
	json_number(json, "scope", scope);
	json_number(json, "width", c->width);
	json_number(json, "select", c->select);
	json_number(json, "control", c->control);
	json_number(json, "counter", c->counter);
	json_close(json, '}');
}

static void write_events(struct json *json, const struct run *run)
{
	static const struct rcr_counter none;
	bool counted;
	unsigned int i;

	json_open(json, "events", '[');
	for (i = 0; i < run->totals; i++) {
		counted = run->rate && i < run->rate->count;
		card_event(json, &run->total[i], counted ? &run->rate->event[i].counter : &none,
			   counted ? run->rate->event[i].counter.scope : 0);
	}
	json_close(json, ']');
}

static void write_tick(struct json *json, const char *key, const struct rate_tick *t)
{
	json_open(json, key, '{');
	json_number(json, "tick", t->tick);
	json_number(json, "time", t->time);
	json_number(json, "tsc", t->tsc);
	json_number(json, "tsc_end", t->tsc_end);
	json_number(json, "slow_tsc", t->slow_tsc);
	json_close(json, '}');
}

/* Writes the state from which another agent continues the run: an array for each event. */
static void write_cells(struct json *json, const struct rate_run *rate, unsigned int cpu)
{
	const struct rate_cpu *c = &rate->cpu[cpu];
	const struct rate_cell *cell;
	unsigned int i, n;

	json_number(json, "changes", c->last.changes);
	json_open(json, "cells", '[');
	for (i = 0; i < rate->count; i++) {
		cell = &rate->event[i].cell[cpu];
		json_open(json, NULL, '[');
		json_number(json, NULL, cell->count);
		json_number(json, NULL, cell->unclear);
		json_number(json, NULL, cell->time);
		json_format(json, NULL, "%lld", (long long)cell->lag);
		json_number(json, NULL, cell->status);
		for (n = 0; n < rate->set->ncounters; n++)
			if (c->has_before && rate->of_counter[n] == i)
				break;
		if (c->has_before && n < rate->set->ncounters) {
			json_number(json, NULL, c->total[n]);
			json_number(json, NULL, c->status[n]);
		}
		json_close(json, ']');
	}
	json_close(json, ']');
}

static void write_ticks(struct json *json, const struct run *run)
{
	const struct rate_run *rate = run->rate;
	unsigned int cpu;

	json_open(json, "ticks", '[');
	for (cpu = 0; rate && cpu < rate->ncpus; cpu++) {
		if (!rate->cpu[cpu].first.valid)
			continue;
		json_open(json, NULL, '{');
		json_number(json, "cpu", cpu);
		write_tick(json, "first", &rate->cpu[cpu].first);
		write_tick(json, "last", &rate->cpu[cpu].last);
		if (run->end == UINT64_MAX) {
			json->in_line = true;
			write_cells(json, rate, cpu);
			json->in_line = false;
		}
		json_close(json, '}');
	}
	json_close(json, ']');
}

/**
 * card_write() - write the card of a run
 * @out: output stream
 * @r: the runs
 * @run: one of them
 * @source: source of its records
 */
void card_write(FILE *out, const struct runs *r, const struct run *run,
		const struct card_source *source)
{
	struct json json = { .out = out };

	json_open(&json, NULL, '{');
	write_head(&json, r, run, source);
	write_events(&json, run);
	write_ticks(&json, run);
	json_close(&json, '}');
	fputc('\n', out);
}
