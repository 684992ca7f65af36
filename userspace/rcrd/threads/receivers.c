// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * receivers.c - threads that receive and close descriptors of clients. A message may carry any
 * descriptor, and one that is not a memfd of slots must be closed. This can block for any time, for
 * example on the server of a FUSE file or on the peer of a lingering socket. Therefore the event
 * loop never does it, and each user can block at most one thread.
 *
 * A separate thread closes connections. This also drops the descriptors in messages that were not
 * received, but clients cannot block it: the kernel does not flush such files, and sockets linger
 * only until a signal is pending.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "join.h"
#include "receivers.h"
#include "slots.h"

#define STACK_BYTES	65536
#define LINGER_NS	1000000		/* maximum time for a socket to linger */
#define LINGER_SIGNAL	SIGUSR1		/* interrupts a lingering close() */
#define NO_USER		((uid_t)-1)

/* A queue of jobs. */
struct job_list {
	struct receiver_job *first;
	struct receiver_job **end;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t job_added = PTHREAD_COND_INITIALIZER;
static pthread_cond_t closing_added = PTHREAD_COND_INITIALIZER;
static pthread_cond_t begun = PTHREAD_COND_INITIALIZER;

/* Protected by @lock; @busy has the user that each thread works for. */
static struct job_list waiting = { NULL, &waiting.first };
static struct job_list closing = { NULL, &closing.first };
static struct job_list done = { NULL, &done.first };
static uid_t busy[RECEIVERS];
static unsigned int started;
static int timer_error;

static int event = -1;

static void append_job(struct job_list *l, struct receiver_job *job)
{
	job->next = NULL;
	*l->end = job;
	l->end = &job->next;
}

static struct receiver_job *unlink_job(struct job_list *l, struct receiver_job **at)
{
	struct receiver_job *job = *at;

	*at = job->next;
	if (!*at)
		l->end = at;
	return job;
}

static bool is_busy(uid_t uid)
{
	unsigned int i;

	for (i = 0; i < RECEIVERS; i++)
		if (busy[i] == uid)
			return true;
	return false;
}

/* First job of a user that no thread is working for; NULL: none. */
static struct receiver_job *find_job(void)
{
	struct receiver_job **at;

	for (at = &waiting.first; *at; at = &(*at)->next)
		if (!is_busy((*at)->uid))
			return unlink_job(&waiting, at);
	return NULL;
}

/* Returns the single descriptor of a message; with none or several, closes all and returns -1. */
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

static void receive_message(struct receiver_job *job)
{
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
	int fd;

	got = recvmsg(job->socket, &m, MSG_DONTWAIT | MSG_TRUNC | MSG_CMSG_CLOEXEC);
	if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
		job->error = EAGAIN;
		return;
	}
	fd = got >= 0 ? take_descriptor(&m) : -1;
	job->error = got > 0 ? -join_parse(bytes, got, &join) : ECONNRESET;
	if (!job->error)
		job->error = fd < 0 ? EINVAL : -slots_check(fd);
	if (!job->error) {
		job->slots = fd;
		job->start_time = join.start_time;
		return;
	}
	if (fd >= 0)
		close(fd);
	if (got > 0)
		join_answer(job->socket, job->error, -1);
	close(job->socket);
}

static void return_job(struct receiver_job *job)
{
	const uint64_t one = 1;

	pthread_mutex_lock(&lock);
	append_job(&done, job);
	pthread_mutex_unlock(&lock);
	/* This cannot block: there are fewer jobs than the maximum of an eventfd. */
	while (write(event, &one, sizeof(one)) < 0 && errno == EINTR)
		;
}

static void *receiver_thread(void *number)
{
	uid_t *own = &busy[(uintptr_t)number];
	struct receiver_job *job;

	pthread_mutex_lock(&lock);
	started++;
	pthread_cond_signal(&begun);
	for (;;) {
		job = find_job();
		if (!job) {
			pthread_cond_wait(&job_added, &lock);
			continue;
		}
		*own = job->uid;
		pthread_mutex_unlock(&lock);
		job->error = ECONNRESET;
		job->slots = -1;
		receive_message(job);
		return_job(job);
		pthread_mutex_lock(&lock);
		*own = NO_USER;
		/* Another job of that user can run now. */
		if (waiting.first)
			pthread_cond_signal(&job_added);
	}
	return NULL;
}

static void end_linger(int unused)
{
	(void)unused;
}

/* Create a timer that signals only the calling thread. Returns 0 or an errno. */
static int make_timer(timer_t *timer)
{
	struct sigevent each = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = LINGER_SIGNAL };
	sigset_t one;

	each._sigev_un._tid = gettid();
	sigemptyset(&one);
	sigaddset(&one, LINGER_SIGNAL);
	if (timer_create(CLOCK_MONOTONIC, &each, timer))
		return errno;
	return pthread_sigmask(SIG_UNBLOCK, &one, NULL);
}

/*
 * Wait for a job, with the lock held. The timer is periodic, because a single signal may arrive
 * before close() sleeps.
 */
static void await_closing(timer_t timer)
{
	const struct itimerspec on = { { 0, LINGER_NS }, { 0, LINGER_NS } }, off = { };

	if (closing.first)
		return;
	timer_settime(timer, 0, &off, NULL);
	while (!closing.first)
		pthread_cond_wait(&closing_added, &lock);
	timer_settime(timer, 0, &on, NULL);
}

static void *closer_thread(void *unused)
{
	struct receiver_job *job;
	timer_t timer;
	int err = make_timer(&timer);

	(void)unused;
	pthread_mutex_lock(&lock);
	timer_error = err;
	started++;
	pthread_cond_signal(&begun);
	for (;;) {
		await_closing(timer);
		job = unlink_job(&closing, &closing.first);
		pthread_mutex_unlock(&lock);
		job->error = ECONNRESET;
		job->slots = -1;
		close(job->socket);
		return_job(job);
		pthread_mutex_lock(&lock);
	}
	return NULL;
}

int receivers_open(struct why *why)
{
	sigset_t all, before;
	pthread_attr_t attr;
	pthread_t thread;
	uintptr_t i;
	int err;

	event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
	if (event < 0)
		return because(why, "eventfd: %s", strerror(errno));
	/* Signals of the process are handled by the main thread: control.c relies on that. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_attr_init(&attr);
	if (!err)
		err = pthread_attr_setstacksize(&attr, STACK_BYTES);
	for (i = 0; i < RECEIVERS; i++) {
		busy[i] = NO_USER;
		if (!err)
			err = pthread_create(&thread, &attr, receiver_thread, (void *)i);
	}
	signal(LINGER_SIGNAL, end_linger);
	if (!err)
		err = pthread_create(&thread, &attr, closer_thread, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err)
		return because(why, "cannot start a thread: %s", strerror(err));
	/* The sandbox forbids system calls that a starting thread makes: wait for all of them. */
	pthread_mutex_lock(&lock);
	while (started < RECEIVERS + 1)
		pthread_cond_wait(&begun, &lock);
	pthread_mutex_unlock(&lock);
	if (timer_error)
		return because(why, "cannot create a timer: %s", strerror(timer_error));
	return event;
}

void receivers_ask(struct receiver_job *job)
{
	pthread_mutex_lock(&lock);
	append_job(job->closes ? &closing : &waiting, job);
	pthread_cond_signal(job->closes ? &closing_added : &job_added);
	pthread_mutex_unlock(&lock);
}

struct receiver_job *receivers_done(void)
{
	struct receiver_job *job;
	uint64_t count;

	if (read(event, &count, sizeof(count)) != sizeof(count))
		return NULL;
	pthread_mutex_lock(&lock);
	job = done.first ? unlink_job(&done, &done.first) : NULL;
	pthread_mutex_unlock(&lock);
	return job;
}
