// SPDX-License-Identifier: GPL-2.0-or-later
/* main.c - rcrd: the daemon of rcrtool. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "message.h"
#include "notify.h"
#include "start.h"

static const char help[] =
	"Usage: rcrd [-f]\n"
	"Records the samples of the rcrtool module before an event ('rcrctl\n"
	"record'), reads what programs report of their threads ('rcrctl threads'), posts what\n"
	"the network interfaces move, and writes the public board.\n"
	"Started by root, it runs as the user rcrtool.\n"
	"\n"
	"  -f, --foreground  stay in the foreground, and log on standard error (default: go to\n"
	"                    the background once everything is ready)\n"
	"  -h, --help        print this and exit\n"
	"  -V, --version     print the version and exit\n"
	"\n"
	"Exit status: 0 ended by SIGTERM or SIGINT, or gone to the background; 1 it could not\n"
	"start, or something failed; 2 the command line is wrong.\n";

static int wrong_option(const char *word)
{
	char letter[] = { '-', optopt, 0 };

	return wrong("unknown option '%s'", optopt ? letter : word);
}

/* Does not return for --help and --version. */
static int parse_daemon_options(int argc, char **argv, bool *foreground)
{
	static const struct option longs[] = {
		{ "foreground", no_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ }
	};
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "fhV", longs, NULL)) >= 0) {
		if (option == 'f') {
			*foreground = true;
			continue;
		}
		if (option == '?')
			return wrong_option(argv[optind - 1]);
		fputs(option == 'h' ? help : "rcrd " RCR_VERSION "\n", stdout);
		exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
	}
	return optind < argc ? wrong("unexpected argument '%s'", argv[optind]) : EXIT_SUCCESS;
}

/*
 * Forks to the background. The parent waits until the child writes its status or exits, and exits
 * with that status. Returns the descriptor to write it to, or -1.
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
	bool foreground = false;
	int ready = -1, null = -1, supervisor;
	int status = parse_daemon_options(argc, argv, &foreground);
	struct why why;

	if (status)
		return status;
	if (!foreground) {
		null = open("/dev/null", O_RDWR | O_CLOEXEC);
		ready = null < 0 ? -1 : go_to_background();
		if (ready < 0)
			return fail("cannot go to the background: %s", strerror(errno));
	}
	supervisor = notify_connect();
	if (start_daemon(&d, &why))
		return fail("%s", why.text);
	notify_ready(supervisor);
	if (!foreground)
		leave_terminal(ready, null);
	if (loop_run(&d.loop))
		return fail("epoll: %s", strerror(errno));
	post_end(&d.post);
	recorder_end(&d.recorder);
	return d.recorder.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
