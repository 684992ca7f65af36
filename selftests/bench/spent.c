// SPDX-License-Identifier: GPL-2.0-only
/*
 * spent.c NAME TIMES COMMAND... - runs a command several times and prints the median of
 * its CPU time; discards its output.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"

static uint64_t ns_of(struct timeval t)
{
	return t.tv_sec * 1000000000ull + t.tv_usec * 1000ull;
}

static uint64_t run(char **command)
{
	struct rusage used;
	int status, null;
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (!pid) {
		null = open("/dev/null", O_WRONLY);
		if (null < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
			_exit(126);
		execvp(command[0], command);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &used) != pid || status)
		errx(1, "%s ended with status %d", command[0], WEXITSTATUS(status));
	return ns_of(used.ru_utime) + ns_of(used.ru_stime);
}

int main(int argc, char **argv)
{
	unsigned int i, times;
	uint64_t *ns;

	if (argc < 4)
		errx(1, "usage: spent NAME TIMES COMMAND...");
	times = atoi(argv[2]);
	ns = calloc(times, sizeof(*ns));
	if (!ns)
		err(1, "memory");
	for (i = 0; i < times; i++)
		ns[i] = run(argv + 3);
	printf("bench|%s|%" PRIu64 "|ns|%u\n", argv[1], median(ns, times), times);
	return 0;
}
