// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * runs.c - executions of jobs, from the marks and samples of a stream.
 *
 * On each CPU a run counts from the first record at or after its begin mark to the last one at or
 * before its end mark (math/rate.c). Totals are cumulative, so in between, a run only needs the
 * records where a status changes; runs_sync() adds the latest ones. The two latest records of each
 * CPU are kept, so that a mark that is read after a later record still finds its own.
 *
 * The stream is in order of time: a run is finished by the first record after its end mark.
 *
 * The share of a run's own tasks is estimated from all records (math/estimates.c). A record is
 * added to the estimate one record late, when all earlier marks have been read.
 *
 * Pure: no input, no output, no clock. Also compiled into the unit tests.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runs/runs.h"

/* Time without a sample at either end of a run that is not missed, ns, besides two periods. */
#define EDGE_NS		200000000ull
/* Interval of writing the card of a run in which a status has changed, ns. */
#define SAVE_NS		60000000000ull
/* Interval of writing any card, so that the card of a long run is not removed as old, ns. */
#define SAVE_ALWAYS_NS	86400000000000ull

static struct rcr_record *slot_record(const struct runs *r, unsigned int cpu, unsigned int i)
{
	return (struct rcr_record *)(r->record + (2ul * cpu + i) * r->set->record_size);
}

/* Returns the latest record of a CPU, or NULL. */
static const struct rcr_record *latest_record(const struct runs *r, unsigned int cpu)
{
	const struct run_slot *slot = &r->slot[cpu];

	return slot->valid[slot->newest] ? slot_record(r, cpu, slot->newest) : NULL;
}

/* Adds the two latest records of a CPU; rate_add() ignores a record that it already has. */
static void feed_cpu(const struct runs *r, struct run *run, unsigned int cpu)
{
	const struct run_slot *slot = &r->slot[cpu];

	if (slot->valid[!slot->newest])
		rate_add(run->rate, &slot_record(r, cpu, !slot->newest)->item);
	if (slot->valid[slot->newest])
		rate_add(run->rate, &slot_record(r, cpu, slot->newest)->item);
}

static void feed_run(const struct runs *r, struct run *run)
{
	unsigned int cpu;

	for (cpu = 0; cpu < r->ncpus; cpu++)
		feed_cpu(r, run, cpu);
}

/* Adds a record or a loss of a CPU to the estimate of a run. */
static void add_run_part(const struct runs *r, struct run *run, const struct rcr_item *item)
{
	const struct rcr_record *record = (const struct rcr_record *)item;
	enum estimates_task task = ESTIMATES_UNSURE;

	if (!run->estimates || item->cpu >= run->rate->ncpus || !run->rate->wanted[item->cpu])
		return;
	if (item->type == RCR_ITEM_SAMPLE && record->time < run->begin)
		return;
	if (item->type == RCR_ITEM_SAMPLE)
		task = r->task(r->context, run->group, record);
	estimates_add(run->estimates, run->rate, item, task);
}

/* Adds the latest record of each CPU, when the set or the run has no further ones. */
static void add_latest_parts(const struct runs *r, struct run *run)
{
	const struct rcr_record *record;
	unsigned int cpu;

	for (cpu = 0; run->estimates && cpu < r->ncpus; cpu++) {
		record = latest_record(r, cpu);
		if (record)
			add_run_part(r, run, &record->item);
	}
}

static void free_estimates(struct run *run)
{
	if (run->estimates)
		estimates_free(run->estimates);
	free(run->estimates);
	run->estimates = NULL;
}

/**
 * runs_set_group() - begin to estimate the share of a run's own tasks
 * @r: the runs
 * @run: a run that is being counted; a restored one lacks records, and has no estimate
 * @group: id of its control group, which had no tasks before the next record; 0: not known
 */
void runs_set_group(struct runs *r, struct run *run, uint64_t group)
{
	unsigned int cpu, older;

	free_estimates(run);
	run->group = group;
	if (!group || run->restored || !run->rate)
		return;
	run->estimates = calloc(1, sizeof(*run->estimates));
	if (!run->estimates)
		return;
	if (estimates_init(run->estimates, run->rate->ncpus) ||
	    estimates_set(run->estimates, r->set)) {
		free_estimates(run);
		return;
	}
	for (cpu = 0; cpu < r->ncpus; cpu++) {
		older = !r->slot[cpu].newest;
		if (r->slot[cpu].valid[older])
			add_run_part(r, run, &slot_record(r, cpu, older)->item);
	}
}

void runs_release(struct run *run)
{
	if (run->rate)
		rate_free(run->rate);
	free(run->rate);
	run->rate = NULL;
	free_estimates(run);
}

static void close_run(struct runs *r, const struct run *run)
{
	unsigned int i;

	for (i = 0; i < r->opens; i++)
		if (r->open[i] == run) {
			r->opens--;
			memmove(r->open + i, r->open + i + 1,
				(r->opens - i) * sizeof(*r->open));
			return;
		}
}

/* Removes a run. */
void runs_forget(struct runs *r, struct run *run)
{
	unsigned int i;

	close_run(r, run);
	for (i = 0; i < r->count; i++)
		if (r->run[i] == run) {
			r->count--;
			memmove(r->run + i, r->run + i + 1, (r->count - i) * sizeof(*r->run));
			break;
		}
	runs_release(run);
	free(run->total);
	free(run);
	r->changes++;
}

/* True if a CPU of the run has two samples, so that there are totals. */
static bool has_two_samples(const struct rate_run *rate)
{
	unsigned int cpu;

	for (cpu = 0; cpu < rate->ncpus; cpu++)
		if (rate->wanted[cpu] && rate->cpu[cpu].last.tsc > rate->cpu[cpu].first.tsc)
			return true;
	return false;
}

static bool has_sampled_cpu(const struct rate_run *rate)
{
	unsigned int cpu;

	for (cpu = 0; cpu < rate->ncpus; cpu++)
		if (rate->wanted[cpu] && rate->machine[cpu])
			return true;
	return false;
}

/* Fills in why a total is not complete. */
static void explain_total(const struct rate_run *rate, const struct rate_event *e,
			  const struct rate_sum *sum, char reason[RUN_REASON_LEN])
{
	if (sum->counted && sum->completeness >= 1 && !sum->status)
		*reason = 0;
	else if (!has_sampled_cpu(rate))
		strcpy(reason, "none of its CPUs is sampled");
	else if (!has_two_samples(rate))
		strcpy(reason, "too short: no CPU was sampled twice");
	else if (sum->status)
		snprintf(reason, RUN_REASON_LEN, "%s on CPU %u", rcr_status_name(sum->status),
			 sum->cpu);
	else if (!sum->counted && e->slow)
		strcpy(reason, "it was not read twice");
	else if (rate->sets > 1)
		strcpy(reason, "the set of counters was changed");
	else
		strcpy(reason, "a CPU was not sampled all the time");
}

static const char *missing_estimate(const struct run *run, const struct estimates_sum *sum)
{
	if (!run->estimates && !run->group)
		return "its control group is not known";
	if (!run->estimates && run->restored)
		return "the agent was started again within the job";
	return estimates_reason_text(run->estimates ? sum->reason : ESTIMATES_BROKEN);
}

/* Estimates the share of the run's own tasks in a total. */
static void compute_estimate(const struct run *run, unsigned int i, struct run_total *total)
{
	struct estimates_sum sum = { .reason = ESTIMATES_SHARED };

	if (!estimates_has(&run->rate->event[i])) {
		strcpy(total->estimate_reason, estimates_reason_text(ESTIMATES_SHARED));
		return;
	}
	if (run->estimates)
		sum = estimates_sum(run->estimates, run->rate, i);
	/* The estimate does not cover time without samples. */
	if (sum.reason == ESTIMATES_KNOWN && total->completeness < 1)
		sum.reason = ESTIMATES_BROKEN;
	total->has_estimate = sum.reason == ESTIMATES_KNOWN;
	if (!total->has_estimate) {
		strcpy(total->estimate_reason, missing_estimate(run, &sum));
		return;
	}
	/* The sum over many CPUs is rounded: do not exceed the total. */
	total->estimate = sum.count < total->count ? sum.count + 0.5 : total->count;
	total->error = ceil(sum.error);
}

static void compute_total(const struct run *run, unsigned int i, struct run_total *total)
{
	const struct rate_run *rate = run->rate;
	const struct rate_event *e = &rate->event[i];
	struct rate_sum sum;

	rate_sum(rate, i, NULL, 0, &sum);
	*total = (struct run_total){
		.unit = e->counter.unit, .gauge = e->gauge, .slow = e->slow,
		.shared = rate_is_shared(e), .known = sum.counted, .count = sum.count,
		.completeness = sum.completeness,
	};
	memcpy(total->name, e->counter.name, sizeof(total->name));
	explain_total(rate, e, &sum, total->reason);
	compute_estimate(run, i, total);
}

/* Computes the totals of a run that is being counted. */
static void compute_totals(const struct runs *r, struct run *run)
{
	struct run_total *total = reallocarray(run->total, run->rate->count + 1, sizeof(*total));
	unsigned int i;

	if (!total)
		return;
	run->total = total;
	run->totals = run->rate->count;
	run->rate->end = run->end == UINT64_MAX ? r->time : run->end;
	for (i = 0; i < run->totals; i++)
		compute_total(run, i, &total[i]);
	run->rate->end = run->end;
}

static void finish_run(struct runs *r, struct run *run)
{
	feed_run(r, run);
	add_latest_parts(r, run);
	compute_totals(r, run);
	close_run(r, run);
	run->dirty = true;
	r->changes++;
}

/**
 * runs_end() - end a run
 * @r: the runs
 * @run: a run that is being counted
 * @end: when it ended, CLOCK_MONOTONIC, ns
 * @state: why it ended
 *
 * Records up to @end are still added.
 */
void runs_end(struct runs *r, struct run *run, uint64_t end, enum run_state state)
{
	run->state = state;
	run->end = end;
	run->end_wall = end + r->offset;
	run->rate->end = end;
	feed_run(r, run);
	r->changes++;
}

/* Finishes the runs that ended before @time: the stream has no more records of these. */
static void finish_ended(struct runs *r, uint64_t time)
{
	unsigned int i = 0;

	while (i < r->opens)
		if (r->open[i]->end < time)
			finish_run(r, r->open[i]);
		else
			i++;
}

/* Makes room for one more open run: drops the oldest one whose end may be lost, else the oldest. */
static void make_open_room(struct runs *r)
{
	struct run *oldest = NULL;
	unsigned int i;

	if (r->opens < RUNS_OPEN)
		return;
	for (i = 0; i < r->opens; i++)
		if (!oldest || (r->open[i]->uncertain && !oldest->uncertain))
			oldest = r->open[i];
	if (oldest->state == RUN_RUNNING)
		runs_end(r, oldest, r->time, RUN_DROPPED);
	finish_run(r, oldest);
}

/* Makes room for one more run: forgets the oldest one that has ended. */
static void make_room(struct runs *r)
{
	unsigned int i;

	for (i = 0; r->count == RUNS_KEPT && i < r->count; i++)
		if (r->run[i]->state != RUN_RUNNING) {
			runs_forget(r, r->run[i]);
			return;
		}
}

/* Returns the number of the next run with an id. */
static unsigned int next_number(const struct runs *r, const char *id)
{
	unsigned int i, number = 1;

	for (i = 0; i < r->count; i++)
		if (!strcmp(r->run[i]->id, id) && r->run[i]->number >= number)
			number = r->run[i]->number + 1;
	return number;
}

/**
 * runs_make() - make a run
 * @r: the runs
 * @id: of the job
 *
 * Returns the run, which is not counted before runs_open(); NULL if memory ran out.
 */
struct run *runs_make(struct runs *r, const char *id)
{
	struct run *run;

	make_room(r);
	run = calloc(1, sizeof(*run));
	if (!run)
		return NULL;
	snprintf(run->id, sizeof(run->id), "%s", id);
	run->number = next_number(r, id);
	run->serial = r->serial++;
	run->end = UINT64_MAX;
	r->run[r->count++] = run;
	r->changes++;
	return run;
}

/**
 * runs_open() - begin to count for a run
 * @r: the runs, with a set
 * @run: a run with @begin
 *
 * Returns false if memory ran out.
 */
bool runs_open(struct runs *r, struct run *run)
{
	struct rate_run *rate = calloc(1, sizeof(*rate));
	unsigned int scope, cpu;

	make_open_room(r);
	run->rate = rate;
	if (!rate || rate_init(rate, r->ncpus) || rate_set(rate, r->set)) {
		runs_release(run);
		return false;
	}
	for (scope = RCR_SCOPE_CPU + 1; scope < RATE_SCOPES; scope++)
		memcpy(rate->shares[scope].first, r->share[scope],
		       r->ncpus * sizeof(unsigned int));
	for (cpu = 0; cpu < r->ncpus; cpu++)
		rate->wanted[cpu] = r->sampled[cpu];
	rate->machine = r->sampled;
	rate->edge = EDGE_NS + 2 * r->set->period_ns;
	rate->begin = run->begin;
	rate->end = run->end;
	r->open[r->opens++] = run;
	return true;
}

/* True if a begin mark was read before, or is older than the job's latest run. */
static bool is_old_begin(const struct runs *r, const struct rcr_mark *mark)
{
	unsigned int i;

	for (i = 0; i < r->count; i++)
		if (r->run[i]->begin >= mark->time && !strcmp(r->run[i]->id, mark->text))
			return true;
	return false;
}

/* True if an end mark is not newer than the end of a run of the job. */
static bool is_old_end(const struct runs *r, const struct rcr_mark *mark)
{
	unsigned int i;

	for (i = 0; i < r->count; i++)
		if (r->run[i]->end >= mark->time && r->run[i]->end != UINT64_MAX &&
		    !strcmp(r->run[i]->id, mark->text))
			return true;
	return false;
}

/* Returns the run of a job that has no end yet, or NULL. */
static struct run *running_run(const struct runs *r, const struct rcr_mark *mark)
{
	unsigned int i;

	for (i = 0; i < r->opens; i++)
		if (r->open[i]->end == UINT64_MAX && r->open[i]->begin <= mark->time &&
		    !strcmp(r->open[i]->id, mark->text))
			return r->open[i];
	return NULL;
}

/* Counts, for the new run and all open ones, the runs that overlap them. */
static void count_shared(struct runs *r, struct run *run)
{
	unsigned int i;

	for (i = 0; i < r->opens; i++)
		if (r->open[i] != run && r->open[i]->end > run->begin) {
			r->open[i]->shared++;
			r->open[i]->changed = true;
			run->shared++;
		}
}

static void take_begin(struct runs *r, const struct rcr_mark *mark)
{
	struct run *run = running_run(r, mark);

	if (is_old_begin(r, mark))
		return;
	if (run)
		runs_end(r, run, mark->time, RUN_BEGUN_AGAIN);
	run = runs_make(r, mark->text);
	if (!run)
		return;
	run->begin = mark->time;
	run->begin_wall = mark->time + r->offset;
	run->saved = mark->time;
	run->dirty = true;
	if (!runs_open(r, run)) {
		runs_forget(r, run);
		return;
	}
	count_shared(r, run);
	feed_run(r, run);
}

static void take_end(struct runs *r, const struct rcr_mark *mark)
{
	struct run *run = running_run(r, mark);

	if (!run)
		r->strays += !is_old_end(r, mark);
	else if (!r->has_samples && !run->restored)
		/* The run ended before the oldest record in the rings. */
		runs_forget(r, run);
	else
		runs_end(r, run, mark->time, RUN_ENDED);
}

/* Lost marks may include the end of any open run. */
static void note_lost_marks(struct runs *r, const struct rcr_mark *mark)
{
	bool lost;
	unsigned int i;

	r->lost_marks += mark->lost;
	for (i = 0; i < r->opens; i++) {
		lost = mark->lost;
		if (r->open[i]->restored && r->open[i]->generation == r->set->item.generation) {
			lost |= mark->position > r->open[i]->mark;
			r->open[i]->mark = mark->position + 1;
		}
		if (lost && r->open[i]->end == UINT64_MAX)
			r->open[i]->uncertain = true;
	}
	/* A mark that is read again does not move the position back. */
	if (mark->position >= r->mark)
		r->mark = mark->position + 1;
}

static void take_run_mark(struct runs *r, const struct rcr_mark *mark)
{
	if (mark->time > r->time)
		r->time = mark->time;
	note_lost_marks(r, mark);
	if (!*mark->text)
		return;
	if (mark->kind == RCR_MARK_BEGIN)
		take_begin(r, mark);
	else if (mark->kind == RCR_MARK_END)
		take_end(r, mark);
}

/* True if no status changed between two consecutive records of a CPU. */
static bool is_steady(const struct rcr_set *set, const struct rcr_record *a,
		      const struct rcr_record *b)
{
	return a->changes == b->changes && set->status_size == 1 &&
	       !memcmp((const char *)a + set->status_offset, (const char *)b + set->status_offset,
		       set->ncounters);
}

static void keep_record(struct runs *r, const struct rcr_record *record)
{
	struct run_slot *slot = &r->slot[record->item.cpu];

	slot->newest = !slot->newest;
	slot->valid[slot->newest] = true;
	memcpy(slot_record(r, record->item.cpu, slot->newest), record, record->item.size);
}

static void take_run_sample(struct runs *r, const struct rcr_record *record)
{
	unsigned int i, cpu = record->item.cpu;
	const struct rcr_record *before = latest_record(r, cpu);
	bool steady;

	if (record->item.size != r->set->record_size ||
	    (before && record->time <= before->time))
		return;
	finish_ended(r, record->time);
	if (record->time > r->time)
		r->time = record->time;
	steady = before && !r->has_gauges && is_steady(r->set, before, record);
	for (i = 0; !steady && before && i < r->opens; i++) {
		feed_cpu(r, r->open[i], cpu);
		r->open[i]->changed = true;
	}
	for (i = 0; before && i < r->opens; i++)
		add_run_part(r, r->open[i], &before->item);
	keep_record(r, record);
	for (i = 0; i < r->opens; i++)
		if (!steady || cpu >= r->open[i]->rate->ncpus ||
		    !r->open[i]->rate->cpu[cpu].first.valid)
			rate_add(r->open[i]->rate, &record->item);
	r->has_samples = true;
}

static void take_run_loss(struct runs *r, const struct rcr_item *item)
{
	const struct rcr_record *before = latest_record(r, item->cpu);
	unsigned int i;

	for (i = 0; i < r->opens; i++) {
		feed_cpu(r, r->open[i], item->cpu);
		rate_add(r->open[i]->rate, item);
		if (before)
			add_run_part(r, r->open[i], &before->item);
		add_run_part(r, r->open[i], item);
	}
}

/**
 * runs_add() - add an item of the stream
 * @r: after runs_set() with the set of the item
 * @item: the item; types other than samples, marks, losses and steps of the clock are ignored
 */
void runs_add(struct runs *r, const struct rcr_item *item)
{
	bool own = item->generation == r->set->item.generation;

	if (own && item->type == RCR_ITEM_MARK)
		take_run_mark(r, (const struct rcr_mark *)item);
	if (!own || item->cpu >= r->ncpus)
		return;
	if (item->type == RCR_ITEM_SAMPLE)
		take_run_sample(r, (const struct rcr_record *)item);
	else if (item->type == RCR_ITEM_LOST)
		take_run_loss(r, item);
	else if (item->type == RCR_ITEM_CLOCK)
		r->offset = ((const struct rcr_record *)item)->value[1];
}

static int keep_set(struct runs *r, const struct rcr_set *set)
{
	struct rcr_set *copy = malloc(set->item.size);
	unsigned int i;

	free(r->set);
	free(r->slot);
	free(r->record);
	r->set = copy;
	r->ncpus = set->ncpus < CPU_LIMIT ? set->ncpus : CPU_LIMIT;
	r->slot = calloc(r->ncpus + 1, sizeof(*r->slot));
	r->record = calloc(r->ncpus + 1, 2ul * set->record_size);
	if (!copy || !r->slot || !r->record)
		return -1;
	memcpy(copy, set, set->item.size);
	r->offset = set->clock_realtime - set->clock_monotonic;
	r->has_gauges = false;
	for (i = 0; i < set->ncounters; i++)
		r->has_gauges |= rcr_set_is_gauge(set, i);
	for (i = 0; i < CPU_LIMIT; i++)
		r->sampled[i] = i < r->ncpus && rcr_set_has_cpu(set, i);
	return 0;
}

/**
 * runs_set() - begin to read the records of a set
 * @r: the runs; 0 before the first call
 * @set: the set
 *
 * Returns 0, or -1 with errno ENOMEM: then nothing more may be added.
 */
int runs_set(struct runs *r, const struct rcr_set *set)
{
	unsigned int i;

	for (i = 0; i < r->opens; i++) {
		feed_run(r, r->open[i]);
		add_latest_parts(r, r->open[i]);
	}
	if (keep_set(r, set))
		return -1;
	r->mark = 0;
	for (i = 0; i < r->opens; i++) {
		if (rate_set(r->open[i]->rate, r->set) ||
		    (r->open[i]->estimates && estimates_set(r->open[i]->estimates, r->set)))
			return -1;
		r->open[i]->restored = false;
		r->open[i]->dirty = true;
	}
	return 0;
}

/* Computes the totals of an open run, up to the latest records. */
void runs_update(struct runs *r, struct run *run)
{
	if (!run->rate)
		return;
	feed_run(r, run);
	compute_totals(r, run);
}

/* True if a run is no longer open. */
bool runs_is_over(const struct runs *r, const struct run *run)
{
	unsigned int i;

	for (i = 0; i < r->opens; i++)
		if (r->open[i] == run)
			return false;
	return true;
}

/**
 * runs_sync() - compute the totals of all open runs, up to the latest records
 * @r: the runs
 */
void runs_sync(struct runs *r)
{
	struct run *run;
	unsigned int i;

	for (i = 0; i < r->opens; i++) {
		run = r->open[i];
		runs_update(r, run);
		run->dirty |= r->time - run->saved > (run->changed ? SAVE_NS : SAVE_ALWAYS_NS);
	}
}

/**
 * runs_flush() - finish runs that have an end, without waiting for a later record
 * @r: the runs
 * @before: finish those that ended before this time, CLOCK_MONOTONIC, ns
 */
void runs_flush(struct runs *r, uint64_t before)
{
	finish_ended(r, before);
}

/**
 * runs_expire() - forget old runs
 * @r: the runs
 * @before: forget those that ended before this time, on the wall clock, ns since 1970
 */
void runs_expire(struct runs *r, uint64_t before)
{
	unsigned int i = 0;

	while (i < r->count)
		if (r->run[i]->end != UINT64_MAX && r->run[i]->end_wall < before &&
		    !r->run[i]->rate)
			runs_forget(r, r->run[i]);
		else
			i++;
}

void runs_free(struct runs *r)
{
	while (r->count)
		runs_forget(r, r->run[0]);
	free(r->set);
	free(r->slot);
	free(r->record);
	memset(r, 0, sizeof(*r));
}

static int compare_serials(const void *key, const void *entry)
{
	unsigned int a = *(const unsigned int *)key, b = (*(struct run *const *)entry)->serial;

	return (a > b) - (a < b);
}

/* Returns the run with a serial number, or NULL. */
struct run *runs_find(const struct runs *r, unsigned int serial)
{
	struct run *const *found = r->count ? bsearch(&serial, r->run, r->count, sizeof(*r->run),
						      compare_serials) : NULL;

	return found ? *found : NULL;
}

/* Returns the lowest completeness of an event; ignores slow counters and gauges. */
double run_completeness(const struct run *run)
{
	double least = 1;
	unsigned int i;

	for (i = 0; i < run->totals; i++)
		if (!run->total[i].slow && !run->total[i].gauge &&
		    run->total[i].completeness < least)
			least = run->total[i].completeness;
	return run->totals ? least : 0;
}

const char *run_state_name(const struct run *run)
{
	static const char *const names[RUN_STATES] = {
		[RUN_RUNNING] = "running", [RUN_ENDED] = "ended",
		[RUN_BEGUN_AGAIN] = "begun again", [RUN_DROPPED] = "dropped",
		[RUN_RESTARTED] = "restarted",
	};

	return run->state == RUN_RUNNING && run->uncertain ? "uncertain" : names[run->state];
}
