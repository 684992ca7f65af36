// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * peer.c - check the process id of a client: the client may have exited and its pid been reused, or
 * it may have passed its socket to another process.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "peer.h"

/* The name precedes the other fields in parentheses, and may contain any character. */
uint64_t peer_parse_stat(const char *line)
{
	const char *at = strrchr(line, ')');
	int field;

	for (field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at + 1, NULL, 10) : 0;
}

/* Files in /proc/PID belong to the process's effective user, or to root if it is not dumpable. */
static bool is_of_user(int fd, uid_t uid)
{
	struct stat st;

	return !fstat(fd, &st) && st.st_uid == uid;
}

static bool has_start_time(const struct peer *p)
{
	char text[1024];
	ssize_t got;
	int fd;

	snprintf(text, sizeof(text), "/proc/%d/stat", p->pid);
	fd = open(text, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	got = is_of_user(fd, p->uid) ? read(fd, text, sizeof(text) - 1) : -1;
	close(fd);
	if (got <= 0)
		return false;
	text[got] = 0;
	return peer_parse_stat(text) == p->start_time;
}

bool peer_is_process(const struct peer *p)
{
	struct pollfd process = { .events = POLLIN };
	bool matches;

	if (p->pid <= 0 || !p->start_time)
		return false;
	process.fd = syscall(SYS_pidfd_open, p->pid, 0);
	if (process.fd < 0)
		return false;
	/* The pidfd is still alive, so the file was read from this very process. */
	matches = has_start_time(p) && !poll(&process, 1, 0);
	close(process.fd);
	return matches;
}
