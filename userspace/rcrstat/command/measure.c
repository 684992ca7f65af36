// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * measure.c - counts while a command runs.
 *
 * Each CPU counts from its last sample before the command is started to its first one after the
 * command has ended. Totals are cumulative, so these two records would do; those in between are
 * read to notice interruptions.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "clock.h"
#include "command/choice.h"
#include "command/measure.h"
#include "command/report.h"
#include "command/totals.h"
#include "message.h"
#include "options.h"
#include "problems/problems.h"
#include "rcr.h"
#include "session.h"

/* Time to wait for a silent CPU, ns. */
#define PATIENCE 200000000ull

/* Length of the interval: longer than any run, so that it never ends by itself. */
#define FOREVER (1ull << 62)

/**
 * struct measure - a measurement
 * @options: the command line
 * @choice: the chosen counters
 * @reader: stream of records
 * @set: copy of the current set, with the user's names
 * @intervals: the current set since the command was started
 * @view: units of @set
 * @totals: sums over all sets
 * @lost: records lost
 * @until: samples after the first one from that time on are ignored, CLOCK_MONOTONIC, ns
 * @problems: sentences about counts that are missing
 * @length: length of @problems
 * @sentences: stream that writes @problems
 */
struct measure {
	const struct options *options;
	struct choice choice;
	struct rcr_reader *reader;
	struct rcr_set *set;
	struct intervals intervals;
	struct view view;
	struct totals totals;
	uint64_t lost;
	uint64_t until;
	char *problems;
	size_t length;
	FILE *sentences;
};

static void drop_set(struct measure *m)
{
	view_free(&m->view);
	intervals_free(&m->intervals);
	free(m->set);
	m->set = NULL;
}

/* Takes over the reader's set. */
static int take_measured_set(struct measure *m)
{
	const struct rcr_set *set = rcr_reader_set(m->reader);
	const struct options *o = m->options;

	drop_set(m);
	if (set->error)
		return session_refuse_idle(set);
	m->set = malloc(set->item.size);
	if (m->set) {
		memcpy(m->set, set, set->item.size);
		if (!intervals_init(&m->intervals, m->set, FOREVER, session_cpus(o, true)) &&
		    !view_init(&m->view, &m->intervals, PER_CPU, o->sysfs)) {
			int ret = choice_begin(&m->choice, m->set);

			m->intervals.chosen = choice_apply(&m->choice, m->set);
			m->intervals.meters = &m->choice.meters;
			/* After a change of the set the first sample may be a gap. */
			m->intervals.skips_gaps = true;
			return ret;
		}
	}
	return fail("no memory for the counter set");
}

/* Adds what the current set has counted since the command was started. */
static void end_set(struct measure *m)
{
	m->lost += intervals_lost(&m->intervals);
	totals_add(&m->totals, &m->intervals, &m->view);
	problems_print(m->sentences, &m->intervals, &m->view);
}

/* Returns the time of the latest sample of a CPU, or 0. */
static uint64_t latest_of(const struct cpu_interval *c)
{
	return c->to.valid ? c->to.time : c->from.valid ? c->from.time : 0;
}

static bool is_late(const struct measure *m, const struct rcr_item *item)
{
	const struct intervals *v = &m->intervals;

	return item->cpu < v->set->ncpus && v->place[item->cpu] < v->cpus &&
	       latest_of(&v->cpu[v->place[item->cpu]]) >= m->until;
}

/* True if each CPU has a sample at or after @time. */
static bool has_reached(const struct measure *m, uint64_t time)
{
	unsigned int i;

	for (i = 0; i < m->intervals.cpus; i++)
		if (latest_of(&m->intervals.cpu[i]) < time)
			return false;
	return true;
}

/* True if each CPU has a sample, and no chosen counter has just begun in it. */
static bool has_settled(const struct measure *m)
{
	const struct cpu_interval *c;
	const struct point *p;
	unsigned int i, n;

	for (i = 0; i < m->intervals.cpus; i++) {
		c = &m->intervals.cpu[i];
		p = c->to.valid ? &c->to : &c->from;
		for (n = 0; p->valid && n < m->set->ncounters; n++)
			if ((m->choice.meters.count || intervals_has(&m->intervals, n)) &&
			    p->status[n] == RCR_STATUS_GAP)
				return false;
		if (!p->valid)
			return false;
	}
	return true;
}

static int take_measured(struct measure *m, const struct rcr_item *item, bool counts)
{
	if (item->type == RCR_ITEM_SET) {
		if (counts)
			end_set(m);
		return take_measured_set(m);
	}
	if (!m->until || !is_late(m, item))
		intervals_add(&m->intervals, item);
	return 0;
}

/* Takes all available items; waits at most @timeout_ms for the first one. */
static int take_items(struct measure *m, bool counts, int timeout_ms)
{
	const struct rcr_item *item;
	int got, ret = 0;

	while (!ret && (got = rcr_next(m->reader, &item, timeout_ms)) > 0) {
		ret = take_measured(m, item, counts);
		timeout_ms = 0;
	}
	if (!ret && got < 0 && errno != EINTR)
		return fail("cannot read the stream: %s", strerror(errno));
	return ret;
}

/* Waits until every CPU has a sample at or after @time; gives up on silent CPUs. */
static int wait_for_all(struct measure *m, uint64_t time)
{
	uint64_t limit = now_ns() + PATIENCE + 2 * m->set->period_ns;
	int ret = 0;

	while (!ret && !has_reached(m, time) && now_ns() < limit)
		ret = take_items(m, true, 20);
	return ret;
}

/* Waits for a second sample of new events: counts cannot begin at the first one, a gap. */
static int wait_for_counters(struct measure *m)
{
	uint64_t limit = now_ns() + PATIENCE + 2 * m->set->period_ns;
	int ret = 0;

	while (!ret && !has_settled(m) && now_ns() < limit)
		ret = take_items(m, false, 20);
	return ret;
}

/* Returns how long to sleep between reads so that no record is overwritten. */
static int pause_ms(const struct measure *m)
{
	uint64_t ms = m->set->ring_records * m->set->period_ns / 4000000;

	return ms < 10 ? 10 : ms > 500 ? 500 : ms;
}

/* Runs the command; returns its exit status. */
static int run_measured(struct measure *m, struct child *c)
{
	int status = child_start(c, m->options->command), ret = 0;

	if (status)
		return status;
	while (!c->ended) {
		child_wait(c, ret ? -1 : pause_ms(m));
		m->until = c->end;
		if (!ret)
			ret = take_items(m, true, 0);
	}
	if (!ret)
		ret = wait_for_all(m, c->end);
	if (!ret) {
		end_set(m);
		fclose(m->sentences);
		m->sentences = NULL;
		report_print(m->options, c, &m->totals, m->lost, &m->intervals, m->problems);
	}
	return c->status;
}

static int open_reader(struct measure *m)
{
	char text[256];

	m->reader = rcr_open(NULL);
	if (!m->reader)
		return fail("%s", rcr_open_error(NULL, errno, text, sizeof(text)));
	return take_measured_set(m);
}

static int check_measured_cpus(const struct measure *m)
{
	unsigned int cpu;

	for (cpu = 0; !m->options->all_cpus && cpu < CPU_LIMIT; cpu++)
		if (m->options->cpu[cpu] && !rcr_set_has_cpu(m->set, cpu))
			return fail("CPU %u is not sampled", cpu);
	return 0;
}

/* Does everything that may fail, before the command is started. */
static int prepare_measure(struct measure *m)
{
	int ret = choice_open(&m->choice, m->options->events, m->options->meters, NULL);

	if (!ret)
		ret = open_reader(m);
	if (!ret)
		ret = check_measured_cpus(m);
	if (!ret)
		ret = wait_for_counters(m);
	/* The newest sample of each CPU is where the counts begin. */
	if (!ret)
		ret = take_items(m, false, 0);
	if (!ret)
		ret = report_open(m->options);
	m->sentences = open_memstream(&m->problems, &m->length);
	if (!ret && !m->sentences)
		ret = fail("no memory");
	return ret;
}

/**
 * measure_command() - count while a command runs, and print the totals
 * @options: the command line
 *
 * Returns the exit status: that of the command; 128 + N if signal N ended it; EXIT_NOT_FOUND,
 * EXIT_NOT_EXECUTABLE; or EXIT_NOT_STARTED if rcrstat failed before it started the command.
 */
int measure_command(const struct options *options)
{
	struct measure m = { .options = options, .choice.hold = -1 };
	struct child c = { .signals = -1 };
	int status = EXIT_NOT_STARTED;

	if (!prepare_measure(&m)) {
		intervals_restart(&m.intervals);
		status = run_measured(&m, &c);
	}
	child_close(&c);
	rcr_close(m.reader);
	choice_close(&m.choice);
	drop_set(&m);
	if (m.sentences)
		fclose(m.sentences);
	free(m.problems);
	return status;
}
