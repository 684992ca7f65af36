/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * meter_bench.h - binds the meters of a test to the counters of the simulated machine of
 * history_bench.h, as the module does, and keeps a view for each place of the test.
 */
#ifndef METER_BENCH_H
#define METER_BENCH_H

#include <stdlib.h>

#include "error.h"
#include "history_bench.h"
#include "ksft.h"
#include "meter/value.h"

#define BENCH_ROWS	24
#define BENCH_PLACES	8

/* A meter on counters of the bench. */
struct row {
	const char *what;
	u64 numerator, denominator;
	bool per_cpu;
	u8 reduction[2];
	u8 terms[2];
	struct { u8 u, kind; s32 weight; } term[4];
};

struct bench_place {
	unsigned int lanes;
	u16 lane[LANES];
};

/* The module's state. */
static struct {
	const struct row *row;
	unsigned int rows;
	const struct bench_place *place;
	unsigned int places;
	struct rcr_form *form[BENCH_ROWS];
	struct rcr_binding binding[BENCH_ROWS];
	bool live[BENCH_ROWS];
	bool goes_on[BENCH_ROWS];	/* it was live in the previous run as well */
	struct rcr_history history[LANES];
	struct rcr_view_lane lane[BENCH_PLACES][LANES];
	struct rcr_view view[BENCH_PLACES];
	struct rcr_workspace workspace;
} bench;

static const u16 bench_pairs[LANES] = { 0, 0, 2, 2 }, bench_all[LANES];

static inline unsigned int row_terms(const struct row *r)
{
	return r->terms[0] + r->terms[1];
}

static inline const char *term_name(const struct row *r, unsigned int t)
{
	return r->term[t].u == SPENT ? "" : names[r->term[t].u];
}

static inline struct rcr_form *make_form(const struct row *r)
{
	struct rcr_form *f = calloc(1, sizeof(*f) + 4 * sizeof(f->term[0]));
	struct rcr_failure failure;
	unsigned int t;

	f->numerator = r->numerator;
	f->denominator = r->denominator;
	f->per_cpu = r->per_cpu;
	memcpy(f->reduction, r->reduction, 2);
	memcpy(f->terms, r->terms, 2);
	for (t = 0; t < row_terms(r); t++) {
		f->term[t].kind = r->term[t].kind;
		f->term[t].weight = r->term[t].weight;
		strcpy(f->term[t].name, term_name(r, t));
	}
	if (rcr_form_prepare(f, &failure))
		ksft_exit_fail_msg("%s\n", r->what);
	return f;
}

/* Prepare at most BENCH_ROWS meters at up to BENCH_PLACES places. */
static inline void open_bench(const struct row *row, unsigned int rows,
			      const struct bench_place *place, unsigned int places)
{
	unsigned int i;

	bench.row = row;
	bench.rows = rows;
	bench.place = place;
	bench.places = places;
	for (i = 0; i < rows; i++)
		bench.form[i] = make_form(&row[i]);
	rcr_workspace_init(&bench.workspace, LANES, LANES);
}

static inline void close_bench(void)
{
	unsigned int i;

	for (i = 0; i < LANES; i++)
		rcr_history_free(&bench.history[i]);
	for (i = 0; i < bench.rows; i++)
		free(bench.form[i]);
	rcr_workspace_free(&bench.workspace);
}

/* Bind a meter's counters as bind.c does. */
static inline void bind_row(const struct machine *m, unsigned int row)
{
	const u16 *sharing[RCR_FORM_OPERANDS] = { };
	u8 counter[RCR_FORM_OPERANDS] = { };
	unsigned int t, k, u;

	bench.goes_on[row] = bench.live[row];
	bench.live[row] = true;
	for (t = 0; t < row_terms(&bench.row[row]); t++) {
		k = bench.form[row]->term[t].operand;
		u = bench.row[row].term[t].u;
		counter[k] = u == SPENT ? RCR_OPERAND_SPENT : m->number[u];
		bench.live[row] &= u == SPENT || m->number[u] != 0xff;
		sharing[k] = u == NODE ? bench_pairs : u == PTEMP ? bench_all : NULL;
	}
	bench.goes_on[row] &= bench.live[row];
	if (bench.live[row])
		rcr_binding_init(&bench.binding[row], bench.form[row], counter, sharing,
				 &m->layout);
}

/* Fill in the view of a place at the start of a run, as span.c does. */
static inline void fill_view(const struct machine *m, unsigned int n)
{
	struct rcr_view *v = &bench.view[n];
	unsigned int k;

	v->lanes = bench.place[n].lanes;
	v->lane = bench.lane[n];
	v->scale = m->scale;
	v->period = m->period;
	v->tsc_hz = HZ;
	v->anew++;
	for (k = 0; k < v->lanes; k++) {
		v->lane[k].history = &bench.history[bench.place[n].lane[k]];
		v->lane[k].lane = bench.place[n].lane[k];
	}
}

/* Begin another run of the machine; the first one has no history. */
static inline void begin_bench(struct machine *m, bool first)
{
	unsigned int i;

	for (i = 0; i < LANES; i++) {
		rcr_history_free(&bench.history[i]);
		rcr_history_init(&bench.history[i], &m->layout, m->scale, ring_of(&m->cpu[i]),
				 m->cpu[i].marks);
	}
	if (first) {
		memset(bench.view, 0, sizeof(bench.view));
		memset(bench.lane, 0, sizeof(bench.lane));
		memset(bench.live, 0, sizeof(bench.live));
	}
	for (i = 0; i < bench.places; i++)
		fill_view(m, i);
	for (i = 0; i < bench.rows; i++)
		bind_row(m, i);
}

/* A meter has no value at a place that does not contain all CPUs of a shared counter. */
static inline bool has_value_at(unsigned int row, unsigned int place)
{
	const struct row *r = &bench.row[row];
	unsigned int t, lanes = bench.place[place].lanes;

	for (t = 0; t < row_terms(r); t++)
		if ((r->term[t].u == NODE && lanes == 1) ||
		    (r->term[t].u == PTEMP && lanes != LANES))
			return false;
	return true;
}

#endif
