// SPDX-License-Identifier: GPL-2.0-only
/*
 * clamor.c - hostile clients of rcrd's control socket.
 *
 *	ask TEXT	sends TEXT and prints the answer
 *	random N	sends N messages of random bytes or of pieces of requests; prints how many
 *			were answered by "ok", by "failed", or not at all
 *	many N		sends a request on each of N simultaneous connections; prints the same,
 *			then "open", and waits for the end of standard input
 *	descriptors N	sends N requests that carry file descriptors; prints the same
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

static unsigned int ok, failed, silent;

/* Return a random number; the sequence is the same in each run. */
static uint64_t random_number(void)
{
	static uint64_t x = 88172645463325252ull;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

static int connect_client(void)
{
	struct sockaddr_un at = { AF_UNIX, "/run/rcrtool/control.sock" };
	struct timeval patience = { .tv_sec = 20 };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) ||
	    connect(fd, (struct sockaddr *)&at, sizeof(at))) {
		perror("connect");
		exit(1);
	}
	return fd;
}

static void hear(int fd, bool print)
{
	char answer[4096];
	ssize_t got;

	/* A refused client receives one ECONNRESET before the message. */
	do {
		got = recv(fd, answer, sizeof(answer) - 1, 0);
	} while (got < 0 && errno == ECONNRESET);

	answer[got > 0 ? got : 0] = 0;
	ok += !strncmp(answer, "ok\n", 3);
	failed += !strncmp(answer, "failed\n", 7);
	silent += got <= 0;
	if (print)
		fputs(answer, stdout);
}

static void report(void)
{
	printf("%u ok, %u failed, %u silent\n", ok, failed, silent);
	fflush(stdout);
}

/* Make a message of random bytes, or of words of requests in random order, of random length. */
static size_t make_message(char *message, size_t room)
{
	static const char *const words[] = {
		"record", " ", "arm", "off", "ls", "fetch", "fetched", "mark,", "oom", ",",
		"1000000000", "18446744073709551616", "-1", "0", "\n", "  ", "%s%n", "\t",
	};
	size_t size = random_number() % room, i;

	if (random_number() % 2) {
		for (i = 0; i < size; i++)
			message[i] = random_number() >> 32;
		return size ? size : 1;
	}
	*message = 0;
	for (i = random_number() % 12; i; i--) {
		strcat(message, words[random_number() % (sizeof(words) / sizeof(*words))]);
		if (random_number() % 2)
			strcat(message, " ");
	}
	size = strlen(message);
	if (size && !(random_number() % 4))
		size = 1 + random_number() % size;
	return size ? size : 1;
}

static void send_random(unsigned int count)
{
	static char message[2048];
	int fd = connect_client();

	for (; count; count--) {
		/* Sometimes close the connection without reading the answer. */
		if (!(random_number() % 16)) {
			close(fd);
			fd = connect_client();
		}
		send(fd, message, make_message(message, sizeof(message)), MSG_NOSIGNAL);
		if (random_number() % 16)
			hear(fd, false);
	}
	report();
}

static void open_many(unsigned int count)
{
	int *fd = calloc(count, sizeof(*fd));
	unsigned int i;
	char c;

	for (i = 0; i < count; i++) {
		fd[i] = connect_client();
		send(fd[i], "record ls", 9, MSG_NOSIGNAL);
		hear(fd[i], false);
	}
	report();
	puts("open");
	fflush(stdout);
	while (read(0, &c, 1) > 0)
		;
}

static void send_descriptors(unsigned int count)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(2 * sizeof(int))];
	} control = { .head = { CMSG_LEN(2 * sizeof(int)), SOL_SOCKET, SCM_RIGHTS } };
	struct iovec part = { "record ls", 9 };
	struct msghdr m = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	int fd = connect_client(), pair[2];

	if (pipe(pair))
		exit(1);
	memcpy(CMSG_DATA(&control.head), pair, sizeof(pair));
	for (; count; count--) {
		sendmsg(fd, &m, MSG_NOSIGNAL);
		hear(fd, false);
	}
	report();
}

int main(int argc, char **argv)
{
	int fd;

	if (argc != 3)
		return 2;
	if (!strcmp(argv[1], "ask")) {
		fd = connect_client();
		send(fd, argv[2], strlen(argv[2]), MSG_NOSIGNAL);
		hear(fd, true);
	} else if (!strcmp(argv[1], "random")) {
		send_random(atoi(argv[2]));
	} else if (!strcmp(argv[1], "many")) {
		open_many(atoi(argv[2]));
	} else if (!strcmp(argv[1], "descriptors")) {
		send_descriptors(atoi(argv[2]));
	} else {
		return 2;
	}
	return 0;
}
