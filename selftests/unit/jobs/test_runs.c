// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_runs.c - runs of jobs, from marks and samples.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAKER_CPUS 4
#define MAKER_COUNTERS 2
#include "ksft.h"
#include "runs/runs.h"
#include "stream_maker.h"

#define CYC 0
#define INS 1
#define TINY (1 / 1e12)

static struct made_set set;
static struct runs runs;
static uint64_t position;

/* The control group of the job; 0: unknown. */
#define GROUP 7

static enum estimates_task task_of(void *context, uint64_t group, const struct rcr_record *record)
{
	if (context != &position || !record->cgroup)
		return ESTIMATES_UNSURE;
	return record->cgroup == group ? ESTIMATES_OWN : ESTIMATES_OTHER;
}

static void set_runs(struct runs *r)
{
	unsigned int scope, cpu;

	r->task = task_of;
	r->context = &position;

	for (scope = 0; scope < RATE_SCOPES; scope++)
		for (cpu = 0; cpu < MAKER_CPUS; cpu++)
			r->share[scope][cpu] = scope == RCR_SCOPE_PACKAGE ? cpu / 2 * 2 : cpu;
	runs_set(r, &set.set);
}

/* Use the default set: CPUs 0, 1 and 3, a period of 1 ms, a TSC of 1 GHz. */
static void restart_runs(void)
{
	runs_free(&runs);
	set = make_set();
	position = 0;
	set_runs(&runs);
}

static void add_mark(enum rcr_mark_kind kind, uint64_t us, const char *id)
{
	struct rcr_mark m = make_mark(us * 1000, kind, id);

	m.item.generation = set.set.item.generation;
	m.position = position++;
	runs_add(&runs, &m.item);
}

static void add_begin(uint64_t us, const char *id)
{
	add_mark(RCR_MARK_BEGIN, us, id);
}

static void add_end(uint64_t us, const char *id)
{
	add_mark(RCR_MARK_END, us, id);
}

static void add_cpu(unsigned int cpu, uint64_t ms, uint8_t status, uint64_t changes)
{
	/* CPU n counts 1000 (n + 1) CYC and 10 (n + 1) INS per ms. */
	struct made_record r = make_sample(cpu, ms, ms * 1000 * (cpu + 1), ms * 10 * (cpu + 1));

	r.record.item.generation = set.set.item.generation;
	r.record.changes = changes;
	r.record.cgroup = GROUP;
	set_status(&r, CYC, status);
	runs_add(&runs, &r.record.item);
}

/* Add samples of each millisecond. */
static void add_ticks(uint64_t from_ms, uint64_t to_ms)
{
	uint64_t ms;

	for (ms = from_ms; ms <= to_ms; ms++) {
		add_cpu(0, ms, RCR_STATUS_OK, 0);
		add_cpu(1, ms, RCR_STATUS_OK, 0);
		add_cpu(3, ms, RCR_STATUS_OK, 0);
	}
}

static const struct run *run_of(const char *name)
{
	char each[RUN_NAME_LEN];
	unsigned int i;

	for (i = 0; i < runs.count; i++) {
		run_name(each, runs.run[i]);
		if (!strcmp(each, name))
			return runs.run[i];
	}
	return NULL;
}

static bool state_is(const char *name, const char *state)
{
	const struct run *run = run_of(name);

	return run && !strcmp(run_state_name(run), state);
}

static bool total_is(const char *name, unsigned int event, uint64_t count, double completeness)
{
	const struct run *run = run_of(name);
	const struct run_total *t = run && event < run->totals ? &run->total[event] : NULL;
	double off = t ? t->completeness - completeness : 1;

	if (t && t->known && t->count == count && off * off < TINY)
		return true;
	ksft_print_msg("%s: %llu, %f, %s\n", name, t ? (unsigned long long)t->count : 0,
		       t ? t->completeness : -1, t ? t->reason : "none");
	return false;
}

/* Return whether the event has no count for this reason. */
static bool is_missing(const char *name, unsigned int event, const char *reason)
{
	const struct run *run = run_of(name);

	return run && event < run->totals && !run->total[event].known &&
	       !strcmp(run->total[event].reason, reason);
}

static void test_counts(void)
{
	restart_runs();
	add_ticks(1, 10);
	add_begin(10500, "4711");
	add_ticks(11, 20);
	runs_sync(&runs);
	ksft_test_result(total_is("4711", CYC, 9 * 7000, 1) && state_is("4711", "running"),
			 "runs: a running job has a total up to the latest records\n");
	add_ticks(21, 30);
	add_end(30500, "4711");
	ksft_test_result(runs.opens == 1, "runs: an ended run waits for the records up to its end\n");
	add_cpu(0, 31, RCR_STATUS_OK, 0);
	ksft_test_result(total_is("4711", CYC, 19 * 7000, 1) && total_is("4711", INS, 19 * 70, 1) &&
			 !runs.opens && state_is("4711", "ended") &&
			 run_completeness(run_of("4711")) == 1,
			 "runs: a total is from the first to the last record between the marks\n");
	ksft_test_result(run_of("4711")->begin_wall == 1700000000010500000ull &&
			 run_of("4711")->end_wall == 1700000000030500000ull,
			 "runs: begin and end are in wall clock time\n");
	add_ticks(32, 40);
	add_begin(39900, "late");
	add_ticks(41, 50);
	add_end(49900, "late");
	add_ticks(51, 51);
	ksft_test_result(total_is("late", CYC, 9 * 7000, 1),
			 "runs: a mark that is read late still begins its run in time\n");
}

static void test_marks(void)
{
	restart_runs();
	add_end(500, "none");
	ksft_test_result(!runs.count && runs.strays == 1,
			 "runs: an end mark without a begin mark is counted and makes no run\n");
	add_ticks(1, 10);
	add_begin(10500, "a");
	add_ticks(11, 20);
	add_begin(20500, "a");
	add_ticks(21, 30);
	add_end(30500, "a");
	add_ticks(31, 40);
	add_begin(40500, "a");
	add_ticks(41, 45);
	ksft_test_result(state_is("a", "begun again") && total_is("a", CYC, 9 * 7000, 1) &&
			 state_is("a.2", "ended") && total_is("a.2", CYC, 9 * 7000, 1),
			 "runs: a second begin mark of a job ends its run and begins another one\n");
	ksft_test_result(state_is("a.3", "running") && runs.count == 3,
			 "runs: an id that is used again begins another run\n");
	/* A new reader gets these marks again. */
	add_begin(20500, "a");
	add_end(30500, "a");
	add_begin(40500, "a");
	ksft_test_result(runs.count == 3 && runs.opens == 1 && runs.strays == 1,
			 "runs: marks that are read again change nothing\n");
	add_begin(50500, "");
	ksft_test_result(runs.count == 3, "runs: a begin mark without an id is ignored\n");
	add_begin(50500, "b");
	add_ticks(51, 60);
	add_end(60500, "b");
	add_end(60600, "a");
	add_ticks(61, 61);
	add_begin(62500, "c");
	ksft_test_result(run_of("b")->shared == 1 && run_of("a.3")->shared == 1 &&
			 run_of("c")->shared == 0 && run_of("a.2")->shared == 0,
			 "runs: overlapping jobs are counted\n");
}

static void test_lost_marks(void)
{
	struct rcr_mark m = make_mark(20500000, RCR_MARK_BEGIN, "later");

	restart_runs();
	add_ticks(1, 10);
	add_begin(10500, "a");
	add_ticks(11, 20);
	m.lost = 70;
	runs_add(&runs, &m.item);
	ksft_test_result(state_is("a", "uncertain") && state_is("later", "running") &&
			 runs.lost_marks == 70,
			 "runs: running jobs become uncertain if marks were lost\n");
	add_end(20600, "a");
	add_ticks(21, 21);
	ksft_test_result(state_is("a", "ended"), "runs: an end mark makes an uncertain job certain again\n");
	restart_runs();
	add_begin(100, "old");
	add_end(200, "old");
	add_begin(300, "older");
	add_ticks(1000, 1010);
	runs_sync(&runs);
	ksft_test_result(!run_of("old") && total_is("older", CYC, 10 * 7000, 10 / 1009.7),
			 "runs: a job is dropped if it ended before the oldest record, else incomplete\n");
}

static void test_missing(void)
{
	restart_runs();
	add_ticks(1, 10);
	add_begin(10500, "short");
	add_ticks(11, 11);
	add_end(11500, "short");
	add_begin(11600, "shorter");
	add_end(11700, "shorter");
	add_ticks(12, 12);
	ksft_test_result(is_missing("short", CYC, "too short: no CPU was sampled twice") &&
			 is_missing("shorter", INS, "too short: no CPU was sampled twice") &&
			 run_completeness(run_of("shorter")) == 0,
			 "runs: a job between two ticks has a reason instead of a total\n");
	add_begin(12500, "idle");
	add_cpu(0, 13, RCR_STATUS_OK, 0);
	add_cpu(0, 23, RCR_STATUS_OK, 0);
	add_cpu(1, 23, RCR_STATUS_OK, 0);
	add_end(23500, "idle");
	add_ticks(24, 24);
	/* CPU 3 has no sample; the samples that CPU 1 lacks are within the edge. */
	ksft_test_result(total_is("idle", CYC, 10000, 10 / 21.0) &&
			 !strcmp(run_of("idle")->total[CYC].reason,
				 "a CPU was not sampled all the time"),
			 "runs: a CPU without records between the marks lowers the completeness\n");
	add_begin(24500, "offline");
	add_ticks(25, 30);
	add_cpu(0, 1025, RCR_STATUS_OK, 0);
	add_cpu(1, 1025, RCR_STATUS_OK, 0);
	add_end(1025500, "offline");
	add_cpu(0, 1026, RCR_STATUS_OK, 0);
	ksft_test_result(total_is("offline", CYC, 3000 * 1000 + 5 * 4000,
				  2005 / (2005 + 995.5)),
			 "runs: a CPU that goes offline keeps its counts and is incomplete\n");
}

static void test_interruptions(void)
{
	struct rcr_lost lost = { { sizeof(lost), RCR_ITEM_LOST, 0, 1, 1 }, 7, 3 };

	restart_runs();
	add_ticks(1, 10);
	add_begin(10500, "lost");
	add_ticks(11, 12);
	runs_add(&runs, &lost.item);
	add_ticks(20, 21);
	add_end(21500, "lost");
	add_ticks(22, 22);
	ksft_test_result(total_is("lost", CYC, 10 * 7000, 1),
			 "runs: lost records do not lose counts\n");
	add_begin(22500, "foreign");
	add_ticks(23, 27);
	add_cpu(0, 28, RCR_STATUS_FOREIGN, 1);
	add_cpu(0, 33, RCR_STATUS_OK, 2);
	add_cpu(1, 33, RCR_STATUS_OK, 0);
	add_cpu(3, 33, RCR_STATUS_OK, 0);
	add_end(33500, "foreign");
	add_cpu(0, 34, RCR_STATUS_OK, 2);
	ksft_test_result(total_is("foreign", INS, 10 * 70, 1) &&
			 total_is("foreign", CYC, 10 * 7000, 24 / 30.0) &&
			 !strcmp(run_of("foreign")->total[CYC].reason, "foreign on CPU 0"),
			 "runs: a counter that was foreign for a while is incomplete\n");
	add_begin(34500, "sets");
	add_cpu(0, 35, RCR_STATUS_OK, 2);
	add_cpu(0, 40, RCR_STATUS_OK, 2);
	strcpy(set.counter[INS].name, "FLOPS");
	set.set.item.generation = 2;
	runs_set(&runs, &set.set);
	add_cpu(0, 41, RCR_STATUS_OK, 0);
	add_cpu(0, 45, RCR_STATUS_OK, 0);
	add_end(45500, "sets");
	add_cpu(0, 46, RCR_STATUS_OK, 0);
	ksft_test_result(total_is("sets", CYC, 9 * 1000, 9 / (10 + 2 * 11.0)) &&
			 total_is("sets", INS, 5 * 10, 5 / (10 + 2 * 11.0)) &&
			 total_is("sets", 2, 4 * 10, 4 / (10 + 2 * 11.0)),
			 "runs: counts of two sets are added up; the gap is incomplete\n");
}

/* Compare a run, which skips records without changes, with a rate_run that gets all of them. */
static bool is_same_as_each(void)
{
	uint64_t total[MAKER_CPUS][2] = { }, changes[MAKER_CPUS] = { };
	struct rcr_lost lost = { { sizeof(lost), RCR_ITEM_LOST, 0, 0, 1 }, 7, 3 };
	uint8_t status[MAKER_CPUS] = { 1, 1, 1, 1 };
	struct rate_run each;
	struct rate_sum sum;
	struct made_record r;
	unsigned int ms, cpu, i;
	bool same = true;

	restart_runs();
	rate_init(&each, MAKER_CPUS);
	rate_set(&each, &set.set);
	each.wanted[2] = false;
	each.edge = 202000000;
	each.begin = 20500000;
	each.end = 180500000;
	for (ms = 1; ms < 200; ms++) {
		if (ms == 21)
			add_begin(20500, "x");
		if (ms == 181)
			add_end(180500, "x");
		for (cpu = 0; cpu < MAKER_CPUS; cpu++) {
			if (cpu == 2)
				continue;
			lost.item.cpu = cpu;
			if (random_number() % 8 == 0) {
				runs_add(&runs, &lost.item);
				rate_add(&each, &lost.item);
				continue;
			}
			if (random_number() % 10 == 0) {
				status[cpu] = status[cpu] == 1 ? RCR_STATUS_FOREIGN : 1;
				changes[cpu]++;
			} else if (random_number() % 30 == 0) {
				changes[cpu] += 2;
			}
			total[cpu][0] += status[cpu] == 1 ? random_number() % 1000 : 0;
			total[cpu][1] += random_number() % 1000;
			r = make_sample(cpu, ms, total[cpu][0], total[cpu][1]);
			set_status(&r, CYC, status[cpu]);
			r.record.changes = changes[cpu];
			runs_add(&runs, &r.record.item);
			rate_add(&each, &r.record.item);
		}
		if (random_number() % 20 == 0)
			runs_sync(&runs);
	}
	for (i = 0; i < 2; i++) {
		rate_sum(&each, i, NULL, 0, &sum);
		same &= total_is("x", i, sum.count, sum.completeness);
	}
	rate_free(&each);
	return same;
}

static void test_steady(void)
{
	unsigned int i, same = 0;

	for (i = 0; i < 300; i++)
		same += is_same_as_each();
	ksft_test_result(same == 300,
			 "runs: skipping records without a status change does not change counts and completeness\n");
}

/* Samples of a CPU in a run: the counts since the previous one, and the interrupted task. */
struct schedule {
	unsigned int n;
	double d[200];
	bool own[200];
	bool unsure[200];
};

/* Return whether sample @i is the only one of a turn of the job, or of known others. */
static bool is_only_one(const struct schedule *s, unsigned int i)
{
	return s->own[i - 1] == s->own[i + 1] && s->own[i] != s->own[i - 1] && !s->unsure[i];
}

/* Independent implementation of the formula at the head of common/estimate.c and estimates.c. */
static void add_expected(const struct schedule *s, double *count, double *variance, double *bound)
{
	double y = 0, all = 0, sum = 0, mixed = 0, step;
	unsigned int i;

	for (i = 1; i < s->n; i++) {
		all += s->d[i];
		y += s->own[i] ? s->d[i] : 0;
		if (s->unsure[i] || s->unsure[i - 1])
			mixed += s->d[i];
		if (s->own[i] != s->own[i - 1])
			mixed += s->d[i] / 2;
	}
	for (i = 2; i < s->n; i++) {
		step = s->d[i] * (s->own[i] - y / all) - s->d[i - 1] * (s->own[i - 1] - y / all);
		sum += step * step;
		if (is_only_one(s, i - 1))
			mixed += 2 * (s->d[i - 1] + s->d[i]) / 2;
	}
	*count += y;
	*variance += (s->n - 1) / (2.0 * (s->n - 2)) * sum + (y > 0 ? pow(2 * all / (s->n - 1), 2) : 0);
	*bound += mixed;
}

/* Estimate a random schedule whose begin and end marks are read @late ticks late. */
static bool is_estimate_right(unsigned int begin, unsigned int end, unsigned int late)
{
	static struct schedule schedule[MAKER_CPUS];
	uint64_t total[MAKER_CPUS] = { }, task[MAKER_CPUS] = { }, d, often = 16 << random_number() % 4;
	double count = 0, variance = 0, bound = 0, error;
	unsigned int ms, cpu;
	struct made_record r;
	struct run_total *t;

	restart_runs();
	memset(schedule, 0, sizeof(schedule));
	for (ms = 1; ms < 200; ms++) {
		for (cpu = 0; cpu < MAKER_CPUS; cpu++) {
			if (cpu == 2)
				continue;
			if (random_number() % often == 0)
				task[cpu] = random_number() % 8 ? GROUP + random_number() % 2 : 0;
			d = 100000 + random_number() % 1000;
			total[cpu] += d;
			r = make_sample(cpu, ms, total[cpu], 0);
			r.record.cgroup = task[cpu];
			runs_add(&runs, &r.record.item);
			if (ms <= begin || ms > end)
				continue;
			schedule[cpu].d[schedule[cpu].n] = d;
			schedule[cpu].own[schedule[cpu].n] = task[cpu] == GROUP;
			schedule[cpu].unsure[schedule[cpu].n++] = !task[cpu];
		}
		if (ms == begin + late) {
			add_begin(begin * 1000 + 500, "x");
			runs_set_group(&runs, runs.run[0], GROUP);
		}
		if (ms == end)
			add_end(end * 1000 + 500, "x");
		if (random_number() % 20 == 0)
			runs_sync(&runs);
	}
	for (cpu = 0; cpu < MAKER_CPUS; cpu++)
		if (cpu != 2)
			add_expected(&schedule[cpu], &count, &variance, &bound);
	error = ceil(sqrt(variance + bound * bound) - 1 / 1e6);
	t = &runs.run[0]->total[CYC];
	if (!count)
		return !t->has_estimate && !strcmp(t->estimate_reason, "no sample interrupted its processes");
	if (error > count / 10)
		return !t->has_estimate && !strcmp(t->estimate_reason, "its standard error is more than 10 %");
	if (t->has_estimate && t->estimate == (uint64_t)count && fabs(t->error - error) <= 1)
		return true;
	ksft_print_msg("%llu +- %llu instead of %.0f +- %.0f: %s\n", (unsigned long long)t->estimate,
		       (unsigned long long)t->error, count, error, t->estimate_reason);
	return false;
}

/* Return whether the share of a job in an event is unknown for this reason. */
static bool has_no_part(const char *name, unsigned int event, const char *reason)
{
	const struct run_total *t = &run_of(name)->total[event];

	if (!t->has_estimate && !strcmp(t->estimate_reason, reason))
		return true;
	ksft_print_msg("%s: %llu: %s\n", name, (unsigned long long)t->estimate, t->estimate_reason);
	return false;
}

static void test_parts(void)
{
	struct rcr_lost lost = { { sizeof(lost), RCR_ITEM_LOST, 0, 1, 1 }, 7, 3 };
	unsigned int i, same = 0;

	for (i = 0; i < 300; i++)
		same += is_estimate_right(10 + i % 20, 150 + i % 30, i % 3);
	ksft_test_result(same == 300, "runs: the estimated share of a job and its error follow the formula\n");
	restart_runs();
	add_ticks(1, 10);
	add_begin(10500, "none");
	add_begin(10500, "other");
	runs_set_group(&runs, runs.run[1], GROUP + 1);
	add_ticks(11, 300);
	runs_sync(&runs);
	ksft_test_result(has_no_part("none", CYC, "its control group is not known") &&
			 has_no_part("other", INS, "no sample interrupted its processes"),
			 "runs: a job without a control group or without samples has no estimate\n");
	restart_runs();
	add_ticks(1, 10);
	add_begin(10500, "lost");
	runs_set_group(&runs, runs.run[0], GROUP);
	add_ticks(11, 12);
	runs_add(&runs, &lost.item);
	add_ticks(20, 21);
	runs_sync(&runs);
	/* Only the interval across the loss is unsure. */
	ksft_test_result(!runs.run[0]->estimates->torn[1] &&
			 runs.run[0]->estimates->cell[CYC][1].own.mixed == 8 * 2000,
			 "runs: the interval with lost records counts as mixed\n");
}

static void test_no_parts(void)
{
	restart_runs();
	add_ticks(1, 10);
	add_begin(10500, "restored");
	runs.run[0]->restored = true;
	runs_set_group(&runs, runs.run[0], GROUP);
	add_ticks(11, 20);
	runs_sync(&runs);
	ksft_test_result(has_no_part("restored", CYC, "the agent was started again within the job"),
			 "runs: a restored job has no estimate, because some of its records are missing\n");
	runs_free(&runs);
	set = make_set();
	set.counter[CYC].scope = RCR_SCOPE_PACKAGE;
	set_runs(&runs);
	add_ticks(1, 10);
	add_begin(10500, "sets");
	runs_set_group(&runs, runs.run[0], GROUP);
	add_ticks(11, 300);
	runs_sync(&runs);
	ksft_test_result(has_no_part("sets", CYC, "it is not counted by each CPU in its samples"),
			 "runs: counters shared by CPUs have no estimate\n");
	strcpy(set.counter[CYC].name, "FLOPS");
	set.counter[CYC].scope = 0;
	set.set.item.generation = 2;
	runs_set(&runs, &set.set);
	add_ticks(301, 600);
	runs_sync(&runs);
	ksft_test_result(has_no_part("sets", 2, "it was not counted all the time") &&
			 runs.run[0]->estimates->set == runs.set,
			 "runs: an event that was counted for a part of the run has no estimate\n");
}

static void test_shared_units(void)
{
	runs_free(&runs);
	set = make_set();
	set.counter[CYC].scope = RCR_SCOPE_PACKAGE;
	set_runs(&runs);
	add_ticks(1, 10);
	add_begin(10500, "a");
	runs.run[0]->rate->wanted[1] = false;
	runs.run[0]->rate->wanted[3] = false;
	add_ticks(11, 20);
	add_end(20500, "a");
	add_ticks(21, 21);
	ksft_test_result(total_is("a", INS, 9 * 10, 1) && total_is("a", CYC, 9 * 7000, 1) &&
			 run_of("a")->total[CYC].shared && !run_of("a")->total[INS].shared,
			 "runs: a job has the counts of its own CPUs, and of all shared units\n");
}

static void test_bounds(void)
{
	unsigned int i, kept;
	char id[32];

	restart_runs();
	add_ticks(1, 2);
	for (i = 0; i < RUNS_OPEN + 50; i++) {
		snprintf(id, sizeof(id), "%u", i);
		add_begin(2100 + i, id);
	}
	ksft_test_result(runs.opens == RUNS_OPEN && state_is("0", "dropped") &&
			 state_is("49", "dropped") && state_is("50", "running"),
			 "runs: the oldest of too many concurrent jobs are dropped\n");
	add_ticks(10, 20);
	for (i = 50; i < RUNS_OPEN + 50; i++) {
		snprintf(id, sizeof(id), "%u", i);
		add_end(20100 + i, id);
	}
	add_ticks(21, 21);
	for (i = kept = 0; i < runs.count; i++)
		kept += runs.run[i]->totals && runs.run[i]->total[CYC].known &&
			runs.run[i]->total[CYC].count == 10 * 7000;
	ksft_test_result(kept == RUNS_OPEN && !runs.opens,
			 "runs: hundreds of concurrent jobs have their totals\n");
	for (i = 0; i < 3 * RUNS_KEPT; i++) {
		snprintf(id, sizeof(id), "n%u", i);
		add_begin(22000 + 2 * i, id);
		add_end(22001 + 2 * i, id);
		runs_flush(&runs, UINT64_MAX);
	}
	for (i = 1, kept = 1; i < runs.count; i++)
		kept += runs.run[i]->serial > runs.run[i - 1]->serial;
	ksft_test_result(runs.count == RUNS_KEPT && kept == RUNS_KEPT && !run_of("50") &&
			 runs_find(&runs, runs.run[7]->serial) == runs.run[7] &&
			 !runs_find(&runs, 0),
			 "runs: the latest runs are kept, and found by their serial numbers\n");
	for (i = 0; i < runs.count; i++)
		runs_release(runs.run[i]);
	add_begin(90000, "runs");
	runs_expire(&runs, UINT64_MAX);
	ksft_test_result(runs.count == 1 && run_of("runs"),
			 "runs: ended runs expire\n");
}

static void test_more_cpus(void)
{
	runs_free(&runs);
	set = make_set();
	set.set.ncpus = 2;
	set_runs(&runs);
	add_cpu(0, 1, RCR_STATUS_OK, 0);
	add_begin(1500, "grows");
	add_cpu(0, 2, RCR_STATUS_OK, 0);
	add_cpu(0, 5, RCR_STATUS_OK, 0);
	set.set.ncpus = MAKER_CPUS;
	set.set.item.generation = 2;
	set_runs(&runs);
	add_ticks(6, 8);
	add_end(8500, "grows");
	add_ticks(9, 9);
	ksft_test_result(run_of("grows") && run_of("grows")->total[CYC].count == 5000 + 2 * 2000,
			 "runs: the next set may have more CPUs\n");
}

/* The number of overlapping jobs must be on the card in case the program is killed. */
static void test_shared_card(void)
{
	struct run *run;

	restart_runs();
	add_ticks(1, 2);
	add_begin(2100, "long");
	add_ticks(3, 4);
	run = runs.run[0];
	run->dirty = false;
	add_begin(4100, "other");
	add_end(4200, "other");
	add_ticks(70000, 70001);
	runs_sync(&runs);
	ksft_test_result(run->shared == 1 && run->dirty,
			 "runs: a card is rewritten after another job has shared the machine\n");
}

static void test_names(void)
{
	struct run run = { .number = 1 }, other = { .number = 1 };
	char name[RUN_NAME_LEN], second[RUN_NAME_LEN];

	strcpy(run.id, "../a b.2~\n\x80-_9Z");
	run_name(name, &run);
	ksft_test_result(!strcmp(name, "%2E%2E%2Fa%20b%2E2%7E%0A%80-_9Z"),
			 "runs: special bytes of an id are encoded in file names\n");
	run.number = 17;
	run_name(name, &run);
	ksft_test_result(!strcmp(name, "%2E%2E%2Fa%20b%2E2%7E%0A%80-_9Z.17"),
			 "runs: later runs of an id have a number in their names\n");
	memset(run.id, 1, sizeof(run.id) - 1);
	memset(other.id, 1, sizeof(other.id) - 1);
	other.id[sizeof(other.id) - 2] = 2;
	run.number = 2000000000;
	run_name(name, &run);
	run_name(second, &other);
	ksft_test_result(strlen(name) <= 190 + 17 + 11 && strncmp(name, second, 200) &&
			 strspn(name, "%01") < strlen(name) && !strchr(name, 1),
			 "runs: the name of a long id has its beginning and a hash\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(37);
	test_counts();
	test_marks();
	test_lost_marks();
	test_missing();
	test_interruptions();
	test_steady();
	test_parts();
	test_no_parts();
	test_shared_units();
	test_bounds();
	test_more_cpus();
	test_shared_card();
	test_names();
	runs_free(&runs);
	ksft_finished();
}
