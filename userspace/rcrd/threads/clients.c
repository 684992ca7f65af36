// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * clients.c - board.sock. A client connects, sends one message with its memfd, and receives one
 * with the page of verdicts. From then on, the open connection shows that the client is alive, and
 * any further message closes it. A client cannot block rcrd, make it hold more than a table entry
 * and two descriptors, or use up the entries of other users.
 *
 * Messages are received, and connections closed, by receivers.c. An entry is in use until its
 * connection is closed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
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

/* Descriptors reserved for other purposes than clients. */
#define OTHER_FILES	512

/* Time to stop accepting when descriptors or memory are exhausted, ns. */
#define PAUSE_NS	1000000000ull

#define BACKLOG		4096
#define NO_USER		((uid_t)-1)

/**
 * struct client_list - clients in the order in which they connected or joined
 * @oldest: the first
 * @newest: the last
 * @count: number of clients
 */
struct client_list {
	struct client *oldest;
	struct client *newest;
	unsigned int count;
};

/* The last entries are for connections that are refused. */
static struct client clients[CLIENTS_MAX + CLIENTS_REFUSED];
static uid_t users[CLIENTS_MAX + CLIENTS_REFUSED];	/* NO_USER: the entry is free */
static unsigned int max_clients;	/* entries that the limit of open files allows */
static unsigned int used_clients;		/* entries that have ever been used */
static struct client_list joined, silent;
static uint64_t latest;			/* number of the client that joined last */

static struct loop *loop;
static struct loop_source listener, sweeper, beat, pause_end, receivers;
static int refused = -1;		/* a connection for which there is no entry */
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

static void free_client(struct client *c)
{
	c->state = CLIENT_FREE;
	users[c - clients] = NO_USER;
}

/* The entry becomes free when a receiver has closed the connection. */
static void close_board_client(struct client *c)
{
	if (c->state == CLIENT_JOINED || c->state == CLIENT_SILENT) {
		unlink_client(c->state == CLIENT_JOINED ? &joined : &silent, c);
		loop_remove(loop, &c->source);
	}
	if (c->slots >= 0)
		close(c->slots);
	c->slots = -1;
	c->state = CLIENT_CLOSING;
	c->job.closes = true;
	receivers_ask(&c->job);
	/* No client needs the heartbeat any longer. */
	if (!joined.count)
		loop_set_timer(&beat, 0);
}

static void join_client(struct client *c)
{
	c->slots = c->job.slots;
	c->peer.start_time = c->job.start_time;
	if (!peer_is_process(&c->peer))
		c->peer.pid = 0;
	if (loop_add(loop, &c->source, EPOLLIN)) {
		close_board_client(c);
		return;
	}
	c->state = CLIENT_JOINED;
	c->number = ++latest;
	append_client(&joined, c);
	/* Update the heartbeat before the page is passed on. */
	verdicts_beat(verdicts);
	if (joined.count == 1)
		loop_set_timer(&beat, VERDICTS_BEAT_NS);
	if (join_answer(c->source.fd, 0, verdicts->fd))
		close_board_client(c);
}

/* A client that sends nothing is closed by sweep_silent(). */
static void await_message(struct client *c)
{
	if (loop_add(loop, &c->source, EPOLLIN)) {
		close_board_client(c);
		return;
	}
	c->state = CLIENT_SILENT;
	append_client(&silent, c);
	if (silent.count == 1)
		loop_set_timer(&sweeper, CLIENTS_SILENT_NS / 2);
}

/* Called for the first message, for any later message, and at the end of the connection. */
static void handle_client(void *arg, uint32_t events)
{
	struct client *c = arg;

	(void)events;
	if (c->state == CLIENT_JOINED) {
		close_board_client(c);
		return;
	}
	unlink_client(&silent, c);
	loop_remove(loop, &c->source);
	c->state = CLIENT_HEARD;
	c->job.closes = false;
	receivers_ask(&c->job);
}

static void resume_listening(void *arg, uint32_t events);

/* Handles one result per call, as the loop does with all events. */
static void take_result(void *arg, uint32_t events)
{
	struct receiver_job *job = receivers_done();
	struct client *c;

	(void)arg;
	(void)events;
	if (!job)
		return;
	c = (struct client *)((char *)job - offsetof(struct client, job));
	if (!job->error)
		join_client(c);
	else if (job->error == EAGAIN)
		await_message(c);
	else
		free_client(c);
	/* A connection that waits for an entry to be refused may use this one. */
	if (refused >= 0)
		resume_listening(NULL, 0);
}

static unsigned int count_entries_of(uid_t uid)
{
	unsigned int i, n = 0;

	for (i = 0; i < used_clients; i++)
		n += users[i] == uid;
	return n;
}

static struct client *find_free(unsigned int from, unsigned int to)
{
	unsigned int i;

	for (i = from; i < to; i++)
		if (users[i] == NO_USER)
			return &clients[i];
	return NULL;
}

/* Find a free entry for a client of user @uid; NULL if there is none, or a limit is reached. */
static struct client *find_free_client(uid_t uid)
{
	struct client *c;

	if (silent.count >= CLIENTS_SILENT_MAX)
		close_board_client(silent.oldest);
	if (count_entries_of(uid) >= max_clients / 2)
		return NULL;
	c = find_free(0, used_clients);
	return c || used_clients == max_clients ? c : &clients[used_clients++];
}

static void sweep_silent(void *arg, uint32_t events)
{
	uint64_t now = now_ns();

	(void)arg;
	(void)events;
	while (silent.oldest && now - silent.oldest->since_ns >= CLIENTS_SILENT_NS)
		close_board_client(silent.oldest);
	loop_set_timer(&sweeper, silent.count ? CLIENTS_SILENT_NS / 2 : 0);
}

/* Stop accepting for a while, so that a listener that stays ready does not keep the loop busy. */
static void pause_listening(void)
{
	loop_remove(loop, &listener);
	loop_set_timer(&pause_end, PAUSE_NS);
}

static void fill_client(struct client *c, int fd, uid_t uid, pid_t pid)
{
	*c = (struct client){
		.source = { fd, handle_client, c }, .slots = -1, .since_ns = now_ns(),
		.peer = { .uid = uid, .pid = pid }, .job = { .socket = fd, .uid = uid },
	};
	users[c - clients] = uid;
}

/*
 * Pass a refused connection to a receiver to be closed: a message with descriptors may be pending.
 * Returns false if no entry is free.
 */
static bool refuse_client(void)
{
	socklen_t size = sizeof(struct ucred);
	struct client *c;
	struct ucred who;

	if (refused < 0)
		return true;
	c = find_free(CLIENTS_MAX, CLIENTS_MAX + CLIENTS_REFUSED);
	if (!c)
		return false;
	if (getsockopt(refused, SOL_SOCKET, SO_PEERCRED, &who, &size))
		who.uid = 0;
	fill_client(c, refused, who.uid, 0);
	refused = -1;
	close_board_client(c);
	return true;
}

static void resume_listening(void *arg, uint32_t events)
{
	(void)arg;
	(void)events;
	loop_set_timer(&pause_end, 0);
	if (!refuse_client() || loop_add(loop, &listener, EPOLLIN))
		loop_set_timer(&pause_end, PAUSE_NS);
}

static void accept_client(void *arg, uint32_t events)
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
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size))
		who = (struct ucred){ 0, NO_USER, NO_USER };
	c = who.uid == NO_USER ? NULL : find_free_client(who.uid);
	if (c) {
		fill_client(c, fd, who.uid, who.pid);
		await_message(c);
		return;
	}
	join_answer(fd, EUSERS, -1);
	refused = fd;
	if (!refuse_client())
		pause_listening();
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

/* Number of clients that the limit of open files allows. */
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

	max_clients = count_possible();
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

int clients_serve(struct loop *l, int fd, int done, struct verdicts *v, struct why *why)
{
	unsigned int i;

	for (i = 0; i < CLIENTS_MAX + CLIENTS_REFUSED; i++)
		users[i] = NO_USER;
	loop = l;
	verdicts = v;
	listener = (struct loop_source){ fd, accept_client, NULL };
	sweeper = (struct loop_source){ -1, sweep_silent, NULL };
	beat = (struct loop_source){ -1, beat_once, NULL };
	pause_end = (struct loop_source){ -1, resume_listening, NULL };
	receivers = (struct loop_source){ done, take_result, NULL };
	if (loop_add(l, &listener, EPOLLIN) || loop_add(l, &receivers, EPOLLIN) ||
	    loop_add_timer(l, &sweeper) || loop_add_timer(l, &beat) ||
	    loop_add_timer(l, &pause_end))
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
