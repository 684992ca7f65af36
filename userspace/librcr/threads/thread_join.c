// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * thread_join.c - registers the program's memory of blackboard 2 with rcrd. It never waits: it
 * connects and sends without blocking, and receives the answer in a later call. The page of rcrd is
 * checked before it is mapped, and only its heartbeat is used.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "thread_pages.h"

/* Minimum time between connects, or checks of the connection. */
#define RETRY_NS	1000000000ull

/* Timeout for an answer. */
#define ANSWER_NS	10000000000ull

#define VERDICT_SEALS	(F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL)

/**
 * struct joined - the connection, protected by the lock of thread_pages.c
 * @socket: socket to rcrd
 * @tried: CLOCK_MONOTONIC of the latest connect(), ns; 0: none yet
 * @checked: CLOCK_MONOTONIC of the latest check of the connection, ns
 * @verdicts: rcrd's page; NULL: no answer yet
 */
static struct joined {
	struct rcr_opened socket;
	uint64_t tried;
	uint64_t checked;
	const struct rcr_verdicts *verdicts;
} joined = { .socket = { .fd = -1 } };

static uint64_t coarse_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void leave_rcrd(void)
{
	if (joined.verdicts)
		munmap((void *)joined.verdicts, RCR_VERDICTS_BYTES);
	joined.verdicts = NULL;
	rcr_opened_close(&joined.socket);
}

/* The parent's page is not mapped in a child (MADV_DONTFORK). */
void rcr_join_forget(void)
{
	joined.verdicts = NULL;
	joined.tried = 0;
	rcr_opened_close(&joined.socket);
}

/* A heartbeat in the future is fresh, because the TSCs of CPUs may differ slightly. */
static bool is_fresh(const struct rcr_verdicts *v)
{
	uint64_t stale_after = __atomic_load_n(&v->stale_after, __ATOMIC_RELAXED);
	uint64_t heartbeat = __atomic_load_n(&v->heartbeat, __ATOMIC_RELAXED);
	uint64_t now = __builtin_ia32_rdtsc();

	return !stale_after || now < heartbeat || now - heartbeat <= stale_after;
}

bool rcr_join_is_made(void)
{
	return joined.verdicts && is_fresh(joined.verdicts);
}

/* Field 22 of /proc/self/stat; the name before it may contain any character. 0: not known. */
static uint64_t own_start_time(void)
{
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC), field;
	char text[1024], *at = NULL;
	ssize_t got = -1;

	if (fd >= 0) {
		got = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	if (got > 0) {
		text[got] = 0;
		at = strrchr(text, ')');
	}
	for (field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at + 1, NULL, 10) : 0;
}

/* Sends the memfd of slots; returns 0, or -1. */
static int send_join(int fd, int slots)
{
	struct rcr_join join = {
		.size = sizeof(join), .version = RCR_BOARD2_VERSION,
		.compat_version = RCR_BOARD2_COMPAT_VERSION, .start_time = own_start_time(),
	};
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { .head = {
		.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET,
		.cmsg_type = SCM_RIGHTS,
	} };
	struct iovec part = { &join, sizeof(join) };
	struct msghdr m = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};

	memcpy(CMSG_DATA(&control.head), &slots, sizeof(slots));
	return sendmsg(fd, &m, MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof(join) ? 0 : -1;
}

static void connect_rcrd(void)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX, .sun_path = RCR_BOARD2_SOCKET };
	int slots = rcr_pages_fd(), fd;

	joined.tried = coarse_ns();
	if (slots < 0)
		return;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return;
	if (connect(fd, (struct sockaddr *)&at, sizeof(at)) || send_join(fd, slots))
		close(fd);
	else
		rcr_opened_set(&joined.socket, fd);
}

/* A sealed file cannot shrink or be written through new mappings. Huge pages may be missing. */
static bool is_sealed(int fd)
{
	int seals = fcntl(fd, F_GET_SEALS);
	struct statfs fs;
	struct stat st;

	return seals >= 0 && (seals & VERDICT_SEALS) == VERDICT_SEALS && !fstatfs(fd, &fs) &&
	       fs.f_type == TMPFS_MAGIC && !fstat(fd, &st) && st.st_size >= RCR_VERDICTS_BYTES;
}

static const struct rcr_verdicts *map_verdicts(int fd)
{
	const struct rcr_verdicts *v;

	if (!is_sealed(fd))
		return NULL;
	v = mmap(NULL, RCR_VERDICTS_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	if (v == MAP_FAILED)
		return NULL;
	if (!madvise((void *)v, RCR_VERDICTS_BYTES, MADV_DONTFORK) &&
	    v->magic == RCR_VERDICTS_MAGIC && v->version >= RCR_BOARD2_COMPAT_VERSION &&
	    v->compat_version <= RCR_BOARD2_VERSION)
		return v;
	munmap((void *)v, RCR_VERDICTS_BYTES);
	return NULL;
}

/* Returns the descriptor of an answer, or -1; any further descriptors are closed. */
static int passed_descriptor(struct msghdr *m)
{
	struct cmsghdr *head;
	int fd = -1, each;
	size_t i;

	for (head = CMSG_FIRSTHDR(m); head; head = CMSG_NXTHDR(m, head)) {
		if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS)
			continue;
		for (i = 0; CMSG_LEN((i + 1) * sizeof(int)) <= head->cmsg_len; i++) {
			memcpy(&each, CMSG_DATA(head) + i * sizeof(int), sizeof(int));
			if (fd < 0)
				fd = each;
			else
				close(each);
		}
	}
	return fd;
}

/* Receives the answer if it has arrived; false if there will be none. */
static bool receive_join_answer(void)
{
	struct rcr_welcome welcome = { 0 };
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(4 * sizeof(int))];
	} control;
	struct iovec part = { &welcome, sizeof(welcome) };
	struct msghdr m = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	ssize_t got;
	int fd;

	got = recvmsg(joined.socket.fd, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return coarse_ns() - joined.tried < ANSWER_NS;
	fd = got >= 0 ? passed_descriptor(&m) : -1;
	if (got == sizeof(welcome) && welcome.size >= sizeof(welcome) && !welcome.error &&
	    fd >= 0)
		joined.verdicts = map_verdicts(fd);
	if (fd >= 0)
		close(fd);
	return joined.verdicts;
}

/* rcrd sends nothing more before it closes the socket; a restarted rcrd has another page. */
static bool is_connected(void)
{
	char byte;

	if (coarse_ns() - joined.checked < RETRY_NS)
		return true;
	joined.checked = coarse_ns();
	return rcr_opened_is_ours(&joined.socket) &&
	       recv(joined.socket.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

void rcr_join_update(void)
{
	int error = errno;

	if (joined.verdicts && is_fresh(joined.verdicts) && is_connected()) {
		errno = error;
		return;
	}
	if (joined.socket.fd >= 0 &&
	    (joined.verdicts || !rcr_opened_is_ours(&joined.socket) || !receive_join_answer()))
		leave_rcrd();
	if (joined.socket.fd < 0 &&
	    (!joined.tried || coarse_ns() - joined.tried >= RETRY_NS))
		connect_rcrd();
	errno = error;
}
