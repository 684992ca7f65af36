// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hold.c - programs a set for the duration of a command.
 *
 * The module reverts a held set when the device is closed, so the set ends with this process, even
 * if it is killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "message.h"
#include "rcr.h"
#include "verbs.h"

/* Blocks the signals that end a hold without a command. */
static void block_ending(sigset_t *signals)
{
	sigemptyset(signals);
	sigaddset(signals, SIGINT);
	sigaddset(signals, SIGTERM);
	sigaddset(signals, SIGHUP);
	sigprocmask(SIG_BLOCK, signals, NULL);
}

/* Runs the command while the set is held; @failed is the exit status if it was not started. */
static int run_held(char **command, int failed)
{
	int status = child_run(command);

	return status == EXIT_NOT_STARTED ? failed : status;
}

/*
 * Holds the staged set while the command runs or, without one, until a signal. Returns the exit
 * status of the command, or @failed if it was not started.
 */
static int hold_set(struct call *c, int failed)
{
	struct session *s = c->session;
	int fd, status, number;
	sigset_t ending;
	char text[256];

	/* The command must not inherit the descriptor: the set would outlive this process. */
	fd = open(RCR_DEVICE, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		fail("%s", rcr_open_error(NULL, errno, text, sizeof(text)));
		return failed;
	}
	if (!c->count)
		block_ending(&ending);
	status = done(s, rcr_control_finalize(s->control, s->generation, fd));
	if (status)
		status = failed;
	else if (c->count)
		status = run_held(c->args, failed);
	else
		sigwait(&ending, &number);
	close(fd);
	return status;
}

int do_hold(struct call *c)
{
	return hold_set(c, EXIT_FAILURE);
}

/* "--" may be omitted if the command does not begin with a dash. */
int check_run(struct call *c)
{
	take_option(c, "--");
	if (c->session->batch)
		return wrong("run cannot be used in a batch: use set");
	if (c->count && c->args[0][0] != '-')
		return EXIT_SUCCESS;
	wrong("run needs -- and a command");
	return EXIT_NOT_STARTED;
}

int do_run(struct call *c)
{
	if (session_open(c->session))
		return EXIT_NOT_STARTED;
	return hold_set(c, EXIT_NOT_STARTED);
}
