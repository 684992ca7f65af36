// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_models.c - the models and three published rules (rivals.h) judge labelled recordings
 * (labelled.h). The argument "long" requests 20,000 recordings and 24 hours of quiet work.
 *
 * The facts of the recording decide whether a finding is right: its kind, utilization, latency and
 * misses. If a fact is within 10 % of the bound that defines a finding, either answer is right.
 */
#include <stdlib.h>
#include <string.h>

#include "ksft.h"
#include "labelled_machine.h"
#include "model/engine.h"
#include "rcr.h"
#include "rivals.h"

#define TICKS		1500
#define PERIOD_NS	2000000
#define DEFAULT_PERIOD_NS 10000000	/* sampling period of the module: a window is two ticks */
#define WINDOW_NS	20000000
#define FIRST_SEED	29

/* Noise and losses of a recording. */
static const struct disturbance {
	const char *name;
	double noise, lost, least;	/* required precision and recall */
} disturbances[] = {
	{ "10 % of noise", 0.1, 0, 0.95 },
	{ "30 % of noise", 0.3, 0, 0.9 },
	{ "10 % of noise, 5 % lost", 0.1, 0.05, 0.9 },
};

#define DISTURBANCES	(sizeof(disturbances) / sizeof(disturbances[0]))

/* The expected answer for a finding. */
enum expected {
	EXPECT_NOT,
	EXPECT_EITHER,
	EXPECT_YES,
};

struct score {
	unsigned int right, missed, false_ones;
};

static struct score scores[DISTURBANCES][FINDINGS];
static unsigned int recordings[LABELLED_KINDS], found[LABELLED_KINDS][FINDINGS + 1];
static unsigned int named_right[LABELLED_KINDS], rival_right[LABELLED_KINDS][RIVALS];
static unsigned int causes, causes_right, victims, slowdowns, slowdowns_right;

static const struct bounds *bounds;

static char *bytes;
static size_t size;

static enum expected by_fact(double fact, double bound)
{
	return fact > 1.1 * bound ? EXPECT_YES : fact < bound / 1.1 ? EXPECT_NOT : EXPECT_EITHER;
}

static enum expected both(enum expected a, enum expected b)
{
	return a < b ? a : b;
}

/* The finding that a kind is made for. */
static enum finding finding_of(enum labelled_kind kind)
{
	static const uint8_t of[LABELLED_KINDS] = {
		[LABELLED_QUIET] = FINDINGS, [LABELLED_BANDWIDTH] = FINDING_BANDWIDTH,
		[LABELLED_ONE_MEMORY] = FINDING_IMBALANCE, [LABELLED_REMOTE] = FINDING_REMOTE,
		[LABELLED_CONFLICTS] = FINDING_CONFLICTS, [LABELLED_CHASE] = FINDING_CHASE,
		[LABELLED_DEVICE] = FINDING_DEVICE, [LABELLED_CLOCK] = FINDING_SLOWER,
		[LABELLED_THRASHER] = FINDING_ONE, [LABELLED_SUM] = FINDING_SUM,
		[LABELLED_EACH] = FINDING_EACH, [LABELLED_SHARING] = FINDING_SHARING,
		[LABELLED_LINES] = FINDING_LINES, [LABELLED_MIGRATION] = FINDINGS,
	};

	return of[kind];
}

/* Programs that miss the cache may load memory as well. */
static enum expected expect_load(const struct labelled_truth *t)
{
	return both(by_fact(t->utilization, bounds->value[BOUND_UTILIZATION]),
		    by_fact(t->latency, bounds->value[BOUND_LATENCY]));
}

static enum expected expect_misses(const struct labelled_truth *t)
{
	return both(by_fact(t->misses, bounds->value[BOUND_MISSES]),
		    by_fact(t->miss_ratio, bounds->value[BOUND_MISS_RATIO]));
}

static void expect(enum labelled_kind kind, const struct labelled_truth *t, enum expected *e)
{
	memset(e, 0, FINDINGS * sizeof(*e));
	if (finding_of(kind) < FINDINGS)
		e[finding_of(kind)] = EXPECT_YES;
	switch (kind) {
	case LABELLED_BANDWIDTH:
	case LABELLED_ONE_MEMORY:
	case LABELLED_REMOTE:
	case LABELLED_CONFLICTS:
	case LABELLED_CHASE:
		/* Their programs need four times the cache, and all run all the time. */
		e[FINDING_OVERFLOW] = EXPECT_YES;
		break;
	case LABELLED_SUM:
	case LABELLED_SHARING:
		e[finding_of(kind)] = expect_misses(t);
		e[FINDING_BANDWIDTH] = expect_load(t);
		break;
	case LABELLED_THRASHER:
	case LABELLED_EACH:
		e[FINDING_BANDWIDTH] = expect_load(t);
		break;
	default:
		break;
	}
	/* These are at a bound: of the utilization, or of the outstanding reads (1.5). */
	if (kind == LABELLED_CHASE && t->utilization > 0.27)
		e[FINDING_CHASE] = EXPECT_EITHER;
	if (kind == LABELLED_EACH && t->utilization < 0.33)
		e[FINDING_CHASE] = EXPECT_EITHER;
}

static void make_recording(const struct labelled_options *o, struct labelled_truth *t)
{
	free(bytes);
	bytes = labelled_bytes(o, t, &size);
	if (!bytes)
		ksft_exit_fail_msg("cannot make a recording\n");
}

static void ignore_verdict(void *to, const struct verdict *v)
{
	(void)to;
	(void)v;
}

static void count_contention(void *to, const struct verdict *v)
{
	unsigned int *count = to;

	*count += v->state == VERDICT_CONTENTION || v->state == VERDICT_BUSY;
}

/* Feed the items of a recording up to the first record of @tick; return its position. */
static size_t feed(struct engine *e, struct windows *w, size_t at, uint64_t tick)
{
	const struct rcr_set *set = (const void *)bytes;

	for (; at < size; at += ((const struct rcr_item *)(bytes + at))->size) {
		const struct rcr_item *item = (const void *)(bytes + at);

		if (item->type == RCR_ITEM_SAMPLE && ((const struct rcr_record *)item)->tick >= tick)
			break;
		engine_item(e, set, item);
		windows_take(w, set, item);
	}
	return at;
}

static bool is_found(const struct engine *e, const struct machine *m, enum finding finding)
{
	unsigned int n;

	for (n = 0; n < m->nodes; n++)
		if (engine_state(e, finding, n) != VERDICT_OK)
			return true;
	return false;
}

static void score_findings(const struct engine *e, const struct machine *m,
			   enum labelled_kind kind, unsigned int disturbance,
			   const struct labelled_truth *t)
{
	bool right = finding_of(kind) == FINDINGS, any = false, contention = false;
	enum expected expected[FINDINGS];
	unsigned int i;

	expect(kind, t, expected);
	for (i = 0; i < FINDINGS; i++) {
		struct score *s = &scores[disturbance][i];
		bool is = is_found(e, m, i);

		found[kind][i] += is;
		any |= is;
		contention |= is && !finding_is_note(i);
		s->right += is && expected[i] == EXPECT_YES;
		s->missed += !is && expected[i] == EXPECT_YES;
		s->false_ones += is && expected[i] == EXPECT_NOT;
		if (i == finding_of(kind))
			right = is || expected[i] != EXPECT_YES;
	}
	found[kind][FINDINGS] += !any;
	if (finding_of(kind) == FINDINGS || finding_is_note(finding_of(kind)))
		right &= !contention;
	named_right[kind] += right;
}

/* Compare the cause and the victim with those of the recording. */
static void score_processes(struct engine *e, const struct labelled_options *o,
			    const struct labelled_truth *t)
{
	struct verdict v = { };
	struct slowdown slow;

	if (!t->victim || engine_state(e, finding_of(o->kind), t->node) == VERDICT_OK)
		return;
	engine_describe(e, finding_of(o->kind), t->node, &v);
	causes += t->cause != 0;
	causes_right += t->cause && v.cause == t->cause;
	victims++;
	if (!engine_slowdown(e, t->victim, &slow))
		return;
	slowdowns++;
	slowdowns_right += slow.value < 1.2 * t->slowdown && slow.value > t->slowdown / 1.2;
}

/* Return whether the answer of a rule is right, for the resources that the rule tells apart. */
static bool is_right(enum rival_rule rule, enum labelled_kind kind, unsigned int said)
{
	enum finding f = finding_of(kind);

	if (f == FINDINGS || finding_is_note(f))
		return !said;
	if (rule == RIVAL_CPI2)
		return said;
	return said & (f < FINDING_ONE ? RIVAL_MEMORY : RIVAL_CACHE);
}

static void judge_recording(const struct labelled_options *o, unsigned int disturbance)
{
	static struct machine machine;
	struct labelled_truth t;
	struct rivals rivals;
	struct windows *w;
	struct engine *e;
	unsigned int i;
	size_t at;

	make_recording(o, &t);
	labelled_machine(&machine, o);
	rivals_open(&rivals, &machine, t.begin * o->period_ns);
	e = engine_open(&machine, bounds, WINDOW_NS, ignore_verdict, NULL);
	w = windows_open(&machine, WINDOW_NS, rivals_window, &rivals);
	at = feed(e, w, 0, t.end);
	score_findings(e, &machine, o->kind, disturbance, &t);
	score_processes(e, o, &t);
	feed(e, w, at, ~0ull);
	windows_flush(w);
	recordings[o->kind]++;
	for (i = 0; i < RIVALS; i++)
		rival_right[o->kind][i] += is_right(i, o->kind, rivals.said[i]);
	engine_close(e);
	windows_close(w);
	rivals_close(&rivals);
}

static struct labelled_options options_of(unsigned int number)
{
	static const uint8_t cpus[] = { 4, 8, 16, 4, 8, 6, 12 };
	const struct disturbance *d = &disturbances[number / LABELLED_KINDS % DISTURBANCES];
	/* 30 % of noise in windows of two ticks is more than any counter has. */
	bool is_default = d->noise < 0.2 && number / LABELLED_KINDS % 4 == 0;

	return (struct labelled_options){
		.kind = number % LABELLED_KINDS, .seed = FIRST_SEED + number, .nodes = 2,
		.node_cpus = cpus[number / LABELLED_KINDS % sizeof(cpus)], .ticks = TICKS,
		.period_ns = is_default ? DEFAULT_PERIOD_NS : PERIOD_NS, .noise = d->noise, .lost = d->lost, .spread = 0.2,
	};
}

static double precision(const struct score *s)
{
	return s->right ? (double)s->right / (s->right + s->false_ones) : s->false_ones ? 0 : 1;
}

static double recall(const struct score *s)
{
	return s->right ? (double)s->right / (s->right + s->missed) : s->missed ? 0 : 1;
}

static void test_scores(unsigned int count)
{
	unsigned int d, i, bad;

	for (d = 0; d < DISTURBANCES; d++) {
		bad = 0;
		for (i = 0; i < FINDINGS; i++) {
			const struct score *s = &scores[d][i];

			ksft_print_msg("%-24s %-10s precision %.3f recall %.3f of %u\n",
				       disturbances[d].name, finding_name(i), precision(s),
				       recall(s), s->right + s->missed);
			bad += !(s->right + s->missed) || precision(s) < disturbances[d].least ||
			       recall(s) < disturbances[d].least;
		}
		ksft_test_result(!bad, "models: %s: precision and recall of each finding, seeds %u to %u\n",
				 disturbances[d].name, FIRST_SEED, FIRST_SEED + count - 1);
	}
}

/* Return whether Documentation/dev/models.md has this line. */
static bool is_documented(const char *line)
{
	char text[256];
	FILE *f = fopen(DOCUMENT, "r");
	bool found = false;

	while (f && !found && fgets(text, sizeof(text), f))
		found = !strcmp(text, line);
	if (f)
		fclose(f);
	return found;
}

static void print_row(unsigned int kind, unsigned int *worse, unsigned int *unknown)
{
	double ours = 100.0 * named_right[kind] / recordings[kind], rule[RIVALS];
	char line[128];
	unsigned int i;

	for (i = 0; i < RIVALS; i++) {
		rule[i] = 100.0 * rival_right[kind][i] / recordings[kind];
		/* Allow 0.5 points: a silent rule is right wherever nothing is contended. */
		*worse += rule[i] > ours + 0.5;
	}
	snprintf(line, sizeof(line), "| %s | %.0f | %.0f | %.0f | %.0f |\n", labelled_name(kind),
		 ours, rule[0], rule[1], rule[2]);
	*unknown += !is_documented(line);
	ksft_print_msg("%s", line);
}

/* The table in the documentation is of 500 recordings. */
static void test_matrix(bool is_long)
{
	unsigned int kind, worse = 0, unknown = 0;

	for (kind = 0; kind < LABELLED_KINDS; kind++)
		print_row(kind, &worse, &unknown);
	ksft_test_result(!worse, "models: no published rule is right more often, of %u kinds\n", kind);
	ksft_test_result(is_long || !unknown, "models: the table in the documentation is up to date\n");
}

static void print_confusion(void)
{
	unsigned int kind, i;

	for (kind = 0; kind < LABELLED_KINDS; kind++) {
		ksft_print_msg("%s:", labelled_name(kind));
		for (i = 0; i <= FINDINGS; i++)
			if (found[kind][i])
				printf(" %s %u", i < FINDINGS ? finding_name(i) : "nothing",
				       found[kind][i]);
		printf(" of %u\n", recordings[kind]);
	}
}

/* Judge five minutes of uncontended work at 100 Hz; return the number of contentions found. */
static unsigned int quiet_minutes(unsigned int number)
{
	static const enum labelled_kind kinds[] = {
		LABELLED_QUIET, LABELLED_CHASE, LABELLED_MIGRATION, LABELLED_SHARING,
	};
	struct labelled_options o = {
		.kind = kinds[number % 4], .seed = FIRST_SEED + number, .nodes = 1, .node_cpus = 4,
		.ticks = 30000, .period_ns = 10000000, .noise = 0.1, .spread = 0.2,
	};
	static struct machine machine;
	struct labelled_truth t;
	unsigned int count = 0;
	struct engine *e;
	size_t at;

	make_recording(&o, &t);
	labelled_machine(&machine, &o);
	e = engine_open(&machine, bounds, WINDOW_NS, count_contention, &count);
	for (at = 0; at < size; at += ((const struct rcr_item *)(bytes + at))->size)
		engine_item(e, (const void *)bytes, (const void *)(bytes + at));
	engine_flush(e);
	engine_close(e);
	return count;
}

static void test_quiet(unsigned int hours)
{
	unsigned int i, count = 0, each;

	for (i = 0; i < 12 * hours; i++) {
		each = quiet_minutes(i);
		if (each)
			ksft_print_msg("seed %u: %u\n", FIRST_SEED + i, each);
		count += each;
	}
	ksft_test_result(count <= hours / 24, "models: %u contentions in %u hours of quiet work\n", count,
			 hours);
}

int main(int argc, char **argv)
{
	bool is_long = argc > 1 && !strcmp(argv[1], "long");
	unsigned int count = is_long ? 20000 : 500, i;
	static struct bounds defaults;

	ksft_print_header();
	ksft_set_plan(DISTURBANCES + 5);
	bounds_init(&defaults);
	bounds = &defaults;
	for (i = 0; i < count; i++) {
		struct labelled_options o = options_of(i);

		judge_recording(&o, i / LABELLED_KINDS % DISTURBANCES);
	}
	print_confusion();
	test_scores(count);
	test_matrix(is_long);
	ksft_test_result(causes && causes_right >= 0.95 * causes,
			 "models: the cause is named in %u of %u recordings that have one\n",
			 causes_right, causes);
	ksft_test_result(slowdowns >= 0.9 * victims && slowdowns_right >= 0.95 * slowdowns,
			 "models: the victim's slowdown is within 20 %% in %u of %u, %u have no history\n",
			 slowdowns_right, slowdowns, victims - slowdowns);
	test_quiet(is_long ? 24 : 1);
	free(bytes);
	ksft_finished();
}
