// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_engine.c - the parts of the engine: thresholds, states, windows and slopes, and
 * recordings that lack events or records. More of the latter: test_unjudged.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judged.h"
#include "ksft.h"
#include "model/judge.h"
#include "rcr.h"

static void test_bounds(void)
{
	static const struct {
		const char *text, *sentence;
	} wrong[] = {
		{ "memory.latency = 2\nmemory.speed = 1\n", "f:2: unknown threshold 'memory.speed'" },
		{ "memory.latency\n", "f:1: invalid line 'memory.latency': write 'NAME = VALUE'" },
		{ "\n\nmemory.latency = fast\n",
		  "f:3: invalid value 'fast' of memory.latency: write a number, as in 0.85 or 85%" },
		{ "memory.latency = 0.5", "f:1: invalid value '0.5' of memory.latency: use 1 to 100" },
		{ "memory.latency = nan", "f:1: invalid value 'nan' of memory.latency: write a number, as in 0.85 or 85%" },
		{ "memory.latency = 101", "f:1: invalid value '101' of memory.latency: use 1 to 100" },
		{ "memory.latency = 2 3", "f:1: invalid value '2 3' of memory.latency: write a number, as in 0.85 or 85%" },
	};
	static const char good[] = "# mine\nmemory.latency = 2.5 # measured\n cache.one_most=85%\n";
	struct bounds b, before;
	struct why why;
	unsigned int i, bad = 0;

	bounds_init(&b);
	before = b;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (!bounds_parse(&b, "f", wrong[i].text, strlen(wrong[i].text), &why) ||
		    strcmp(why.text, wrong[i].sentence) || memcmp(&b, &before, sizeof(b))) {
			ksft_print_msg("got      \"%s\"\n", why.text);
			ksft_print_msg("expected \"%s\"\n", wrong[i].sentence);
			bad++;
		}
	ksft_test_result(!bad, "engine: an invalid line is reported and leaves the thresholds unchanged, of %u\n", i);
	ksft_test_result(!bounds_parse(&b, "f", good, strlen(good), &why) &&
			 b.value[BOUND_LATENCY] == 2.5 && b.value[BOUND_ONE_MOST] == 0.85,
			 "engine: a file of thresholds may have comments and percentages\n");
}

/* Each threshold is in the example, with its default, below a line that cites its source. */
static void test_example(void)
{
	char line[256], before[256] = "", name[64], text[64];
	unsigned int i, bad = 0, seen = 0;
	struct bounds b, defaults;
	FILE *f = fopen(EXAMPLE, "r");
	struct why why;

	bounds_init(&b);
	bounds_init(&defaults);
	memset(b.value, 0, sizeof(b.value));
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%63[a-z_.] = %63s", name, text) == 2) {
			bad += bounds_set(&b, strtok(line, "\n"), &why) || *before != '#' ||
			       !strchr(before, '.');
			seen++;
		}
		strcpy(before, line);
	}
	for (i = 0; i < BOUNDS; i++)
		bad += b.value[i] != defaults.value[i];
	ksft_test_result(!bad && seen == BOUNDS,
			 "engine: the example lists each of %u thresholds once, with its source\n", seen);
	if (f)
		fclose(f);
}

/* Feed one window per letter: . ok, - uncertain, c contention, b busy. Fill in the states. */
static void step_through(const char *levels, char *states)
{
	struct finding_state s = { };
	uint64_t ms = 1000000;
	unsigned int i;

	for (i = 0; levels[i]; i++) {
		enum verdict_state level = levels[i] == 'c' ? VERDICT_CONTENTION :
					   levels[i] == 'b' ? VERDICT_BUSY : VERDICT_OK;

		finding_step(&s, i * 20 * ms, (i + 1) * 20 * ms, level, levels[i] == '.');
		states[i] = ".lcb"[s.state];
	}
	states[i] = 0;
}

static void test_states(void)
{
	static const struct {
		const char *levels, *states;
	} cases[] = {
		{ "c.c.c.", "....cc" },		/* three of five */
		{ "cc..cc", "....cc" },
		{ "c..c..c..c", ".........." },
		{ "cbcbb", "..ccb" },
		{ "bbb", "..b" },
	};
	char falls[64], states[64];
	unsigned int i, bad = 0;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		step_through(cases[i].levels, states);
		bad += strcmp(states, cases[i].states) != 0;
		if (strcmp(states, cases[i].states))
			ksft_print_msg("%s: %s, not %s\n", cases[i].levels, states, cases[i].states);
	}
	ksft_test_result(!bad, "engine: a state rises when three of five windows agree, of %u cases\n", i);
	/* The state rose at the end of window 2, at 60 ms; window 52 ends a second later. */
	memset(falls, '.', sizeof(falls));
	memset(falls, 'c', 3);
	falls[sizeof(falls) - 1] = 0;
	step_through(falls, states);
	bad = strchr(states + 2, '.') != states + 52;
	/* Two contended windows between busy and clean ones are not yet a contention. */
	memset(falls, 'b', sizeof(falls) - 1);
	strcpy(falls + 56, "cc.....");
	step_through(falls, states);
	bad += strcmp(states + 56, "bbbbbb.") != 0;
	ksft_test_result(!bad, "engine: a state falls after a second of clean windows, from busy directly to ok\n");
}

/*
 * Feed @count contentions of three windows. Set @lasting to the clean windows until each one ends;
 * @gap more clean windows follow.
 */
static void count_lasting(unsigned int count, unsigned int gap, unsigned int *lasting)
{
	struct finding_state s = { };
	uint64_t window = WINDOW_NS, time = 0;
	unsigned int i, j;

	for (i = 0; i < count; i++) {
		for (j = 0; j < 3; j++, time += window)
			finding_step(&s, time, time + window, VERDICT_CONTENTION, false);
		for (j = 0; s.state; j++, time += window)
			finding_step(&s, time, time + window, VERDICT_OK, true);
		lasting[i] = j;
		for (j = 0; j < gap; j++, time += window)
			finding_step(&s, time, time + window, VERDICT_OK, true);
	}
}

static void test_flapping(void)
{
	static const unsigned int longer[] = { 50, 100, 200, 400, 800, 800 };
	static const unsigned int same[] = { 50, 50, 50, 50, 50, 50 };
	unsigned int lasting[6];
	bool ok;

	count_lasting(6, 10, lasting);
	ok = !memcmp(lasting, longer, sizeof(longer));
	count_lasting(6, 60, lasting);
	ksft_test_result(ok && !memcmp(lasting, same, sizeof(same)),
			 "engine: the state of a recurring contention is held longer each time, up to 16 s\n");
}

static void test_missing(void)
{
	static const struct {
		enum labelled_counter counter;
		enum labelled_kind kind;
		enum finding finding;
	} cases[] = {
		{ LABELLED_MODIFIED, LABELLED_LINES, FINDING_LINES },
		{ LABELLED_LATENCY, LABELLED_BANDWIDTH, FINDING_BANDWIDTH },
		{ LABELLED_FAR, LABELLED_REMOTE, FINDING_REMOTE },
		{ LABELLED_CONFLICT, LABELLED_CONFLICTS, FINDING_CONFLICTS },
		{ LABELLED_IO, LABELLED_DEVICE, FINDING_DEVICE },
		{ LABELLED_L3_MISSES, LABELLED_SUM, FINDING_SUM },
		{ LABELLED_INSTRUCTIONS, LABELLED_THRASHER, FINDING_ONE },
		{ LABELLED_L2_MISSES, LABELLED_CHASE, FINDING_CHASE },
	};
	struct labelled_options o = plain;
	struct labelled_truth t;
	struct changes c;
	unsigned int i, bad = 0;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct engine *e;

		o.kind = cases[i].kind;
		o.missing = 1u << cases[i].counter;
		make_recording(&o, &t);
		e = judge(&c, size);
		if (engine_state(e, cases[i].finding, 0) != VERDICT_UNKNOWN ||
		    !engine_missing(e, cases[i].finding) ||
		    change_of(&c, cases[i].finding, VERDICT_CONTENTION)) {
			ksft_print_msg("%s without a counter\n", labelled_name(o.kind));
			bad++;
		}
		engine_close(e);
	}
	ksft_test_result(!bad, "engine: a finding is unknown if the set lacks one of its events, of %u\n", i);
}

struct spread {
	unsigned int windows, bad;
	uint64_t lost;
};

/* Each CPU counts 2e9 cycles per second, no matter which records were lost. */
static void check_spread(void *to, const struct window *w)
{
	double expected = plain.node_cpus * 2e9 * (w->length / 1e9);
	struct spread *s = to;

	s->windows++;
	s->lost += w->lost;
	/* The first and the last window were only partly recorded. */
	if (s->windows > 1 && s->windows < plain.ticks * plain.period_ns / WINDOW_NS)
		s->bad += fabs(w->node[0].sum[SIGNAL_CYCLES] / expected - 1) > 0.001;
}

static void test_spread(void)
{
	struct labelled_options o = plain;
	struct labelled_truth t;
	struct spread s = { };
	struct windows *w;
	size_t at;

	o.noise = 0;
	o.lost = 0.05;
	make_recording(&o, &t);
	w = windows_open(&machine, WINDOW_NS, check_spread, &s);
	for (at = 0; at < size; at += ((const struct rcr_item *)(bytes + at))->size)
		windows_take(w, (const void *)bytes, (const void *)(bytes + at));
	windows_flush(w);
	windows_close(w);
	ksft_test_result(!s.bad && s.windows >= 149 && s.lost > 300,
			 "engine: counts of lost records are spread over the gap, of %u windows\n",
			 s.windows);
}

/* Event selects; only source=msr sets bit 36 in that of a northbridge. */
static void test_selects(void)
{
	struct rcr_counter *c;
	struct labelled_truth t;
	struct signals s;
	struct rcr_set *set;
	unsigned int bad;

	make_recording(&plain, &t);
	set = (struct rcr_set *)bytes;
	c = (struct rcr_counter *)(bytes + set->counter_offset);
	c[LABELLED_READS].select |= 1ull << 36;
	signals_bind(&s, set, 0);
	bad = s.has != (SIGNAL_BIT(SIGNALS) - 1 - SIGNAL_BIT(SIGNAL_BUSY) - SIGNAL_BIT(SIGNAL_CLOCKS));
	c[LABELLED_CYCLES].select &= ~(1ull << 16);		/* kernel mode alone */
	c[LABELLED_INSTRUCTIONS].select |= 1ull << 24;		/* a counter mask */
	c[LABELLED_L2_MISSES].select |= 1ull << 23;		/* inverted */
	c[LABELLED_MODIFIED].select |= 1ull << 18;		/* edges */
	c[LABELLED_L3_MISSES].select ^= 1ull << 8;		/* another unit mask */
	c[LABELLED_READS].scope = RCR_SCOPE_CPU;
	signals_bind(&s, set, 0);
	bad += s.has & (SIGNAL_BIT(SIGNALS_OF_CPU) - 1);
	bad += s.has & (SIGNAL_BIT(SIGNAL_MISSES) | SIGNAL_BIT(SIGNAL_READS));
	bad += !(s.has & SIGNAL_BIT(SIGNAL_WRITES));
	ksft_test_result(!bad, "engine: a counter restricted to one mode, or with other modifier bits, is not a signal\n");
}

static void test_onset(void)
{
	struct labelled_options o = plain;
	struct labelled_truth t;
	unsigned int bad = 0, kinds = 0;
	struct changes c;

	for (o.kind = LABELLED_BANDWIDTH; o.kind <= LABELLED_LINES; o.kind++) {
		double begin, since;

		if (o.kind == LABELLED_SHARING)
			continue;
		make_recording(&o, &t);
		engine_close(judge(&c, size));
		begin = t.begin * (double)o.period_ns;
		since = c.count ? c.v[0].since : 0;
		kinds++;
		/* A window that starts before the onset can already be contended enough. */
		if (c.count && fabs(since - begin) <= WINDOW_NS)
			continue;
		ksft_print_msg("%s: since %.3f s, not %.3f\n", labelled_name(o.kind), since / 1e9,
			       begin / 1e9);
		bad++;
	}
	ksft_test_result(!bad, "engine: the onset in a verdict is accurate to one window, of %u kinds\n", kinds);
}

static void test_again(void)
{
	struct labelled_options o = plain;
	struct changes first, second;
	struct labelled_truth t;
	unsigned int bad = 0;

	for (o.kind = 0; o.kind < LABELLED_KINDS; o.kind++) {
		make_recording(&o, &t);
		engine_close(judge(&first, size));
		engine_close(judge(&second, size));
		bad += first.count != second.count ||
		       memcmp(first.v, second.v, first.count * sizeof(first.v[0]));
	}
	ksft_test_result(!bad, "engine: the same recording gives the same verdicts\n");
}

/* Every prefix of whole items, as a stopped daemon leaves it. */
static void test_prefixes(void)
{
	struct labelled_options o = plain;
	struct labelled_truth t;
	unsigned int i, bad = 0;
	uint64_t newest = 0;
	struct changes c;
	size_t at;

	o.kind = LABELLED_BANDWIDTH;
	o.ticks = 150;
	o.lost = 0.1;
	make_recording(&o, &t);
	machine.latency[0] = 200;
	for (at = 0; at < size; at += ((const struct rcr_item *)(bytes + at))->size) {
		engine_close(judge(&c, at));
		for (i = 0; i < c.count; i++)
			bad += c.v[i].time > newest + WINDOW_NS || c.v[i].since > c.v[i].time;
		if (((const struct rcr_item *)(bytes + at))->type == RCR_ITEM_SAMPLE)
			newest = ((const struct rcr_record *)(bytes + at))->time;
	}
	ksft_test_result(!bad && c.count,
			 "engine: no verdict of a truncated recording is later than a window after its last sample\n");
}

/* Values that the module never writes, but that librcr accepts. */
static void test_damage(void)
{
	static const uint64_t periods[] = { 0, 1, 1ull << 62, 1ull << 63, ~0ull };
	struct labelled_options o = plain;
	struct labelled_truth t;
	unsigned int i, bad = 0;
	struct rcr_item *item;
	struct changes c;
	size_t size_of_set;

	o.ticks = 30;
	o.kind = LABELLED_BANDWIDTH;
	for (i = 0; i < sizeof(periods) / sizeof(periods[0]); i++) {
		make_recording(&o, &t);
		((struct rcr_set *)bytes)->period_ns = periods[i];
		engine_close(judge(&c, size));
		bad += c.count != 0;
	}
	/* Records of size 0, and slow times beyond the end of the record but within the item. */
	make_recording(&o, &t);
	((struct rcr_set *)bytes)->record_size = 0;
	((struct rcr_set *)bytes)->ncounters = 0;
	engine_close(judge(&c, size));
	bad += c.count != 0;
	make_recording(&o, &t);
	((struct rcr_set *)bytes)->slow = 1;
	((struct rcr_set *)bytes)->slow_offset = ((struct rcr_set *)bytes)->record_size - 16;
	((struct rcr_set *)bytes)->record_size -= 16;
	engine_close(judge(&c, size));
	/* An item that claims the size of two samples. */
	make_recording(&o, &t);
	size_of_set = ((struct rcr_item *)bytes)->size;
	item = (struct rcr_item *)(bytes + size_of_set + 8 * ((struct rcr_set *)bytes)->record_size);
	item->size *= 2;
	engine_close(judge(&c, size));
	ksft_test_result(!bad, "engine: an invalid period or sample size gives no verdict\n");
}

static void test_new_set(void)
{
	struct labelled_options o = plain;
	struct labelled_truth t;
	struct changes c;
	struct rcr_set *second;
	struct engine *e;
	char *both;
	size_t at, one;

	o.kind = LABELLED_BANDWIDTH;
	make_recording(&o, &t);
	one = size;
	both = malloc(2 * one);
	memcpy(both, bytes, one);
	memcpy(both + one, bytes, one);
	second = (struct rcr_set *)(both + one);
	for (at = one; at < 2 * one; at += ((struct rcr_item *)(both + at))->size) {
		struct rcr_record *r = (struct rcr_record *)(both + at);

		r->item.generation = 2;
		if (r->item.type == RCR_ITEM_SAMPLE)
			r->time += (uint64_t)o.ticks * o.period_ns;
	}
	e = engine_open(&machine, &bounds, WINDOW_NS, take_change, &c);
	c.count = 0;
	for (at = 0; at < 2 * one; at += ((struct rcr_item *)(both + at))->size)
		engine_item(e, at < one ? (const void *)both : second, (const void *)(both + at));
	engine_flush(e);
	ksft_test_result(change_of(&c, FINDING_BANDWIDTH, VERDICT_OK) && c.count >= 12,
			 "engine: counts of two sets are not added up\n");
	engine_close(e);
	free(both);
}

/* Feed the ticks @begin to @end of the recording as a new set, shifted by @later ns. */
static void take_later(struct engine *e, uint32_t generation, uint64_t later, uint32_t begin,
		       uint32_t end)
{
	struct rcr_set *set = (struct rcr_set *)bytes;
	size_t at;

	for (at = 0; at < size; at += ((struct rcr_item *)(bytes + at))->size) {
		struct rcr_record *r = (struct rcr_record *)(bytes + at);

		r->item.generation = generation;
		if (r->item.type == RCR_ITEM_SAMPLE && (r->tick < begin || r->tick >= end))
			continue;
		if (r->item.type == RCR_ITEM_SAMPLE)
			r->time += later;
		engine_item(e, set, &r->item);
	}
}

/* During an overflow the set is replaced for 15 s by one without L3 misses. */
static void test_gap(void)
{
	struct labelled_options o = plain, other = plain;
	struct labelled_truth t;
	const struct verdict *v;
	struct changes c = { };
	struct engine *e;
	bool ok, is_quiet;

	o.kind = LABELLED_SUM;
	other.missing = 1u << LABELLED_L3_MISSES;
	other.period_ns = 10000000;
	make_recording(&o, &t);
	e = engine_open(&machine, &bounds, WINDOW_NS, take_change, &c);
	take_later(e, 1, 0, 0, t.end);
	ok = change_of(&c, FINDING_SUM, VERDICT_CONTENTION) && engine_is_alert(e);
	make_recording(&other, &t);
	take_later(e, 2, 3000000000ull, 0, other.ticks);
	is_quiet = !engine_is_alert(e);
	ksft_test_result(ok && is_quiet && engine_state(e, FINDING_SUM, 0) == VERDICT_UNKNOWN,
			 "engine: a finding whose events the new set lacks becomes unknown\n");
	c.count = 0;
	make_recording(&o, &t);
	take_later(e, 3, 18000000000ull, t.begin, t.end);
	engine_flush(e);
	v = change_of(&c, FINDING_SUM, VERDICT_CONTENTION);
	ksft_test_result(ok && v && v->since >= 19000000000ull - WINDOW_NS,
			 "engine: an overflow does not continue across a time in which it was unknown\n");
	engine_close(e);
}

/* Options of a recording in which working sets exceed the L3 together, for 2000 ticks. */
static struct labelled_options long_overflow(void)
{
	struct labelled_options o = plain;

	o.kind = LABELLED_SUM;
	o.ticks = 6000;
	return o;
}

/* Returns when the sum of the working sets is found after @time: 0 if it never is. */
static uint64_t found_after(const struct changes *c, uint64_t time)
{
	unsigned int i;

	for (i = 0; i < c->count; i++)
		if (c->v[i].finding == FINDING_SUM && c->v[i].time > time &&
		    verdict_is_raised(c->v[i].state))
			return c->v[i].time;
	return 0;
}

/*
 * For 1.2 s the CPUs are idle, or nearly, but ticks find processes; the few requests miss as often
 * as before. For 40 ms of it counts are unknown. What is said about fewer threads after that must
 * not depend on what was counted before.
 */
static void test_pause(unsigned int part)
{
	struct labelled_options o = long_overflow();
	struct labelled_truth t;
	struct changes c;
	uint64_t more;

	make_recording(&o, &t);
	/* The first window with requests has as many as the next one. */
	labelled_thin(bytes, size, t.begin + 700, t.begin + 1309, part);
	make_foreign(t.begin + 1190, t.begin + 1210);
	more = (t.begin + 1309) * o.period_ns;
	engine_close(judge(&c, size));
	ksft_test_result(found_after(&c, more) >= more + SLOPE_LEAST * o.period_ns,
			 "engine: an overflow does not continue across a second with %s requests\n",
			 part ? "few" : "no");
}

/* For 0.3 s counts are not known, and for 0.8 s after that they are low: not a second of quiet. */
static void test_short_pause(void)
{
	struct labelled_options o = long_overflow();
	struct labelled_truth t;
	struct changes c;
	uint64_t more;

	make_recording(&o, &t);
	make_foreign(t.begin + 700, t.begin + 850);
	labelled_thin(bytes, size, t.begin + 850, t.begin + 1250, 0);
	more = (t.begin + 1250) * o.period_ns;
	engine_close(judge(&c, size));
	ksft_test_result(found_after(&c, more) && found_after(&c, more) < more + 10 * WINDOW_NS,
			 "engine: an overflow continues across less than a second of quiet\n");
}

/*
 * The set is replaced by an equal one, at 20 different moments of a window, shortly before a pause.
 * The first windows after the pause show whether what was counted before is still known.
 */
static void test_replaced(void)
{
	struct labelled_options o = long_overflow();
	unsigned int i, bad = 0;
	struct labelled_truth t;
	struct changes c;
	uint64_t more;

	o.period_ns = 1000000;
	for (i = 0; i < 20; i++) {
		struct engine *e = engine_open(&machine, &bounds, WINDOW_NS, take_change, &c);

		c.count = 0;
		make_recording(&o, &t);
		labelled_thin(bytes, size, t.begin + 760, t.begin + 1560, 0);
		more = (t.begin + 1560) * o.period_ns;
		take_later(e, 1, 0, 0, t.begin + 700 + i);
		take_later(e, 2, 0, t.begin + 700 + i, o.ticks);
		engine_flush(e);
		bad += !found_after(&c, more) || found_after(&c, more) > more + 5 * WINDOW_NS;
		engine_close(e);
	}
	ksft_test_result(!bad, "engine: an overflow continues across a change of the set\n");
}

/* Gives each @every th sample of a CPU to process @tgid. */
static void give_samples(uint32_t tgid, unsigned int every)
{
	size_t at;

	for (at = 0; at < size; at += ((struct rcr_item *)(bytes + at))->size) {
		struct rcr_record *r = (struct rcr_record *)(bytes + at);

		if (r->item.type == RCR_ITEM_SAMPLE && r->tick % every == 0)
			r->tgid = tgid;
	}
}

/* CPUs run only briefly: their cache misses are not contention. */
static void test_idle(void)
{
	struct labelled_options o = plain;
	struct labelled_truth t;
	struct changes c;
	bool ok;

	o.kind = LABELLED_EACH;
	make_recording(&o, &t);
	engine_close(judge(&c, size));
	ok = change_of(&c, FINDING_EACH, VERDICT_BUSY);
	give_samples(0, 1);
	give_samples(4711, 20);
	engine_close(judge(&c, size));
	ksft_test_result(ok && !c.count, "engine: mostly idle CPUs do not overflow a cache\n");
}

/* A process that few ticks hit by chance is charged with counts of other processes. */
static void test_chance(void)
{
	struct labelled_options o = plain;
	const struct verdict *v;
	struct labelled_truth t;
	bool ok = false, by_chance = false;
	struct changes c;
	struct engine *e;
	unsigned int i;

	o.kind = LABELLED_LINES;
	make_recording(&o, &t);
	give_samples(4711, 97);
	e = judge(&c, size);
	v = change_of(&c, FINDING_LINES, VERDICT_OK);
	ok = v && v->time > t.begin * o.period_ns;
	for (i = 0; i < c.count; i++) {
		unsigned int j;

		for (j = 0; j < c.v[i].parties; j++)
			by_chance |= c.v[i].party[j] == 4711;
	}
	engine_close(e);
	ksft_test_result(ok && !by_chance, "engine: a process that ticks rarely hit is not a party\n");
}

static void test_many(void)
{
	struct labelled_options o = plain;
	struct labelled_truth t;
	struct changes c;

	o.nodes = 8;
	o.node_cpus = 32;
	o.ticks = 400;
	o.kind = LABELLED_ONE_MEMORY;
	make_recording(&o, &t);
	engine_close(judge(&c, size));
	ksft_test_result(change_of(&c, FINDING_IMBALANCE, VERDICT_BUSY) &&
			 !change_of(&c, FINDING_IMBALANCE, VERDICT_BUSY)->node,
			 "engine: 256 CPUs that saturate one of eight memories are found\n");
}

/*
 * Feed slices in which one CPU and two CPUs are busy in turn, @length slices each. Misses rise by
 * @rise of their mean from one CPU to two, and deviate by @noise of the mean, up and down in turn.
 * @pause slices with a single request follow each slice.
 */
static enum slope_kind kind_of(double rise, double noise, unsigned int length, unsigned int pause)
{
	struct slope s = { };
	struct window w = { .slices = 1 };
	struct window_node n = { };
	unsigned int i, k;

	for (i = 0; i < 400 / (1 + pause); i++) {
		unsigned int turn = i / length;
		double ratio = 1 + (turn & 1 ? rise / 2 : -rise / 2) + (turn & 2 ? noise : -noise);

		n.slice[0] = (struct window_slice){
			.busy = 1 + (turn & 1), .requests = 1000, .misses = 100 * ratio, .whole = 1,
		};
		slope_take(&s, &w, &n);
		for (k = 0; k < pause; k++) {
			n.slice[0] = (struct window_slice){
				.busy = 1.4 + 0.2 * (k & 1), .requests = 1, .whole = 1,
			};
			slope_take(&s, &w, &n);
		}
	}
	return slope_kind(&s, 4);
}

/* The estimated change is 1.5 times the rise, its standard error 0.15 times the noise. */
static void test_slope(void)
{
	const struct slope none = {
		.n = 300, .stays = 300, .w = 300, .ww = 300, .x = 450, .xx = 750,
	};

	ksft_test_result(kind_of(0.4, 0.5, 1, 0) == SLOPE_UP && kind_of(-0.4, 0.5, 1, 0) == SLOPE_DOWN &&
			 kind_of(0.1, 0.5, 1, 0) == SLOPE_FLAT,
			 "engine: slope: rising, falling and flat misses are distinguished\n");
	ksft_test_result(kind_of(0.4, 3, 1, 0) == SLOPE_WAIT && kind_of(0, 3, 1, 0) == SLOPE_WAIT,
			 "engine: slope: an uncertain change is not reported as flat\n");
	/* Only the 40 slices with requests count towards the standard error. */
	ksft_test_result(kind_of(0.4, 0.1, 1, 9) == SLOPE_UP && kind_of(0.4, 0.5, 1, 9) == SLOPE_WAIT,
			 "engine: slope: slices with few requests do not reduce the error\n");
	ksft_test_result(slope_kind(&none, 4) == SLOPE_WAIT,
			 "engine: slope: no misses, no slope\n");
	ksft_test_result(kind_of(0, 0.5, 20, 0) == SLOPE_WAIT && kind_of(0, 0.1, 20, 0) == SLOPE_FLAT,
			 "engine: slope: the error depends on the number of turns, not on their length\n");
	ksft_test_result(kind_of(0.4, 0, 40, 0) == SLOPE_UNKNOWN && kind_of(0.4, 0, 20, 0) == SLOPE_UP,
			 "engine: slope: too few turns leave it unknown\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(29);
	bounds_init(&bounds);
	test_bounds();
	test_example();
	test_states();
	test_flapping();
	test_missing();
	test_spread();
	test_selects();
	test_onset();
	test_again();
	test_prefixes();
	test_damage();
	test_new_set();
	test_gap();
	test_pause(0);
	test_pause(1000);
	test_short_pause();
	test_replaced();
	test_idle();
	test_chance();
	test_many();
	test_slope();
	free(bytes);
	ksft_finished();
}
