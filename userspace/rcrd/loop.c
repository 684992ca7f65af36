// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * loop.c - event loop on epoll. It fetches one event at a time, so that no handler is called for a
 * source that another handler has just removed. epoll is fair among ready descriptors.
 */
#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "clock.h"
#include "loop.h"

#define SECOND 1000000000ull
#define MILLISECOND 1000000ull

int loop_open(struct loop *l)
{
	*l = (struct loop){ 0 };
	l->fd = epoll_create1(EPOLL_CLOEXEC);
	return l->fd < 0 ? -1 : 0;
}

int loop_add(struct loop *l, struct loop_source *s, uint32_t events)
{
	struct epoll_event e = { .events = events, .data.ptr = s };

	return epoll_ctl(l->fd, EPOLL_CTL_ADD, s->fd, &e);
}

void loop_remove(struct loop *l, struct loop_source *s)
{
	epoll_ctl(l->fd, EPOLL_CTL_DEL, s->fd, NULL);
}

int loop_add_timer(struct loop *l, struct loop_source *s)
{
	s->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	return s->fd < 0 ? -1 : loop_add(l, s, EPOLLIN);
}

/* Setting a timer resets its expirations: until the next one, it is not readable. */
void loop_set_timer(struct loop_source *s, uint64_t ns)
{
	struct itimerspec t = { .it_value = { ns / SECOND, ns % SECOND } };

	timerfd_settime(s->fd, 0, &t, NULL);
}

static void take_signal(void *arg, uint32_t events)
{
	struct signalfd_siginfo info;
	struct loop *l = arg;

	(void)events;
	if (read(l->signals.fd, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo != SIGHUP)
		loop_stop(l);
	else if (l->hangup)
		l->hangup(l->hangup_arg);
}

int loop_add_signals(struct loop *l)
{
	struct loop_source *s = &l->signals;
	sigset_t signals;

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&signals);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	if (sigprocmask(SIG_BLOCK, &signals, NULL))
		return -1;
	s->fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	s->ready = take_signal;
	s->arg = l;
	return s->fd < 0 ? -1 : loop_add(l, s, EPOLLIN);
}

void loop_set_clock(struct loop *l, uint64_t ns, void (*tick)(void *arg), void *arg)
{
	l->tick = tick;
	l->tick_arg = arg;
	l->tick_ns = ns;
	l->next_ns = now_ns() + ns;
}

/* Call @tick if it is due. Returns the time until the next call in ms, or -1 without a clock. */
static int run_clock(struct loop *l)
{
	uint64_t now = now_ns();

	if (!l->tick)
		return -1;
	if (now >= l->next_ns) {
		l->next_ns += l->tick_ns;
		if (l->next_ns <= now)
			l->next_ns = now + l->tick_ns;
		l->tick(l->tick_arg);
		now = now_ns();
	}
	return now < l->next_ns ? (l->next_ns - now) / MILLISECOND + 1 : 0;
}

void loop_set_hangup(struct loop *l, void (*hangup)(void *arg), void *arg)
{
	l->hangup = hangup;
	l->hangup_arg = arg;
}

int loop_run(struct loop *l)
{
	struct epoll_event e;
	struct loop_source *s;
	int got, wait_ms;

	while (!l->stopped) {
		wait_ms = run_clock(l);
		if (l->stopped)
			break;
		got = epoll_wait(l->fd, &e, 1, wait_ms);
		if (got < 0 && errno != EINTR)
			return -1;
		if (got <= 0)
			continue;
		s = e.data.ptr;
		s->ready(s->arg, e.events);
	}
	return 0;
}

void loop_stop(struct loop *l)
{
	l->stopped = true;
}
