/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * receivers.h - receive messages from clients of board.sock, and close their connections, in
 * separate threads.
 */
#ifndef RCRD_RECEIVERS_H
#define RCRD_RECEIVERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "why.h"

/*
 * Number of receiving threads. If this many users block one thread each, other users must wait to
 * join. The thread that closes connections cannot be blocked.
 */
#define RECEIVERS 8

/**
 * struct receiver_job - a connection, from receivers_ask() until receivers_done() returns it
 * @socket: its socket
 * @uid: user of the client
 * @closes: close the connection; otherwise receive its message
 * @error: result: 0, EAGAIN if there was no message, or another error: the connection is closed
 * @slots: result: the memfd, after slots_check(); -1: none
 * @start_time: result: start time of the client's process, as claimed by the client
 * @next: next job in the queue
 */
struct receiver_job {
	int socket;
	uid_t uid;
	bool closes;
	int error;
	int slots;
	uint64_t start_time;
	struct receiver_job *next;
};

/*
 * Starts the threads, which need no system call that sandbox.c forbids. Returns a descriptor that
 * is readable while jobs are finished, or -1 with @why filled in.
 */
int receivers_open(struct why *why);

/* Queues a job. */
void receivers_ask(struct receiver_job *job);

/* Returns a finished job without waiting; NULL: none. */
struct receiver_job *receivers_done(void);

#endif
