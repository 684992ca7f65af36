// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_foreign.c - another program holds a counter: no finding begins without its events, and
 * victims and their losses are computed from the remaining counts.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ksft.h"
#include "labelled_machine.h"
#include "model/engine.h"

#define WINDOW_NS	20000000
#define PERIOD_NS	2000000
#define TICKS		3000
#define NODE_CPUS	4
#define FIRST_PROCESS	1001

/**
 * struct part - a recording with changes
 * @kind: kind of the recording
 * @counter: counter that is foreign on the CPUs of @cpus from tick @from on
 * @together: processes of the first node are threads of one process
 */
struct part {
	enum labelled_kind kind;
	unsigned int counter, cpus;
	uint32_t from;
	bool together;
	char *bytes;
	size_t size;
	struct labelled_truth truth;
};

static struct machine machine;
static struct bounds bounds;
static unsigned int begun[FINDINGS];
/* Last counts of each CPU and last time of the previous recording, which the next one continues. */
static uint64_t totals[2 * NODE_CPUS][RCR_MAX_COUNTERS], ended;

static void take_verdict(void *to, const struct verdict *v)
{
	(void)to;
	begun[v->finding]++;
}

static void make_part(struct part *p)
{
	struct labelled_options o = {
		.kind = p->kind, .seed = 3, .nodes = 2, .node_cpus = NODE_CPUS, .ticks = TICKS,
		.period_ns = PERIOD_NS, .noise = 0.05,
	};

	labelled_machine(&machine, &o);
	p->bytes = labelled_bytes(&o, &p->truth, &p->size);
	if (!p->bytes)
		ksft_exit_fail_msg("no recording\n");
}

static void change_sample(const struct part *p, const struct rcr_set *set, struct rcr_record *r)
{
	uint8_t *status = (uint8_t *)r + set->status_offset + p->counter * set->status_size;
	unsigned int i;

	for (i = 0; i < set->ncounters; i++)
		r->value[i] += totals[r->item.cpu][i];
	r->time += ended;
	r->tsc += ended * 2;
	r->tsc_end += ended * 2;
	if (p->together && r->tgid > FIRST_PROCESS && r->tgid < FIRST_PROCESS + NODE_CPUS)
		r->tgid = FIRST_PROCESS;
	if (p->cpus >> r->item.cpu & 1 && r->tick >= p->from) {
		*status = RCR_STATUS_FOREIGN;
		r->changes = 1;
	}
}

/* Judge a recording; describe finding @which in @v as of tick @until. */
static void play(struct engine *e, const struct part *p, uint32_t until, enum finding which,
		 struct verdict *v)
{
	struct rcr_set *set = (void *)p->bytes;
	uint64_t time = 0;
	size_t at;

	for (at = ended ? set->item.size : 0; at < p->size;
	     at += ((struct rcr_item *)(p->bytes + at))->size) {
		struct rcr_record *r = (void *)(p->bytes + at);

		if (r->item.type == RCR_ITEM_SAMPLE) {
			change_sample(p, set, r);
			if (r->tick == until && !r->item.cpu) {
				*v = (struct verdict){ };
				engine_describe(e, which, 0, v);
			}
			time = r->time;
		}
		engine_item(e, set, (void *)r);
	}
	for (at = set->item.size; at < p->size; at += ((struct rcr_item *)(p->bytes + at))->size) {
		struct rcr_record *r = (void *)(p->bytes + at);

		if (r->item.type == RCR_ITEM_SAMPLE)
			memcpy(totals[r->item.cpu], r->value, set->ncounters * sizeof(r->value[0]));
	}
	ended = time;
}

static struct engine *begin(void)
{
	struct engine *e;

	memset(begun, 0, sizeof(begun));
	memset(totals, 0, sizeof(totals));
	ended = 0;
	bounds_init(&bounds);
	e = engine_open(&machine, &bounds, WINDOW_NS, take_verdict, NULL);
	if (!e)
		ksft_exit_fail_msg("no engine\n");
	return e;
}

/* A CPU with unknown instructions does not contribute to the loss of its process. */
static void test_loss(void)
{
	struct verdict whole, part;
	unsigned int foreign;

	for (foreign = 0; foreign < 2; foreign++) {
		struct part p = { .kind = LABELLED_DEVICE, .counter = LABELLED_INSTRUCTIONS,
				  .together = true };
		struct engine *e;

		make_part(&p);
		p.from = p.truth.begin;
		p.cpus = foreign ? 1 << 1 : 0;
		e = begin();
		play(e, &p, p.truth.end - 2, FINDING_DEVICE, foreign ? &part : &whole);
		engine_close(e);
		free(p.bytes);
	}
	if (part.victims)
		ksft_print_msg("%.2f of %.2f\n", part.victim[0].slowdown.value,
			       whole.victim[0].slowdown.value);
	ksft_test_result(whole.victims && part.victims &&
			 fabs(part.victim[0].slowdown.value - whole.victim[0].slowdown.value) < 0.1,
			 "foreign: unknown instructions on one CPU do not change the loss of a process\n");
}

/* The latency of memory becomes unknown before the load begins. */
static void test_begin(void)
{
	struct part p = { .kind = LABELLED_BANDWIDTH, .counter = LABELLED_LATENCY,
			  .cpus = 1 | 1 << NODE_CPUS };
	struct engine *e;
	struct verdict v;

	make_part(&p);
	p.from = p.truth.begin - 300;
	e = begin();
	/* Let the load alone suffice for the finding. */
	bounds.value[BOUND_BUSY_ALONE] = 0.8;
	play(e, &p, p.truth.end - 2, FINDING_BANDWIDTH, &v);
	engine_flush(e);
	ksft_test_result(!begun[FINDING_BANDWIDTH] && !engine_is_judged(e, FINDING_BANDWIDTH, 0),
			 "foreign: a finding does not begin while its events are not counted\n");
	engine_close(e);
	free(p.bytes);
}

/* Losses in one contention are not charged to the next one. */
static void test_next(void)
{
	struct verdict v[2];
	unsigned int foreign;

	for (foreign = 0; foreign < 2; foreign++) {
		struct part first = { .kind = LABELLED_CLOCK, .counter = LABELLED_L3_MISSES };
		struct part next = { .kind = LABELLED_DEVICE, .counter = LABELLED_L3_MISSES };
		struct engine *e;
		struct verdict unused;

		make_part(&first);
		make_part(&next);
		first.from = first.truth.begin;
		first.cpus = foreign ? 1 | 1 << NODE_CPUS : 0;
		next.cpus = first.cpus;
		e = begin();
		play(e, &first, first.truth.end - 2, FINDING_SLOWER, &unused);
		play(e, &next, next.truth.end - 2, FINDING_DEVICE, &v[foreign]);
		engine_close(e);
		free(first.bytes);
		free(next.bytes);
	}
	if (v[1].victims)
		ksft_print_msg("%u and %u victims, %.3f and %.3f\n", v[0].victims, v[1].victims,
			       v[0].victim[0].slowdown.value, v[1].victim[0].slowdown.value);
	ksft_test_result(v[0].victims && v[0].victims == v[1].victims &&
			 fabs(v[0].victim[0].slowdown.value - v[1].victim[0].slowdown.value) < 0.02,
			 "foreign: a contention does not inherit losses of the previous one\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(3);
	test_loss();
	test_begin();
	test_next();
	ksft_finished();
}
