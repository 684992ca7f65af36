// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * control.c - the control socket. Every user may connect; requests are authorized by the
 * credentials that the kernel recorded at connect(). A client can neither block rcrd nor use up the
 * connections reserved for root.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "clock.h"
#include "control.h"

#define CONNECTIONS	64		/* concurrent connections */
#define OF_OTHERS	48		/* connections of all users other than root */
#define OF_ONE		12		/* connections of a single user other than root */
#define IDLE_NS		30000000000ull	/* time until an idle connection is closed */
#define PAUSE_NS	1000000000ull	/* time to stop accepting without descriptors or memory */
#define GROUPS		1024		/* maximum number of supplementary groups of a caller */
#define LINGER_US	2000		/* maximum time for a socket in a message to linger */

/**
 * struct connection - connection of a client
 * @source: event source of its socket; fd is -1 if the entry is free
 * @caller: credentials of the client
 * @since: time of the last request, CLOCK_MONOTONIC, ns
 */
struct connection {
	struct loop_source source;
	struct caller caller;
	uint64_t since;
};

static struct connection connections[CONNECTIONS];
static struct loop_source listener, sweeper;
static bool paused;			/* @listener is not in the loop */
static struct loop *loop;
static gid_t group;
static control_take taker;
static void *taker_arg;

int control_bind(const char *path, struct why *why)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	snprintf(at.sun_path, sizeof(at.sun_path), "%s", path);
	/* This process holds the lock, so an existing socket is a leftover of an earlier rcrd. */
	if (fd >= 0 && (!unlink(path) || errno == ENOENT) &&
	    !bind(fd, (struct sockaddr *)&at, sizeof(at)) && !chmod(path, 0666) &&
	    !listen(fd, CONNECTIONS))
		return fd;
	because(why, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

static void ignore_alarm(int number)
{
	(void)number;
}

/*
 * A message may hold the last reference to a socket with SO_LINGER. Dropping the message then
 * closes that socket, which waits for its peer until a signal is pending.
 */
static void limit_linger(bool on)
{
	const struct timeval period = { .tv_usec = on ? LINGER_US : 0 };

	setitimer(ITIMER_REAL, &(struct itimerval){ period, period }, NULL);
}

/* Closing also drops unread messages, and sockets in them may linger. */
static void close_control_client(int fd)
{
	limit_linger(true);
	close(fd);
	limit_linger(false);
}

static void close_connection(struct connection *c)
{
	loop_remove(loop, &c->source);
	close_control_client(c->source.fd);
	c->source.fd = -1;
}

/* Send without blocking; disconnect a client that cannot receive its answer at once. */
static void send_answer(struct connection *c, const char *head, const char *text, int fd)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { .head = {
		.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET,
		.cmsg_type = SCM_RIGHTS,
	} };
	struct iovec part[2] = {
		{ (void *)head, strlen(head) }, { (void *)text, strlen(text) },
	};
	struct msghdr m = { .msg_iov = part, .msg_iovlen = 2 };

	if (fd >= 0) {
		memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
		m.msg_control = &control;
		m.msg_controllen = sizeof(control);
	}
	if (sendmsg(c->source.fd, &m, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		close_connection(c);
}

static void answer_request(struct connection *c, const char *text, size_t size)
{
	struct answer answer = { .fd = -1 };
	struct request r;
	struct why why;

	c->since = now_ns();
	if (request_parse(text, size, &r, &why) ||
	    taker(taker_arg, &c->caller, &r, &answer, &why))
		send_answer(c, "failed\n", why.text, -1);
	else
		send_answer(c, "ok\n", answer.text, answer.fd);
	if (answer.fd >= 0)
		close(answer.fd);
}

/* The kernel drops descriptors that are sent with a request, as recv() has no control buffer. */
static void receive_request(void *arg, uint32_t events)
{
	struct connection *c = arg;
	char text[REQUEST_MAX + 1];
	ssize_t got;

	(void)events;
	limit_linger(true);
	got = recv(c->source.fd, text, sizeof(text), MSG_DONTWAIT | MSG_TRUNC);
	limit_linger(false);
	if (got > 0)
		answer_request(c, text, got);
	else if (!got || (errno != EAGAIN && errno != EINTR))
		close_connection(c);
}

static bool is_in_group(int fd, gid_t primary)
{
	gid_t groups[GROUPS];
	socklen_t size = sizeof(groups);
	size_t i;

	if (primary == group)
		return true;
	if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size))
		return false;
	for (i = 0; i < size / sizeof(gid_t); i++)
		if (groups[i] == group)
			return true;
	return false;
}

/* Find a free entry for a client of user @uid; NULL if there is none, or a limit is reached. */
static struct connection *find_free_connection(uid_t uid)
{
	unsigned int others = 0, own = 0, i;
	struct connection *found = NULL, *c;

	for (i = 0; i < CONNECTIONS; i++) {
		c = &connections[i];
		if (c->source.fd < 0) {
			found = c;
			continue;
		}
		others += c->caller.uid != 0;
		own += c->caller.uid == uid;
	}
	return uid && (others >= OF_OTHERS || own >= OF_ONE) ? NULL : found;
}

/* Stop accepting for a while, so that a listener that stays ready does not keep the loop busy. */
static void pause_control(int error)
{
	if (error != EMFILE && error != ENFILE && error != ENOBUFS && error != ENOMEM)
		return;
	loop_remove(loop, &listener);
	paused = true;
	loop_set_timer(&sweeper, PAUSE_NS);
}

static void accept_connection(void *arg, uint32_t events)
{
	int fd = accept4(listener.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	socklen_t size = sizeof(struct ucred);
	struct connection *c;
	struct ucred peer;

	(void)arg;
	(void)events;
	if (fd < 0) {
		pause_control(errno);
		return;
	}
	c = NULL;
	if (!getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size))
		c = find_free_connection(peer.uid);
	if (!c) {
		static const char full[] = "failed\nrcrd has too many clients: try again";

		send(fd, full, sizeof(full) - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
		close_control_client(fd);
		return;
	}
	c->source = (struct loop_source){ fd, receive_request, c };
	c->caller.uid = peer.uid;
	c->caller.reads = !peer.uid || is_in_group(fd, peer.gid);
	c->since = now_ns();
	if (loop_add(loop, &c->source, EPOLLIN)) {
		close_control_client(fd);
		c->source.fd = -1;
	}
}

static void close_idle(void *arg, uint32_t events)
{
	uint64_t now = now_ns();
	unsigned int i;

	(void)arg;
	(void)events;
	for (i = 0; i < CONNECTIONS; i++)
		if (connections[i].source.fd >= 0 && now - connections[i].since > IDLE_NS)
			close_connection(&connections[i]);
	if (paused)
		paused = loop_add(loop, &listener, EPOLLIN);
	loop_set_timer(&sweeper, paused ? PAUSE_NS : IDLE_NS / 3);
}

int control_serve(struct loop *l, int fd, gid_t gid, control_take take, void *arg,
		  struct why *why)
{
	unsigned int i;

	for (i = 0; i < CONNECTIONS; i++)
		connections[i].source.fd = -1;
	loop = l;
	group = gid;
	taker = take;
	taker_arg = arg;
	listener = (struct loop_source){ fd, accept_connection, NULL };
	sweeper = (struct loop_source){ -1, close_idle, NULL };
	signal(SIGALRM, ignore_alarm);
	if (loop_add(l, &listener, EPOLLIN) || loop_add_timer(l, &sweeper))
		return because(why, "control socket: %s", strerror(errno));
	loop_set_timer(&sweeper, IDLE_NS / 3);
	return 0;
}
