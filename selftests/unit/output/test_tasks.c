// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_tasks.c - shares of processes: simulated schedules with known true counts, and the formula
 * of the standard error compared with a computation from the residuals.
 */
#include <math.h>
#include <stdlib.h>

#define MAKER_CPUS 4
#define MAKER_COUNTERS 2
#include "interval/interval.h"
#include "ksft.h"
#include "stream_maker.h"
#include "task/tasks.h"

#define TICK_US 10000

static struct made_set set;
static struct intervals v;
static struct tasks tasks;

static void begin_tasks_of(enum task_kind kind, uint64_t length_ms)
{
	tasks_free(&tasks);
	intervals_free(&v);
	set = make_set();
	set.set.period_ns = TICK_US * 1000;
	set.cpus[0] = 0xf;
	intervals_init(&v, &set.set, length_ms * 1000000, NULL);
	tasks_init(&tasks, &v, kind);
	v.tasks = &tasks;
}

/* Make a sample at a time in us, with a TSC of 1 GHz. */
static struct made_record sample_at(unsigned int cpu, uint64_t us, uint32_t task, uint64_t count,
				    uint64_t other)
{
	struct made_record r = make_sample(cpu, 0, count, other);

	r.record.time = us * 1000;
	r.record.tsc = us * 1000;
	r.record.tsc_end = us * 1000;
	r.record.tgid = task;
	r.record.cgroup = task + 1000;
	r.record.item.flags = task ? 0 : RCR_RECORD_IDLE;
	return r;
}

static void add_at(unsigned int cpu, uint64_t us, uint32_t task, uint64_t count, uint64_t other)
{
	struct made_record r = sample_at(cpu, us, task, count, other);

	intervals_add(&v, &r.record.item);
}

static struct task_value value_of(uint64_t id, unsigned int column)
{
	struct task_value value = { };
	struct task_row *row, whole;
	unsigned int n = tasks_rows(&tasks, &row, &whole), i;

	for (i = 0; i < n; i++)
		if (row[i].id == id)
			value = row[i].value[column];
	free(row);
	return value;
}

static double whole_of(unsigned int column)
{
	struct task_row *row, whole;

	tasks_rows(&tasks, &row, &whole);
	free(row);
	return whole.value[column].rate;
}

static double sum_of(unsigned int column)
{
	struct task_row *row, whole;
	unsigned int n = tasks_rows(&tasks, &row, &whole), i;
	double sum = 0;

	for (i = 0; i < n; i++)
		sum += row[i].value[column].rate;
	free(row);
	return sum;
}

/* A task alone on its CPU has all counts of the CPU. */
static void test_alone(void)
{
	uint64_t count[2] = { }, us;
	struct task_value a, b, time;
	unsigned int cpu;

	begin_tasks_of(TASK_PROCESS, 1000);
	for (us = 5000000; us <= 6000000; us += TICK_US)
		for (cpu = 0; cpu < 2; cpu++) {
			add_at(cpu, us, 100 + cpu, count[cpu], 0);
			count[cpu] += random_number() % 1000000;
		}
	a = value_of(100, 0);
	b = value_of(101, 0);
	time = value_of(100, TASK_TIME);
	ksft_test_result(a.known && !a.error && b.known && !b.error && time.rate == 1 && !time.error &&
			 fabs(a.rate + b.rate - whole_of(0)) < 1,
			 "tasks: a task alone on its CPU has exactly its counts\n");
	ksft_test_result(!value_of(102, 0).known, "tasks: a task without samples has no share\n");
}

/* Shares by cgroup are the same; the idle task belongs to no process or cgroup. */
static void test_kinds(void)
{
	uint64_t us;

	begin_tasks_of(TASK_CGROUP, 1000);
	for (us = 5000000; us <= 6000000; us += TICK_US) {
		add_at(0, us, 7, us, 0);
		add_at(1, us, 0, us, 0);
	}
	ksft_test_result(value_of(1007, 0).known && value_of(TASK_IDLE, 0).known &&
			 !value_of(7, 0).known && !value_of(1000, 0).known,
			 "tasks: shares by cgroup list the idle task separately\n");
}

/* A sample after the end of an interval belongs to the next one, as do its counts. */
static void test_intervals(void)
{
	uint64_t us;

	begin_tasks_of(TASK_PROCESS, 1000);
	for (us = 5000000; us <= 6500000; us += TICK_US)
		add_at(0, us, us <= 6000000 ? 5 : 6, us, 0);
	ksft_test_result(fabs(value_of(5, 0).rate - 1e6) < 1 && !value_of(6, 0).rate,
			 "tasks: samples after the end of an interval are not in it\n");
	intervals_next(&v);
	ksft_test_result(fabs(value_of(6, 0).rate - 1e6) < 1 && !value_of(5, 0).known,
			 "tasks: samples after the end of an interval are in the next one\n");
	ksft_test_result(value_of(6, 0).error > 0 && value_of(6, 0).error < 0.02e6,
			 "tasks: a count that began before the interval is divided\n");
}

/* A counter that was not ok does not affect the shares of other counters. */
static void test_broken(void)
{
	struct made_record r;
	uint64_t us;

	begin_tasks_of(TASK_PROCESS, 1000);
	for (us = 5000000; us <= 6000000; us += TICK_US) {
		r = sample_at(0, us, 5, us, us);
		if (us == 5500000)
			set_status(&r, 1, RCR_STATUS_FOREIGN);
		intervals_add(&v, &r.record.item);
	}
	ksft_test_result(value_of(5, 0).known && !value_of(5, 1).known && value_of(5, TASK_TIME).known,
			 "tasks: a counter that was not ok has no share\n");
}

/* Compare the standard error with one computed from the individual residuals. */
static void test_formula(void)
{
	enum { N = 400 };
	static double d[N + 1];
	static uint32_t task[N + 1];
	double ratio, total = 0, own = 0, sum = 0, mixed = 0, e, before = 0, error;
	struct task_value value;
	uint64_t count = 0;
	unsigned int i;

	begin_tasks_of(TASK_PROCESS, N * TICK_US / 1000);
	for (i = 0; i <= N; i++) {
		task[i] = random_number() % 10 ? 1 : 2;
		d[i] = i ? random_number() % 5000000 : 0;
		count += d[i];
		add_at(0, 5000000 + i * TICK_US, task[i], count, 0);
	}
	for (i = 1; i <= N; i++) {
		total += d[i];
		own += task[i] == 1 ? d[i] : 0;
		mixed += task[i] != task[i - 1] ? d[i] / 2 : 0;
	}
	ratio = own / total;
	for (i = 1; i <= N; i++) {
		e = (task[i] == 1 ? d[i] : 0) - ratio * d[i];
		sum += i > 1 ? (e - before) * (e - before) : 0;
		before = e;
	}
	error = sqrt(sum * N / (2.0 * (N - 1)) + mixed * mixed) / (N * TICK_US / 1e6);
	value = value_of(1, 0);
	ksft_test_result(fabs(value.error / error - 1) < 0.000001 &&
			 fabs(value.rate / (own / (N * TICK_US / 1e6)) - 1) < 0.000001,
			 "tasks: the error is %g, that of the residuals %g\n", value.error, error);
}

/**
 * struct schedule - two tasks that take turns on a CPU
 * @rate: counts per us of each task
 * @left: time until the other task runs, us
 * @running: index of the running task
 * @mean: mean length of a turn, us
 * @exact: all turns have the mean length
 * @count: count of the CPU
 * @own: true count of each task
 * @time: run time of each task
 */
struct schedule {
	uint64_t rate[2];
	uint64_t left;
	unsigned int running;
	uint64_t mean;
	bool exact;
	uint64_t count;
	uint64_t own[2];
	uint64_t time[2];
};

static uint64_t next_turn(const struct schedule *s)
{
	double u = (random_number() % 1000000 + 1) / 1000001.0;

	return s->exact ? s->mean : 1 + (uint64_t)(-log(u) * s->mean);
}

static void run_until(struct schedule *s, uint64_t us)
{
	uint64_t part;

	for (; us; us -= part) {
		if (!s->left) {
			s->running ^= 1;
			s->left = next_turn(s);
		}
		part = us < s->left ? us : s->left;
		s->left -= part;
		s->count += part * s->rate[s->running];
		s->own[s->running] += part * s->rate[s->running];
		s->time[s->running] += part;
	}
}

/* The results of many intervals of a schedule. */
struct outcome {
	unsigned int known, all, beyond;
	double squares;
};

static void judge_share(struct outcome *o, uint64_t id, unsigned int column, double truth)
{
	struct task_value value = value_of(id, column);
	double off;

	o->all++;
	if (!value.known)
		return;
	off = value.error > 0 ? (value.rate - truth) / value.error : value.rate == truth ? 0 : 99;
	o->known++;
	o->beyond += fabs(off) > 5;
	o->squares += off * off;
}

/* Simulate intervals of ten seconds on four CPUs; @column is a counter or TASK_TIME. */
static struct outcome simulate(uint64_t mean, bool exact, uint64_t rate0, uint64_t rate1,
			       unsigned int column)
{
	struct schedule s[4], was;
	struct outcome o = { };
	unsigned int interval, tick, cpu;
	double truth[2];

	for (interval = 0; interval < 50; interval++) {
		begin_tasks_of(TASK_PROCESS, 10000);
		truth[0] = 0;
		truth[1] = 0;
		for (cpu = 0; cpu < 4; cpu++) {
			s[cpu] = (struct schedule){ .rate = { rate0, rate1 }, .mean = mean, .exact = exact };
			run_until(&s[cpu], random_number() % (4 * mean) + 1);
			was = s[cpu];
			for (tick = 0; tick <= 1000; tick++) {
				add_at(cpu, 5000000 + tick * TICK_US, 1 + s[cpu].running, s[cpu].count, 0);
				if (tick < 1000)
					run_until(&s[cpu], TICK_US);
			}
			truth[0] += column ? (s[cpu].time[0] - was.time[0]) / 1e7 :
					     (s[cpu].own[0] - was.own[0]) / 10.0;
			truth[1] += column ? (s[cpu].time[1] - was.time[1]) / 1e7 :
					     (s[cpu].own[1] - was.own[1]) / 10.0;
		}
		judge_share(&o, 1, column, truth[0]);
		judge_share(&o, 2, column, truth[1]);
	}
	return o;
}

static void outcome_is(const char *what, struct outcome o, bool known)
{
	double spread = o.known ? sqrt(o.squares / o.known) : 0;

	ksft_test_result(!o.beyond && spread < 1.3 && (known ? o.known >= o.all / 2 : !o.known),
			 "tasks: %s: %u of %u known, %u off by over five errors, RMS %.2f errors\n",
			 what,
			 o.known, o.all, o.beyond, spread);
}

static void test_schedules(void)
{
	outcome_is("long turns, equal rates", simulate(200000, false, 1000, 1000, 0), true);
	outcome_is("long turns, different rates", simulate(200000, false, 1000, 300, 0), true);
	outcome_is("turns of one length", simulate(130000, true, 200, 1000, 0), true);
	outcome_is("turns shorter than a period", simulate(1300, false, 1000, 100, 0), false);
	outcome_is("turns as long as a period", simulate(9700, true, 1000, 50, 0), false);
	outcome_is("time of long turns", simulate(200000, false, 1000, 300, TASK_TIME), true);
	outcome_is("time of short turns", simulate(1300, false, 1000, 300, TASK_TIME), true);
}

/* Each sample interrupts another process. */
static void test_many(void)
{
	uint64_t us, count = 0;
	unsigned int n;
	struct task_row *row, whole;

	begin_tasks_of(TASK_PROCESS, 100000);
	for (us = 0; us <= 100000000; us += TICK_US) {
		add_at(0, 5000000 + us, 1 + us / TICK_US, count, 0);
		count += 1000;
	}
	n = tasks_rows(&tasks, &row, &whole);
	free(row);
	ksft_test_result(n == 10000 && whole.samples == 10000 && fabs(sum_of(0) / whole_of(0) - 1) < 0.000001 &&
			 !value_of(77, 0).known, "tasks: the shares of %u processes add up\n", n);
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(16);
	test_alone();
	test_kinds();
	test_intervals();
	test_broken();
	test_formula();
	test_schedules();
	test_many();
	tasks_free(&tasks);
	intervals_free(&v);
	ksft_finished();
}
