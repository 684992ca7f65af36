/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * receivers.h - takes messages from clients of board.sock, and closes their connections, on threads
 * of its own.
 */
#ifndef RCRD_RECEIVERS_H
#define RCRD_RECEIVERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "why.h"

/*
 * How many users can hold up one thread each before others have to wait for their place. Nobody
 * holds up the one that closes.
 */
#define RECEIVERS 8

/**
 * struct receiver_job - a connection, from receivers_ask() until receivers_done() returns it
 * @socket: it
 * @uid: user of the client
 * @closes: it is closed; else its message is taken
 * @error: result: 0; EAGAIN: there was no message; else it is closed now
 * @slots: result: the memfd, which was checked; -1: none
 * @start_time: result: when the client's process has started, by its own word
 * @next: the next job
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
 * Starts the threads, which need nothing that sandbox.c forbids. Returns the descriptor that
 * becomes readable when a job is done, or -1 with the reason.
 */
int receivers_open(struct why *why);

void receivers_ask(struct receiver_job *job);

/* A job that is done, without waiting; NULL: none. */
struct receiver_job *receivers_done(void);

#endif
