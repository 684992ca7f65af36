/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * control.h - the control socket: takes requests, and answers each by one message.
 *
 * An answer is "ok\n" and text, or "failed\n" and a sentence.
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
 * struct caller - who asks
 * @uid: user id of the process that has connected
 * @reads: it is root or in the group rcrtool
 */
struct caller {
	uid_t uid;
	bool reads;
};

/**
 * struct answer - what is answered
 * @text: text after "ok\n"
 * @fd: descriptor that is passed with it, and closed here; -1: none
 */
struct answer {
	char text[ANSWER_MAX];
	int fd;
};

/* Does what is asked for. Returns 0, or -1 with the reason, which is answered. */
typedef int (*control_take)(void *arg, const struct caller *caller, const struct request *r,
			    struct answer *answer, struct why *why);

/* Binds the socket at @path, for everybody to connect to. Returns it, or -1 with the reason. */
int control_bind(const char *path, struct why *why);

/* Serves it; members of the group @gid may read. Returns 0, or -1 with the reason. */
int control_serve(struct loop *loop, int fd, gid_t gid, control_take take, void *arg,
		  struct why *why);

#endif
