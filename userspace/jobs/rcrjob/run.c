// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run.c - runs a command and reports what its CPUs counted in that time.
 *
 * A CPU counts from its first sample at or after the start of the command to its last sample at or
 * before the end of the command: up to one period at each end is not counted.
 *
 * The CPUs are those in this process's affinity mask when the command is started. The totals
 * include everything else that runs on them; math/estimates.c estimates the command's own part.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "message.h"
#include "output_file.h"
#include "rcr.h"
#include "rcrjob/job.h"
#include "rcrjob/processes.h"
#include "rcrjob/report.h"
#include "rcrjob/run.h"
#include "session.h"
#include "topology.h"

/* Time to wait for the samples up to the end of the command, ns, in addition to two periods. */
#define PATIENCE_NS	200000000ull

/* Longest time without a sample of a CPU at either end of the run that is not missed, ns. */
#define EDGE_NS		200000000ull

/**
 * struct job_stream - sources of a run's data
 * @reader: stream of records
 * @set: copy of the current set
 * @session: connection to the module, for meters and marks
 * @meters: the meters
 * @has_meters: @meters could be read
 * @processes: processes of the command; NULL: they cannot be found
 * @ended: the stream has ended
 */
struct job_stream {
	struct rcr_reader *reader;
	struct rcr_set *set;
	struct session session;
	struct rcr_meters meters;
	bool has_meters;
	struct processes *processes;
	bool ended;
};

void job_add_reason(struct job *j, const char *format, ...)
{
	va_list args;

	if (j->reasons == JOB_REASONS)
		return;
	va_start(args, format);
	vsnprintf(j->reason[j->reasons++], JOB_REASON_LEN, format, args);
	va_end(args);
}

static int refuse_job_set(const struct rcr_set *set)
{
	char why[RCR_SENTENCE_LEN];

	rcr_reason_text(&set->reason, why, sizeof(why));
	return fail("rcrtool is loaded but counts nothing: %s", *why ? why : strerror(set->error));
}

/* Takes over the reader's set. */
static int take_job_set(struct job *j, struct job_stream *s)
{
	const struct rcr_set *set = rcr_reader_set(s->reader);
	struct rcr_set *copy = malloc(set->item.size);

	if (!copy)
		return fail("no memory for the counter set");
	memcpy(copy, set, set->item.size);
	free(s->set);
	s->set = copy;
	if (rate_set(&j->rate, s->set) || estimates_set(&j->estimates, s->set))
		return fail("no memory for the counts");
	return EXIT_SUCCESS;
}

/* Adds an item to the command's own part of the counts. */
static void add_to_estimates(struct job *j, struct job_stream *s, const struct rcr_item *item)
{
	const struct rcr_record *record = (const struct rcr_record *)item;
	enum estimates_task task = ESTIMATES_UNSURE;

	if (!s->processes)
		return;
	if (item->type == RCR_ITEM_SAMPLE && item->cpu < j->rate.ncpus &&
	    j->rate.wanted[item->cpu] && record->time >= j->rate.begin)
		task = processes_find(s->processes, j->child.pid, record);
	estimates_add(&j->estimates, &j->rate, item, task);
}

/* Takes all available items; waits at most @timeout_ms for the first one. */
static void take_job_items(struct job *j, struct job_stream *s, int timeout_ms)
{
	const struct rcr_item *item;
	int got;

	if (s->processes)
		processes_renew(s->processes, j->child.pid);
	while (!s->ended && (got = rcr_next(s->reader, &item, timeout_ms))) {
		timeout_ms = 0;
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			s->ended = true;
			job_add_reason(j, "the stream ended before the command did: %s",
				       errno == ENODATA ? "rcrtool was unloaded" : strerror(errno));
		} else if (item->type != RCR_ITEM_SET) {
			rate_add(&j->rate, item);
			add_to_estimates(j, s, item);
		} else if (take_job_set(j, s)) {
			s->ended = true;
		}
	}
}

/* Reads the affinity mask of this process, which the command inherits. */
static int take_affinity(struct job *j)
{
	cpu_set_t *mask = CPU_ALLOC(CPU_LIMIT);
	size_t size = CPU_ALLOC_SIZE(CPU_LIMIT);
	unsigned int cpu;
	int ret = mask ? sched_getaffinity(0, size, mask) : -1;

	for (cpu = 0; !ret && cpu < CPU_LIMIT; cpu++)
		j->cpu[cpu] = CPU_ISSET_S(cpu, size, mask);
	if (ret)
		ret = fail("cannot read the CPU affinity of rcrjob: %s", strerror(errno));
	CPU_FREE(mask);
	return ret;
}

static void explain_unsampled_cpus(struct job *j, const bool *unsampled, bool all)
{
	char *list = NULL;
	size_t size;
	FILE *out = open_memstream(&list, &size);

	if (!out)
		return;
	cpulist_print(out, unsampled);
	fclose(out);
	job_add_reason(j, "%s of the command not sampled: CPU %s", all ? "all CPUs" : "CPUs", list);
	free(list);
}

/* Chooses the CPUs of the run, and finds which of them share counters. */
static int prepare_rate(struct job *j, const struct rcr_set *set)
{
	bool unsampled[CPU_LIMIT] = { }, any_unsampled = false, any_sampled = false;
	unsigned int cpu, ncpus = set->ncpus < CPU_LIMIT ? set->ncpus : CPU_LIMIT;

	if (rate_init(&j->rate, ncpus) || estimates_init(&j->estimates, ncpus) ||
	    places_share(&j->rate, TOPOLOGY_ROOT) ||
	    (j->options->per != JOB_PER_ALL &&
	     places_divide(&j->places, ncpus, j->options->per, TOPOLOGY_ROOT)))
		return fail("no memory for %u CPUs", ncpus);
	j->rate.edge = EDGE_NS + 2 * set->period_ns;
	j->rate.row_ns = j->options->interval_ns;
	for (cpu = 0; cpu < CPU_LIMIT; cpu++) {
		unsampled[cpu] = j->cpu[cpu] && !rcr_set_has_cpu(set, cpu);
		any_unsampled |= unsampled[cpu];
		any_sampled |= j->cpu[cpu] && !unsampled[cpu];
		if (cpu < ncpus)
			j->rate.wanted[cpu] = j->cpu[cpu] && !unsampled[cpu];
	}
	if (any_unsampled)
		explain_unsampled_cpus(j, unsampled, !any_sampled);
	return EXIT_SUCCESS;
}

static int open_job_stream(struct job *j, struct job_stream *s)
{
	const struct rcr_set *set;
	char text[256];
	int ret;

	s->reader = rcr_open(NULL);
	if (!s->reader)
		return fail("%s", rcr_open_error(NULL, errno, text, sizeof(text)));
	set = rcr_reader_set(s->reader);
	if (set->error)
		return refuse_job_set(set);
	if (j->options->interval_ns && j->options->interval_ns < set->period_ns)
		return fail("an interval of %g s is shorter than the sampling period of %g s: use a longer one",
			    j->options->interval_ns / 1e9, set->period_ns / 1e9);
	ret = take_affinity(j);
	if (!ret)
		ret = prepare_rate(j, set);
	return ret ? ret : take_job_set(j, s);
}

/* Meters are optional. */
static void read_meters(struct job *j, struct job_stream *s)
{
	s->has_meters = session_has_module(&s->session) &&
			!rcr_control_meters(s->session.control, &s->meters);
	if (!s->has_meters)
		job_add_reason(j, "no meters: %s", s->session.control ?
			       rcr_control_reason(s->session.control) :
			       rcr_control_open_error(errno));
}

/* Marks need CAP_PERFMON or CAP_SYS_RAWIO; without either, run without marks. */
static void put_mark(struct job *j, struct job_stream *s, enum rcr_mark_kind kind)
{
	if (kind == RCR_MARK_BEGIN)
		snprintf(j->mark, sizeof(j->mark), "rcrjob-%d", (int)j->child.pid);
	if (!*j->mark || !s->session.control ||
	    !rcr_control_mark(s->session.control, kind, j->mark))
		return;
	if (errno != EPERM)
		job_add_reason(j, "no %s mark: %s", rcr_mark_kind_name(kind),
			       rcr_control_reason(s->session.control));
	*j->mark = 0;
}

/* Read often enough to lose no record, and to find most processes before they end. */
static int read_interval_ms(const struct rcr_set *set)
{
	uint64_t ms = set->ring_records * set->period_ns / 4000000;

	return ms < 10 ? 10 : ms > 100 ? 100 : ms;
}

/* The stream is in order of time: the first sample after the end follows all that count. */
static void wait_for_end(struct job *j, struct job_stream *s)
{
	uint64_t limit = now_ns() + PATIENCE_NS + 2 * s->set->period_ns;

	/* Shorter than a period: no CPU has two samples, so there is nothing to wait for. */
	if (j->rate.end - j->rate.begin < s->set->period_ns)
		return;
	while (!s->ended && j->rate.latest <= j->rate.end && now_ns() < limit)
		take_job_items(j, s, 20);
}

/* Runs the command; returns EXIT_SUCCESS after it ended, or the exit status if it did not start. */
static int run_job_child(struct job *j, struct job_stream *s)
{
	int status = child_start(&j->child, j->options->command);

	if (status)
		return status;
	j->rate.begin = j->child.begin;
	put_mark(j, s, RCR_MARK_BEGIN);
	while (!j->child.ended) {
		child_wait(&j->child, read_interval_ms(s->set));
		if (j->child.ended)
			j->rate.end = j->child.end;
		take_job_items(j, s, 0);
	}
	put_mark(j, s, RCR_MARK_END);
	wait_for_end(j, s);
	return EXIT_SUCCESS;
}

bool job_has_totals(const struct job *j)
{
	unsigned int cpu;

	for (cpu = 0; cpu < j->rate.ncpus; cpu++)
		if (j->rate.wanted[cpu] && j->rate.cpu[cpu].last.tsc > j->rate.cpu[cpu].first.tsc)
			return true;
	return false;
}

bool job_sum_reason(const struct job *j, unsigned int event, const struct rate_sum *sum,
		    char text[JOB_REASON_LEN])
{
	*text = 0;
	if (sum->counted && sum->completeness >= 1 && !sum->status)
		return false;
	if (!job_has_totals(j))
		snprintf(text, JOB_REASON_LEN, "there are no totals");
	else if (sum->status)
		snprintf(text, JOB_REASON_LEN, "%s on CPU %u", rcr_status_name(sum->status),
			 sum->cpu);
	else if (!sum->counted && j->rate.event[event].slow)
		snprintf(text, JOB_REASON_LEN, "it is read every %g s, and was not read twice",
			 j->rate.set->slow_period_ns / 1e9);
	else if (j->rate.sets > 1)
		snprintf(text, JOB_REASON_LEN, "the set of counters was changed");
	else
		snprintf(text, JOB_REASON_LEN, "a CPU was not sampled all the time");
	return true;
}

struct estimates_sum job_estimate(const struct job *j, unsigned int event,
				  char text[JOB_REASON_LEN])
{
	struct estimates_sum sum = estimates_sum(&j->estimates, &j->rate, event);
	struct rate_sum total;

	/* The estimate does not cover time without samples. */
	rate_sum(&j->rate, event, NULL, 0, &total);
	if (sum.reason == ESTIMATES_KNOWN && total.completeness < 1)
		sum.reason = ESTIMATES_BROKEN;
	if (!j->has_estimates && sum.reason != ESTIMATES_SHARED)
		sum.reason = ESTIMATES_UNSEEN;
	snprintf(text, JOB_REASON_LEN, "%s", estimates_reason_text(sum.reason));
	return sum;
}

/* Adds the reason why there are no totals at all. */
static void explain_no_totals(struct job *j, const struct rcr_set *set)
{
	double length = (j->rate.end - j->rate.begin) / 1e6, period = set->period_ns / 1e6;

	if (length < 2 * period)
		job_add_reason(j, "no totals: the command ran for %.3g ms, less than two sampling periods of %g ms: run it longer, or sample more often with 'rcrctl period'",
			       length, period);
	else
		job_add_reason(j, "no totals: no CPU of the command was sampled twice while it ran");
}

static void finish_job(struct job *j, struct job_stream *s)
{
	if (!job_has_totals(j))
		explain_no_totals(j, s->set);
	if (j->rate.sets > 1)
		job_add_reason(j, "the counter set was changed: there were %u, and nothing was counted between two",
			       j->rate.sets);
	if (j->rate.lost)
		job_add_reason(j, "%llu records were overwritten before they were read: interruptions in that time are not known",
			       (unsigned long long)j->rate.lost);
	if (!j->has_estimates)
		job_add_reason(j, "the command's own part is not known: samples have the pids of the host, so run rcrjob outside of the container");
	if (s->has_meters)
		job_compute_meters(j, &s->meters);
}

int job_run(const struct job_options *options)
{
	static struct job_stream stream;
	static struct job job;
	FILE *out = stderr;
	int status;

	job.options = options;
	job.child.signals = -1;
	status = open_job_stream(&job, &stream);
	if (!status && options->output) {
		out = output_file_open(options->output, NULL);
		status = out ? EXIT_SUCCESS : EXIT_FAILURE;
	}
	if (status) {
		status = EXIT_NOT_STARTED;
	} else {
		read_meters(&job, &stream);
		stream.processes = processes_open();
		job.has_estimates = stream.processes;
		status = run_job_child(&job, &stream);
	}
	if (job.child.ended) {
		status = job.child.status;
		finish_job(&job, &stream);
		report_job(out, &job);
	}
	if (out && out != stderr)
		fclose(out);
	child_close(&job.child);
	rcr_close(stream.reader);
	session_close(&stream.session);
	processes_close(stream.processes);
	estimates_free(&job.estimates);
	rate_free(&job.rate);
	free(job.places.first);
	free(stream.set);
	return status;
}
