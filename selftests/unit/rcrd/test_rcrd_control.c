// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_rcrd_control.c - messages that carry sockets whose close() lingers: rcrd never blocks on
 * them, whichever way the control socket drops a message. Also a server that is out of
 * descriptors.
 */
#define _GNU_SOURCE
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "control.h"
#include "ksft.h"

#define PLACES 64

static char path[64];
static pid_t server;

static int take_any(void *arg, const struct caller *caller, const struct request *r,
		    struct answer *answer, struct why *why)
{
	(void)arg;
	(void)caller;
	(void)r;
	(void)why;
	snprintf(answer->text, sizeof(answer->text), "here\n");
	return 0;
}

static void serve(void)
{
	static struct loop loop;
	struct why why;
	int fd;

	/* Inherited descriptors would break the count in test_no_descriptor(). */
	close_range(3, ~0u, 0);
	fd = control_bind(path, &why);

	if (fd < 0 || loop_open(&loop) ||
	    control_serve(&loop, fd, getgid(), take_any, NULL, &why))
		_exit(1);
	_exit(loop_run(&loop) ? 1 : 0);
}

static int connect_client(void)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	struct timeval patience = { .tv_sec = 20 };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0), tries;

	strcpy(at.sun_path, path);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	for (tries = 0; connect(fd, (struct sockaddr *)&at, sizeof(at)); tries++) {
		if (tries == 500)
			ksft_exit_fail_msg("no control socket\n");
		usleep(10000);
	}
	return fd;
}

static bool ask(int fd)
{
	char answer[64] = "";

	send(fd, "record ls", 9, MSG_NOSIGNAL);
	return recv(fd, answer, sizeof(answer) - 1, 0) > 0 && !strcmp(answer, "ok\nhere\n");
}

/* Make a TCP socket whose close() waits 10 minutes for a peer that reads nothing. */
static int make_lingering(int *peer)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	struct linger linger = { 1, 600 };
	int listener = socket(AF_INET, SOCK_STREAM, 0), fd = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t size = sizeof(at);
	static char much[65536];

	if (bind(listener, (struct sockaddr *)&at, size) || listen(listener, 1) ||
	    getsockname(listener, (struct sockaddr *)&at, &size) ||
	    connect(fd, (struct sockaddr *)&at, size) ||
	    setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger)))
		ksft_exit_fail_msg("cannot make a lingering socket\n");
	*peer = accept(listener, NULL, NULL);
	close(listener);
	while (send(fd, much, sizeof(much), MSG_DONTWAIT) > 0)
		;
	return fd;
}

/* While the server is stopped, send a message with the last references to two lingering sockets. */
static void send_lingering(int to, int peer[2])
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
	int fd[2] = { make_lingering(&peer[0]), make_lingering(&peer[1]) };
	const struct linger none = { 0 };

	memcpy(CMSG_DATA(&control.head), fd, sizeof(fd));
	if (sendmsg(to, &m, MSG_NOSIGNAL) < 0) {
		setsockopt(fd[0], SOL_SOCKET, SO_LINGER, &none, sizeof(none));
		setsockopt(fd[1], SOL_SOCKET, SO_LINGER, &none, sizeof(none));
	}
	close(fd[0]);
	close(fd[1]);
}

static void close_peers(const int peer[2])
{
	close(peer[0]);
	close(peer[1]);
}

static void test_read(int root)
{
	int fd = connect_client(), peer[2];
	char answer[16];

	kill(server, SIGSTOP);
	send_lingering(fd, peer);
	kill(server, SIGCONT);
	ksft_test_result(recv(fd, answer, sizeof(answer), 0) == 8 && ask(root),
			 "linger: a request with lingering sockets is answered, and so are others\n");
	close_peers(peer);
	close(fd);
}

static void test_closed(int root)
{
	int fd = connect_client(), peer[2];

	ask(fd);
	kill(server, SIGSTOP);
	send(fd, "", 0, MSG_NOSIGNAL);
	send_lingering(fd, peer);
	kill(server, SIGCONT);
	ksft_test_result(ask(root),
			 "linger: sockets of a closed connection do not block other clients\n");
	close_peers(peer);
	close(fd);
}

static void test_refused(int root)
{
	int fd[PLACES], peer[2], i;

	for (i = 1; i < PLACES; i++) {
		fd[i] = connect_client();
		ask(fd[i]);
	}
	kill(server, SIGSTOP);
	fd[0] = connect_client();
	send_lingering(fd[0], peer);
	kill(server, SIGCONT);
	ksft_test_result(ask(root),
			 "linger: sockets of a refused connection do not block other clients\n");
	close_peers(peer);
	for (i = 0; i < PLACES; i++)
		close(fd[i]);
}

/* Return the CPU time of the server in clock ticks; -1 if it has ended. */
static long server_time(void)
{
	unsigned long user, system;
	char name[32];
	int got = 0;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/stat", server);
	f = fopen(name, "r");
	if (f) {
		got = fscanf(f, "%*d %*s %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
			     &user, &system);
		fclose(f);
	}
	return got == 2 ? (long)(user + system) : -1;
}

static unsigned int server_files(void)
{
	unsigned int fd, end = 0;
	char name[48];

	for (fd = 0; fd < 1024; fd++) {
		snprintf(name, sizeof(name), "/proc/%d/fd/%u", server, fd);
		if (!access(name, F_OK))
			end = fd + 1;
	}
	return end;
}

/* Connect more clients than the server has descriptors for. */
static void test_no_descriptor(int root)
{
	struct rlimit before, limit;
	int fd[PLACES], clients;
	long began, used;

	/* Wait until the server has closed the descriptors of earlier tests. */
	while (server_files() > 16)
		usleep(10000);
	prlimit(server, RLIMIT_NOFILE, NULL, &before);
	limit = before;
	limit.rlim_cur = server_files();
	prlimit(server, RLIMIT_NOFILE, &limit, NULL);
	for (clients = 0; clients < 16; clients++) {
		fd[clients] = connect_client();
		send(fd[clients], "record ls", 9, MSG_NOSIGNAL);
	}
	began = server_time();
	usleep(600000);
	used = server_time() - began;
	ksft_test_result(began >= 0 && used < sysconf(_SC_CLK_TCK) / 10 && ask(root),
			 "full: a server without free descriptors does not spin (%ld ticks)\n", used);
	prlimit(server, RLIMIT_NOFILE, &before, NULL);
	while (clients-- > 0) {
		char answer[16];

		if (recv(fd[clients], answer, sizeof(answer), 0) != 8)
			break;
		close(fd[clients]);
	}
	ksft_test_result(clients < 0, "full: all clients are answered once descriptors are free\n");
}

int main(void)
{
	char folder[] = "/tmp/control.XXXXXX";
	int root;

	ksft_print_header();
	ksft_set_plan(5);
	if (!mkdtemp(folder))
		ksft_exit_fail_msg("no folder\n");
	snprintf(path, sizeof(path), "%s/socket", folder);
	server = fork();
	if (!server)
		serve();
	root = connect_client();
	if (!ask(root))
		ksft_exit_fail_msg("the control socket does not answer\n");
	test_read(root);
	test_closed(root);
	test_refused(root);
	test_no_descriptor(root);
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	unlink(path);
	rmdir(folder);
	ksft_finished();
}
