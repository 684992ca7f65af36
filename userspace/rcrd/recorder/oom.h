/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oom.h - processes that the kernel kills for want of memory, by the tracepoint
 * oom:mark_victim in a trace instance of rcrd's own.
 */
#ifndef RCRD_OOM_H
#define RCRD_OOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "why.h"

/**
 * struct oom_kill - a kill
 * @time: CLOCK_MONOTONIC, ns, of whole microseconds
 * @pid: process id of the victim
 */
struct oom_kill {
	uint64_t time;
	int pid;
};

/**
 * struct oom - the tracepoint
 * @fd: pipe of the instance; -1: none
 * @used: bytes of @text that are read
 * @text: a line that is not whole yet
 */
struct oom {
	int fd;
	size_t used;
	char text[1024];
};

/* Reads a line of a trace pipe; false if it is no kill. */
bool oom_parse(const char *line, struct oom_kill *kill);

/* Needs root. Returns 0, or -1 with the reason, and @oom->fd is -1. */
int oom_open(struct oom *oom, struct why *why);

/* The next kill there is, without waiting: true and @kill, or false. */
bool oom_next(struct oom *oom, struct oom_kill *kill);

#endif
