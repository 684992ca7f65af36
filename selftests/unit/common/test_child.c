// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_child.c - the command that a program runs: its exit status as a shell reports it, and the
 * signals that reach it.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "ksft.h"

/* Return the exit status of @program with these arguments. */
static int status_of(const char *program, const char *option, const char *argument)
{
	char *words[] = { (char *)program, (char *)option, (char *)argument, NULL };
	sigset_t none;

	/* child_run() leaves the signals blocked. */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	return child_run(words);
}

static int status_of_script(const char *text)
{
	return status_of("/bin/sh", "-c", text);
}

static void test_statuses(void)
{
	ksft_test_result(status_of_script("exit 0") == 0 && status_of_script("exit 7") == 7 &&
			 status_of_script("exit 255") == 255,
			 "child: the exit status is the command's\n");
	ksft_test_result(status_of_script("kill -9 $$") == 137 && status_of_script("kill -15 $$") == 143,
			 "child: a signal gives the exit status 128 and its number\n");
	ksft_test_result(status_of("./no-such-file", NULL, NULL) == 127 &&
			 status_of("no-such-command", NULL, NULL) == 127,
			 "child: the exit status is 127 for a missing command\n");
	close(creat("not-executable", 0644));
	ksft_test_result(status_of("./not-executable", NULL, NULL) == 126 && status_of(".", NULL, NULL) == 126,
			 "child: the exit status is 126 for a file that cannot run\n");
	unlink("not-executable");
}

/*
 * The command sends its parent a signal; the parent must forward it back to the command, which
 * traps it.
 */
static bool is_forwarded(int number)
{
	char text[128];

	snprintf(text, sizeof(text), "trap 'exit 42' %d; kill -%d $PPID; i=0; while [ $i -lt 100 ]; do sleep 0.1; i=$((i + 1)); done",
		 number, number);
	return status_of_script(text) == 42;
}

static void test_signals(void)
{
	static const int numbers[] = {
		SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGURG, SIGXCPU,
		SIGXFSZ, SIGVTALRM, SIGPROF, SIGWINCH, SIGIO, SIGPWR,
	};
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		ksft_test_result(is_forwarded(numbers[i]), "child: SIG%s is forwarded\n",
				 sigabbrev_np(numbers[i]));
	ksft_test_result(is_forwarded(SIGRTMIN) && is_forwarded(SIGRTMAX),
			 "child: real-time signals are forwarded\n");
	/* A command that inherited blocked signals could not be ended by them. */
	ksft_test_result(status_of_script("grep -q '^SigBlk:[[:space:]]*0*$' /proc/self/status") == 0,
			 "child: the command has the signal mask that this program was started with\n");
}

/* The background job of a shell inherits ignored signals, which child_run() does not forward. */
static void restore_signals(void)
{
	int number;

	for (number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
}

int main(void)
{
	restore_signals();
	ksft_print_header();
	ksft_set_plan(4 + 15 + 2);
	test_statuses();
	test_signals();
	ksft_finished();
}
