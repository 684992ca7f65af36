// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * crossings.c - runs a command for each crossing of a bound.
 *
 * Crossings are read from the module at once and queued here while a command runs, because the
 * module's queue is limited.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "crossings.h"
#include "message.h"
#include "parse/quantity.h"
#include "rcr_board.h"

/* Exit status if the command cannot be run, as in a shell. */
#define EXIT_NOT_FOUND 127

/* Time without crossings after which @gone is called. */
#define CHECK_MS 500

/**
 * struct server - state of crossings_serve()
 * @c: parameters
 * @before: signal mask of the caller
 * @signals: signalfd
 * @waiting: queue of crossings
 * @first: index of the next crossing in @waiting
 * @count: entries of @waiting
 * @space: allocated entries of @waiting
 * @taken: crossings received so far
 * @child: pid of the running command, 0: none
 * @end: stop and return @status
 * @dry: no more crossings will come
 * @why: why no more crossings will come; NULL: the requested number was reached
 * @status: exit status
 */
struct server {
	const struct crossings *c;
	sigset_t before;
	int signals;
	struct rcr_crossing *waiting;
	size_t first;
	size_t count;
	size_t space;
	uint64_t taken;
	pid_t child;
	bool end;
	bool dry;
	const char *why;
	int status;
};

static int open_signals(struct server *s)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &signals, &s->before);
	s->signals = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	return s->signals < 0 ? fail("%s", strerror(errno)) : EXIT_SUCCESS;
}

static void set_number_variable(const char *name, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	setenv(name, text, 1);
}

static void run_child(const struct server *s, const struct rcr_crossing *crossing)
{
	char value[QUANTITY_LEN];

	setenv("RCR_METER", s->c->meter, 1);
	setenv("RCR_VALUE", quantity_text(value, crossing->value, s->c->digits), 1);
	set_number_variable("RCR_TIME", crossing->time);
	set_number_variable("RCR_COUNT", crossing->count);
	sigprocmask(SIG_SETMASK, &s->before, NULL);
	execvp(s->c->command[0], s->c->command);
	fail("%s: %s", s->c->command[0], strerror(errno));
	_exit(EXIT_NOT_FOUND);
}

static void start_next_command(struct server *s)
{
	s->child = fork();
	if (!s->child)
		run_child(s, &s->waiting[s->first]);
	if (s->child < 0) {
		s->status = fail("%s: %s", s->c->command[0], strerror(errno));
		s->child = 0;
		s->end = true;
		return;
	}
	s->first++;
}

static void queue_crossing(struct server *s, const struct rcr_crossing *crossing)
{
	struct rcr_crossing *more;

	if (s->first == s->count) {
		s->first = 0;
		s->count = 0;
	}
	if (s->count == s->space) {
		s->space = s->space ? 2 * s->space : 64;
		more = realloc(s->waiting, s->space * sizeof(*more));
		if (!more) {
			s->status = fail("%s", strerror(ENOMEM));
			s->end = true;
			return;
		}
		s->waiting = more;
	}
	s->waiting[s->count++] = *crossing;
	s->taken++;
	if (crossing->lost)
		note("%" PRIu64 " crossings of '%s' were lost", (uint64_t)crossing->lost,
		     s->c->meter);
}

/* Receives all pending crossings. */
static void receive_crossings(struct server *s)
{
	struct rcr_crossing crossing;
	int got = 1;

	while (!s->end && !s->dry && got > 0) {
		got = rcr_board_crossing(s->c->fd, 0, &crossing);
		if (got > 0)
			queue_crossing(s, &crossing);
		if (got < 0 && errno != EINTR) {
			s->dry = true;
			s->why = errno == ESTALE ?
				 "the meter or one of its counters was removed" :
				 "cannot read more crossings from the module";
		}
		if (s->c->most && s->taken == s->c->most)
			s->dry = true;
	}
}

static void report_end(const struct server *s, int status)
{
	if (WIFSIGNALED(status))
		note("%s was killed by signal %d", s->c->command[0], WTERMSIG(status));
	else if (WEXITSTATUS(status))
		note("%s ended with status %d", s->c->command[0], WEXITSTATUS(status));
}

static void reap_command(struct server *s, int options)
{
	int status;

	if (!s->child || waitpid(s->child, &status, options) != s->child)
		return;
	s->child = 0;
	report_end(s, status);
}

/* Handles a terminating signal: forwards it to the command and waits for the command to end. */
static void stop_serving(struct server *s, int number)
{
	/* The terminal sends SIGINT to both processes. */
	if (s->child && number != SIGINT)
		kill(s->child, number);
	reap_command(s, 0);
	if (s->count > s->first)
		note("no command was run for the last %zu crossings", s->count - s->first);
	s->end = true;
}

static void take_signals(struct server *s)
{
	struct signalfd_siginfo info;

	while (!s->end && read(s->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			reap_command(s, WNOHANG);
		else
			stop_serving(s, info.ssi_signo);
	}
}

static void handle_next_wakeup(struct server *s)
{
	struct pollfd p[] = {
		{ .fd = s->signals, .events = POLLIN },
		{ .fd = s->dry ? -1 : s->c->fd, .events = POLLIN },
	};
	int ready = poll(p, 2, s->dry ? -1 : CHECK_MS);

	if (ready > 0 && p[1].revents)
		receive_crossings(s);
	if (ready > 0 && p[0].revents)
		take_signals(s);
	if (!ready && s->c->gone) {
		s->why = s->c->gone(s->c->to);
		s->dry = s->why;
	}
}

int crossings_serve(const struct crossings *c)
{
	struct server s = { .c = c, .status = EXIT_SUCCESS };

	if (open_signals(&s))
		return EXIT_FAILURE;
	while (!s.end && !(s.dry && !s.child && s.first == s.count)) {
		if (!s.child && s.first < s.count)
			start_next_command(&s);
		else
			handle_next_wakeup(&s);
	}
	if (!s.end && s.why)
		s.status = fail("%s", s.why);
	close(s.signals);
	sigprocmask(SIG_SETMASK, &s.before, NULL);
	free(s.waiting);
	return s.status;
}
