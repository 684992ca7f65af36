// SPDX-License-Identifier: GPL-2.0-or-later
/* signals.c - signal handlers of rcrstat. */
#include <signal.h>
#include <stddef.h>

#include "signals.h"

static volatile sig_atomic_t stopped;
static volatile sig_atomic_t resized;
static volatile sig_atomic_t suspended;

static void set_stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static void set_resize(int signal)
{
	(void)signal;
	resized = 1;
}

static void note_suspend(int signal)
{
	(void)signal;
	suspended = 1;
}

void signals_catch(void)
{
	struct sigaction action = { .sa_handler = set_stop };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	sigaction(SIGQUIT, &action, NULL);
	action.sa_handler = SIG_IGN;	/* writing to a closed pipe fails with EPIPE */
	sigaction(SIGPIPE, &action, NULL);
	/* A resize still interrupts poll(), but not a partial write. */
	action = (struct sigaction){ .sa_handler = set_resize, .sa_flags = SA_RESTART };
	sigaction(SIGWINCH, &action, NULL);
}

bool signals_stopped(void)
{
	return stopped;
}

bool signals_resized(void)
{
	bool was = resized;

	resized = 0;
	return was;
}

void signals_catch_suspend(void)
{
	struct sigaction action = { .sa_handler = note_suspend, .sa_flags = SA_RESTART };

	sigaction(SIGTSTP, &action, NULL);
}

bool signals_suspended(void)
{
	bool was = suspended;

	suspended = 0;
	return was;
}
