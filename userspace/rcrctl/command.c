// SPDX-License-Identifier: GPL-2.0-or-later
/* command.c - runs a command, which gets the signals that rcrctl gets meanwhile. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "exit_status.h"
#include "message.h"

void command_block_signals(sigset_t *signals, sigset_t *before)
{
	sigemptyset(signals);
	sigaddset(signals, SIGINT);
	sigaddset(signals, SIGTERM);
	sigaddset(signals, SIGHUP);
	sigaddset(signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, signals, before);
}

static pid_t start_command(char **args, const sigset_t *mask)
{
	pid_t child = fork();
	int error;

	if (child)
		return child;
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(args[0], args);
	error = errno;
	fail("%s: %s", args[0], strerror(error));
	_exit(error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

/* Waits for the command and forwards SIGTERM and SIGHUP to it; returns its exit status. */
static int wait_for_command(pid_t child, const sigset_t *signals)
{
	int status, number;

	while (waitpid(child, &status, WNOHANG) != child) {
		number = sigwaitinfo(signals, NULL);
		/* The terminal sends SIGINT to both processes. */
		if (number == SIGTERM || number == SIGHUP)
			kill(child, number);
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int command_run(char **args, const sigset_t *signals, const sigset_t *before)
{
	pid_t child = start_command(args, before);

	return child < 0 ? fail("%s: %s", args[0], strerror(errno)) :
			   wait_for_command(child, signals);
}
