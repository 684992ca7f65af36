// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_foreign.c - a counter that another program has: no finding begins without its events, and
 * victims and their losses are those of the counts that are left.
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
 * @kind: which
 * @counter: that is foreign on each CPU of @cpus from tick @from on, unless @cpus is 0
 * @together: processes of the first node are threads of one
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
/* Ends of the recordings before: total counts of each CPU, and the time. */
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

/* Has the engine judge a recording until tick @until, with @v of a finding at that time. */
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

/* A CPU whose instructions are not known adds nothing to the loss of its process. */
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
			 "a process with instructions that are not known has no other loss\n");
}

/* The latency of memory is not known before the load begins, or is not known since. */
static void test_begin(void)
{
	struct part p = { .kind = LABELLED_BANDWIDTH, .counter = LABELLED_LATENCY,
			  .cpus = 1 | 1 << NODE_CPUS };
	struct engine *e;
	struct verdict v;

	make_part(&p);
	p.from = p.truth.begin - 300;
	e = begin();
	/* The load alone would be enough. */
	bounds.value[BOUND_BUSY_ALONE] = 0.8;
	play(e, &p, p.truth.end - 2, FINDING_BANDWIDTH, &v);
	engine_flush(e);
	ksft_test_result(!begun[FINDING_BANDWIDTH] && !engine_is_judged(e, FINDING_BANDWIDTH, 0),
			 "without its events nothing begins\n");
	engine_close(e);
	free(p.bytes);
}

/* What processes suffered in a contention is not part of the next one. */
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
			 "a contention has no losses of the one before\n");
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
