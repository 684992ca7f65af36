// SPDX-License-Identifier: GPL-2.0-or-later
/* pager.c - shows long output on a terminal page by page. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "help/pager.h"

static pid_t pager_pid;

/* Runs $PAGER in a shell, as git and man do, because it may have options. */
static void run_pager(int from)
{
	const char *pager = getenv("PAGER");

	dup2(from, STDIN_FILENO);
	/* Quit at once if all fits on the screen; do not run commands, as the user may be root. */
	setenv("LESS", "FRX", 0);
	setenv("LESSSECURE", "1", 0);
	if (pager && *pager)
		execl("/bin/sh", "sh", "-c", pager, NULL);
	execlp("less", "less", NULL);
	execlp("more", "more", NULL);
	execlp("cat", "cat", NULL);
	_exit(EXIT_FAILURE);
}

void pager_start(void)
{
	int end[2];

	if (pager_pid || !isatty(STDOUT_FILENO) || pipe(end))
		return;
	fflush(stdout);
	pager_pid = fork();
	if (!pager_pid) {
		close(end[1]);
		run_pager(end[0]);
	}
	if (pager_pid > 0)
		dup2(end[1], STDOUT_FILENO);
	else
		pager_pid = 0;
	close(end[0]);
	close(end[1]);
}

void pager_end(void)
{
	if (!pager_pid)
		return;
	fflush(stdout);
	/* Until then the pager waits for more input. */
	close(STDOUT_FILENO);
	waitpid(pager_pid, NULL, 0);
	pager_pid = 0;
}
