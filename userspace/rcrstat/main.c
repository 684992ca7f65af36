// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - rcrstat: from the module's records to lines of rates.
 */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "csv.h"
#include "interval.h"
#include "options.h"

/* How long after an interval's end a silent CPU is waited for, ns. */
#define PATIENCE 200000000ull

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

/* Ends at the next item, with what was written complete. */
static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = stop };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	action.sa_handler = SIG_IGN;	/* a closed pipe is a failed write */
	sigaction(SIGPIPE, &action, NULL);
}

__attribute__((format(printf, 1, 2)))
static int fail(const char *format, ...)
{
	va_list args;

	fputs("rcrstat: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return EXIT_FAILURE;
}

static int check_cpus(const struct options *o, const struct rcr_set *set)
{
	unsigned int cpu;

	for (cpu = 0; !o->all_cpus && cpu < CPU_LIMIT; cpu++)
		if (o->cpu[cpu] && !rcr_set_has_cpu(set, cpu))
			return fail("CPU %u is not sampled: name others, or load rcrtool with it in cpus=",
				    cpu);
	return 0;
}

/* Can the module give what the user asks for? */
static int check_set(const struct options *o, const struct rcr_set *set)
{
	if (set->error)
		return fail("rcrtool is loaded but counts nothing (%s): %s",
			    strerror(set->error), set->reason);
	if (o->interval < set->period_ns)
		return fail("an interval of %g s is shorter than the sampling period of %g s: ask for a longer one, or load rcrtool with a shorter period_us=",
			    o->interval / 1e9, set->period_ns / 1e9);
	return check_cpus(o, set);
}

static FILE *open_output(const char *path)
{
	return path ? fopen(path, "we") : stdout;
}

static int output_failed(const struct options *o)
{
	const char *name = o->output ? o->output : "standard output";

	if (errno == EPIPE)
		return fail("%s: whoever read it has gone", name);
	return fail("%s: %s", name, strerror(errno));
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/**
 * struct session - a run of rcrstat
 * @options: what was asked for
 * @reader: where records come from
 * @out: where lines go
 * @intervals: what lies between
 * @lines: written so far
 * @lost: records lost so far
 */
struct session {
	const struct options *options;
	struct rcr_reader *reader;
	FILE *out;
	struct intervals intervals;
	uint64_t lines;
	uint64_t lost;
};

static bool is_done(const struct session *s)
{
	return stopped || (s->options->count && s->lines >= s->options->count);
}

/* A line is written at once: who follows the stream sees it whole. */
static int close_interval(struct session *s)
{
	unsigned int i;

	for (i = 0; i < s->intervals.cpus; i++)
		s->lost += s->intervals.cpu[i].lost;
	csv_line(s->out, &s->intervals);
	if (fflush(s->out) || ferror(s->out))
		return output_failed(s->options);
	s->lines++;
	intervals_next(&s->intervals);
	return 0;
}

/* Waits no longer than until the silent CPUs have to be given up. */
static int wait_ms(const struct session *s)
{
	uint64_t limit = s->intervals.end + PATIENCE +
			 2 * s->intervals.set->period_ns, now = now_ns();

	if (!s->intervals.end)
		return 1000;
	if (limit <= now)
		return 0;
	return (limit - now) / 1000000 > 1000 ? 1000 : (limit - now) / 1000000 + 1;
}

static bool is_overdue(const struct session *s)
{
	return s->intervals.end && wait_ms(s) == 0;
}

static int take_item(struct session *s, const struct rcr_item *item)
{
	int ret = 0;

	if (item->type == RCR_ITEM_SET)
		return fail("the counter set has changed: start rcrstat again");
	while (!ret && !is_done(s) && intervals_must_close(&s->intervals, item))
		ret = close_interval(s);
	intervals_add(&s->intervals, item);
	if (!ret && intervals_complete(&s->intervals))
		ret = close_interval(s);
	return ret;
}

static int run(struct session *s)
{
	const struct rcr_item *item;
	int got, ret = 0;

	csv_header(s->out, &s->intervals);
	if (fflush(s->out) || ferror(s->out))
		return output_failed(s->options);
	while (!ret && !is_done(s)) {
		got = rcr_next(s->reader, &item, wait_ms(s));
		if (got > 0)
			ret = take_item(s, item);
		else if (got == 0 && is_overdue(s))
			ret = close_interval(s);
		else if (got < 0 && errno != EINTR)
			return errno == ENODATA ?
			       fail("the stream has ended") :
			       fail("reading the stream: %s", strerror(errno));
	}
	return ret;
}

static int run_session(struct session *s)
{
	const struct options *o = s->options;
	const struct rcr_set *set = rcr_reader_set(s->reader);
	int ret = check_set(o, set);

	if (ret)
		return ret;
	if (intervals_init(&s->intervals, set, o->interval,
			   o->all_cpus ? NULL : o->cpu))
		return fail("no memory for %u CPUs", set->ncpus);
	s->out = open_output(o->output);
	if (s->out) {
		ret = run(s);
		if (s->out != stdout && fclose(s->out) && !ret)
			ret = output_failed(o);
	} else {
		ret = output_failed(o);
	}
	if (s->lost)
		fail("%llu records were overwritten before they were read; read more often, or load rcrtool with more ring_records=",
		     (unsigned long long)s->lost);
	intervals_free(&s->intervals);
	return ret;
}

int main(int argc, char **argv)
{
	struct options options;
	struct session s = { .options = &options };
	char text[256];
	int ret;

	switch (parse_options(&options, argc, argv)) {
	case PARSED_DONE:
		return EXIT_SUCCESS;
	case PARSED_WRONG:
		return EXIT_USAGE;
	case PARSED_RUN:
		break;
	}
	catch_signals();
	s.reader = rcr_open(options.device);
	if (!s.reader)
		return fail("%s", rcr_open_error(options.device, errno, text,
						 sizeof(text)));
	ret = run_session(&s);
	rcr_close(s.reader);
	return ret;
}
