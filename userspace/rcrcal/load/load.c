// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * load.c - generates the load of a calibration, with built-in threads, or with a command for
 * resources that the threads do not use.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "calibration.h"
#include "load.h"
#include "load_threads.h"

/**
 * struct load - source of load
 * @command: shell command; NULL: use @threads
 * @kind: enum mix that was set last
 * @threads: built-in threads
 */
struct load {
	const char *command;
	unsigned int kind;
	struct load_threads *threads;
};

static int command_error(const char *command, int status, struct why *why)
{
	if (status < 0)
		return because(why, "%.80s: %s", command, strerror(errno));
	if (WIFSIGNALED(status))
		return because(why, "the load's command was ended by signal %d: %.200s",
			       WTERMSIG(status), command);
	return because(why, "the load's command ended with status %d: %.200s",
		       WEXITSTATUS(status), command);
}

/* Runs the command with its standard output discarded. */
static int run_command(const struct load *l, double level, struct why *why)
{
	char command[4096];
	int len, status;

	len = snprintf(command, sizeof(command), "{ %s %s %ld; } >/dev/null", l->command,
		       calibration_kind_name(l->kind), lround(level * LOAD_ONE));
	if (len >= (int)sizeof(command))
		return because(why, "the load's command is too long");
	status = system(command);
	return status ? command_error(command, status, why) : 0;
}

struct load *load_open(const char *command, size_t size, struct why *why)
{
	struct load *l = calloc(1, sizeof(*l));

	if (!l) {
		because(why, "%s", strerror(ENOMEM));
		return NULL;
	}
	l->command = command;
	if (!command)
		l->threads = load_threads_open(size, why);
	if (!command && !l->threads) {
		free(l);
		return NULL;
	}
	return l;
}

int load_set(struct load *l, unsigned int kind, double level, struct why *why)
{
	l->kind = kind;
	if (l->command)
		return run_command(l, level, why);
	return load_threads_set(l->threads, kind, level, why);
}

bool load_latency(struct load *l, double *ns)
{
	return l->threads && load_threads_latency(l->threads, ns);
}

void load_close(struct load *l)
{
	struct why why;

	if (!l)
		return;
	if (l->command)
		run_command(l, 0, &why);
	load_threads_close(l->threads);
	free(l);
}
