// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_late.c - a recording that begins late gives the same verdicts as the whole one if it has the
 * history lines that the engine of the whole one wrote, and only then.
 */
#include <stdlib.h>
#include <string.h>

#include "ksft.h"
#include "labelled_machine.h"
#include "model/engine.h"

#define WINDOW_NS	20000000
#define LINES		256
#define LINE_ROOM	512
#define SECOND_NS	1000000000ull

static struct machine machine;
static struct bounds bounds;
static char *bytes;
static size_t size;
static struct labelled_truth truth;

/*
 * The first contended verdict of a finding, and the history lines that the engine wrote at that
 * moment, which is when rcrd keeps evidence.
 */
struct judged {
	enum finding finding;
	uint64_t begin;
	struct engine *engine;
	bool found;
	struct verdict v;
	unsigned int lines;
	char line[LINES][LINE_ROOM];
};

static struct judged whole, late;

static void keep_line(void *to, const char *line)
{
	struct judged *j = to;

	if (j->lines < LINES)
		snprintf(j->line[j->lines++], LINE_ROOM, "%s", line);
}

static void take_change(void *to, const struct verdict *v)
{
	struct judged *j = to;

	if (j->found || v->finding != j->finding || v->node != truth.node ||
	    v->state < VERDICT_CONTENTION)
		return;
	j->found = true;
	j->v = *v;
	engine_write(j->engine, j->begin, keep_line, j);
}

static void make_recording(enum labelled_kind kind, uint64_t period_ns)
{
	const struct labelled_options o = {
		.kind = kind, .seed = 3, .nodes = 2, .node_cpus = 4, .ticks = 3000,
		.period_ns = period_ns, .noise = 0.1,
	};

	free(bytes);
	bytes = labelled_bytes(&o, &truth, &size);
	if (!bytes)
		ksft_exit_fail_msg("cannot make a recording\n");
	labelled_machine(&machine, &o);
}

/* Judge the samples from @begin (ns) on, after the history of @from; write that of @j for @cut. */
static void judge(struct judged *j, enum finding which, uint64_t begin, uint64_t cut,
		  const struct judged *from)
{
	const struct rcr_set *set = (const void *)bytes;
	unsigned int i;
	size_t at;

	*j = (struct judged){ .finding = which, .begin = cut };
	j->engine = engine_open(&machine, &bounds, WINDOW_NS, take_change, j);
	if (!j->engine)
		ksft_exit_fail_msg("no memory\n");
	for (i = 0; from && i < from->lines; i++)
		if (!engine_parse(j->engine, from->line[i]))
			ksft_exit_fail_msg("\"%s\" was not taken\n", from->line[i]);
	for (at = 0; at < size; at += ((const struct rcr_item *)(bytes + at))->size) {
		const struct rcr_record *r = (const void *)(bytes + at);

		if (r->item.type != RCR_ITEM_SAMPLE || r->time > begin)
			engine_item(j->engine, set, &r->item);
	}
	engine_flush(j->engine);
	engine_close(j->engine);
}

/* Tick 0 is at the end of the first period. */
static uint64_t time_of(uint32_t tick)
{
	return (tick + 1) * ((const struct rcr_set *)bytes)->period_ns;
}

static bool is_same_time(const struct verdict *a, const struct verdict *b)
{
	return a->state == b->state && a->since == b->since && a->time == b->time;
}

static bool is_same(const struct verdict *a, const struct verdict *b)
{
	return is_same_time(a, b) && a->cause == b->cause && a->victims == b->victims &&
	       a->no_history == b->no_history && !memcmp(a->victim, b->victim, sizeof(a->victim));
}

/* With two slices per window the slope is certain two seconds after the overflow begins. */
static void test_slope(void)
{
	uint64_t cut;

	make_recording(LABELLED_SUM, 10000000);
	cut = time_of(truth.begin) + SECOND_NS;
	judge(&whole, FINDING_SUM, 0, cut, NULL);
	judge(&late, FINDING_SUM, cut, cut, NULL);
	ksft_test_result(whole.found && late.found && whole.v.since < cut && late.v.since > cut - WINDOW_NS &&
			 late.v.time > whole.v.time,
			 "late: without the slope line, the contention begins with the recording\n");
	judge(&late, FINDING_SUM, cut, cut, &whole);
	ksft_test_result(late.found && is_same_time(&late.v, &whole.v),
			 "late: with the slope line, time and begin of the verdict are those of the whole recording\n");
}

/* After a second of an overflow there is a pause of 1.2 s. The recording begins in it. */
static void test_pause(void)
{
	uint64_t cut;

	make_recording(LABELLED_SUM, 10000000);
	labelled_thin(bytes, size, truth.begin + 100, truth.begin + 220, 0);
	cut = time_of(truth.begin + 170);
	judge(&whole, FINDING_SUM, 0, cut, NULL);
	judge(&late, FINDING_SUM, cut, cut, &whole);
	ksft_test_result(whole.found && late.found && is_same_time(&late.v, &whole.v),
			 "late: a pause continues in the recording that begins in it\n");
}

/* A victim is found by comparison with its quiet time, which the late recording lacks. */
static void test_past(void)
{
	uint64_t cut;

	make_recording(LABELLED_THRASHER, 2000000);
	cut = time_of(truth.begin) - 3 * WINDOW_NS / 2;
	judge(&whole, FINDING_ONE, 0, cut, NULL);
	judge(&late, FINDING_ONE, cut, cut, NULL);
	ksft_test_result(whole.found && whole.v.victims && !late.found,
			 "late: without the lines of quiet time there is no victim\n");
	judge(&late, FINDING_ONE, cut, cut, &whole);
	ksft_test_result(late.found && is_same(&late.v, &whole.v),
			 "late: with the lines of quiet time, the verdict is the same to the bit\n");
}

/* Processes whose entries collide in the hash table. */
static void test_places(void)
{
	static struct pasts pasts;
	bool ok;

	ok = pasts_parse(&pasts, 1, "past.0.1000=3 40 1 0 5 0 0 5 0 0") &&
	     pasts_parse(&pasts, 1, "past.0.3584=3 40 2 0 5 0 0 5 0 0") &&
	     pasts_parse(&pasts, 1, "past.0.5181=3 40 3 0 5 0 0 5 0 0");
	ksft_test_result(ok && pasts_find(&pasts, 1000, 0) && pasts_find(&pasts, 3584, 0) &&
			 pasts_find(&pasts, 5181, 0),
			 "late: a line does not overwrite the entry of another process\n");
}

/* Damaged lines, and lines of a node that the machine lacks. */
static void test_wrong(void)
{
	static const char *const wrong[] = {
		"", "slope.0=", "past.0.7=", "slope.0=3 1 2 2 1 1 1 1 1 1 1 1 1 1 1", "slope.0=3 1 2 2 1 1 1 1 1 1 1 1 1 1 1 1 1",
		"slope.0=3 1 2 2 1 1 1 1 1 1 nan 1 1 1 1 1", "slope.0=3 1 2 2 1 1 1 1 1 1 1 1 1 -1 1 1",
		"slope.0=3 1 2 2 1 1 1 1 1 1 1 1 1 1 inf 1", "slope.0=1 1 2 2 1 1 1 1 1 1 1 1 1 1 1 1",
		"slope.0=3 2 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "slope.2=3 1 2 2 1 1 1 1 1 1 1 1 1 1 1 1",
		"slope.0=3 1 2 4 1 1 1 1 1 1 1 1 1 1 1 1",
		"slope.0=3 1 2 1 1 1 1 1 1 1 1 1 1 1 1 1", "slope.-1=3 1 2 2 1 1 1 1 1 1 1 1 1 1 1 1", "past.2.7=3 1 1 1 1 1 1 1 1 1",
		"past.0.0=3 1 1 1 1 1 1 1 1 1", "past.0.7=3 1 1 1 1 1 1 1 1",
		"past.0.7=3 1 1 1 1 1 1 1 1 1x", "past.0.7=3 1 nan 1 1 1 1 1 1 1",
		"past.0.7=3 -1 1 1 1 1 1 1 1 1", "past.0.7=3 1 0 1 1 1 1 1 1 1",
		"past.0.7=3 1 1 1 1 1 1 1 1 1e999", "past.0.7=3 1 1e-61 1 1 1 1 1 1 1",
	};
	struct engine *e;
	unsigned int i, bad = 0;

	make_recording(LABELLED_QUIET, 2000000);
	e = engine_open(&machine, &bounds, WINDOW_NS, take_change, &late);
	for (i = 0; e && i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (engine_parse(e, wrong[i])) {
			ksft_print_msg("\"%s\" was taken\n", wrong[i]);
			bad++;
		}
	ksft_test_result(e && !bad && engine_parse(e, "slope.1=3 1 2 2 1 1 1 1 1 1 1 1 1 1 1 1") &&
			 engine_parse(e, "past.1.7=3 1 1 1 1 1 1 1 1 1"),
			 "late: invalid lines are refused, of %u\n", i);
	engine_close(e);
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(7);
	bounds_init(&bounds);
	test_slope();
	test_pause();
	test_past();
	test_places();
	test_wrong();
	free(bytes);
	ksft_finished();
}
