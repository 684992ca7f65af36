/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clients.h - the clients of blackboard 2: programs that have sent a memfd in which they report the
 * state of their threads.
 */
#ifndef RCRD_CLIENTS_H
#define RCRD_CLIENTS_H

#include <stdbool.h>

#include "loop.h"
#include "peer.h"
#include "receivers.h"
#include "verdicts.h"
#include "why.h"

/* Maximum number of clients, and of clients of one user. */
#define CLIENTS_MAX		16384
#define CLIENTS_OF_USER		(CLIENTS_MAX / 2)

/* Descriptors for CLIENTS_MAX clients and everything else. */
#define CLIENTS_NOFILE		(2 * CLIENTS_MAX + 1024)

/* A connection that has sent nothing is closed after this time, ns. Tests use a shorter one. */
#ifndef CLIENTS_SILENT_NS
#define CLIENTS_SILENT_NS	10000000000ull
#endif

/* Concurrent connections that are being refused, because no entry is free. */
#define CLIENTS_REFUSED		256

/* Maximum number of connections without a message: beyond it, the oldest is closed. */
#define CLIENTS_SILENT_MAX	512

enum client_state {
	CLIENT_FREE,	/* the entry is free */
	CLIENT_SILENT,	/* its message has not arrived yet */
	CLIENT_HEARD,	/* its message has arrived, and is passed to a receiver */
	CLIENT_JOINED,
	CLIENT_CLOSING,	/* a receiver closes it */
};

/**
 * struct client - a connection
 * @source: event source of its socket
 * @state: state of the connection
 * @job: job of the receiver that it is passed to
 * @older: the previous client in the same list, of joined or of silent clients
 * @newer: the next client in the same list
 * @number: serial number, assigned when it joins
 * @since_ns: time of its connection, CLOCK_MONOTONIC, ns
 * @slots: its memfd; -1: it has not joined
 * @peer: its process
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
 * Binds the socket at @path, accessible to all users, for as many clients as the limit of open
 * files allows now. Returns it, or -1 with @why filled in.
 */
int clients_bind(const char *path, struct why *why);

/*
 * Serves clients on the socket @fd and passes @verdicts to them; @done: descriptor returned by
 * receivers_open(). Returns 0, or -1 with @why filled in.
 */
int clients_serve(struct loop *loop, int fd, int done, struct verdicts *verdicts,
		  struct why *why);

/* The first joined client with this number or a later one; NULL: there is none. */
struct client *clients_find(uint64_t number);

#endif
