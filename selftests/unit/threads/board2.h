/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * board2.h - runs rcrd's blackboard 2 (sockets, loop and limits) in a child of the test with its
 * own directory, and lists the slots as root sees them.
 */
#ifndef RCR_UNIT_BOARD2_H
#define RCR_UNIT_BOARD2_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "control.h"
#include "ksft.h"
#ifdef BOARD2_SANDBOX
#include "sandbox.h"
#endif
#include "threads/clients.h"
#include "threads/list.h"

#define CONTROL "control.sock"

static pid_t board2_server;

/* The server's limit of open files; 0 leaves it unchanged. */
static rlim_t board2_limit;

static inline int board2_take(void *arg, const struct caller *caller, const struct request *q,
			      struct answer *answer, struct why *why)
{
	return q->kind == REQUEST_THREADS ? list_take(arg, caller, q, answer, why) :
	       because(why, "not served here");
}

/* Enter the sandbox as start.c does; the filter stays in force. */
static inline int board2_enter(struct why *why)
{
#ifdef BOARD2_SANDBOX
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || sandbox_enter(why);
#else
	(void)why;
	return 0;
#endif
}

static inline void board2_serve(int ready)
{
	static struct verdicts verdicts;
	static struct loop loop;
	int board, control, done;
	struct why why;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (board2_limit) {
		struct rlimit limit = { board2_limit, board2_limit };

		setrlimit(RLIMIT_NOFILE, &limit);
	} else {
		clients_raise_limit();
	}
	board = clients_bind(RCR_BOARD2_SOCKET, &why);
	control = control_bind(CONTROL, &why);
	if (board < 0 || control < 0 || verdicts_open(&verdicts, &why) || loop_open(&loop) ||
	    loop_add_signals(&loop)) {
		ksft_print_msg("%s\n", why.text);
		_exit(1);
	}
	done = receivers_open(&why);
	if (done < 0 || board2_enter(&why) || clients_serve(&loop, board, done, &verdicts, &why) ||
	    control_serve(&loop, control, -1, board2_take, &verdicts, &why)) {
		ksft_print_msg("%s\n", why.text);
		_exit(1);
	}
	if (write(ready, "", 1) != 1 || loop_run(&loop))
		_exit(1);
	exit(0);
}

/* Start the server; return when it accepts connections. */
static inline void board2_start(void)
{
	int ready[2];
	char byte;

	if (pipe2(ready, O_CLOEXEC))
		ksft_exit_fail_msg("no pipe\n");
	fflush(stdout);
	board2_server = fork();
	if (!board2_server) {
		close(ready[0]);
		board2_serve(ready[1]);
	}
	close(ready[1]);
	if (board2_server < 0 || read(ready[0], &byte, 1) != 1)
		ksft_exit_fail_msg("nothing is served\n");
	close(ready[0]);
}

/* Terminate the server with @signal; return its wait status. */
static inline int board2_stop(int signal)
{
	int status = -1;

	kill(board2_server, signal);
	waitpid(board2_server, &status, 0);
	return status;
}

/* Make a directory for the sockets that any user can access. */
static inline void board2_begin(void)
{
	char path[] = "/tmp/rcr-board2-XXXXXX";

	if (!mkdtemp(path) || chdir(path) || chmod(path, 0755))
		ksft_exit_fail_msg("no directory: %s\n", strerror(errno));
}

static inline void board2_end(void)
{
	char path[256];

	unlink(RCR_BOARD2_SOCKET);
	unlink(CONTROL);
	if (getcwd(path, sizeof(path)))
		rmdir(path);
}

static inline int board2_connect(const char *path)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	snprintf(at.sun_path, sizeof(at.sun_path), "%s", path);
	if (fd >= 0 && !connect(fd, (struct sockaddr *)&at, sizeof(at)))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/**
 * struct seen - a listed slot; for the members see list.h
 * @uid: user of the process
 */
struct seen {
	unsigned int uid;
	int pid;
	unsigned int tid;
	uint64_t id;
	uint64_t pc;
	unsigned int state;
	uint64_t wish;
	uint64_t age_ns;
	uint64_t updates;
};

/* Call @each for each listed slot. Return the number of slots, or -1. */
static inline int board2_list(int pid, void (*each)(void *arg, const struct seen *s), void *arg)
{
	static char answer[ANSWER_MAX + 64];
	uint64_t client = 0, slot = 0;
	char request[128], *line, *rest;
	int fd = board2_connect(CONTROL), n = 0;
	struct seen s;
	ssize_t got;
	bool more;

	do {
		snprintf(request, sizeof(request), "threads %" PRIu64 " %" PRIu64 " %d", client,
			 slot, pid);
		got = send(fd, request, strlen(request), MSG_NOSIGNAL);
		if (got > 0)
			got = recv(fd, answer, sizeof(answer) - 1, 0);
		if (got < 3 || strncmp(answer, "ok\n", 3)) {
			n = -1;
			break;
		}
		answer[got] = 0;
		more = false;
		rest = answer + 3;
		while ((line = strsep(&rest, "\n")) && *line) {
			if (sscanf(line, "next %" SCNu64 " %" SCNu64, &client, &slot) == 2) {
				more = true;
				break;
			}
			if (sscanf(line, "%u %d %u %" SCNu64 " %" SCNu64 " %u %" SCNu64
				   " %" SCNu64 " %" SCNu64, &s.uid, &s.pid, &s.tid, &s.id, &s.pc,
				   &s.state, &s.wish, &s.age_ns, &s.updates) != 9)
				ksft_exit_fail_msg("odd line: %s\n", line);
			n++;
			if (each)
				each(arg, &s);
		}
	} while (more);
	if (fd >= 0)
		close(fd);
	return n;
}

/* Return the number of listed slots of @pid, after waiting a moment for the server. */
static inline int board2_seen(int pid, int expected)
{
	int n, turn;

	for (turn = 0; turn < 500; turn++) {
		n = board2_list(pid, NULL, NULL);
		if (n == expected)
			break;
		sleep_ns(10000000);
	}
	return n;
}

/* Return the number of descriptors that a process has open. */
static inline unsigned int board2_files(pid_t pid)
{
	char path[64];
	unsigned int n = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	dir = opendir(path);
	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

#endif
