/* SPDX-License-Identifier: GPL-2.0-or-later */
/* peer.h - identify the process of a client. */
#ifndef RCRD_PEER_H
#define RCRD_PEER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct peer - process of a client, from the kernel at connect() and from its own message
 * @uid: user id, the only basis of access rights
 * @pid: process id, for attribution only; 0: not known
 * @start_time: start time of the process, as claimed by the client
 */
struct peer {
	uid_t uid;
	pid_t pid;
	uint64_t start_time;
};

/* Field 22 of a line of /proc/PID/stat; 0 on failure. */
uint64_t peer_parse_stat(const char *line);

/*
 * True if a process with this pid exists, belongs to this user and has this start time. A process
 * that reuses the pid does not match.
 */
bool peer_is_process(const struct peer *p);

#endif
