// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_rcrd_loop.c - the clock of rcrd's event loop. Time is simulated: it passes while the loop
 * waits and while the handler of the clock runs.
 */
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "ksft.h"
#include "loop.h"

#define MS	1000000ull
#define BEGIN	(1000 * MS)
#define CALLS	16

static struct loop loop;
static uint64_t now;		/* CLOCK_MONOTONIC, ns */
static unsigned int waits;	/* calls of epoll_wait() that timed out */

int __wrap_clock_gettime(clockid_t which, struct timespec *t)
{
	(void)which;
	*t = (struct timespec){ now / 1000000000, now % 1000000000 };
	return 0;
}

/* Replaces epoll_wait(): a timeout advances the simulated time. */
int __wrap_epoll_wait(int fd, struct epoll_event *e, int most, int timeout_ms)
{
	int got = epoll_pwait(fd, e, most, 0, NULL);

	if (got)
		return got;
	if (timeout_ms < 0)
		return epoll_pwait(fd, e, most, -1, NULL);
	waits++;
	now += timeout_ms * MS;
	return 0;
}

/**
 * struct ticks - calls of the clock's handler
 * @count: number of calls
 * @most: number of calls after which the loop is stopped
 * @at: times of the calls since BEGIN, ms
 * @works: duration of each call, ms
 */
struct ticks {
	unsigned int count, most;
	uint64_t at[CALLS], works[CALLS];
};

static void take_tick(void *arg)
{
	struct ticks *t = arg;

	if (t->count < CALLS) {
		t->at[t->count] = (now - BEGIN) / MS;
		now += t->works[t->count] * MS;
	}
	if (++t->count == t->most)
		loop_stop(&loop);
}

static void begin_loop(struct ticks *t, uint64_t interval_ms)
{
	now = BEGIN;
	waits = 0;
	if (loop_open(&loop))
		ksft_exit_fail_msg("no loop\n");
	if (t)
		loop_set_clock(&loop, interval_ms * MS, take_tick, t);
}

static bool run_loop(void)
{
	bool ok = !loop_run(&loop);

	close(loop.fd);
	return ok;
}

/* Return whether each call was at its time, or at most @slack ms later. */
static bool are_at(const struct ticks *t, const uint64_t *ms, uint64_t slack)
{
	unsigned int i;

	for (i = 0; i < t->most; i++)
		if (t->at[i] < ms[i] || t->at[i] > ms[i] + slack) {
			ksft_print_msg("call %u at %llu ms, expected at %llu ms\n", i,
				       (unsigned long long)t->at[i], (unsigned long long)ms[i]);
			return false;
		}
	return t->count == t->most;
}

static void test_interval(void)
{
	static const uint64_t each[] = { 1000, 2000, 3000, 4000, 5000 };
	struct ticks t = { .most = 5 };

	begin_loop(&t, 1000);
	ksft_test_result(run_loop() && are_at(&t, each, 1) && waits == 5,
			 "loop: the clock is called each interval after one wait, and can stop the loop\n");
}

/* The second call takes 3.5 intervals. */
static void test_late(void)
{
	static const uint64_t each[] = { 100, 200, 550, 650 };
	struct ticks t = { .most = 4, .works = { 0, 350 } };

	begin_loop(&t, 100);
	ksft_test_result(run_loop() && are_at(&t, each, 2),
			 "loop: missed calls of a late clock are not made up for\n");
}

struct source {
	struct loop_source source;
	unsigned int count, most;
	uint64_t works_ms;
};

/* The descriptor is always ready, so the loop never waits. */
static void take_source(void *arg, uint32_t events)
{
	struct source *s = arg;

	s->count += !!(events & EPOLLIN);
	now += s->works_ms * MS;
	if (s->count == s->most)
		loop_stop(&loop);
}

static void test_busy(void)
{
	static const uint64_t each[] = { 100, 200, 300, 400, 500 };
	struct source s = { .most = 52, .works_ms = 10 };
	/* The source stops the loop, before this many calls of the clock. */
	struct ticks t = { .most = CALLS };

	s.source = (struct loop_source){ eventfd(1, 0), take_source, &s };
	begin_loop(&t, 100);
	loop_add(&loop, &s.source, EPOLLIN);
	run_loop();
	close(s.source.fd);
	t.most = 5;
	ksft_test_result(s.count == 52 && are_at(&t, each, 10),
			 "loop: a source that is always ready does not starve the clock\n");
}

/* Timers are the kernel's and run in real time. */
static unsigned int expirations(struct ticks *t)
{
	struct source s = { .most = 1 };

	s.source = (struct loop_source){ -1, take_source, &s };
	begin_loop(t, 10);
	if (loop_add_timer(&loop, &s.source))
		return 0;
	loop_set_timer(&s.source, 2 * MS);
	if (!run_loop())
		s.count = 0;
	close(s.source.fd);
	return s.count;
}

static void test_timer(void)
{
	struct ticks t = { .most = ~0u };

	ksft_test_result(expirations(&t) == 1 && t.count,
			 "loop: timers expire while a clock runs\n");
	ksft_test_result(expirations(NULL) == 1 && !waits,
			 "loop: without a clock only the timer wakes the loop\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(5);
	/* End the test if the loop does not return. */
	alarm(60);
	test_interval();
	test_late();
	test_busy();
	test_timer();
	ksft_finished();
}
