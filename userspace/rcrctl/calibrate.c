// SPDX-License-Identifier: GPL-2.0-or-later
/* calibrate.c - the verb "calibrate": executes rcrcal. */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "message.h"
#include "verbs.h"

/* Writes the path of rcrcal, which is installed in the directory of rcrctl. */
static int find_rcrcal(char path[PATH_MAX])
{
	ssize_t size = readlink("/proc/self/exe", path, PATH_MAX - sizeof("rcrcal"));

	if (size < 0)
		return fail("cannot find the directory of rcrctl: mount /proc");
	path[size] = 0;
	strcpy(strrchr(path, '/') + 1, "rcrcal");
	if (access(path, X_OK))
		return fail("rcrcal is not installed: put it next to rcrctl, as '%s'", path);
	return EXIT_SUCCESS;
}

int do_calibrate(struct call *c)
{
	char path[PATH_MAX], generation[16];
	sigset_t before;
	char *args[c->count + 4];
	int count = 0, status;

	if (find_rcrcal(path))
		return EXIT_FAILURE;
	args[count++] = path;
	if (c->session->generation) {
		snprintf(generation, sizeof(generation), "%u", c->session->generation);
		args[count++] = "--generation";
		args[count++] = generation;
	}
	memcpy(args + count, c->args, c->count * sizeof(*args));
	args[count + c->count] = NULL;
	fflush(stdout);
	sigprocmask(SIG_BLOCK, NULL, &before);
	status = child_run(args);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}
