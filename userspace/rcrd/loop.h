/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loop.h - waits for descriptors and calls their handlers, one at a time.
 */
#ifndef RCRD_LOOP_H
#define RCRD_LOOP_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct loop - a loop
 * @fd: epoll descriptor
 * @stopped: loop_run() returns
 */
struct loop {
	int fd;
	bool stopped;
};

/**
 * struct loop_source - a descriptor, or a timer, and its handler
 * @fd: the descriptor; its owner closes it
 * @ready: called with @arg and the epoll events
 * @arg: first argument of @ready
 *
 * Is not moved or freed while it is in a loop. A handler may remove any source.
 */
struct loop_source {
	int fd;
	void (*ready)(void *arg, uint32_t events);
	void *arg;
};

/* These return 0, or -1 and errno. */
int loop_open(struct loop *l);
int loop_add(struct loop *l, struct loop_source *s, uint32_t events);
/* Makes a timer, which is not set: a source whose @fd is opened here. */
int loop_add_timer(struct loop *l, struct loop_source *s);
/* Takes SIGTERM and SIGINT, which end the loop, and ignores SIGHUP and SIGPIPE. */
int loop_add_signals(struct loop *l, struct loop_source *s);

void loop_remove(struct loop *l, struct loop_source *s);

/* Calls the timer's handler once, in @ns; 0: not at all. */
void loop_set_timer(struct loop_source *s, uint64_t ns);

/* Until loop_stop() is called; 0, or -1 and errno. */
int loop_run(struct loop *l);
void loop_stop(struct loop *l);

#endif
