// SPDX-License-Identifier: GPL-2.0-only
/*
 * hostile.c WHAT [NUMBER] - hostile clients of board.sock.
 *
 *	many NUMBER	joins NUMBER times with the same memfd; prints how often rcrd has accepted
 *			and how often refused it (EUSERS), and waits for the end of standard input
 *	silent NUMBER	connects NUMBER times and sends nothing; prints how many connections rcrd
 *			has closed within a minute, and waits for the end of standard input
 *	behind NUMBER	sends a descriptor that takes ten minutes to close, then joins NUMBER - 1
 *			times; prints "sent" in between, then how many connections were answered,
 *			and waits for the end of standard input
 *	scribble	joins, and writes random words to its memory until SIGTERM
 *	churn		starts processes that join, fork, punch holes and die at random, until
 *			SIGTERM
 *	wrong NUMBER	sends NUMBER messages of random bytes or with invalid descriptors; prints
 *			how many were accepted
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "descriptors.h"
#include "lingering.h"
#include "rcr_board2.h"

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)
#define MOST 20000

static volatile sig_atomic_t ended;

static void end(int unused)
{
	(void)unused;
	ended = 1;
}

static uint64_t noise(void)
{
	static uint64_t x;

	if (!x)
		x = getpid() * 0x9e3779b97f4a7c15ull;
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

static int connect_board(void)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX, .sun_path = RCR_BOARD2_SOCKET };
	struct timeval patience = { .tv_sec = 60 };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (fd >= 0 && !setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) &&
	    !connect(fd, (struct sockaddr *)&at, sizeof(at)))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Make a memfd with a valid head, and map it at *@at. */
static int make_memory(struct rcr_slots **at)
{
	int fd = memfd_create("hostile", MFD_ALLOW_SEALING | MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, RCR_SLOTS_BYTES))
		return -1;
	*at = mmap(NULL, RCR_SLOTS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (*at == MAP_FAILED || fcntl(fd, F_ADD_SEALS, SEALS))
		return -1;
	**at = (struct rcr_slots){
		.magic = RCR_SLOTS_MAGIC, .version = RCR_BOARD2_VERSION,
		.compat_version = RCR_BOARD2_COMPAT_VERSION, .size = sizeof(**at),
		.slot_size = sizeof(struct rcr_thread), .slot_offset = 4096,
		.slots = RCR_THREADS_MAX,
	};
	return fd;
}

/*
 * Return the error in the answer, or -1 if there is none; ignore the descriptor that comes with it.
 */
static int hear_answer(int fd)
{
	struct rcr_welcome w;
	ssize_t got;

	/* A refused client receives one ECONNRESET before the answer. */
	do {
		got = recv(fd, &w, sizeof(w), 0);
	} while (got < 0 && (errno == ECONNRESET || errno == EINTR));
	return got == sizeof(w) ? (int)w.error : -1;
}

static int join(int fd, int memory)
{
	struct rcr_join j = {
		.size = sizeof(j), .version = RCR_BOARD2_VERSION,
		.compat_version = RCR_BOARD2_COMPAT_VERSION,
	};

	send_with_descriptors(fd, &j, sizeof(j), &memory, 1);
	return hear_answer(fd);
}

static int wait_for_end(void)
{
	char byte;

	fflush(stdout);
	while (read(0, &byte, 1) > 0)
		;
	return 0;
}

static int join_many(unsigned int number)
{
	unsigned int taken = 0, refused = 0, odd = 0, i;
	struct rcr_slots *at;
	int memory = make_memory(&at), fd, error;

	for (i = 0; i < number; i++) {
		fd = connect_board();
		error = fd < 0 ? -1 : join(fd, memory);
		taken += !error;
		refused += error == EUSERS;
		odd += error && error != EUSERS;
		if (error && fd >= 0)
			close(fd);
	}
	printf("%u taken, %u refused, %u else\n", taken, refused, odd);
	return wait_for_end();
}

/* Count the connections that rcrd has closed, which poll() reports as readable. */
static int stay_silent(unsigned int number)
{
	static struct pollfd p[MOST];
	unsigned int i;
	int turn, closed = 0;

	for (i = 0; i < number && i < MOST; i++)
		p[i] = (struct pollfd){ .fd = connect_board(), .events = POLLIN };
	for (turn = 0; turn < 60 && closed < (int)i; turn++) {
		sleep(1);
		closed = poll(p, i, 0);
	}
	printf("%d of %u closed\n", closed, i);
	return wait_for_end();
}

/* Queue connections after a message that has the last reference to a socket that lingers. */
static int wait_behind(unsigned int number)
{
	struct rcr_join j = {
		.size = sizeof(j), .version = RCR_BOARD2_VERSION,
		.compat_version = RCR_BOARD2_COMPAT_VERSION,
	};
	static struct pollfd p[MOST];
	struct rcr_slots *at;
	int peer, lingering = make_lingering(600, &peer), memory = make_memory(&at), answered = 0, turn;
	unsigned int i;

	if (lingering < 0)
		return 1;
	for (i = 0; i < number && i < MOST; i++) {
		p[i] = (struct pollfd){ .fd = connect_board(), .events = POLLIN };
		if (i) {
			send_with_descriptors(p[i].fd, &j, sizeof(j), &memory, 1);
			continue;
		}
		if (send_with_descriptors(p[i].fd, &j, sizeof(j), &lingering, 1) < 0)
			return 1;
		close(lingering);
		puts("sent");
		fflush(stdout);
		sleep(1);
	}
	for (turn = 0; turn < 60 && answered < (int)i; turn++) {
		usleep(100000);
		answered = poll(p, i, 0);
	}
	printf("%d of %u answered\n", answered, i);
	return wait_for_end();
}

static int scribble(void)
{
	struct rcr_slots *at;
	int memory = make_memory(&at), fd = connect_board();
	uint64_t *words = (uint64_t *)((char *)at + 4096);
	unsigned int i;

	if (join(fd, memory))
		return 1;
	puts("joined");
	fflush(stdout);
	while (!ended) {
		for (i = 0; i < RCR_THREADS_MAX; i++)
			words[noise() % (RCR_THREADS_MAX * 8)] = noise() % 8 ? noise() : 0;
		/* Make the head invalid, too, from time to time. */
		at->slots = noise() % 4 ? RCR_THREADS_MAX : noise();
		at->slot_size = noise() % 4 ? sizeof(struct rcr_thread) : noise();
		at->slot_offset = noise() % 4 ? 4096 : noise();
	}
	return 0;
}

/* Make random calls, most of which may fail, and die. */
static void live(void)
{
	struct rcr_slots *at;
	int memory = make_memory(&at), fd = connect_board();
	struct rcr_thread *slot = (void *)((char *)at + 4096);
	unsigned int i;

	for (i = 0; i < RCR_THREADS_MAX; i++)
		slot[i].state = noise() % 4;
	if (noise() % 4)
		join(fd, memory);
	if (noise() % 2)
		fallocate(memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			  noise() % RCR_SLOTS_BYTES, noise() % RCR_SLOTS_BYTES);
	if (noise() % 2)
		ftruncate(memory, 0) ? close(memory) : 0;
	if (noise() % 2 && !fork())
		_exit(0);
	if (noise() % 2)
		send_with_descriptors(fd, &memory, 4, &memory, 1);
	raise(noise() % 2 ? SIGKILL : SIGSEGV);
}

static int churn(void)
{
	while (!ended) {
		if (!fork()) {
			live();
			_exit(0);
		}
		wait(NULL);
	}
	return 0;
}

static int send_wrong(unsigned int number)
{
	struct rcr_join good = {
		.size = sizeof(good), .version = RCR_BOARD2_VERSION,
		.compat_version = RCR_BOARD2_COMPAT_VERSION,
	};
	unsigned int taken = 0, i, k;
	unsigned char bytes[512];
	int fd, fds[8], pipes[2];
	size_t size, count;
	struct rcr_slots *at;

	if (pipe(pipes))
		return 1;
	fds[0] = memfd_create("unsealed", MFD_ALLOW_SEALING);
	ftruncate(fds[0], 4096) ? _exit(1) : 0;
	fds[1] = pipes[0];
	fds[2] = open("/dev/zero", O_RDWR);
	fds[3] = open("/", O_PATH);
	fds[4] = make_memory(&at);
	fds[5] = fds[4];
	fds[6] = open("/proc/self/mem", O_RDONLY);
	fds[7] = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	for (i = 0; i < number; i++) {
		for (k = 0; k < sizeof(bytes); k++)
			bytes[k] = noise();
		size = noise() % sizeof(bytes);
		k = noise() % 4;
		count = noise() % 9;
		if (noise() % 2) {
			memcpy(bytes, &good, sizeof(good));
			size = noise() % 2 ? sizeof(good) : size;
		}
		fd = connect_board();
		send_with_descriptors(fd, bytes, size ? size : 1, fds + k, count <= 8 - k ? count : 0);
		/* Do not count messages with one sealed memfd, which may be valid by chance. */
		taken += !hear_answer(fd) && !(count == 1 && k == 4);
		close(fd);
	}
	printf("%u taken\n", taken);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	unsigned int number = argc > 2 ? atoi(argv[2]) : 0;

	signal(SIGTERM, end);
	if (!strcmp(what, "many"))
		return join_many(number);
	if (!strcmp(what, "silent"))
		return stay_silent(number);
	if (!strcmp(what, "behind"))
		return wait_behind(number);
	if (!strcmp(what, "scribble"))
		return scribble();
	if (!strcmp(what, "churn"))
		return churn();
	if (!strcmp(what, "wrong"))
		return send_wrong(number);
	fprintf(stderr, "usage: see the head of hostile.c\n");
	return 2;
}
