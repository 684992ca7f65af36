/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * peer.h - which process a client is.
 */
#ifndef RCRD_PEER_H
#define RCRD_PEER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct peer - a client, as the kernel has noted it at connect(), and as it says itself
 * @uid: user id. It alone decides on rights.
 * @pid: process id, for attribution only; 0: not known
 * @start_time: when that process started, by the client's word
 */
struct peer {
	uid_t uid;
	pid_t pid;
	uint64_t start_time;
};

/* Field 22 of a line of /proc/PID/stat; 0: it is none. */
uint64_t peer_parse_stat(const char *line);

/*
 * Is there a process with that pid that has this user and started then? One that has got
 * the pid of another one does not match.
 */
bool peer_is_process(const struct peer *p);

#endif
