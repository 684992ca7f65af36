// SPDX-License-Identifier: LGPL-2.1-or-later
/* say.c - prints lines on standard error, each once per process. Safe in signal handlers. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "library/region.h"

static unsigned int region_said;
static bool no_stderr;

/* Without a standard error, the next file that the program opens may get its number. */
__attribute__((constructor))
static void find_stderr(void)
{
	no_stderr = fcntl(STDERR_FILENO, F_GETFD) < 0;
}

static void set_of_writes(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGPIPE);
	sigaddset(set, SIGXFSZ);
}

void region_quiet(struct region_quiet *quiet)
{
	sigset_t writes, pending;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &quiet->cancel);
	set_of_writes(&writes);
	pthread_sigmask(SIG_BLOCK, &writes, &quiet->before);
	sigpending(&pending);
	quiet->pending_pipe = sigismember(&pending, SIGPIPE);
	quiet->pending_size = sigismember(&pending, SIGXFSZ);
}

void region_loud(const struct region_quiet *quiet)
{
	const struct timespec none = { };
	sigset_t writes;
	int error = errno;

	set_of_writes(&writes);
	if (quiet->pending_pipe)
		sigdelset(&writes, SIGPIPE);
	if (quiet->pending_size)
		sigdelset(&writes, SIGXFSZ);
	while (sigtimedwait(&writes, NULL, &none) > 0)
		;
	pthread_sigmask(SIG_SETMASK, &quiet->before, NULL);
	pthread_setcancelstate(quiet->cancel, NULL);
	errno = error;
}

/*
 * True if a parent of this program has printed the line already. 'rcrregion run' sets REGION_SAID,
 * which holds a checksum of the last such line, for messages that are the same in all programs of
 * its command. It is overwritten in place, because a shell may have its own setenv().
 */
static bool was_said_before(enum region_saying once, const char *line)
{
	char *said = getenv(REGION_SAID), sum[sizeof(REGION_SAID_NOTHING)];

	if (!said || strlen(said) != sizeof(sum) - 1 ||
	    (once != REGION_SAY_REFUSED && once != REGION_SAY_UNCOUNTED))
		return false;
	snprintf(sum, sizeof(sum), "%016" PRIx64,
		 region_checksum(REGION_CHECKSUM_BEGIN, line, strlen(line)));
	if (!strcmp(said, sum))
		return true;
	memcpy(said, sum, sizeof(sum) - 1);
	return false;
}

int region_say(enum region_saying once, const char *format, ...)
{
	static const char prefix[] = "rcrregion: ";
	struct region_quiet quiet;
	char line[512], *at;
	va_list args;
	int length;

	if (no_stderr ||
	    __atomic_fetch_or(&region_said, 1u << once, __ATOMIC_RELAXED) & 1u << once)
		return -1;
	__builtin_memcpy(line, prefix, sizeof(prefix));
	va_start(args, format);
	length = vsnprintf(line + sizeof(prefix) - 1, sizeof(line) - sizeof(prefix), format, args);
	va_end(args);
	length += sizeof(prefix) - 1;
	if (length > (int)sizeof(line) - 2)
		length = sizeof(line) - 2;
	for (at = line; at < line + length; at++)
		*at = (unsigned char)*at < ' ' || *at == 0x7f ? '?' : *at;
	line[length] = 0;
	if (was_said_before(once, line))
		return -1;
	line[length++] = '\n';
	region_quiet(&quiet);
	if (write(STDERR_FILENO, line, length) != length)
		length = 0;
	region_loud(&quiet);
	return -1;
}
