/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * oom.h - report OOM kills, by the tracepoint oom:mark_victim in a trace instance of rcrd.
 */
#ifndef RCRD_OOM_H
#define RCRD_OOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "why.h"

/**
 * struct oom_kill - a process killed by the OOM killer
 * @time: CLOCK_MONOTONIC, ns, with microsecond resolution
 * @pid: process id of the victim
 */
struct oom_kill {
	uint64_t time;
	int pid;
};

/**
 * struct oom - the tracepoint
 * @fd: trace pipe of the instance; -1: none
 * @used: bytes of @text in use
 * @text: an incomplete line
 */
struct oom {
	int fd;
	size_t used;
	char text[1024];
};

/* Parses a line of the trace pipe. Returns false if it is not a kill. */
bool oom_parse(const char *line, struct oom_kill *kill);

/* Enables the tracepoint; needs root. Returns 0, or -1 with @why filled in and @oom->fd -1. */
int oom_open(struct oom *oom, struct why *why);

/* Reads the next kill without blocking. Returns false if there is none. */
bool oom_next(struct oom *oom, struct oom_kill *kill);

#endif
