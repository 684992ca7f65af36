// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * child.c - runs a command and waits for it.
 *
 * Forwards all signals to the command except those that report an error of this process, those of
 * job control, and SIGPIPE. Signals from the terminal reach its whole process group, so they are
 * not sent a second time.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "clock.h"
#include "message.h"

static const int not_forwarded[] = {
	SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP, SIGPIPE,
	SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU,
};

/* Blocks the signals to forward, and SIGCHLD, which reports the end of the command. */
static void block_forwarded(sigset_t *set, sigset_t *before)
{
	size_t i;

	sigfillset(set);
	for (i = 0; i < sizeof(not_forwarded) / sizeof(not_forwarded[0]); i++)
		sigdelset(set, not_forwarded[i]);
	sigprocmask(SIG_BLOCK, set, before);
}

/* In the child: executes the command, or reports the errno to the parent. */
static void execute_command(char **command, const sigset_t *mask, int report)
{
	int error;

	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(command[0], command);
	error = errno;
	if (write(report, &error, sizeof(error)) < 0)
		_exit(EXIT_NOT_STARTED);
	_exit(error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

/* Waits until the child has executed the command; returns 0, or the errno of its failure. */
static int wait_for_start(int report)
{
	int error = 0;
	ssize_t got;

	do {
		got = read(report, &error, sizeof(error));
	} while (got < 0 && errno == EINTR);
	return got == sizeof(error) ? error : 0;
}

/**
 * child_start() - start a command
 * @c: the child
 * @command: its words; NULL ends them
 *
 * The signals to forward stay blocked, so that one that arrives after the command has ended does
 * not kill this process.
 *
 * Returns 0; or after reporting an error EXIT_NOT_STARTED, EXIT_NOT_FOUND or EXIT_NOT_EXECUTABLE.
 */
int child_start(struct child *c, char **command)
{
	sigset_t set, before;
	int report[2], error;

	*c = (struct child){ .signals = -1 };
	/* While SIGCHLD is ignored, the kernel discards the status of a child. */
	signal(SIGCHLD, SIG_DFL);
	block_forwarded(&set, &before);
	c->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (c->signals < 0 || pipe2(report, O_CLOEXEC)) {
		fail("%s: %s", command[0], strerror(errno));
		return EXIT_NOT_STARTED;
	}
	c->begin = now_ns();
	c->pid = fork();
	if (!c->pid)
		execute_command(command, &before, report[1]);
	error = c->pid < 0 ? errno : 0;
	close(report[1]);
	if (!error)
		error = wait_for_start(report[0]);
	close(report[0]);
	if (!error)
		return 0;
	fail("%s: %s", command[0], strerror(error));
	if (c->pid < 0)
		return EXIT_NOT_STARTED;
	waitpid(c->pid, NULL, 0);
	return error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

static void take_child_signals(struct child *c)
{
	struct signalfd_siginfo info;

	while (read(c->signals, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo != SIGCHLD && info.ssi_code != SI_KERNEL)
			kill(c->pid, info.ssi_signo);
}

/* Waits at most @timeout_ms for a signal, and forwards it, or for the end of the command. */
void child_wait(struct child *c, int timeout_ms)
{
	struct pollfd p = { .fd = c->signals, .events = POLLIN };
	int status;

	poll(&p, 1, timeout_ms);
	take_child_signals(c);
	if (waitpid(c->pid, &status, WNOHANG) != c->pid)
		return;
	c->end = now_ns();
	c->ended = true;
	c->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void child_close(struct child *c)
{
	if (c->signals >= 0)
		close(c->signals);
}

/**
 * child_run() - run a command to its end
 * @command: its words; NULL ends them
 *
 * Returns its exit status, or what child_start() does. Signals stay blocked.
 */
int child_run(char **command)
{
	struct child child;
	int status = child_start(&child, command);

	while (!status && !child.ended)
		child_wait(&child, -1);
	child_close(&child);
	return status ? status : child.status;
}

/* True if a directory of PATH has the program. */
bool child_is_installed(const char *program)
{
	const char *path = getenv("PATH"), *end;
	char file[PATH_MAX];

	for (; path; path = *end ? end + 1 : NULL) {
		end = strchrnul(path, ':');
		if (snprintf(file, sizeof(file), "%.*s/%s", (int)(end - path), path,
			     program) < (int)sizeof(file) && !access(file, X_OK))
			return true;
	}
	return false;
}
