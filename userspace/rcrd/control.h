/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control.h - the control socket: receive requests, and answer each with one message. An answer is
 * "ok\n" and a text, or "failed\n" and the reason.
 */
#ifndef RCRD_CONTROL_H
#define RCRD_CONTROL_H

#include <stdbool.h>
#include <sys/types.h>

#include "loop.h"
#include "request.h"
#include "why.h"

/* Longest answer, bytes. */
#define ANSWER_MAX 32768

/**
 * struct caller - credentials of a client
 * @uid: user id of the process that connected
 * @reads: the user is root or in the group rcrtool
 */
struct caller {
	uid_t uid;
	bool reads;
};

/**
 * struct answer - answer to a request
 * @text: text after "ok\n"
 * @fd: descriptor to pass with the answer, closed after that; -1: none
 */
struct answer {
	char text[ANSWER_MAX];
	int fd;
};

/* Handles a request. Returns 0 with @answer filled in, or -1 with @why, which is sent instead. */
typedef int (*control_take)(void *arg, const struct caller *caller, const struct request *r,
			    struct answer *answer, struct why *why);

/* Binds the socket at @path, accessible to all users. Returns it, or -1 with @why filled in. */
int control_bind(const char *path, struct why *why);

/*
 * Serves the socket and calls @take, with @arg, for each request; members of group @gid may read.
 * Returns 0, or -1 with @why filled in.
 */
int control_serve(struct loop *loop, int fd, gid_t gid, control_take take, void *arg,
		  struct why *why);

#endif
