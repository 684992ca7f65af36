/* SPDX-License-Identifier: GPL-2.0-or-later */
/* child.h - runs a command and waits for it. */
#ifndef COMMON_CHILD_H
#define COMMON_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "exit_status.h"

/**
 * struct child - a command that was started
 * @pid: its process
 * @signals: signalfd of the signals to forward, and of SIGCHLD
 * @ended: it has ended
 * @status: exit status, once it has ended: its own, or 128 + N after signal N
 * @begin: time of the fork, CLOCK_MONOTONIC, ns
 * @end: time when its end was noticed, CLOCK_MONOTONIC, ns
 */
struct child {
	pid_t pid;
	int signals;
	bool ended;
	int status;
	uint64_t begin;
	uint64_t end;
};

int child_start(struct child *c, char **command);
void child_wait(struct child *c, int timeout_ms);
void child_close(struct child *c);
int child_run(char **command);
bool child_is_installed(const char *program);

#endif
