// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_thread_join.c - librcr connects to a fake rcrd that does not answer, sends garbage or
 * unsealed pages, or tries to write to the program's memory. The program runs in a child, whose
 * calls must succeed.
 */
#define _GNU_SOURCE
#include <stddef.h>

#include "board2.h"
#include "descriptors.h"
#include "rcr_threads.h"
#include "threads/join.h"

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL)

static const struct rcr_verdicts good_page = {
	.magic = RCR_VERDICTS_MAGIC, .version = RCR_BOARD2_VERSION,
	.compat_version = RCR_BOARD2_COMPAT_VERSION, .size = sizeof(good_page),
};

static const struct rcr_welcome good_welcome = {
	.size = sizeof(good_welcome), .version = RCR_BOARD2_VERSION,
	.compat_version = RCR_BOARD2_COMPAT_VERSION,
};

static int make_page(unsigned int flags, off_t size, int seals, const struct rcr_verdicts *page)
{
	int fd = memfd_create("fake", MFD_CLOEXEC | MFD_ALLOW_SEALING | flags);

	if (fd < 0 || ftruncate(fd, size))
		return -1;
	if (size >= (off_t)sizeof(*page) && !flags &&
	    pwrite(fd, page, sizeof(*page), 0) != sizeof(*page))
		return -1;
	return seals && fcntl(fd, F_ADD_SEALS, seals) ? -1 : fd;
}

static int listen_fake(int backlog)
{
	int fd;
	struct why why;

	fd = clients_bind(RCR_BOARD2_SOCKET, &why);
	if (fd < 0 || fcntl(fd, F_SETFL, 0) || listen(fd, backlog))
		ksft_exit_fail_msg("no socket\n");
	return fd;
}

/* Receive the program's memfd. */
static int take_memory(int fd)
{
	char bytes[JOIN_MAX];
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec part = { bytes, sizeof(bytes) };
	struct msghdr m = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	int memory = -1;

	if (recvmsg(fd, &m, 0) > 0 && CMSG_FIRSTHDR(&m))
		memcpy(&memory, CMSG_DATA(&control.head), sizeof(memory));
	return memory;
}

/*
 * A program whose calls must succeed whatever rcrd does. It maps or refuses the page of the
 * answer. Return 0, or 10 if connected; 1 if a call failed, 2 if a descriptor leaked.
 */
static int act_as_program(void)
{
	unsigned int files = board2_files(getpid()), turn;
	bool is_connected = false;

	for (turn = 0; turn < 30; turn++) {
		if (!RCRStartThread(1, 5) || !RCRUpdateThread(1, 6) || !rcr_thread_wish(1, 7) ||
		    !RCRCompleteThread(1))
			return 1;
		is_connected = rcr_threads_connect();
		sleep_ns(5000000);
	}
	/* Only its memfd and a socket may be open in addition. */
	if (board2_files(getpid()) > files + 2)
		return 2;
	return is_connected ? 10 : 0;
}

static pid_t start_program(void)
{
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		/* Calls must not block: die of SIGALRM if one does. */
		alarm(20);
		_exit(act_as_program());
	}
	return child;
}

static int end_program(pid_t child)
{
	int status = -1;

	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* Send an answer with descriptors to a new program, and close them; return its exit status. */
static int end_with_fds(const void *bytes, size_t size, const int *fds, size_t count)
{
	int listener = listen_fake(5), fd, memory, ret;
	pid_t child = start_program();
	size_t i;

	fd = accept(listener, NULL, NULL);
	memory = take_memory(fd);
	if (memory < 0)
		return -1;
	send_with_descriptors(fd, bytes, size, fds, count);
	ret = end_program(child);
	for (i = 0; i < count; i++)
		close(fds[i]);
	close(memory);
	close(fd);
	close(listener);
	return ret;
}

static int end_with(int page)
{
	return page < 0 ? -1 : end_with_fds(&good_welcome, sizeof(good_welcome), &page, 1);
}

static void test_silence(void)
{
	int listener, fd, ret;
	pid_t child;

	unlink(RCR_BOARD2_SOCKET);
	ksft_test_result(!end_program(start_program()),
			 "silence: a program runs without a socket\n");
	listener = listen_fake(0);
	fd = board2_connect(RCR_BOARD2_SOCKET);
	ret = end_program(start_program());
	ksft_test_result(!ret, "silence: a program runs if the queue of rcrd is full\n");
	close(fd);
	close(accept(listener, NULL, NULL));
	child = start_program();
	fd = accept(listener, NULL, NULL);
	ret = end_program(child);
	ksft_test_result(!ret, "silence: a program runs if rcrd never answers\n");
	close(fd);
	close(listener);
	ret = end_program(start_program());
	ksft_test_result(!ret, "silence: a program runs if only the socket is left\n");
	listener = listen_fake(5);
	child = start_program();
	close(accept(listener, NULL, NULL));
	ret = end_program(child);
	ksft_test_result(!ret, "silence: a program runs if rcrd closes at once\n");
	close(listener);
}

static void test_pages(void)
{
	struct rcr_verdicts odd = good_page;
	unsigned int wrong = 0, i;
	static const int seals[] = {
		F_SEAL_SHRINK, F_SEAL_GROW, F_SEAL_FUTURE_WRITE, F_SEAL_SEAL,
	};
	int two[2], pipes[2];

	ksft_test_result(end_with(make_page(0, 4096, SEALS, &good_page)) == 10,
			 "page: a valid page is taken\n");
	wrong += end_with(make_page(0, 4096, 0, &good_page)) != 0;
	for (i = 0; i < sizeof(seals) / sizeof(seals[0]); i++)
		wrong += end_with(make_page(0, 4096, SEALS & ~seals[i], &good_page)) != 0;
	ksft_test_result(!wrong, "page: a page without any one of the four seals is refused\n");
	ksft_test_result(!end_with(make_page(0, 4095, SEALS, &good_page)) &&
			 !end_with(make_page(0, 0, SEALS, &good_page)),
			 "page: a page that is too small is refused\n");
	ksft_test_result(!end_with(make_page(MFD_HUGETLB, 2 << 20, SEALS, &good_page)),
			 "page: a huge page is refused\n");
	odd.magic++;
	wrong += end_with(make_page(0, 4096, SEALS, &odd)) != 0;
	odd = good_page;
	odd.compat_version = RCR_BOARD2_VERSION + 1;
	wrong += end_with(make_page(0, 4096, SEALS, &odd)) != 0;
	odd.version = 0;
	wrong += end_with(make_page(0, 4096, SEALS, &odd)) != 0;
	ksft_test_result(!wrong, "page: an unknown version and a wrong magic are refused\n");
	odd = good_page;
	memset(&odd.heartbeat, 0xff, sizeof(odd) - offsetof(struct rcr_verdicts, heartbeat));
	ksft_test_result(end_with(make_page(0, 4096, SEALS, &odd)) == 10,
			 "page: contents other than the heartbeat are ignored\n");
	if (pipe(pipes))
		ksft_exit_fail_msg("no pipe\n");
	close(pipes[1]);
	ksft_test_result(!end_with(pipes[0]) && !end_with(open("/dev/zero", O_RDWR)) &&
			 !end_with(open("/proc/self/exe", O_RDONLY)),
			 "page: a descriptor other than a memfd is refused\n");
	two[0] = make_page(0, 4096, SEALS, &good_page);
	two[1] = dup(two[0]);
	ksft_test_result(end_with_fds(&good_welcome, sizeof(good_welcome), two, 2) == 10,
			 "page: the first of several descriptors is used, the others are closed\n");
}

static void test_answers(void)
{
	struct rcr_welcome w = good_welcome;
	unsigned char bytes[256];
	unsigned int i, wrong = 0;
	int page;

	ksft_test_result(!end_with_fds(&w, sizeof(w), NULL, 0),
			 "answer: an answer without a page is refused\n");
	w.error = EUSERS;
	page = make_page(0, 4096, SEALS, &good_page);
	ksft_test_result(!end_with_fds(&w, sizeof(w), &page, 1),
			 "answer: an error with a page is refused\n");
	page = make_page(0, 4096, SEALS, &good_page);
	ksft_test_result(!end_with_fds(&good_welcome, 4, &page, 1),
			 "answer: a truncated answer is refused\n");
	for (i = 0; i < 8; i++) {
		memset(bytes, 17 + i * 31, sizeof(bytes));
		page = make_page(0, 4096, SEALS, &good_page);
		wrong += end_with_fds(bytes, 1 + i * 30, &page, 1) != 0;
	}
	ksft_test_result(!wrong, "answer: random bytes are refused\n");
}

/* Try to write to, shrink and grow the program's memory, as a malicious rcrd could. */
static bool is_harmless(int memory)
{
	char path[64];
	void *at;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", memory);
	fd = open(path, O_RDWR);
	at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	return at == MAP_FAILED && pwrite(memory, "x", 1, 4096) < 0 && pwrite(fd, "x", 1, 0) < 0 &&
	       ftruncate(memory, 0) && ftruncate(memory, 1 << 20) &&
	       fallocate(memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096) &&
	       fcntl(memory, F_ADD_SEALS, F_SEAL_WRITE);
}

static void test_harm(void)
{
	int listener = listen_fake(5), page = make_page(0, 4096, 0, &good_page), fd, memory;
	bool harmless, kept;
	pid_t child;
	void *at;

	/* Map the page before it is sealed, as rcrd does. */
	at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, page, 0);
	if (at == MAP_FAILED || fcntl(page, F_ADD_SEALS, SEALS))
		ksft_exit_fail_msg("no page\n");
	child = start_program();
	fd = accept(listener, NULL, NULL);
	memory = take_memory(fd);
	harmless = memory >= 0 && is_harmless(memory);
	send_with_descriptors(fd, &good_welcome, sizeof(good_welcome), &page, 1);
	kept = ftruncate(page, 0) && madvise(at, 4096, MADV_REMOVE) &&
	       fallocate(page, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096);
	memset(at, 0xff, 4096);
	munmap(at, 4096);
	close(fd);
	close(listener);
	ksft_test_result(harmless, "harm: rcrd cannot write to the program's memory, or shrink it\n");
	ksft_test_result(kept && end_program(child) >= 0,
			 "harm: rcrd cannot remove the contents of its page\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(5 + 8 + 4 + 2);
	board2_begin();
	/* Limits how long the test waits for a program. */
	alarm(120);
	test_silence();
	test_pages();
	test_answers();
	test_harm();
	board2_end();
	ksft_finished();
}
