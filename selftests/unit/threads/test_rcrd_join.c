// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_rcrd_join.c - rcrd's checks of input from a client of blackboard 2: the message, the
 * memfd and its contents, and the process.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ksft.h"
#include "threads/join.h"
#include "threads/peer.h"
#include "threads/slots.h"

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

static uint64_t random_number(void)
{
	static uint64_t x = 88172645463325252ull;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

/* Parse a heap copy of exactly @size bytes, so that the sanitizer catches reads beyond it. */
static int parse_copy(const void *bytes, size_t size)
{
	struct rcr_join join;
	void *copy = malloc(size ? size : 1);
	int ret;

	memcpy(copy, bytes, size);
	ret = join_parse(copy, size, &join);
	free(copy);
	return ret;
}

static struct {
	struct rcr_join join;
	char more[JOIN_MAX];
} message;

static struct rcr_join *good_message(void)
{
	memset(&message, 0, sizeof(message));
	message.join = (struct rcr_join){
		.size = sizeof(message.join), .version = RCR_BOARD2_VERSION,
		.compat_version = RCR_BOARD2_COMPAT_VERSION, .start_time = 17,
	};
	return &message.join;
}

static void test_message(void)
{
	struct rcr_join *j = good_message();
	unsigned int wrong = 0, i;
	size_t size;

	ksft_test_result(!parse_copy(j, sizeof(*j)), "message: a valid message is taken\n");
	for (size = 0; size < sizeof(message); size++)
		wrong += size != sizeof(*j) && parse_copy(j, size) != -EINVAL;
	ksft_test_result(!wrong, "message: a wrong length is refused\n");
	j->size = sizeof(*j) + 8;
	j->version = RCR_BOARD2_VERSION + 5;
	ksft_test_result(!parse_copy(j, sizeof(*j) + 8),
			 "message: a longer message of a later version is taken if its unknown members are 0\n");
	message.more[7] = 1;
	ksft_test_result(parse_copy(j, sizeof(*j) + 8) == -EPROTO,
			 "message: an unknown member other than 0 gives EPROTO\n");
	j = good_message();
	j->compat_version = RCR_BOARD2_VERSION + 1;
	wrong = parse_copy(j, sizeof(*j)) != -EPROTO;
	j = good_message();
	j->version = RCR_BOARD2_COMPAT_VERSION - 1;
	wrong += parse_copy(j, sizeof(*j)) != -EPROTO;
	j = good_message();
	j->pad = 1;
	wrong += parse_copy(j, sizeof(*j)) != -EINVAL;
	ksft_test_result(!wrong, "message: wrong versions and padding are refused\n");
	for (i = 0; i < 100000; i++) {
		for (size = 0; size < sizeof(message); size++)
			((char *)&message)[size] = random_number();
		parse_copy(&message, random_number() % (sizeof(message) + 1));
	}
	ksft_test_result(true, "message: random bytes are refused without invalid accesses\n");
}

static int make_memfd(unsigned int flags, off_t size, int seals)
{
	int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING | flags);

	if (fd < 0 || ftruncate(fd, size) || (seals && fcntl(fd, F_ADD_SEALS, seals)))
		ksft_exit_fail_msg("no memfd: %s\n", strerror(errno));
	return fd;
}

/* Check the memfd and close it; return the result of the check. */
static int check_once(int fd)
{
	int ret = fd < 0 ? -1 : slots_check(fd);

	close(fd);
	return ret;
}

static int write_only(int fd)
{
	char path[64];
	int other;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	other = open(path, O_WRONLY);
	close(fd);
	return other;
}

static int path_only(int fd)
{
	char path[64];
	int other;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	other = open(path, O_PATH);
	close(fd);
	return other;
}

static void test_memfd(void)
{
	int pipes[2], pair[2];

	if (pipe(pipes) || socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair))
		ksft_exit_fail_msg("no pipe\n");
	ksft_test_result(!check_once(make_memfd(0, RCR_SLOTS_BYTES, SEALS)) &&
			 !check_once(make_memfd(0, 4096, SEALS)) &&
			 !check_once(make_memfd(0, RCR_SLOTS_BYTES, SEALS | F_SEAL_FUTURE_WRITE)),
			 "memfd: a sealed memfd is taken\n");
	ksft_test_result(check_once(make_memfd(0, RCR_SLOTS_BYTES, 0)) == -EINVAL &&
			 check_once(make_memfd(0, RCR_SLOTS_BYTES, SEALS & ~F_SEAL_SHRINK)) == -EINVAL &&
			 check_once(make_memfd(0, RCR_SLOTS_BYTES, SEALS & ~F_SEAL_GROW)) == -EINVAL &&
			 check_once(make_memfd(0, RCR_SLOTS_BYTES, SEALS & ~F_SEAL_SEAL)) == -EINVAL,
			 "memfd: each missing seal of the three gives EINVAL\n");
	ksft_test_result(check_once(make_memfd(0, RCR_SLOTS_BYTES + 1, SEALS)) == -EINVAL &&
			 check_once(make_memfd(0, 0, SEALS)) == -EINVAL &&
			 check_once(make_memfd(0, 31, SEALS)) == -EINVAL &&
			 check_once(make_memfd(0, 1ll << 40, SEALS)) == -EINVAL,
			 "memfd: a size that is too large or too small gives EINVAL\n");
	ksft_test_result(check_once(make_memfd(MFD_HUGETLB, 2 << 20, SEALS)) == -EINVAL &&
			 check_once(make_memfd(MFD_HUGETLB, 0, SEALS)) == -EINVAL,
			 "memfd: huge pages give EINVAL\n");
	ksft_test_result(check_once(write_only(make_memfd(0, 4096, SEALS))) == -EINVAL &&
			 check_once(path_only(make_memfd(0, 4096, SEALS))) == -EINVAL,
			 "memfd: a descriptor that is not readable gives EINVAL\n");
	ksft_test_result(check_once(pipes[0]) == -EINVAL && check_once(pair[0]) == -EINVAL &&
			 check_once(open("/dev/zero", O_RDWR)) == -EINVAL &&
			 check_once(open("/proc/self/mem", O_RDONLY)) == -EINVAL &&
			 check_once(open("/", O_RDONLY)) == -EINVAL &&
			 check_once(open("/dev/shm", O_RDWR | O_TMPFILE, 0600)) &&
			 check_once(open("/proc/self/exe", O_RDONLY)) == -EINVAL,
			 "memfd: a descriptor of anything else gives EINVAL\n");
}

static struct rcr_slots good_head(void)
{
	return (struct rcr_slots){
		.magic = RCR_SLOTS_MAGIC, .version = RCR_BOARD2_VERSION,
		.compat_version = RCR_BOARD2_COMPAT_VERSION, .size = sizeof(struct rcr_slots),
		.slot_size = 64, .slot_offset = 4096, .slots = RCR_THREADS_MAX,
	};
}

static bool is_within(const struct slots_form *f)
{
	return f->size >= sizeof(struct rcr_thread) &&
	       f->offset + (uint64_t)f->count * f->size <= RCR_SLOTS_BYTES;
}

static void test_head(void)
{
	struct rcr_slots h = good_head();
	struct slots_form f;
	unsigned int wrong = 0, i;

	ksft_test_result(slots_parse(&h, &f) && f.count == RCR_THREADS_MAX && f.size == 64 &&
			 f.offset == 4096, "head: a valid head is read\n");
	h.slot_size = 128;
	h.slots = UINT32_MAX;
	ksft_test_result(slots_parse(&h, &f) && f.count == RCR_THREADS_MAX / 2 && is_within(&f),
			 "head: larger slots of a later version are read\n");
	h = good_head();
	h.slot_size = 63;
	wrong += slots_parse(&h, &f);
	h.slot_size = 257;
	wrong += slots_parse(&h, &f);
	h = good_head();
	h.slot_offset = RCR_SLOTS_BYTES + 1;
	wrong += slots_parse(&h, &f);
	h = good_head();
	h.magic++;
	wrong += slots_parse(&h, &f);
	h = good_head();
	h.compat_version = RCR_BOARD2_VERSION + 1;
	wrong += slots_parse(&h, &f);
	ksft_test_result(!wrong, "head: an invalid head is refused\n");
	for (i = 0; i < 1000000; i++) {
		h = good_head();
		h.slot_size = random_number() % 2 ? random_number() % 300 : random_number();
		h.slot_offset = random_number() % 2 ? random_number() % 300000 : random_number();
		h.slots = random_number();
		wrong += slots_parse(&h, &f) && !is_within(&f);
	}
	ksft_test_result(!wrong, "head: no contents of the head place a slot outside of the memfd\n");
}

static void test_slots(void)
{
	static struct slots_reader reader;
	int fd = make_memfd(0, RCR_SLOTS_BYTES, SEALS);
	int small = make_memfd(0, 4096 + 10 * 64 + 13, SEALS);
	struct rcr_thread slot = { .state = RCR_THREAD_RUNNING, .tid = 5, .id = 6, .pc = 7 }, got;
	struct rcr_slots h = good_head();
	unsigned int n = 0, all = 0;
	struct slots_form f;

	if (pwrite(fd, &h, sizeof(h), 0) != sizeof(h) ||
	    pwrite(small, &h, sizeof(h), 0) != sizeof(h) ||
	    pwrite(fd, &slot, sizeof(slot), 4096 + 4095 * 64) != sizeof(slot))
		ksft_exit_fail_msg("not written: %s\n", strerror(errno));
	ksft_test_result(slots_read_form(fd, &f) && slots_read(&reader, fd, &f, 4095) == 1 &&
			 (slots_get(&reader, &f, 0, &got), !memcmp(&got, &slot, sizeof(got))) &&
			 !slots_read(&reader, fd, &f, 4096) &&
			 !slots_read(&reader, fd, &f, UINT32_MAX),
			 "slots: the last slot is read, and nothing after it\n");
	while ((n = slots_read(&reader, fd, &f, all)))
		all += n;
	ksft_test_result(all == RCR_THREADS_MAX, "slots: all %u slots are read\n", all);
	ksft_test_result(!fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
				    RCR_SLOTS_BYTES) &&
			 slots_read(&reader, fd, &f, 4000) == 96 &&
			 (slots_get(&reader, &f, 95, &got), got.state == RCR_THREAD_FREE) &&
			 !slots_read_form(fd, &f),
			 "slots: punched holes read as free slots, or as an invalid head\n");
	ksft_test_result(slots_read_form(small, &f) && slots_read(&reader, small, &f, 0) == 10 &&
			 !slots_read(&reader, small, &f, 10),
			 "slots: only whole slots of a smaller memfd are read\n");
	ksft_test_result(ftruncate(fd, 0) && ftruncate(fd, RCR_SLOTS_BYTES * 2),
			 "slots: a sealed memfd cannot be resized\n");
	close(fd);
	close(small);
}

static uint64_t start_time_of(pid_t pid)
{
	char path[64], text[1024];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY);
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[got > 0 ? got : 0] = 0;
	return peer_parse_stat(text);
}

static void test_process(void)
{
	struct peer p = { .uid = geteuid(), .pid = getpid(), .start_time = start_time_of(getpid()) };
	struct peer other;
	pid_t child;

	ksft_test_result(peer_parse_stat("7 (a) b) R 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20") == 4711 &&
			 !peer_parse_stat("7 (a) R 1 2 3") && !peer_parse_stat("") &&
			 !peer_parse_stat(")") && p.start_time,
			 "process: the start time is field 22 even if the name has blanks and parentheses\n");
	ksft_test_result(peer_is_process(&p), "process: a running process is recognized\n");
	other = p;
	other.start_time++;
	ksft_test_result(!peer_is_process(&other),
			 "process: a later process with the same id is not recognized\n");
	other = p;
	other.uid++;
	ksft_test_result(!peer_is_process(&other), "process: a process of another user is not recognized\n");
	other = p;
	other.start_time = 0;
	ksft_test_result(!peer_is_process(&other),
			 "process: a process without a start time is not recognized\n");
	child = fork();
	if (!child) {
		pause();
		_exit(0);
	}
	other = (struct peer){ geteuid(), child, start_time_of(child) };
	ksft_test_result(peer_is_process(&other), "process: a child is recognized\n");
	kill(child, SIGKILL);
	waitid(P_PID, child, NULL, WEXITED | WNOWAIT);
	ksft_test_result(!peer_is_process(&other), "process: a child that has ended is not recognized\n");
	waitpid(child, NULL, 0);
	other.pid = 0;
	p.pid = -1;
	ksft_test_result(!peer_is_process(&other) && !peer_is_process(&p),
			 "process: invalid ids, as of other namespaces, are not recognized\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(6 + 6 + 4 + 5 + 8);
	test_message();
	test_memfd();
	test_head();
	test_slots();
	test_process();
	ksft_finished();
}
