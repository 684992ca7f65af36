// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * session.c - a run of rcrstat, from the first item to the last line.
 *
 * The stream is live or saved. On a live stream, silent CPUs are given up after a timeout. A saved
 * stream has an end, and only the times in its records matter.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clock.h"
#include "command/choice.h"
#include "interval/interval.h"
#include "problems/lint.h"
#include "format/marks.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "session.h"
#include "signals.h"
#include "task/task_names.h"
#include "recording.h"
#include "terminal.h"
#include "topology.h"

/* Time to wait for a silent CPU after the end of an interval, ns. */
#define PATIENCE 200000000ull

/**
 * struct session - a run of rcrstat
 * @options: the command line
 * @choice: the chosen counters
 * @reader: source of the records
 * @live: the source may always have more records
 * @output: destination of the output
 * @set: copy of the set that @intervals belong to
 * @relations: relations of the user's file
 * @lint: checks for the records of @set
 * @intervals: the current interval
 * @tasks: shares of processes or cgroups, if they were asked for
 * @names: their names, or NULL
 * @marks: queued marks, later than the current interval
 * @quit: the user pressed q
 * @count: intervals printed so far
 * @lost: records lost so far
 * @lost_marks: marks lost so far
 * @offset: of the next item in a saved stream, bytes
 * @ahead: item that was read before its turn, or NULL
 */
struct session {
	const struct options *options;
	struct choice *choice;
	struct rcr_reader *reader;
	bool live;
	struct output output;
	struct rcr_set *set;
	struct relations relations;
	struct lint lint;
	struct intervals intervals;
	struct tasks tasks;
	struct task_names *names;
	struct marks marks;
	bool quit;
	uint64_t count;
	uint64_t lost;
	uint64_t lost_marks;
	uint64_t offset;
	const struct rcr_item *ahead;
};

static int check_cpus(const struct options *o, const struct rcr_set *set)
{
	unsigned int cpu;

	for (cpu = 0; !o->all_cpus && cpu < CPU_LIMIT; cpu++)
		if (o->cpu[cpu] && !rcr_set_has_cpu(set, cpu))
			return fail("CPU %u is not sampled: name others, or load rcrtool with it in cpus=",
				    cpu);
	return 0;
}

const bool *session_cpus(const struct options *options, bool live)
{
	static bool online[CPU_LIMIT];

	if (!options->all_cpus)
		return options->cpu;
	if (live)
		topology_online(options->sysfs, online);
	return live ? online : NULL;
}

static bool wants_raw(const struct options *o)
{
	return o->format && o->format->items;
}

/* Raw output needs intervals only to count them (--count). */
static bool needs_intervals(const struct options *o)
{
	return !wants_raw(o) || o->count;
}

int session_refuse_idle(const struct rcr_set *set)
{
	char why[RCR_SENTENCE_LEN];

	rcr_reason_text(&set->reason, why, sizeof(why));
	return fail("rcrtool is loaded but counts nothing: %s",
		    *why ? why : strerror(set->error));
}

/* Checks that the set can provide what the user asked for. */
static int check_stream_set(const struct options *o, const struct rcr_set *set)
{
	if (set->error)
		return session_refuse_idle(set);
	if (needs_intervals(o) && o->interval < set->period_ns)
		return fail("an interval of %g s is shorter than the sampling period of %g s: use a longer one%s",
			    o->interval / 1e9, set->period_ns / 1e9,
			    o->device ? "" : ", or sample more often with 'rcrctl period'");
	return check_cpus(o, set);
}

static bool same_counters(const struct rcr_set *a, const struct rcr_set *b)
{
	unsigned int i;

	if (a->ncounters != b->ncounters)
		return false;
	for (i = 0; i < a->ncounters; i++)
		if (memcmp(rcr_set_counter(a, i), rcr_set_counter(b, i),
			   sizeof(struct rcr_counter)))
			return false;
	return true;
}

/* True if the lines of both have the same columns. */
static bool same_columns(const struct intervals *a, const struct intervals *b)
{
	unsigned int i;

	if (!same_counters(a->set, b->set) || a->set->period_ns != b->set->period_ns ||
	    a->cpus != b->cpus)
		return false;
	for (i = 0; i < a->cpus; i++)
		if (a->cpu[i].cpu != b->cpu[i].cpu)
			return false;
	return true;
}

static struct rcr_set *copy_set(const struct rcr_set *set)
{
	struct rcr_set *copy = malloc(set->item.size);

	if (copy)
		memcpy(copy, set, set->item.size);
	return copy;
}

/* Prints one sentence for each check that records failed. */
static void report_suspects(const struct lint *l)
{
	unsigned int i;
	char text[512];
	FILE *f;

	for (i = 0; i < l->checks; i++) {
		if (!l->check[i].records)
			continue;
		f = fmemopen(text, sizeof(text), "w");
		if (!f)
			return;
		lint_print(f, l, i + 1);
		fclose(f);
		fail("%" PRIu64 " record%s '%s': marked as suspect, values unchanged",
		     l->check[i].records, l->check[i].records > 1 ? "s violate" : " violates", text);
	}
}

/* True unless checks are disabled by --relations none. */
static bool wants_lint(const struct options *o)
{
	return !o->relations || strcmp(o->relations, "none");
}

static void begin_lint(struct session *s)
{
	report_suspects(&s->lint);
	s->lint.checks = 0;
	if (!wants_lint(s->options))
		return;
	lint_init(&s->lint, s->set, &s->relations);
	s->intervals.lint = &s->lint;
}

static int read_relations(struct session *s)
{
	const struct options *o = s->options;

	if (!o->relations || !wants_lint(o))
		return 0;
	return relations_read(&s->relations, o->relations) ? EXIT_FAILURE : 0;
}

/* Prepares shares of tasks. A saved stream has no names: its processes are gone. */
static int begin_tasks(struct session *s)
{
	enum task_kind kind = s->options->tasks;

	if (!kind)
		return 0;
	tasks_free(&s->tasks);
	if (tasks_init(&s->tasks, &s->intervals, kind))
		return fail("no memory for the tasks of %u CPUs", s->intervals.cpus);
	if (s->live && !s->names)
		s->names = task_names_open(kind);
	s->intervals.tasks = &s->tasks;
	s->intervals.task_names = s->names;
	return 0;
}

/* Time to wait for the identity that may follow a set in a pipe, ms. */
#define IDENTITY_MS 1000

/*
 * Reads the identity that follows a set in a saved stream, up to the first other item, because the
 * header includes the identity. Returns 0, or EXIT_USAGE if the configuration is wrong.
 */
static int read_identity(struct session *s)
{
	const struct rcr_set *set = rcr_reader_set(s->reader);
	const struct rcr_item *item;
	bool other;

	if (s->live || wants_raw(s->options))
		return 0;
	/* If the generation does not increase, this may be the recording of another node. */
	other = !s->set || set->item.generation <= s->set->item.generation;
	s->output.node_is_read = false;
	while (!s->ahead && rcr_next(s->reader, &item, IDENTITY_MS) == 1) {
		if (item->type != RCR_ITEM_NODE) {
			s->ahead = item;
			break;
		}
		output_take_node(&s->output, (const struct rcr_node *)item);
		s->offset += item->size;
	}
	return other && !s->output.node_is_read ? output_take_none(&s->output) : 0;
}

/*
 * Starts over with the reader's set: totals and ticks of two sets are not comparable. An unfinished
 * interval is dropped.
 */
static int begin_set(struct session *s)
{
	const struct options *o = s->options;
	struct rcr_set *set = copy_set(rcr_reader_set(s->reader)), *old = s->set;
	struct intervals before = s->intervals;
	int ret = read_identity(s);
	bool same;

	s->lost += intervals_lost(&before);
	if (!set || intervals_init(&s->intervals, set, o->interval, session_cpus(o, s->live))) {
		/* Without a set the session keeps the old intervals, and frees them at its end. */
		if (set)
			intervals_free(&before);
		free(set);
		return fail("no memory for the counter set");
	}
	s->set = set;
	if (!ret)
		ret = choice_begin(s->choice, set);
	s->intervals.chosen = choice_apply(s->choice, set);
	s->intervals.meters = &s->choice->meters;
	s->intervals.keeps_before = s->choice->meters.count;
	s->intervals.skips_gaps = s->choice->hold >= 0;
	begin_lint(s);
	same = old && same_columns(&before, &s->intervals);
	intervals_free(&before);
	if (!ret)
		ret = begin_tasks(s);
	if (!ret)
		ret = output_set(&s->output, &s->intervals, !same);
	/* The interval on the screen is of the old set. */
	if (ret)
		output_forget(&s->output);
	free(old);
	return ret;
}

static bool is_done(const struct session *s)
{
	return s->quit || signals_stopped() ||
	       (s->options->count && s->count >= s->options->count);
}

static bool wants_interval(const struct session *s)
{
	return needs_intervals(s->options) && !is_done(s);
}

/* Prints the queued marks up to a time, CLOCK_MONOTONIC, ns. */
static int print_marks(struct session *s, uint64_t until)
{
	const struct rcr_mark *mark;
	int ret = 0;

	while (!ret && !is_done(s) && (mark = marks_take(&s->marks, until)))
		ret = output_mark(&s->output, &s->intervals, mark);
	return ret;
}

/* Before the first record no line is pending, so all marks can be printed. */
static int print_present_marks(struct session *s)
{
	return print_marks(s, s->intervals.end ? s->intervals.end : UINT64_MAX);
}

/* The raw format passes marks on among the items, so none are queued. */
static int queue_mark(struct session *s, const struct rcr_mark *mark)
{
	s->lost_marks += mark->lost;
	if (wants_raw(s->options))
		return 0;
	if (!marks_add(&s->marks, mark))
		return fail("no memory for a mark");
	return print_present_marks(s);
}

static int close_interval(struct session *s)
{
	if (print_present_marks(s))
		return EXIT_FAILURE;
	if (s->tasks.failed)
		return fail("no memory for more tasks");
	if (output_interval(&s->output, &s->intervals))
		return EXIT_FAILURE;
	s->lost += intervals_lost(&s->intervals);
	s->count++;
	intervals_next(&s->intervals);
	return 0;
}

static uint64_t patience_ns(const struct session *s)
{
	return PATIENCE + 2 * s->set->period_ns;
}

/* Returns how long to wait for input, ms, at most until silent CPUs are given up. */
static int wait_ms(const struct session *s)
{
	uint64_t limit = s->intervals.end + patience_ns(s), now = now_ns();

	if (!s->intervals.end || !s->live || !needs_intervals(s->options))
		return 1000;
	if (limit <= now)
		return 0;
	return (limit - now) / 1000000 > 1000 ? 1000 : (limit - now) / 1000000 + 1;
}

static bool is_overdue(const struct session *s)
{
	return s->intervals.end && needs_intervals(s->options) && wait_ms(s) == 0;
}

/* Prints the complete intervals and all marks, when no more items of the set follow. */
static int finish_intervals(struct session *s)
{
	int ret = 0;

	while (!ret && wants_interval(s) && intervals_over(&s->intervals, patience_ns(s)))
		ret = close_interval(s);
	return ret ? ret : print_marks(s, UINT64_MAX);
}

static int take_other_set(struct session *s)
{
	int ret = finish_intervals(s);

	if (ret || is_done(s))
		return ret;
	ret = check_stream_set(s->options, rcr_reader_set(s->reader));
	return ret ? ret : begin_set(s);
}

/* True for a record of a CPU that was offline and is online now. */
static bool has_come_online(const struct session *s, const struct rcr_item *item)
{
	const struct intervals *v = &s->intervals;

	return s->live && s->options->all_cpus && rcr_set_has_cpu(v->set, item->cpu) &&
	       v->place[item->cpu] == v->cpus && session_cpus(s->options, true)[item->cpu];
}

static int take_item(struct session *s, const struct rcr_item *item)
{
	int ret = output_item(&s->output, item);

	s->offset += item->size;
	if (ret)
		return ret;
	if (item->type == RCR_ITEM_SET)
		return take_other_set(s);
	if (item->type == RCR_ITEM_MARK)
		return queue_mark(s, (const struct rcr_mark *)item);
	if (!needs_intervals(s->options)) {
		intervals_watch(&s->intervals, item);
		return 0;
	}
	if (has_come_online(s, item)) {
		ret = take_other_set(s);
		if (ret)
			return ret;
		s->intervals.skips_gaps = true;
	}
	while (!ret && wants_interval(s) && intervals_must_close(&s->intervals, item))
		ret = close_interval(s);
	intervals_add(&s->intervals, item);
	if (!ret && wants_interval(s) && intervals_complete(&s->intervals))
		ret = close_interval(s);
	return ret ? ret : print_present_marks(s);
}

/* Waits for an item or a key; a signal ends the wait, too. */
static void wait_for_input(struct session *s)
{
	struct pollfd p[2] = {
		{ .fd = rcr_fd(s->reader), .events = POLLIN },
		{ .fd = terminal_keys(), .events = POLLIN },
	};

	if (poll(p, 2, wait_ms(s)) > 0 && p[1].revents && terminal_quits())
		s->quit = true;
}

/* Returns the next item; flushes the output before reading more. */
static int next_item(struct session *s, const struct rcr_item **item)
{
	int got;

	if (s->ahead) {
		*item = s->ahead;
		s->ahead = NULL;
		return 1;
	}
	if (!rcr_has_next(s->reader) && output_flush(&s->output)) {
		errno = ECANCELED;
		return -1;
	}
	got = rcr_next(s->reader, item, 0);
	if (got || is_overdue(s))
		return got;
	wait_for_input(s);
	return is_done(s) ? 0 : rcr_next(s->reader, item, 0);
}

/* Interval of checking whether a file has grown, ms. */
#define GROWTH_MS 200

/* Waits until a file may have grown. */
static int wait_for_growth(struct session *s)
{
	struct pollfd p = { .fd = terminal_keys(), .events = POLLIN };
	struct stat st;

	if (!fstat(rcr_fd(s->reader), &st) && S_ISREG(st.st_mode) &&
	    (uint64_t)st.st_size < s->offset)
		return fail("%s: the file has become shorter than the %" PRIu64 " bytes that were read",
			    s->options->device, s->offset);
	if (output_flush(&s->output))
		return EXIT_FAILURE;
	if (poll(&p, 1, GROWTH_MS) > 0 && terminal_quits())
		s->quit = true;
	return 0;
}

/* Prints the complete intervals before the damage, then reports it. */
static int report_damage(struct session *s)
{
	const char *name = s->options->device ? s->options->device : RCR_DEVICE;
	int ret = finish_intervals(s);

	if (ret)
		return ret;
	if (!recording_is_cut(rcr_fd(s->reader), s->offset))
		return fail("%s: offset %" PRIu64 ": the stream is damaged there", name, s->offset);
	return fail("%s: offset %" PRIu64 ": the stream is cut off within a record", name, s->offset);
}

/* Handles the end of the stream, an error or a signal; sets @ended if nothing can follow. */
static int handle_error(struct session *s, int error, bool *ended)
{
	bool cut = error == EPROTO && recording_is_cut(rcr_fd(s->reader), s->offset);

	if (s->options->follow && (error == ENODATA || cut))
		return wait_for_growth(s);
	*ended = error != EINTR;
	switch (error) {
	case EINTR:
		return 0;
	case ENODATA:
		return s->live ? fail("the stream has ended") : finish_intervals(s);
	case ECANCELED:
		return EXIT_FAILURE;
	case EPROTO:
		return report_damage(s);
	default:
		return fail("cannot read the stream: %s", strerror(error));
	}
}

static int run_session(struct session *s)
{
	const struct rcr_item *item;
	bool ended = false;
	int got, ret = 0;

	while (!ret && !ended && !is_done(s)) {
		got = next_item(s, &item);
		if (got > 0)
			ret = take_item(s, item);
		else if (got < 0)
			ret = handle_error(s, errno, &ended);
		else if (is_overdue(s))
			ret = close_interval(s);
		if (!ret && signals_resized())
			ret = output_resized(&s->output);
		if (!ret && signals_suspended())
			ret = output_suspend(&s->output);
	}
	return ret;
}

/* True if the source is a character device; a file or a pipe is a saved stream. */
static bool is_live(struct rcr_reader *reader)
{
	struct stat st;

	return fstat(rcr_fd(reader), &st) || S_ISCHR(st.st_mode);
}

static bool is_file(struct rcr_reader *reader)
{
	struct stat st;

	return !fstat(rcr_fd(reader), &st) && S_ISREG(st.st_mode);
}

static int run_output(struct session *s)
{
	int ret = output_open(&s->output, s->options, s->live,
			      !is_file(s->reader) || s->options->follow);

	if (!ret)
		ret = begin_set(s);
	if (!ret)
		ret = output_item(&s->output, &s->set->item);
	if (!ret && s->live)
		ret = output_identity(&s->output, s->set);
	if (!ret)
		ret = run_session(s);
	return output_close(&s->output, &s->intervals, ret);
}

static void report_losses(const struct session *s)
{
	if (s->lost)
		fail("%" PRIu64 " records were overwritten before they were read: read more often, or load rcrtool with more ring_records=",
		     s->lost);
	if (s->lost_marks)
		fail("%" PRIu64 " mark%s overwritten unread: read more often", s->lost_marks,
		     s->lost_marks > 1 ? "s were" : " was");
}

int session_run(const struct options *options, struct choice *choice,
		struct rcr_reader *reader)
{
	struct session s = {
		.options = options, .choice = choice, .reader = reader, .live = is_live(reader),
		.offset = rcr_reader_set(reader)->item.size,
	};
	int ret = check_stream_set(options, rcr_reader_set(reader));

	if (!ret)
		ret = choice_check(choice, rcr_reader_set(reader));
	if (!ret)
		ret = read_relations(&s);
	if (ret)
		return ret;
	ret = run_output(&s);
	s.lost += intervals_lost(&s.intervals);
	report_losses(&s);
	report_suspects(&s.lint);
	marks_free(&s.marks);
	tasks_free(&s.tasks);
	task_names_close(s.names);
	intervals_free(&s.intervals);
	free(s.set);
	return ret;
}
