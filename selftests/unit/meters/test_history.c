// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_history.c - sums over the parts of a time scale, compared with a log of all samples:
 * hotplug, statuses, changes of the set, lost marks, and marks that are overwritten while read.
 */
#include <stdlib.h>

#include <linux/compiler.h>

/* If set, called before each word that a reader copies. */
static void (*in_copy)(void);
#undef READ_ONCE
#define READ_ONCE(x) ({								\
	if (in_copy)								\
		in_copy();							\
	__atomic_load_n(&(x), __ATOMIC_RELAXED); })

#include "../../kmod/meter/history.c"
#include "history_bench.h"
#include "ksft.h"

static struct machine machine;
static struct rcr_history history[LANES];
static u64 lost[LANES], had[LANES];
static unsigned int wrong, checked;

static void complain(const char *what, u64 got, u64 want)
{
	if (++wrong <= 8)
		ksft_print_msg("%s: %llu, not %llu\n", what, got, want);
}

static void compare(const char *what, u64 got, u64 want)
{
	checked++;
	if (got != want)
		complain(what, got, want);
}

static void begin_histories(struct machine *m)
{
	unsigned int i;

	for (i = 0; i < LANES; i++) {
		rcr_history_free(&history[i]);
		rcr_history_init(&history[i], &m->layout, m->scale, ring_of(&m->cpu[i]),
				 m->cpu[i].marks);
		lost[i] = 0;
		had[i] = U64_MAX;
	}
}

/* Compare the count and the time of a counter between two samples with the log. */
static void check_interval(const struct machine *m, const char *what, const u64 *from,
			   const u64 *to, const struct raw *a, const struct raw *b)
{
	unsigned int i, u, n = m->layout.count;
	u64 delta, time;

	for (i = 0; i <= n; i++) {
		u = i < n ? m->counter[i] : SPENT;
		delta = 0;
		time = 0;
		if (u != SPENT && is_gauge(u)) {
			time = is_ok(m, b, u);
			delta = time ? b->value[u] : 0;
		} else if (a && part_counts(m, a, b, u)) {
			delta = b->value[u] - a->value[u];
			time = time_of_count(b, u) - time_of_count(a, u);
		}
		compare(what, to[i] - from[i], delta);
		compare(what, to[n + 1 + i] - from[n + 1 + i], time);
	}
}

/* List all marks written to the ring of a CPU, oldest first. */
static unsigned int list_marks(const struct cpu *c, const struct raw **mark, unsigned int room)
{
	unsigned int n = min(c->ring_marks, room), at = c->samples, i = n;

	while (i) {
		if (!at)
			abort();
		if (c->log[--at].is_mark)
			mark[--i] = &c->log[at];
	}
	return n;
}

static void check_samples(struct machine *m, const struct cpu *c, const struct rcr_history *h,
			  const struct raw *newest)
{
	const struct raw *last = c->samples > c->first ? &c->log[c->samples - 1] : newest;
	const struct raw *before = c->samples > c->first + 1 ? last - 1 : NULL;
	static u64 zero[2 * ALL];

	compare("time of the newest sample", h->record->time, last ? last->time : 0);
	if (!last)
		return;
	/* Clock records may have overwritten the sample before. */
	if (h->before->time || !before) {
		compare("time of the sample before", h->before->time, before ? before->time : 0);
		check_interval(m, "latest sample", zero, h->latest, before, last);
	}
	if (newest && newest != last)
		check_interval(m, "running part", rcr_history_row(h, h->head - 1), h->now,
			       newest, last);
	if (newest == last)
		compare("nothing after a mark",
			memcmp(h->now, rcr_history_row(h, h->head - 1),
			       2 * h->columns * sizeof(u64)), 0);
}

static void check_lane(struct machine *m, unsigned int lane)
{
	const struct raw *mark[RCR_HISTORY_MARKS];
	const struct rcr_history *h = &history[lane];
	const struct cpu *c = &m->cpu[lane];
	unsigned int i, n = list_marks(c, mark, RCR_HISTORY_MARKS);
	u64 p = h->first;

	compare("marks that are kept", h->head - h->first, n);
	for (i = 0; i < n && p < h->head; i++, p++) {
		compare("time of a mark", rcr_history_time(h, p), mark[i]->time);
		compare("its id", rcr_history_id(h, p), mark[i]->time / m->part);
		if (i)
			check_interval(m, "part", rcr_history_row(h, p - 1),
				       rcr_history_row(h, p), mark[i - 1], mark[i]);
	}
	check_samples(m, c, h, n ? mark[n - 1] : NULL);
	compare("marks before", h->partial, c->ring_marks > RCR_HISTORY_MARKS);
	compare("is not sampled", h->away, c->away);
	compare("lost marks", h->lost, lost[lane]);
}

static void update_lane(struct machine *m, unsigned int lane)
{
	const struct cpu *c = &m->cpu[lane];

	if (had[lane] != U64_MAX && c->ring_marks - had[lane] > RCR_SCALE_MARKS)
		lost[lane] += c->ring_marks - had[lane] - RCR_SCALE_MARKS;
	had[lane] = c->ring_marks;
	rcr_history_update(&history[lane], time_of_tick(m));
	check_lane(m, lane);
}

static unsigned int random_mask(void)
{
	return (1 + chance((1 << COUNTERS) - 1)) | 1 << A;
}

/* Run the machine with about @gap ticks between updates. */
static void run_machine(u64 period, u64 scale, unsigned int ticks, unsigned int gap,
			unsigned int events, bool sets)
{
	struct machine *m = &machine;
	unsigned int i;

	begin_machine(m, period, scale, random_mask());
	begin_histories(m);
	for (m->tick = 1; m->tick < ticks; m->tick++) {
		for (i = 0; i < LANES; i++)
			tick_cpu(m, i, events);
		if (sets && !chance(400)) {
			change_set(m, random_mask());
			begin_histories(m);
		}
		for (i = 0; i < LANES; i++)
			if (!chance(gap))
				update_lane(m, i);
	}
	end_machine(m);
}

static void test_random(void)
{
	static const u64 scales[] = { 1000000, 16000000, 3333333, 100000, 999999937, 160000 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(scales); i++) {
		run_machine(100000, scales[i], 3000, 3, 0, false);
		run_machine(100000, scales[i], 3000, 3, 40, false);
		run_machine(100000, scales[i], 6000, 20, 40, true);
		run_machine(100000, scales[i], 10000, 400, 30, true);
		run_machine(1000003, scales[i], 3000, 7, 100, true);
	}
	ksft_test_result(!wrong && checked > 1000000,
			 "history: the sums of every part agree with the log (%u)\n", checked);
}

static void test_lost(void)
{
	struct machine *m = &machine;
	unsigned int i;
	u64 sum = 0;

	run_machine(100000, 1600000, 20000, 100, 20, false);
	for (i = 0; i < LANES; i++)
		sum += history[i].lost;
	ksft_test_result(!wrong && sum > 1000, "history: lost marks are counted (%llu)\n",
			 sum);
	(void)m;
}

static void test_edges(void)
{
	struct machine *m = &machine;
	unsigned int i;
	u64 none;

	begin_machine(m, 100000, 1600000, 1 << A | 1 << TEMP | 1 << SLOW);
	begin_histories(m);
	update_lane(m, 0);
	compare("horizon without samples", history[0].horizon, U64_MAX);
	compare("status", rcr_history_status(&history[0], 0), RCR_STATUS_OFFLINE);
	m->tick = 1;
	tick_cpu(m, 0, 0);
	update_lane(m, 0);
	compare("one mark", history[0].head, 1);
	compare("status", rcr_history_status(&history[0], 0), RCR_STATUS_OK);
	compare("status", rcr_history_status(&history[0], RCR_OPERAND_SPENT), RCR_STATUS_OK);
	/* A sample whose time has not advanced. */
	take_sample_at(m, 0, m->base + m->tick * m->period);
	rcr_history_update(&history[0], time_of_tick(m));
	compare("one mark", history[0].head, 1);
	none = 0;
	for (i = 0; i < history[0].columns; i++)
		none |= m->layout.gauges & 1 << i ? 0 : history[0].now[i];
	compare("no running part", none, 0);
	/* A sample after the TSC was set back. */
	m->tick = 40;
	take_sample_at(m, 0, m->base + m->tick * m->period);
	{
		struct rcr_record *r = rcr_ring_slot(ring_of(&m->cpu[0]),
						     ring_of(&m->cpu[0])->head - 1);

		if (r->item.type != RCR_ITEM_SAMPLE)
			r = rcr_ring_slot(ring_of(&m->cpu[0]), ring_of(&m->cpu[0])->head - 2);
		r->tsc = 5;
		r->tsc_end = 7;
	}
	rcr_history_update(&history[0], time_of_tick(m));
	for (none = 0, i = 0; i < history[0].columns; i++)
		none |= m->layout.gauges & 1 << i ? 0 : history[0].latest[history[0].columns + i];
	compare("negative times", none, 0);
	end_machine(m);
	ksft_test_result(!wrong,
			 "history: there are no parts without samples or progress of time\n");

	begin_machine(m, 100000, 0, 1 << A | 1 << TEMP);
	m->scale = 1600000;
	m->part = 100000;
	begin_histories(m);
	for (m->tick = 1; m->tick < 10; m->tick++)
		tick_cpu(m, 0, 0);
	rcr_history_update(&history[0], time_of_tick(m));
	compare("no mark", history[0].head, history[0].first);
	compare("a sample", history[0].record->time, m->base + 9 * m->period);
	compare("the latest", history[0].before->time, m->base + 8 * m->period);
	rcr_scale_use(1600000);
	for (; m->tick < 30; m->tick++)
		tick_cpu(m, 0, 0);
	rcr_history_update(&history[0], time_of_tick(m));
	compare("marks", history[0].head - history[0].first, 20);
	rcr_scale_drop(1600000);
	rcr_scale_use(5555);
	tick_cpu(m, 0, 0);
	rcr_history_update(&history[0], time_of_tick(m));
	compare("none any more", history[0].head, history[0].first);
	rcr_scale_use(1600000);
	rcr_scale_drop(5555);
	for (m->tick++; m->tick < 50; m->tick++)
		tick_cpu(m, 0, 0);
	rcr_history_update(&history[0], time_of_tick(m));
	compare("again", history[0].head - history[0].first, 19);
	rcr_scale_drop(1600000);
	rcr_scale_use(1600000);
	m->tick++;
	tick_cpu(m, 0, 0);
	rcr_history_update(&history[0], time_of_tick(m));
	compare("the same in another ring", history[0].head - history[0].first, 1);
	rcr_scale_drop(1600000);
	ksft_test_result(!wrong, "history: an unknown time scale has no marks\n");
}

static struct machine *copied;
static unsigned int copies, overtaken;
static unsigned int burst;	/* maximum burst of samples; 0: rare, very long bursts */

/* The writer overtakes the reader. */
static void write_meanwhile(void)
{
	unsigned int n = chance(60) ? !chance(20) : 40;

	if (burst)
		n = chance(40) ? 0 : 1 + chance(burst);
	if (!copies)
		return;
	in_copy = NULL;
	copies--;
	overtaken += n > 2;
	for (; n; n--) {
		copied->tick++;
		take_sample_at(copied, 0, copied->base + copied->tick * copied->period);
	}
	in_copy = write_meanwhile;
}

static void test_torn(void)
{
	struct machine *m = &machine;
	struct rcr_history *h = &history[0];
	unsigned int i;
	u64 p;

	begin_machine(m, 100000, 1600000, 1 << A | 1 << SLOW | 1 << TEMP);
	begin_histories(m);
	copied = m;
	for (i = 0; i < 500; i++) {
		copies = 200;
		in_copy = write_meanwhile;
		rcr_history_update(h, time_of_tick(m));
		in_copy = NULL;
		for (p = h->first; p + 1 < h->head; p++) {
			unsigned int k = m->cpu[0].samples;

			while (m->cpu[0].log[--k].time != rcr_history_time(h, p + 1))
				;
			check_interval(m, "part", rcr_history_row(h, p), rcr_history_row(h, p + 1),
				       &m->cpu[0].log[k - 1], &m->cpu[0].log[k]);
		}
		m->tick += 1;
		take_sample_at(m, 0, m->base + m->tick * m->period);
	}
	end_machine(m);
	ksft_test_result(!wrong && overtaken > 20 && h->lost,
			 "history: parts overwritten while they are read are dropped (%u, %llu)\n",
			 overtaken, h->lost);
}

/* Find a sample in the log; it must exist. */
static const struct raw *find_logged(const struct cpu *c, u64 time)
{
	unsigned int k = c->samples;

	while (c->log[--k].time != time)
		;
	return &c->log[k];
}

/* All marks before the newest sample must be known, and so must the sample before it. */
static void check_known(const struct machine *m, const struct rcr_history *h)
{
	const struct cpu *c = &m->cpu[0];
	const struct raw *last = find_logged(c, h->record->time), *at;
	const struct raw *mark = find_logged(c, rcr_history_time(h, h->head - 1));

	compare("a mark after the newest sample", mark > last, 0);
	for (at = mark + 1; at < last; at++)
		compare("a mark that is not known", at->is_mark, 0);
	if (mark < last)
		check_interval(m, "running part", rcr_history_row(h, h->head - 1), h->now, mark,
			       last);
	/* The sample before may be overwritten. */
	if (h->before->time)
		compare("the sample before", h->before->time, last[-1].time);
}

/* Write up to @most samples between any two words that an update reads. */
static void update_meanwhile(u64 scale, unsigned int most, unsigned int times)
{
	struct machine *m = &machine;
	struct rcr_history *h = &history[0];
	unsigned int i;

	begin_machine(m, 100000, scale, 1 << A | 1 << SLOW | 1 << TEMP);
	begin_histories(m);
	copied = m;
	burst = most;
	for (i = 0; i < times; i++) {
		for (m->tick++; chance(3); m->tick++)
			take_sample_at(m, 0, m->base + m->tick * m->period);
		copies = 300;
		in_copy = write_meanwhile;
		rcr_history_update(h, time_of_tick(m));
		in_copy = NULL;
		if (h->record->time && h->head != h->first)
			check_known(m, h);
	}
	end_machine(m);
}

static void test_meanwhile(void)
{
	checked = 0;
	update_meanwhile(1600000, 3, 3000);
	update_meanwhile(16000000, 12, 3000);
	burst = 0;
	ksft_test_result(!wrong,
			 "history: all marks up to the newest sample are known (%u)\n", checked);
}

/* Sampling of a CPU begins while its history is updated. */
static void begin_meanwhile(void)
{
	if (chance(3))
		return;
	in_copy = NULL;
	do {
		copied->tick++;
		take_sample_at(copied, 0, copied->base + copied->tick * copied->period);
	} while (chance(3));
	promise(&copied->cpu[0], copied->base + (copied->tick + 1) * copied->period);
}

static void test_begun_meanwhile(void)
{
	struct machine *m = &machine;
	struct rcr_history *h = &history[0];
	unsigned int i, begun = 0;

	copied = m;
	for (i = 0; i < 300; i++) {
		begin_machine(m, 100000, 1600000, 1 << A | 1 << TEMP);
		for (m->tick = 1; m->tick < 20; m->tick++)
			tick_cpu(m, 0, 0);
		change_set(m, 1 << A | (i % 2) << B);
		begin_histories(m);
		if (i % 3)
			rcr_history_update(h, time_of_tick(m));
		in_copy = begin_meanwhile;
		rcr_history_update(h, time_of_tick(m));
		in_copy = NULL;
		end_machine(m);
		compare("away with a sample", h->away && h->sampled, 0);
		compare("a mark of the run without its sample",
			!h->sampled && rcr_history_time(h, h->head - 1) > m->base + 19 * m->period,
			0);
		begun += h->sampled;
	}
	ksft_test_result(!wrong && begun > 100 && begun < 290,
			 "history: a CPU whose sampling begins during an update is consistent (%u)\n", begun);
}

/* All marks of a short time scale are overwritten during a single read. */
static void overwrite_once(void)
{
	if (chance(40))
		return;
	in_copy = NULL;
	for (overtaken = 0; overtaken < 60; overtaken++) {
		copied->tick++;
		take_sample_at(copied, 0, copied->base + copied->tick * copied->period);
	}
}

static void test_overtaken(void)
{
	struct machine *m = &machine;
	struct rcr_history *h = &history[0];
	unsigned int i, kept = RCR_HISTORY_MARKS;

	begin_machine(m, 100000, 1600000, 1 << A | 1 << TEMP);
	begin_histories(m);
	copied = m;
	for (i = 0; i < 200; i++) {
		for (m->tick++; chance(20); m->tick++)
			take_sample_at(m, 0, m->base + m->tick * m->period);
		in_copy = overwrite_once;
		rcr_history_update(h, time_of_tick(m));
		in_copy = NULL;
		if (i > 10)
			kept = min_t(u64, kept, h->head - h->first);
		if (h->head != h->first)
			check_known(m, h);
	}
	end_machine(m);
	ksft_test_result(!wrong && kept > RCR_SCALE_PARTS,
			 "history: a reader overtaken once has the marks of a time scale (%u)\n",
			 kept);
}

int main(void)
{
	unsigned int i;

	ksft_print_header();
	ksft_set_plan(8);
	test_random();
	test_lost();
	test_edges();
	test_torn();
	test_meanwhile();
	test_begun_meanwhile();
	test_overtaken();
	for (i = 0; i < LANES; i++)
		rcr_history_free(&history[i]);
	free_machine(&machine);
	ksft_finished();
}
