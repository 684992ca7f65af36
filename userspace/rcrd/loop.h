/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loop.h - waits for descriptors and calls their handlers, one at a time. */
#ifndef RCRD_LOOP_H
#define RCRD_LOOP_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct loop_source - a descriptor or a timer, with its handler
 * @fd: the descriptor; its owner closes it
 * @ready: called with @arg and the epoll events
 * @arg: first argument of @ready
 *
 * Must not be moved or freed while it is in a loop. A handler may remove any source.
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
 * @tick: called each @tick_ns; NULL: there is no clock
 * @tick_arg: its argument
 * @tick_ns: interval, ns
 * @next_ns: CLOCK_MONOTONIC of the next call, ns
 * @signals: source of signals
 * @hangup: called for SIGHUP; NULL: it is ignored
 * @hangup_arg: its argument
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
/* Creates a timer, disarmed, and opens @s->fd for it. */
int loop_add_timer(struct loop *l, struct loop_source *s);
/* Stops the loop on SIGTERM and SIGINT, handles SIGHUP, and ignores SIGPIPE. */
int loop_add_signals(struct loop *l);

void loop_remove(struct loop *l, struct loop_source *s);

/* Arms the timer to expire once, in @ns; 0 disarms it. */
void loop_set_timer(struct loop_source *s, uint64_t ns);

/*
 * Calls @tick each @ns, or once if it is late by more. The loop has one such clock, which costs a
 * system call each time, and a timer two.
 */
void loop_set_clock(struct loop *l, uint64_t ns, void (*tick)(void *arg), void *arg);

/* Calls @hangup for each SIGHUP. */
void loop_set_hangup(struct loop *l, void (*hangup)(void *arg), void *arg);

/* Runs until loop_stop() is called; returns 0, or -1 with errno. */
int loop_run(struct loop *l);
void loop_stop(struct loop *l);

#endif
