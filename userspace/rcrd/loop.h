/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loop.h - event loop: wait for descriptors and call their handlers, one at a time. */
#ifndef RCRD_LOOP_H
#define RCRD_LOOP_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct loop_source - a descriptor or a timer, with its handler
 * @fd: the descriptor, which the loop does not close
 * @ready: handler, called with @arg and the epoll events
 * @arg: first argument of @ready
 *
 * A source must not be moved or freed while it is in a loop. Handlers may remove any source.
 */
struct loop_source {
	int fd;
	void (*ready)(void *arg, uint32_t events);
	void *arg;
};

/**
 * struct loop - an event loop
 * @fd: epoll descriptor
 * @stopped: loop_run() must return
 * @tick: called every @tick_ns; NULL: there is no clock
 * @tick_arg: argument of @tick
 * @tick_ns: interval of the clock, ns
 * @next_ns: time of the next call of @tick, CLOCK_MONOTONIC, ns
 * @signals: event source of the signalfd
 * @hangup: called for SIGHUP; NULL: ignore it
 * @hangup_arg: argument of @hangup
 */
struct loop {
	int fd;
	bool stopped;
	void (*tick)(void *arg);
	void *tick_arg;
	uint64_t tick_ns, next_ns;
	struct loop_source signals;
	void (*hangup)(void *arg);
	void *hangup_arg;
};

/* These return 0, or -1 with errno. */
int loop_open(struct loop *l);
int loop_add(struct loop *l, struct loop_source *s, uint32_t events);
/* Adds a disarmed timer, whose descriptor becomes @s->fd. */
int loop_add_timer(struct loop *l, struct loop_source *s);
/* Stops the loop on SIGTERM and SIGINT, handles SIGHUP, and ignores SIGPIPE. */
int loop_add_signals(struct loop *l);

void loop_remove(struct loop *l, struct loop_source *s);

/* Arms a timer to expire once, after @ns; 0 disarms it. */
void loop_set_timer(struct loop_source *s, uint64_t ns);

/*
 * Calls @tick, with @arg, every @ns; intervals that have been missed are skipped. A loop has a
 * single clock. It costs one system call per interval, where a timer costs two.
 */
void loop_set_clock(struct loop *l, uint64_t ns, void (*tick)(void *arg), void *arg);

/* Calls @hangup, with @arg, for each SIGHUP. */
void loop_set_hangup(struct loop *l, void (*hangup)(void *arg), void *arg);

/* Runs until loop_stop() is called. Returns 0, or -1 with errno. */
int loop_run(struct loop *l);
void loop_stop(struct loop *l);

#endif
