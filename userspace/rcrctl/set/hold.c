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

#include "command.h"
#include "exit_status.h"
#include "message.h"
#include "verbs.h"

#define DEVICE "/dev/rcrtool"

static void wait_for_signal(const sigset_t *signals)
{
	int number;

	do {
		number = sigwaitinfo(signals, NULL);
	} while (number < 0 || number == SIGCHLD);
}

/* Runs the command while the set is held, or waits for a signal. */
static int run_held(struct call *c, const sigset_t *signals, const sigset_t *before)
{
	if (c->count)
		return command_run(c->args, signals, before);
	wait_for_signal(signals);
	return EXIT_SUCCESS;
}

/* @failed is the exit status if the command was not started. */
static int hold_set(struct call *c, int failed)
{
	struct session *s = c->session;
	sigset_t signals, before;
	int fd, status;

	/* The command must not inherit the descriptor: the set would outlive this process. */
	fd = open(DEVICE, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		fail("%s: %s", DEVICE, strerror(errno));
		return failed;
	}
	command_block_signals(&signals, &before);
	status = done(s, rcr_control_finalize(s->control, s->generation, fd));
	status = status ? failed : run_held(c, &signals, &before);
	close(fd);
	return status;
}

int do_hold(struct call *c)
{
	return hold_set(c, EXIT_FAILURE);
}

/* The two dashes may be left out. */
int check_run(struct call *c)
{
	take_option(c, "--");
	if (c->session->batch)
		return wrong("run is not possible in a batch: use set");
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
