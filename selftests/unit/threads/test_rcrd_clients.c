// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_rcrd_clients.c - malicious clients of board.sock: rcrd's loop survives them under the
 * sanitizers, and serves others meanwhile. selftests/guest/rcrd/board2.sh tests the limits, for
 * which the descriptors here may not suffice.
 */
#define _GNU_SOURCE
#include <poll.h>

#include "board2.h"
#include "descriptors.h"
#include "lingering.h"
#include "rcr_threads.h"
#include "threads/join.h"
#include "threads/slots.h"

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

static struct rcr_slots *mapped;

/* Make a memfd with a valid head, and map it. */
static int make_memory(int seals)
{
	int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0 || ftruncate(fd, RCR_SLOTS_BYTES))
		ksft_exit_fail_msg("no memfd\n");
	mapped = mmap(NULL, RCR_SLOTS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (mapped == MAP_FAILED || (seals && fcntl(fd, F_ADD_SEALS, seals)))
		ksft_exit_fail_msg("no seals\n");
	*mapped = (struct rcr_slots){
		.magic = RCR_SLOTS_MAGIC, .version = RCR_BOARD2_VERSION,
		.compat_version = RCR_BOARD2_COMPAT_VERSION, .size = sizeof(*mapped),
		.slot_size = sizeof(struct rcr_thread), .slot_offset = 4096,
		.slots = RCR_THREADS_MAX,
	};
	return fd;
}

static struct rcr_thread *slot_at(unsigned int n)
{
	return (struct rcr_thread *)((char *)mapped + 4096) + n;
}

static struct rcr_join good_join(uint64_t start_time)
{
	return (struct rcr_join){
		.size = sizeof(struct rcr_join), .version = RCR_BOARD2_VERSION,
		.compat_version = RCR_BOARD2_COMPAT_VERSION, .start_time = start_time,
	};
}

/* Return the error in the answer, or -1 without an answer. */
static int hear_answer(int fd)
{
	struct rcr_welcome w;

	return recv(fd, &w, sizeof(w), 0) == sizeof(w) ? (int)w.error : -1;
}

/* Send @bytes with the descriptors @fds; return the error in the answer, or -1. */
static int answer_to(const void *bytes, size_t size, const int *fds, size_t count)
{
	int fd = board2_connect(RCR_BOARD2_SOCKET), ret;

	send_with_descriptors(fd, bytes, size, fds, count);
	ret = hear_answer(fd);
	close(fd);
	return ret;
}

static int join_with(int memory, uint64_t start_time)
{
	struct rcr_join j = good_join(start_time);
	int fd = board2_connect(RCR_BOARD2_SOCKET);

	send_with_descriptors(fd, &j, sizeof(j), &memory, 1);
	if (!hear_answer(fd))
		return fd;
	close(fd);
	return -1;
}

/* Return whether rcrd has closed a connection. */
static bool is_closed(int fd)
{
	char byte;

	return recv(fd, &byte, 1, 0) <= 0;
}

static void test_messages(void)
{
	struct rcr_join j = good_join(0);
	int good = make_memory(SEALS), unsealed = make_memory(0), fds[250], i, pipes[2];
	unsigned int files = board2_files(board2_server), wrong = 0;

	if (pipe(pipes))
		ksft_exit_fail_msg("no pipe\n");
	for (i = 0; i < 250; i++)
		fds[i] = good;
	ksft_test_result(!answer_to(&j, sizeof(j), &good, 1),
			 "message: a valid message is answered\n");
	wrong += answer_to(&j, sizeof(j), NULL, 0) != EINVAL;
	wrong += answer_to(&j, sizeof(j), fds, 2) != EINVAL;
	wrong += answer_to(&j, sizeof(j), fds, 250) != EINVAL;
	ksft_test_result(!wrong, "message: 0, 2 or 250 descriptors instead of 1 are refused\n");
	wrong += answer_to(&j, sizeof(j), &unsealed, 1) != EINVAL;
	wrong += answer_to(&j, sizeof(j), pipes, 1) != EINVAL;
	wrong += answer_to(&j, 8, &good, 1) != EINVAL;
	j.compat_version = RCR_BOARD2_VERSION + 1;
	wrong += answer_to(&j, sizeof(j), &good, 1) != EPROTO;
	ksft_test_result(!wrong, "message: an invalid memfd, length or version is refused\n");
	/* A memfd that shrinks before it is sealed: rcrd must check the size after the seals. */
	ksft_test_result(!ftruncate(unsealed, 16) && !fcntl(unsealed, F_ADD_SEALS, SEALS) &&
			 (j = good_join(0), answer_to(&j, sizeof(j), &unsealed, 1) == EINVAL),
			 "message: a memfd that was shrunk is refused\n");
	for (i = 0; i < 500 && board2_files(board2_server) != files; i++)
		sleep_ns(10000000);
	ksft_test_result(board2_files(board2_server) == files,
			 "message: refused descriptors are closed\n");
	close(good);
	close(unsealed);
	close(pipes[0]);
	close(pipes[1]);
}

struct sums {
	unsigned int known;
	unsigned int unknown;
};

static void sum_pids(void *arg, const struct seen *s)
{
	struct sums *sums = arg;

	sums->known += s->pid != 0;
	sums->unknown += !s->pid;
}

static struct sums list_pids(void)
{
	struct sums sums = { 0, 0 };

	board2_list(0, sum_pids, &sums);
	return sums;
}

static void test_memory(void)
{
	int memory = make_memory(SEALS), fd = join_with(memory, 0);
	struct rcr_join j = good_join(0);

	slot_at(4095)->state = 0xffffffff;
	ksft_test_result(board2_seen(0, 1) == 1 && list_pids().unknown == 1,
			 "memory: an invalid slot is listed without a process\n");
	mapped->slot_size = 1;
	ksft_test_result(!board2_seen(0, 0), "memory: a client with an invalid head has no listed slots\n");
	mapped->slot_size = 64;
	fallocate(memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 4096, RCR_SLOTS_BYTES);
	ksft_test_result(!board2_seen(0, 0),
			 "memory: slots in a punched hole are not listed\n");
	slot_at(7)->state = RCR_THREAD_RUNNING;
	send_with_descriptors(fd, &j, sizeof(j), &memory, 1);
	ksft_test_result(is_closed(fd) && !board2_seen(0, 0),
			 "memory: a client that sends a second message is disconnected\n");
	close(fd);
	munmap(mapped, RCR_SLOTS_BYTES);
	close(memory);
}

static uint64_t own_start_time(void)
{
	char text[1024];
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	ssize_t got = read(fd, text, sizeof(text) - 1);

	close(fd);
	text[got > 0 ? got : 0] = 0;
	return peer_parse_stat(text);
}

/* A child joins, leaves its socket to a grandchild, and ends. */
static void test_attribution(void)
{
	int memory = make_memory(SEALS), fd, held[2], ready[2];
	uint64_t own;
	struct sums before, after;
	pid_t child;

	slot_at(0)->state = RCR_THREAD_RUNNING;
	fd = join_with(memory, own_start_time());
	ksft_test_result(fd >= 0 && list_pids().known == 1,
			 "attribution: a client's slots are listed with its process\n");
	close(fd);
	fd = join_with(memory, own_start_time() + 1);
	ksft_test_result(fd >= 0 && list_pids().unknown == 1,
			 "attribution: a slot with the id of another process is listed without a process\n");
	close(fd);
	if (pipe(held) || pipe(ready))
		ksft_exit_fail_msg("no pipe\n");
	fflush(stdout);
	child = fork();
	if (!child) {
		own = own_start_time();
		fd = join_with(memory, own);
		if (fork())
			pause();
		close(held[1]);
		_exit(write(ready[1], "", 1) != 1 || read(held[0], &own, 1));
	}
	if (read(ready[0], &own, 1) != 1)
		ksft_exit_fail_msg("no child\n");
	before = list_pids();
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	after = list_pids();
	ksft_test_result(before.known == 1 && !after.known && after.unknown == 1,
			 "attribution: after the client has ended its slots have no process, even if a child holds the socket\n");
	close(held[1]);
	close(held[0]);
	close(ready[0]);
	close(ready[1]);
	ksft_test_result(!board2_seen(0, 0), "attribution: a client is removed when its last process ends\n");
	munmap(mapped, RCR_SLOTS_BYTES);
	close(memory);
}

/* A client that is killed at a random point. */
static void act_briefly(unsigned int seed)
{
	struct rcr_join j = good_join(0);
	int memory = make_memory(SEALS), fd = board2_connect(RCR_BOARD2_SOCKET);
	unsigned int i;

	for (i = 0; i < RCR_THREADS_MAX; i++)
		slot_at(i)->state = i * seed % 5;
	if (seed % 3)
		send_with_descriptors(fd, &j, sizeof(j), &memory, 1);
	if (seed % 2 && !fork())
		_exit(0);
	for (i = 0; ; i++) {
		slot_at(i % RCR_THREADS_MAX)->id = i;
		if (i == 1000 * seed)
			raise(SIGKILL);
	}
}

static void test_short_lives(void)
{
	unsigned int i, missing = 0;
	pid_t child;

	RCRStartThread(1, 0x10);
	board2_seen(getpid(), 1);
	fflush(stdout);
	for (i = 0; i < 200; i++) {
		child = fork();
		if (!child)
			act_briefly(i);
		missing += board2_list(getpid(), NULL, NULL) != 1;
		waitpid(child, NULL, 0);
	}
	ksft_test_result(!missing, "short lives: 200 clients that end early do not stop another program\n");
	ksft_test_result(board2_seen(0, 1) == 1, "short lives: clients that ended leave no slots\n");
}

static void test_silent(void)
{
	static int fds[2000];
	unsigned int open = 0, closed = 0, turn, i;
	int memory = make_memory(SEALS), fd;
	char byte;

	for (i = 0; i < 2000; i++) {
		fds[i] = board2_connect(RCR_BOARD2_SOCKET);
		open += fds[i] >= 0;
	}
	fd = join_with(memory, 0);
	ksft_test_result(open == 2000 && fd >= 0,
			 "silent: a client is served after 2000 connections that send nothing\n");
	/* A thread closes them, long before the timeout of silent connections. */
	for (turn = 0; turn < 20 && closed < 2000 - CLIENTS_SILENT_MAX - 1; turn++) {
		sleep_ns(10000000);
		for (closed = 0, i = 0; i < 2000; i++)
			closed += recv(fds[i], &byte, 1, MSG_DONTWAIT) == 0;
	}
	ksft_test_result(closed >= 2000 - CLIENTS_SILENT_MAX - 1,
			 "silent: the oldest connections were closed to make room (%u)\n", closed);
	for (i = 0; i < 2000; i++) {
		closed += is_closed(fds[i]);
		close(fds[i]);
	}
	ksft_test_result(board2_list(getpid(), NULL, NULL) == 1,
			 "silent: the remaining connections are closed after a timeout\n");
	close(fd);
	munmap(mapped, RCR_SLOTS_BYTES);
	close(memory);
}

/* Send the socket and close it: rcrd holds the last reference. */
static void hold_up(int ready, int held)
{
	struct rcr_join j = good_join(0);
	int peer, lingering, fd, turn;
	struct pollfd p = { .revents = POLLIN };

	if (setuid(65534))
		_exit(1);
	/* On a busy host the socket may not linger: then the answer comes when it is closed. */
	for (turn = 0; turn < 5 && p.revents; turn++) {
		lingering = make_lingering(30, &peer);
		if (lingering < 0)
			_exit(1);
		fd = board2_connect(RCR_BOARD2_SOCKET);
		send_with_descriptors(fd, &j, sizeof(j), &lingering, 1);
		close(lingering);
		p = (struct pollfd){ .fd = fd, .events = POLLIN };
		poll(&p, 1, 300);
	}
	if (p.revents || write(ready, "", 1) != 1 || read(held, &j, 1) < 0)
		_exit(2);
	/* The others were served; this connection must still wait. */
	if (poll(&p, 1, 0))
		_exit(3);
	close(peer);
	_exit(poll(&p, 1, 20000) != 1);
}

/**
 * struct neighbour - a child, run as another user, that misbehaves until its pipe is closed
 * @pid: the child
 * @held: the test's end of that pipe
 * @ready: the child has begun to misbehave
 */
struct neighbour {
	pid_t pid;
	int held;
	bool ready;
};

/* Run @harm in a child; it writes a byte to its first descriptor, then reads the second one. */
static struct neighbour start_neighbour(void (*harm)(int ready, int held))
{
	struct neighbour n = { 0 };
	int ready[2], held[2];
	char byte;

	if (pipe(ready) || pipe(held))
		ksft_exit_fail_msg("no pipe\n");
	fflush(stdout);
	n.pid = fork();
	if (!n.pid) {
		close(held[1]);
		close(ready[0]);
		harm(ready[1], held[0]);
	}
	close(ready[1]);
	close(held[0]);
	n.held = held[1];
	n.ready = read(ready[0], &byte, 1) == 1;
	close(ready[0]);
	return n;
}

/* Close the pipe of the neighbour; return its wait status. */
static int stop_neighbour(struct neighbour *n)
{
	int status = -1;

	close(n->held);
	waitpid(n->pid, &status, 0);
	return status;
}

static void test_held_up(void)
{
	int memory = make_memory(SEALS), status, fd;
	struct neighbour n = start_neighbour(hold_up);
	bool served;

	fd = join_with(memory, 0);
	served = n.ready && fd >= 0 && board2_list(getpid(), NULL, NULL) == 1;
	status = stop_neighbour(&n);
	ksft_test_result(served && !status,
			 "held up: others are served while the close of a descriptor lingers (%#x)\n",
			 status);
	close(fd);
	munmap(mapped, RCR_SLOTS_BYTES);
	close(memory);
}

#define REFUSED (CLIENTS_REFUSED + 100)

/*
 * Block the thread that receives from a user, fill all places of that user, and have more
 * connections refused than can wait to be closed, the first of them with sockets that linger.
 */
static void fill_places(int ready, int held)
{
	static int peers[4], lingering[4];
	struct rcr_join j = good_join(0);
	unsigned int i, fds = 128 + REFUSED;
	int memory = make_memory(SEALS), fd;

	for (i = 0; i < 4; i++) {
		lingering[i] = make_lingering(30, &peers[i]);
		if (lingering[i] < 0)
			_exit(1);
	}
	if (setuid(65534))
		_exit(1);
	for (i = 0; i < fds; i++) {
		fd = board2_connect(RCR_BOARD2_SOCKET);
		if (fd < 0)
			_exit(2);
		if (i && (i < 128 || i > 130)) {
			send_with_descriptors(fd, &j, sizeof(j), &memory, 1);
			continue;
		}
		send_with_descriptors(fd, &j, sizeof(j), &lingering[i ? i - 127 : 0], 1);
		close(lingering[i ? i - 127 : 0]);
		/* Wait until rcrd receives the first connection, so that the next ones queue. */
		sleep_ns(i ? 0 : 300000000);
	}
	if (write(ready, "", 1) != 1 || read(held, &j, 1) < 0)
		_exit(3);
	_exit(0);
}

static void test_places_held(void)
{
	const struct timeval patience = { .tv_sec = 10 };
	int memory = make_memory(SEALS), status, fd;
	struct neighbour n = start_neighbour(fill_places);
	struct rcr_join j = good_join(0);
	bool served;

	fd = board2_connect(RCR_BOARD2_SOCKET);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	send_with_descriptors(fd, &j, sizeof(j), &memory, 1);
	served = n.ready && !hear_answer(fd);
	status = stop_neighbour(&n);
	ksft_test_result(served && !status,
			 "places held: others can join while a user holds all of its places (%#x)\n",
			 status);
	close(fd);
	munmap(mapped, RCR_SLOTS_BYTES);
	close(memory);
}

/* The server runs with the default limit of descriptors. */
static void test_few_descriptors(void)
{
	static int fds[900];
	struct rlimit few = { 1024, 1024 }, old;
	int memory = make_memory(SEALS);
	unsigned int taken = 0, refused = 0, i;

	board2_stop(SIGKILL);
	getrlimit(RLIMIT_NOFILE, &old);
	few.rlim_max = old.rlim_max;
	board2_limit = 1024;
	board2_start();
	if (geteuid())
		ksft_test_result_skip("places held: needs root\n");
	else
		test_places_held();
	setrlimit(RLIMIT_NOFILE, &few);
	for (i = 0; i < 900; i++) {
		fds[i] = join_with(memory, 0);
		taken += fds[i] >= 0;
		refused += fds[i] < 0;
	}
	ksft_test_result(taken == 128 && refused == 900 - 128,
			 "few descriptors: a single user can have half of the clients (%u)\n",
			 taken);
	for (i = 0; i < 900; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	for (i = 0; i < 500 && board2_list(getpid(), NULL, NULL) != 1; i++) {
		rcr_threads_connect();
		sleep_ns(10000000);
	}
	ksft_test_result(board2_list(getpid(), NULL, NULL) == 1,
			 "few descriptors: another program is served when these clients have ended\n");
	setrlimit(RLIMIT_NOFILE, &old);
	munmap(mapped, RCR_SLOTS_BYTES);
	close(memory);
}

int main(void)
{
	int status;

	ksft_print_header();
	ksft_set_plan(5 + 4 + 4 + 2 + 3 + 1 + 1 + 2 + 1);
	board2_begin();
	board2_start();
	test_messages();
	test_memory();
	test_attribution();
	test_short_lives();
	test_silent();
	/* The next tests need a second user. */
	if (geteuid())
		ksft_test_result_skip("held up: needs root\n");
	else
		test_held_up();
	test_few_descriptors();
	status = board2_stop(SIGTERM);
	ksft_test_result(!status, "rcrd ends without a report of the sanitizers (%#x)\n", status);
	board2_end();
	ksft_finished();
}
