// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * records.c - reads the stream of the module, or replays a recording at the pace at which it was
 * recorded.
 *
 * To let the agent sleep, the stream is read only once for each grid tick, shortly after it.
 * Reading starts with the oldest records in the rings, which have the totals of offline CPUs.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "message.h"
#include "pmda/agent.h"

/* Time after a grid tick until its records are in the stream, if the machine is not busy, ns. */
#define LAG_NS		20000000ull
/* A CPU without a record this long after a grid tick is taken for offline or idle, ns. */
#define PATIENCE_NS	1000000000ull
/* Interval of attempts to open the module, ms. */
#define RETRY_MS	1000

static uint64_t wall_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

void records_close(struct agent *a)
{
	rcr_close(a->reader);
	a->reader = NULL;
	a->item = NULL;
	a->align.now.valid = false;
	a->align.open = false;
	meters_close(a);
}

/* Closes the stream; nothing is published until it can be opened again. */
static void stop_records(struct agent *a, const char *state)
{
	if (strcmp(a->state, state))
		note("%s", state);
	snprintf(a->state, sizeof(a->state), "%s", state);
	a->renamed |= a->events;
	a->events = 0;
	memset(a->spent, 0, sizeof(a->spent));
	records_close(a);
	jobs_finish(&a->jobs, wall_ns());
}

/* Finds the CPUs that share the counters of each scope. */
static void share_counters(struct agent *a)
{
	unsigned int scope, cpu, first, ncpus = a->set->ncpus;
	const struct parts *unit;

	ncpus = ncpus < CPU_LIMIT ? ncpus : CPU_LIMIT;
	for (scope = 0; scope < RATE_SCOPES; scope++) {
		unit = parts_of_scope(a->parts, scope);
		for (cpu = 0; cpu < ncpus; cpu++) {
			for (first = 0; first < cpu; first++)
				if (!unit || (unit->of[cpu] >= 0 &&
					      unit->of[first] == unit->of[cpu]))
					break;
			a->jobs.runs.share[scope][cpu] = first;
		}
	}
}

static void take_agent_set(struct agent *a)
{
	const struct rcr_set *set = rcr_reader_set(a->reader);
	struct rcr_set *copy = malloc(set->item.size);
	char why[RCR_SENTENCE_LEN];

	if (set->ncpus > CPU_LIMIT) {
		free(copy);
		stop_records(a, "the counter set has more CPUs than Linux can have");
		return;
	}
	if (copy)
		memcpy(copy, set, set->item.size);
	free(a->set);
	a->set = copy;
	if (!copy || publish_set(a)) {
		stop_records(a, "no memory for the counter set");
		return;
	}
	share_counters(a);
	jobs_set(&a->jobs, a->set, wall_ns());
	strcpy(a->state, "sampling");
	if (!set->error)
		return;
	rcr_reason_text(&set->reason, why, sizeof(why));
	snprintf(a->state, sizeof(a->state), "nothing is counted: %.200s",
		 *why ? why : strerror(set->error));
}

static void open_records(struct agent *a)
{
	char text[RCR_SENTENCE_LEN];

	a->reader = rcr_open(a->file);
	if (!a->reader) {
		stop_records(a, rcr_open_error(a->file, errno, text, sizeof(text)));
		return;
	}
	a->replay_at = now_ns();
	a->replay_from = 0;
	spool_source(&a->jobs.spool, a->file);
	take_agent_set(a);
	if (!a->file && a->reader &&
	    (rcr_choose_items(a->reader, 1ull << RCR_ITEM_SET | 1ull << RCR_ITEM_LOST |
			      1ull << RCR_ITEM_MARK | 1ull << RCR_ITEM_SAMPLE |
			      1ull << RCR_ITEM_CLOCK) ||
	     rcr_rewind(a->reader)))
		stop_records(a, strerror(errno));
}

static void publish_open(struct agent *a)
{
	align_close(&a->align);
	publish_tick(a);
	jobs_tick(&a->jobs, wall_ns());
}

static void take_agent_item(struct agent *a, const struct rcr_item *item)
{
	if (item->type == RCR_ITEM_SET) {
		take_agent_set(a);
		return;
	}
	if (align_ends(&a->align, item))
		publish_open(a);
	align_add(&a->align, item);
	jobs_add(&a->jobs, item);
}

/* True if an item of a recording is not due yet. */
static bool is_early(struct agent *a, const struct rcr_item *item)
{
	uint64_t time = ((const struct rcr_record *)item)->time;

	if (!a->file || (item->type != RCR_ITEM_SAMPLE && item->type != RCR_ITEM_CLOCK))
		return false;
	if (!a->replay_from)
		a->replay_from = time;
	return time > a->replay_from && time - a->replay_from > now_ns() - a->replay_at;
}

/* Runs at most once per RETRY_MS, as it is slow with many jobs; repeats to write further cards. */
static void end_recording(struct agent *a)
{
	if (a->ended && now_ns() < a->ended + RETRY_MS * 1000000ull)
		return;
	a->ended = now_ns();
	strcpy(a->state, "the recording has ended");
	if (a->align.open)
		publish_open(a);
	jobs_finish(&a->jobs, wall_ns());
}

/* Returns the next item that is due, or NULL. */
static const struct rcr_item *next_agent_item(struct agent *a)
{
	const struct rcr_item *item = a->item;
	int got = item ? 1 : rcr_next(a->reader, &item, 0);

	a->item = NULL;
	if (got > 0 && is_early(a, item)) {
		a->item = item;
		return NULL;
	}
	if (got < 0 && a->file && errno == ENODATA)
		end_recording(a);
	else if (got < 0 && errno != EINTR)
		stop_records(a, errno == ENODATA ? "rcrtool was unloaded" : strerror(errno));
	return got > 0 ? item : NULL;
}

/**
 * records_read() - read the stream up to now, and publish each grid tick
 * @a: the agent
 */
void records_read(struct agent *a)
{
	const struct rcr_item *item;

	/* Replay a recording only once, even if it could not be read to its end. */
	if (!a->reader && !(a->file && a->replay_at))
		open_records(a);
	jobs_find_groups(&a->jobs);
	while (a->reader && (item = next_agent_item(a)))
		take_agent_item(a, item);
	if (a->reader && !a->file && align_is_due(&a->align, wall_ns(), PATIENCE_NS))
		publish_open(a);
}

/* Time between two reads of the stream: a grid step, but at most a quarter of a ring. */
static uint64_t records_step(const struct agent *a)
{
	uint64_t ring = a->set->ring_records * a->set->period_ns / 4;

	return ring && ring < a->align.grid ? ring : a->align.grid;
}

/* Returns how long to sleep before the next records_read(), ms. */
int records_pause_ms(const struct agent *a)
{
	const struct rcr_record *record = (const struct rcr_record *)a->item;
	uint64_t now, step, due;

	if (!a->reader)
		return RETRY_MS;
	if (a->file) {
		if (!record)
			return RETRY_MS;
		now = now_ns() - a->replay_at;
		due = record->time - a->replay_from;
		return due > now ? (due - now) / 1000000 + 1 : 0;
	}
	if (a->align.open)
		return 10;
	now = wall_ns();
	step = records_step(a);
	due = (now - LAG_NS) / step * step + step + LAG_NS;
	return (due - now) / 1000000 + 1;
}
