/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * clients.h - the clients of blackboard 2: programs that have sent a memfd with what their
 * threads are doing.
 */
#ifndef RCRD_CLIENTS_H
#define RCRD_CLIENTS_H

#include <stdbool.h>

#include "loop.h"
#include "peer.h"
#include "receivers.h"
#include "verdicts.h"
#include "why.h"

/* How many there are at a time, and how many of them one user may be. */
#define CLIENTS_MAX		16384
#define CLIENTS_OF_USER		(CLIENTS_MAX / 2)

/* Descriptors that CLIENTS_MAX of them take, with room for those of all else. */
#define CLIENTS_NOFILE		(2 * CLIENTS_MAX + 1024)

/* A connection that has sent nothing is closed after that time, ns. A test has a shorter one. */
#ifndef CLIENTS_SILENT_NS
#define CLIENTS_SILENT_NS	10000000000ull
#endif

/* Connections at a time that are refused, for want of a place. */
#define CLIENTS_REFUSED		256

/* More of these are not waited for: the oldest is closed. */
#define CLIENTS_SILENT_MAX	512

enum client_state {
	CLIENT_FREE,	/* the place is */
	CLIENT_SILENT,	/* its message has not come yet */
	CLIENT_HEARD,	/* it has, and a receiver takes it */
	CLIENT_JOINED,
	CLIENT_CLOSING,	/* a receiver does that */
};

/**
 * struct client - a connection
 * @source: its socket
 * @state: what is done with it
 * @job: what a receiver does with it
 * @older: the one before it, of those that have joined or of those that are silent
 * @newer: the one after it
 * @number: counts those that have joined
 * @since_ns: CLOCK_MONOTONIC of its connection
 * @slots: its memfd; -1: it has not joined
 * @peer: who it is
 */
struct client {
	struct loop_source source;
	enum client_state state;
	struct receiver_job job;
	struct client *older;
	struct client *newer;
	uint64_t number;
	uint64_t since_ns;
	int slots;
	struct peer peer;
};

/* Raises the limit of open files to CLIENTS_NOFILE, or as far as root may. Needs root. */
void clients_raise_limit(void);

/*
 * Binds the socket at @path, for everybody to connect to, for as many clients as the limit of open
 * files allows now. Returns it, or -1 with the reason.
 */
int clients_bind(const char *path, struct why *why);

/*
 * Serves it, with @verdicts for all, and @done of receivers_open(). Returns 0, or -1 with the
 * reason.
 */
int clients_serve(struct loop *loop, int fd, int done, struct verdicts *verdicts,
		  struct why *why);

/* The first that has joined with that number or a later one; NULL: there is none. */
struct client *clients_find(uint64_t number);

#endif
