// SPDX-License-Identifier: GPL-2.0-or-later
/* daemon.c - requests to rcrd: one message to its control socket, and one answer. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon.h"
#include "message.h"
#include "parse/trigger.h"

#define SOCKET "/run/rcrtool/control.sock"

/* Timeout: writing a large window to a slow disk takes time. */
#define PATIENCE_S 60

int daemon_connect(void)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX, .sun_path = SOCKET };
	struct timeval patience = { .tv_sec = PATIENCE_S };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	int error;

	if (fd >= 0 && !setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) &&
	    !setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)) &&
	    !connect(fd, (struct sockaddr *)&at, sizeof(at)))
		return fd;
	error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return -1;
}

int daemon_connect_or_fail(void)
{
	int daemon = daemon_connect();

	if (daemon < 0 && (errno == ENOENT || errno == ECONNREFUSED))
		fail("rcrd is not running: start it with 'systemctl start rcrd'");
	else if (daemon < 0)
		fail("rcrd does not answer: %s", strerror(errno));
	return daemon;
}

/* Receives an answer, and in *@passed the descriptor that came with it, or -1. */
static ssize_t receive_answer(int fd, char *answer, int *passed)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec part = { answer, DAEMON_ANSWER - 1 };
	struct msghdr m = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *head;
	ssize_t got;

	*passed = -1;
	/* A refused client receives one ECONNRESET before the message with the reason. */
	do {
		got = recvmsg(fd, &m, MSG_CMSG_CLOEXEC);
	} while (got < 0 && (errno == EINTR || errno == ECONNRESET));
	head = got > 0 ? CMSG_FIRSTHDR(&m) : NULL;
	if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS &&
	    head->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(passed, CMSG_DATA(head), sizeof(*passed));
	answer[got > 0 ? got : 0] = 0;
	return got;
}

/* Sends a request; @answer holds the text after "ok\n". */
static int ask_daemon(int fd, const char *request, char answer[DAEMON_ANSWER], int *passed,
		      struct why *why)
{
	static const char ok[] = "ok\n", failed[] = "failed\n";
	int none;

	if (!passed)
		passed = &none;
	/* rcrd refuses a client without reading its request, so errors of send() are ignored. */
	send(fd, request, strlen(request), MSG_NOSIGNAL);
	if (receive_answer(fd, answer, passed) <= 0)
		return because(why, "rcrd does not answer: see its log");
	if (!strncmp(answer, ok, sizeof(ok) - 1)) {
		memmove(answer, answer + sizeof(ok) - 1, strlen(answer) - sizeof(ok) + 2);
		return 0;
	}
	if (strncmp(answer, failed, sizeof(failed) - 1))
		return because(why, UNKNOWN_ANSWER);
	return because(why, "%s", answer + sizeof(failed) - 1);
}

int daemon_arm(int fd, const struct recorder_wish *wish, struct why *why)
{
	char request[128 + DAEMON_BOUNDS * DAEMON_BOUND_LEN], answer[DAEMON_ANSWER];
	char triggers[TRIGGERS_LEN];
	unsigned int i;
	size_t used;

	used = snprintf(request, sizeof(request), "record arm %" PRIu64 " %s", wish->window_ns,
			triggers_text(wish->triggers, triggers));
	for (i = 0; i < wish->bounds; i++)
		used += snprintf(request + used, sizeof(request) - used, "\n%s", wish->bound[i]);
	return ask_daemon(fd, request, answer, NULL, why);
}

int daemon_disarm(int fd, struct why *why)
{
	char answer[DAEMON_ANSWER];

	return ask_daemon(fd, "record off", answer, NULL, why);
}

/* Finds the line "KEY VALUE" and copies its value; an empty string if there is none. */
static const char *find_value(const char *answer, const char *key, char *value, size_t size)
{
	size_t len = strlen(key);
	const char *line;

	*value = 0;
	for (line = answer; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, len) || line[len] != ' ')
			continue;
		line += len + 1;
		snprintf(value, size, "%.*s", (int)strcspn(line, "\n"), line);
		break;
	}
	return value;
}

static uint64_t find_number(const char *answer, const char *key)
{
	char value[32];

	return strtoull(find_value(answer, key, value, sizeof(value)), NULL, 10);
}

int daemon_look(int fd, struct recorder_state *state, struct why *why)
{
	char answer[DAEMON_ANSWER];

	if (ask_daemon(fd, "record ls", answer, NULL, why))
		return -1;
	find_value(answer, "recorder", state->word, sizeof(state->word));
	find_value(answer, "reason", state->reason, sizeof(state->reason));
	find_value(answer, "amiss", state->amiss, sizeof(state->amiss));
	find_value(answer, "kept", state->kept, sizeof(state->kept));
	state->window_ns = find_number(answer, "window_ns");
	state->triggers = find_number(answer, "triggers");
	state->bounds = find_number(answer, "bounds");
	state->window_bytes = find_number(answer, "window_bytes");
	state->kept_bytes = find_number(answer, "kept_bytes");
	state->missed = find_number(answer, "missed");
	return 0;
}

int daemon_fetch(int fd, int *window, uint64_t *number, struct why *why)
{
	char answer[DAEMON_ANSWER];

	if (ask_daemon(fd, "record fetch", answer, window, why))
		return -1;
	*number = find_number(answer, "number");
	return *window < 0 ? because(why, "rcrd sent no recording: see its log") : 0;
}

int daemon_fetched(int fd, uint64_t number, struct why *why)
{
	char request[64], answer[DAEMON_ANSWER];

	if (geteuid())
		return 0;
	snprintf(request, sizeof(request), "record fetched %" PRIu64, number);
	return ask_daemon(fd, request, answer, NULL, why);
}

int daemon_threads(int fd, uint64_t *client, uint64_t *slot, uint64_t pid,
		   char lines[DAEMON_ANSWER], struct why *why)
{
	char request[128], *next;

	snprintf(request, sizeof(request), "threads %" PRIu64 " %" PRIu64 " %" PRIu64, *client,
		 *slot, pid);
	if (ask_daemon(fd, request, lines, NULL, why))
		return -1;
	next = strstr(lines, "next ");
	if (!next)
		return 0;
	if (sscanf(next, "next %" SCNu64 " %" SCNu64, client, slot) != 2)
		return because(why, UNKNOWN_ANSWER);
	*next = 0;
	return 1;
}

/* Parses the head of an answer, and removes it from @lines. */
static int read_verdicts(char *lines, struct daemon_verdicts *head, struct why *why)
{
	unsigned int more;
	int size = 0;

	if (sscanf(lines, "worst %15s\nnext %" SCNu64 "\nmore %u%n", head->worst, &head->next,
		   &more, &size) != 3 || !size || lines[size] != '\n')
		return because(why, UNKNOWN_ANSWER);
	head->more = more;
	memmove(lines, lines + size + 1, strlen(lines + size + 1) + 1);
	return 0;
}

int daemon_why(int fd, bool json, struct daemon_verdicts *head, char lines[DAEMON_ANSWER],
	       struct why *why)
{
	char request[64];

	snprintf(request, sizeof(request), "why %s %" PRIu64, json ? "json" : "text", head->next);
	if (ask_daemon(fd, request, lines, NULL, why))
		return -1;
	return read_verdicts(lines, head, why);
}

int daemon_verdicts(int fd, bool json, uint64_t since_ns, uint64_t until_ns,
		    struct daemon_verdicts *head, char lines[DAEMON_ANSWER], struct why *why)
{
	char request[128];

	snprintf(request, sizeof(request), "verdicts %s %" PRIu64 " %" PRIu64 " %" PRIu64,
		 json ? "json" : "text", head->next, since_ns, until_ns);
	if (ask_daemon(fd, request, lines, NULL, why))
		return -1;
	return read_verdicts(lines, head, why);
}

int daemon_where(int fd, const char *model, uint64_t *next, char lines[DAEMON_ANSWER],
		 struct why *why)
{
	unsigned int more;
	char request[64];
	int size = 0;

	snprintf(request, sizeof(request), "where %s %" PRIu64, model, *next);
	if (ask_daemon(fd, request, lines, NULL, why))
		return -1;
	if (sscanf(lines, "next %" SCNu64 "\nmore %u%n", next, &more, &size) != 2 || !size ||
	    lines[size] != '\n')
		return because(why, UNKNOWN_ANSWER);
	memmove(lines, lines + size + 1, strlen(lines + size + 1) + 1);
	return more;
}

int daemon_formula(int fd, const char *meter, unsigned int digits, const char *program,
		   struct why *why)
{
	char request[1024], answer[DAEMON_ANSWER];

	if (snprintf(request, sizeof(request), "formula %s %u %s", meter, digits, program) >=
	    (int)sizeof(request))
		return because(why, "the formula is too long for rcrd");
	return ask_daemon(fd, request, answer, NULL, why);
}
