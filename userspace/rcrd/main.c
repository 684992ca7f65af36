// SPDX-License-Identifier: GPL-2.0-or-later
/* main.c - rcrd, the daemon of rcrtool. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "message.h"
#include "notify.h"
#include "options.h"
#include "start.h"

/*
 * Continue in a child in the background. The parent waits until the child writes its status or
 * exits, and exits with this status. Returns the descriptor to write the status to, or -1.
 */
static int go_to_background(void)
{
	unsigned char status = EXIT_FAILURE;
	int ready[2];
	pid_t child;

	if (pipe2(ready, O_CLOEXEC))
		return -1;
	child = fork();
	if (child < 0)
		return -1;
	if (child) {
		close(ready[1]);
		if (read(ready[0], &status, 1) != 1)
			status = EXIT_FAILURE;
		_exit(status);
	}
	close(ready[0]);
	setsid();
	return chdir("/") ? -1 : ready[1];
}

static void leave_terminal(int ready, int null)
{
	const unsigned char status = EXIT_SUCCESS;

	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	close(null);
	if (write(ready, &status, 1) < 0)
		note("%s", strerror(errno));
	close(ready);
}

int main(int argc, char **argv)
{
	static struct daemon d;
	static struct daemon_options o;
	int ready = -1, null = -1, supervisor, status;
	struct why why;

	status = daemon_options_parse(&o, argc, argv);
	if (status)
		return status;
	if (o.replay.path)
		return replay_file(&o.replay);
	if (!o.foreground) {
		null = open("/dev/null", O_RDWR | O_CLOEXEC);
		ready = null < 0 ? -1 : go_to_background();
		if (ready < 0)
			return fail("cannot run in the background: %s", strerror(errno));
	}
	if (o.groups >= 0)
		signal(SIGCHLD, SIG_IGN);
	supervisor = notify_connect();
	if (start_daemon(&d, o.groups, o.observes, &why))
		return fail("%s", why.text);
	notify_ready(supervisor);
	if (!o.foreground)
		leave_terminal(ready, null);
	if (loop_run(&d.loop))
		return fail("epoll: %s", strerror(errno));
	live_end(&d.live);
	post_end(&d.post);
	recorder_end(&d.recorder);
	return d.recorder.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
