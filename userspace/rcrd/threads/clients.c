// SPDX-License-Identifier: GPL-2.0-only
/*
 * clients.c - board.sock. A client connects, sends one message with its memfd, and gets one
 * with the page of verdicts; from then on its connection says that it is there, and anything
 * that it sends ends that. No client can make rcrd wait, have it hold more than a place in a
 * table and two descriptors, or take the places that others have.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "clients.h"
#include "clock.h"
#include "join.h"
#include "slots.h"

/* Open files that are not clients'. */
#define OTHER_FILES	512

/* Without descriptors or memory the next connection is taken after that time. */
#define PAUSE_NS	1000000000ull

#define BACKLOG		4096
#define NO_USER		((uid_t)-1)

/**
 * struct client_list - clients in the order in which they came
 * @oldest: the first
 * @newest: the last
 * @count: how many
 */
struct client_list {
	struct client *oldest;
	struct client *newest;
	unsigned int count;
};

static struct client places[CLIENTS_MAX];
static uid_t users[CLIENTS_MAX];	/* of @places; NO_USER: the place is free */
static unsigned int most;		/* places that the limit of open files allows */
static unsigned int reached;		/* places that have ever been used */
static struct client_list joined, silent;
static uint64_t latest;			/* number of the last that has joined */

static struct loop *loop;
static struct loop_source listener, sweeper, beat, pause_end;
static struct verdicts *verdicts;

static void append_client(struct client_list *l, struct client *c)
{
	c->older = l->newest;
	c->newer = NULL;
	if (l->newest)
		l->newest->newer = c;
	else
		l->oldest = c;
	l->newest = c;
	l->count++;
}

static void unlink_client(struct client_list *l, struct client *c)
{
	if (c->older)
		c->older->newer = c->newer;
	else
		l->oldest = c->newer;
	if (c->newer)
		c->newer->older = c->older;
	else
		l->newest = c->older;
	l->count--;
}

static void close_client(struct client *c)
{
	unlink_client(c->number ? &joined : &silent, c);
	loop_remove(loop, &c->source);
	close(c->source.fd);
	c->source.fd = -1;
	if (c->slots >= 0)
		close(c->slots);
	c->slots = -1;
	c->number = 0;
	users[c - places] = NO_USER;
	/* Nobody needs a heartbeat any more. */
	if (!joined.count)
		loop_set_timer(&beat, 0);
}

/* A client that does not take its answer at once is not waited for. */
static int send_welcome(int socket, unsigned int error)
{
	struct rcr_welcome w = {
		.size = sizeof(w), .version = RCR_BOARD2_VERSION,
		.compat_version = RCR_BOARD2_COMPAT_VERSION, .error = error,
	};
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { .head = {
		.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET,
		.cmsg_type = SCM_RIGHTS,
	} };
	struct iovec part = { &w, sizeof(w) };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };

	if (!error) {
		memcpy(CMSG_DATA(&control.head), &verdicts->fd, sizeof(int));
		m.msg_control = &control;
		m.msg_controllen = sizeof(control);
	}
	return sendmsg(socket, &m, MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof(w) ? 0 : -1;
}

/* The one descriptor that came with a message; -1, and none is open, if it is not one. */
static int take_descriptor(struct msghdr *m)
{
	unsigned int count = 0;
	struct cmsghdr *head;
	int fd = -1, each;
	size_t i;

	for (head = CMSG_FIRSTHDR(m); head; head = CMSG_NXTHDR(m, head)) {
		if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS)
			continue;
		for (i = 0; CMSG_LEN((i + 1) * sizeof(int)) <= head->cmsg_len; i++) {
			memcpy(&each, CMSG_DATA(head) + i * sizeof(int), sizeof(int));
			if (count++)
				close(each);
			else
				fd = each;
		}
	}
	if (fd >= 0 && (count > 1 || m->msg_flags & MSG_CTRUNC)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* It has sent its message, with its memfd. */
static void join_client(struct client *c, const struct rcr_join *join, int slots)
{
	c->slots = slots;
	c->peer.start_time = join->start_time;
	if (!peer_is_process(&c->peer))
		c->peer.pid = 0;
	unlink_client(&silent, c);
	c->number = ++latest;
	append_client(&joined, c);
	/* Fresh before it is passed on. */
	verdicts_beat(verdicts);
	if (joined.count == 1)
		loop_set_timer(&beat, VERDICTS_BEAT_NS);
	if (send_welcome(c->source.fd, 0))
		close_client(c);
}

/* A client that sends nothing is closed by sweep_silent(). */
static void hear_client(void *arg, uint32_t events)
{
	struct client *c = arg;
	char bytes[JOIN_MAX];
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(4 * sizeof(int))];
	} control;
	struct iovec part = { bytes, sizeof(bytes) };
	struct msghdr m = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	struct rcr_join join;
	ssize_t got;
	int error, fd;

	(void)events;
	got = recvmsg(c->source.fd, &m, MSG_DONTWAIT | MSG_TRUNC | MSG_CMSG_CLOEXEC);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	fd = got >= 0 ? take_descriptor(&m) : -1;
	error = got <= 0 || c->number ? -EINVAL : join_parse(bytes, got, &join);
	if (!error)
		error = fd < 0 ? -EINVAL : slots_check(fd);
	if (!error) {
		join_client(c, &join, fd);
		return;
	}
	if (fd >= 0)
		close(fd);
	if (got > 0 && !c->number)
		send_welcome(c->source.fd, -error);
	close_client(c);
}

static bool is_silent(const struct client *c)
{
	return c->source.fd >= 0 && !c->number;
}

/* Its message may be there, and not heard yet. True: its place is free now. */
static bool evict_silent(struct client *c)
{
	if (!c)
		return false;
	hear_client(c, 0);
	if (is_silent(c))
		close_client(c);
	return c->source.fd < 0;
}

static struct client *oldest_silent_of(uid_t uid)
{
	struct client *c;

	for (c = silent.oldest; c; c = c->newer)
		if (c->peer.uid == uid)
			return c;
	return NULL;
}

static unsigned int count_places(uid_t uid)
{
	unsigned int i, n = 0;

	for (i = 0; i < reached; i++)
		n += users[i] == uid;
	return n;
}

static struct client *free_place(void)
{
	unsigned int i;

	for (i = 0; i < reached; i++)
		if (users[i] == NO_USER)
			return &places[i];
	return reached < most ? &places[reached++] : NULL;
}

/* A place for a client of that user; NULL if it has none left. */
static struct client *find_place(uid_t uid)
{
	struct client *c;

	if (silent.count >= CLIENTS_SILENT_MAX)
		evict_silent(silent.oldest);
	if (count_places(uid) >= most / 2 && !evict_silent(oldest_silent_of(uid)))
		return NULL;
	c = free_place();
	if (!c && evict_silent(silent.oldest))
		c = free_place();
	return c;
}

static void sweep_silent(void *arg, uint32_t events)
{
	uint64_t now = now_ns();

	(void)arg;
	(void)events;
	while (silent.oldest && now - silent.oldest->since_ns >= CLIENTS_SILENT_NS)
		close_client(silent.oldest);
	loop_set_timer(&sweeper, silent.count ? CLIENTS_SILENT_NS / 2 : 0);
}

/* Until then no connection is taken, or the loop would do nothing else. */
static void pause_listening(void)
{
	loop_remove(loop, &listener);
	loop_set_timer(&pause_end, PAUSE_NS);
}

static void go_on_listening(void *arg, uint32_t events)
{
	(void)arg;
	(void)events;
	loop_set_timer(&pause_end, 0);
	if (loop_add(loop, &listener, EPOLLIN))
		loop_set_timer(&pause_end, PAUSE_NS);
}

static void add_client(struct client *c, int fd, const struct ucred *who)
{
	*c = (struct client){
		.source = { fd, hear_client, c }, .slots = -1, .since_ns = now_ns(),
		.peer = { .uid = who->uid, .pid = who->pid },
	};
	users[c - places] = who->uid;
	append_client(&silent, c);
	if (loop_add(loop, &c->source, EPOLLIN)) {
		close_client(c);
		return;
	}
	if (silent.count == 1)
		loop_set_timer(&sweeper, CLIENTS_SILENT_NS / 2);
	/* librcr sends at once. */
	hear_client(c, 0);
}

static void take_client(void *arg, uint32_t events)
{
	int fd = accept4(listener.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	socklen_t size = sizeof(struct ucred);
	struct client *c;
	struct ucred who;

	(void)arg;
	(void)events;
	if (fd < 0) {
		if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
			pause_listening();
		return;
	}
	c = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) || who.uid == NO_USER ?
	    NULL : find_place(who.uid);
	if (c) {
		add_client(c, fd, &who);
		return;
	}
	send_welcome(fd, EUSERS);
	close(fd);
}

static void beat_once(void *arg, uint32_t events)
{
	(void)arg;
	(void)events;
	verdicts_beat(verdicts);
	loop_set_timer(&beat, VERDICTS_BEAT_NS);
}

void clients_raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= CLIENTS_NOFILE)
		return;
	limit.rlim_cur = CLIENTS_NOFILE;
	if (limit.rlim_max < CLIENTS_NOFILE)
		limit.rlim_max = CLIENTS_NOFILE;
	if (!setrlimit(RLIMIT_NOFILE, &limit) || getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* As many clients as there can be descriptors for. */
static unsigned int count_possible(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur < OTHER_FILES + 4)
		return 2;
	limit.rlim_cur = (limit.rlim_cur - OTHER_FILES) / 2;
	return limit.rlim_cur < CLIENTS_MAX ? limit.rlim_cur : CLIENTS_MAX;
}

int clients_bind(const char *path, struct why *why)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	most = count_possible();
	snprintf(at.sun_path, sizeof(at.sun_path), "%s", path);
	if (fd >= 0 && (!unlink(path) || errno == ENOENT) &&
	    !bind(fd, (struct sockaddr *)&at, sizeof(at)) && !chmod(path, 0666) &&
	    !listen(fd, BACKLOG))
		return fd;
	because(why, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

int clients_serve(struct loop *l, int fd, struct verdicts *v, struct why *why)
{
	unsigned int i;

	for (i = 0; i < CLIENTS_MAX; i++) {
		places[i].source.fd = -1;
		users[i] = NO_USER;
	}
	loop = l;
	verdicts = v;
	listener = (struct loop_source){ fd, take_client, NULL };
	sweeper = (struct loop_source){ -1, sweep_silent, NULL };
	beat = (struct loop_source){ -1, beat_once, NULL };
	pause_end = (struct loop_source){ -1, go_on_listening, NULL };
	if (loop_add(l, &listener, EPOLLIN) || loop_add_timer(l, &sweeper) ||
	    loop_add_timer(l, &beat) || loop_add_timer(l, &pause_end))
		return because(why, "board.sock: %s", strerror(errno));
	return 0;
}

struct client *clients_find(uint64_t number)
{
	struct client *c = joined.oldest;

	while (c && c->number < number)
		c = c->newer;
	return c;
}
