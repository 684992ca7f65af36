// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_unjudged.c - findings that are not judged, or not surely: counters that are not ok, events
 * and samples that are missing, and nodes with several caches.
 */
#include "judged.h"

/* Options of a recording in which the memory of the only node is contended. */
static struct labelled_options contended_for(uint32_t ticks)
{
	struct labelled_options o = plain;

	o.kind = LABELLED_BANDWIDTH;
	o.nodes = 1;
	o.ticks = ticks;
	return o;
}

static void test_foreign(void)
{
	struct labelled_options o = contended_for(3000);
	struct labelled_truth t;
	unsigned int bad = 0;
	struct changes c;
	struct engine *e;
	bool stale;

	make_recording(&o, &t);
	make_foreign(t.begin + 200, t.begin + 800);
	e = judge(&c, size);
	bad += engine_unjudged(e, FINDING_BANDWIDTH, 0) < 1150000000ull;
	/* The finding must not end and begin again while its counters are foreign. */
	bad += !change_of(&c, FINDING_BANDWIDTH, VERDICT_BUSY) ||
	       change_of(&c, FINDING_BANDWIDTH, VERDICT_OK)->time < t.end * o.period_ns;
	engine_close(e);
	/* Half of it is not judged when the stream ends. */
	e = judge(&c, size / o.ticks * (t.begin + 500));
	stale = c.count == 1 && engine_is_stale(e, FINDING_BANDWIDTH, 0) &&
		engine_state(e, FINDING_BANDWIDTH, 0) == VERDICT_UNKNOWN &&
		!engine_is_stale(e, FINDING_CHASE, 0);
	engine_close(e);
	make_recording(&o, &t);
	make_foreign(0, o.ticks);
	e = judge(&c, size);
	bad += c.count || engine_unjudged(e, FINDING_BANDWIDTH, 0) < 5900000000ull;
	engine_close(e);
	ksft_test_result(!bad, "unjudged: while a counter is not ok nothing is found, and nothing ends\n");
	ksft_test_result(stale, "unjudged: a contention that is not judged any more is unknown\n");
}

/* A contention ends unseen: its state is kept for ten seconds, and its end is the last one seen. */
static void test_forgotten(void)
{
	struct labelled_options o = contended_for(9000);
	const struct verdict *v;
	struct labelled_truth t;
	struct changes c;
	struct engine *e;
	bool ok;

	make_recording(&o, &t);
	make_foreign(t.begin + 200, t.end + 300);
	e = judge(&c, size);
	v = change_of(&c, FINDING_BANDWIDTH, VERDICT_OK);
	ok = v && v->until <= (t.begin + 200) * o.period_ns + WINDOW_NS &&
	     engine_state(e, FINDING_BANDWIDTH, 0) == VERDICT_OK;
	engine_close(e);
	ksft_test_result(ok, "unjudged: a contention lasts no longer than it was judged\n");
	make_recording(&o, &t);
	make_foreign(t.begin + 200, o.ticks);
	e = judge(&c, size / o.ticks * (t.begin + 4900));
	ok = engine_is_stale(e, FINDING_BANDWIDTH, 0) && engine_is_alert(e);
	engine_close(e);
	e = judge(&c, size);
	ok = ok && !engine_is_stale(e, FINDING_BANDWIDTH, 0) && !engine_is_alert(e) &&
	     engine_state(e, FINDING_BANDWIDTH, 0) == VERDICT_UNKNOWN;
	engine_close(e);
	ksft_test_result(ok, "unjudged: a contention is forgotten after ten seconds without counts\n");
}

/* When a contention is forgotten, one of the five newest of such long windows was judged. */
static void test_long_windows(void)
{
	struct labelled_options o = contended_for(900);
	struct labelled_truth t;
	unsigned int oks = 0;
	bool raised = false;
	struct changes c;
	struct engine *e;
	size_t at;

	o.period_ns = 100000000;
	make_recording(&o, &t);
	/* Too few windows to learn it. */
	machine.latency[0] = 200;
	make_foreign(t.begin + 200, o.ticks);
	c.count = 0;
	e = engine_open(&machine, &bounds, 4000000000ull, take_change, &c);
	for (at = 0; at < size; at += ((const struct rcr_item *)(bytes + at))->size) {
		engine_item(e, (const void *)bytes, (const void *)(bytes + at));
		raised |= verdict_is_raised(engine_state(e, FINDING_BANDWIDTH, 0));
		oks += raised && engine_state(e, FINDING_BANDWIDTH, 0) == VERDICT_OK;
	}
	ksft_test_result(raised && !oks && !engine_is_stale(e, FINDING_BANDWIDTH, 0),
			 "unjudged: a contention that is forgotten is unknown, not ok\n");
	engine_close(e);
}

/* The new set lacks the events of a contention. */
static void test_lost_events(void)
{
	struct labelled_options o = contended_for(plain.ticks);
	struct labelled_truth t;
	struct rcr_set *set;
	struct changes c;
	struct engine *e;
	bool ok;

	make_recording(&o, &t);
	e = judge(&c, size / 2);
	ok = verdict_is_raised(engine_state(e, FINDING_BANDWIDTH, 0));
	o.missing = 1u << LABELLED_LATENCY;
	make_recording(&o, &t);
	set = (void *)bytes;
	set->item.generation++;
	engine_item(e, set, &set->item);
	ok = ok && engine_is_stale(e, FINDING_BANDWIDTH, 0) &&
	     engine_state(e, FINDING_BANDWIDTH, 0) == VERDICT_UNKNOWN;
	engine_close(e);
	ksft_test_result(ok, "unjudged: a contention whose events the new set lacks is unknown, too\n");
}

/* Of node 1 there are no samples: its CPUs are offline. */
static void test_no_samples(void)
{
	struct labelled_options o = plain;
	struct labelled_truth t;
	unsigned int i, bad = 0;
	struct changes c;
	struct engine *e;

	o.nodes = 1;
	make_recording(&o, &t);
	machine.nodes = 2;
	machine.capacity[1] = machine.capacity[0];
	e = judge(&c, size);
	for (i = 0; i < FINDINGS; i++)
		bad += engine_state(e, i, 1) != VERDICT_UNKNOWN;
	bad += engine_state(e, FINDING_LINES, 0) != VERDICT_OK;
	engine_close(e);
	ksft_test_result(!bad, "unjudged: all findings are unknown on a node without samples\n");
}

/* Mark the counters of the shared units of @node as foreign from tick @from on. */
static void lose_node(unsigned int node, uint32_t from)
{
	const struct rcr_set *set = (const void *)bytes;
	size_t at;

	for (at = 0; at < size; at += ((struct rcr_item *)(bytes + at))->size) {
		struct rcr_record *r = (struct rcr_record *)(bytes + at);

		if (r->item.type == RCR_ITEM_SAMPLE && r->tick >= from &&
		    machine.node_of[r->item.cpu] == node &&
		    ((uint8_t *)r)[set->status_offset + LABELLED_ROWS] == RCR_STATUS_OK)
			((uint8_t *)r)[set->status_offset + LABELLED_ROWS] = RCR_STATUS_FOREIGN;
	}
}

/* Imbalance and remote accesses cannot be judged while a node is not counted. */
static void test_other_node(void)
{
	struct labelled_options o = plain;
	struct labelled_truth t;
	struct changes c;
	struct engine *e;
	bool ok;

	make_recording(&o, &t);
	e = judge(&c, size);
	ok = engine_state(e, FINDING_IMBALANCE, 0) == VERDICT_OK &&
	     engine_state(e, FINDING_REMOTE, 0) == VERDICT_OK;
	engine_close(e);
	lose_node(1, o.ticks / 2);
	e = judge(&c, size);
	ok = ok && engine_state(e, FINDING_IMBALANCE, 0) == VERDICT_UNKNOWN &&
	     engine_state(e, FINDING_REMOTE, 0) == VERDICT_UNKNOWN &&
	     engine_state(e, FINDING_BANDWIDTH, 0) == VERDICT_OK &&
	     engine_unjudged(e, FINDING_REMOTE, 0) > 1400000000ull;
	engine_close(e);
	ksft_test_result(ok, "unjudged: imbalance and remote accesses are unknown while a node is not counted\n");
}

/* Freeze the counts of reads and their latency at the first tick: no reads after it. */
static void stop_reads(void)
{
	const struct rcr_set *set = (const void *)bytes;
	static uint64_t first[LABELLED_CPUS][2];
	size_t at;

	for (at = 0; at < size; at += ((struct rcr_item *)(bytes + at))->size) {
		struct rcr_record *r = (struct rcr_record *)(bytes + at);
		uint64_t *values = (uint64_t *)((char *)r + set->value_offset);

		if (r->item.type != RCR_ITEM_SAMPLE)
			continue;
		if (!first[r->item.cpu][0])
			memcpy(first[r->item.cpu], values + LABELLED_LATENCY, sizeof(first[0]));
		memcpy(values + LABELLED_LATENCY, first[r->item.cpu], sizeof(first[0]));
	}
}

/* Memory is loaded, but not by reads, whose latency could be measured. */
static void test_no_reads(void)
{
	struct labelled_options o = plain;
	struct labelled_truth t;
	enum verdict_state loaded, quiet;
	struct changes c;
	struct engine *e;

	o.nodes = 1;
	make_recording(&o, &t);
	stop_reads();
	e = judge(&c, size);
	quiet = engine_state(e, FINDING_BANDWIDTH, 0);
	engine_close(e);
	o.kind = LABELLED_BANDWIDTH;
	make_recording(&o, &t);
	machine.capacity[0] *= 2;
	stop_reads();
	e = judge(&c, size / 2);
	loaded = engine_state(e, FINDING_BANDWIDTH, 0);
	engine_close(e);
	ksft_test_result(quiet == VERDICT_OK && loaded == VERDICT_UNKNOWN,
			 "unjudged: bandwidth is unknown if memory is loaded without reads\n");
}

/* The sums of several caches do not show that one of them has no room. */
static void test_caches(void)
{
	static const enum verdict_state states[] = { VERDICT_OK, VERDICT_UNKNOWN };
	struct labelled_options o = plain;
	const struct verdict *v;
	struct labelled_truth t;
	unsigned int i, bad = 0;
	struct changes c;
	struct engine *e;

	for (i = 0; i < 2; i++) {
		o.kind = LABELLED_QUIET;
		make_recording(&o, &t);
		machine.caches = i ? 12 : 1;
		e = judge(&c, size);
		bad += engine_state(e, FINDING_ONE, 0) != states[i] ||
		       engine_state(e, FINDING_SHARING, 0) != states[i] ||
		       engine_state(e, FINDING_LINES, 0) != VERDICT_OK ||
		       engine_state(e, FINDING_BANDWIDTH, 0) != VERDICT_OK;
		engine_close(e);
		o.kind = LABELLED_THRASHER;
		make_recording(&o, &t);
		machine.caches = i ? 12 : 1;
		e = judge(&c, size);
		v = change_of(&c, FINDING_ONE, VERDICT_BUSY);
		bad += !v || !v->doubt != !i;
		engine_close(e);
	}
	ksft_test_result(!bad, "unjudged: where a node has several caches its findings are doubtful, and never ok\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(10);
	bounds_init(&bounds);
	test_foreign();
	test_forgotten();
	test_long_windows();
	test_lost_events();
	test_no_samples();
	test_other_node();
	test_no_reads();
	test_caches();
	free(bytes);
	ksft_finished();
}
