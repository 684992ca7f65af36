// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_threads.c - the thread calls of librcr, from many threads and processes, without and with
 * rcrd, whose list shows their effect.
 */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

#include "board2.h"
#include "rcr_threads.h"

/* More threads than there are slots. */
#define MANY 5000

static bool fails_with(bool ok, int error)
{
	if (!ok && errno == error)
		return true;
	ksft_print_msg("got %s\n", ok ? "true" : strerror(errno));
	return false;
}

static int status_of(pid_t child)
{
	int status = -1;

	waitpid(child, &status, 0);
	return status;
}

/* Fork without the handlers of the C library. */
static pid_t plain_fork(void)
{
	return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

struct sought {
	struct seen s;
	unsigned int found;
};

static void compare_slot(void *arg, const struct seen *s)
{
	struct sought *sought = arg;

	sought->found += s->id == sought->s.id && s->pc == sought->s.pc &&
			 s->wish == sought->s.wish && s->tid == sought->s.tid &&
			 s->pid == sought->s.pid && s->uid == sought->s.uid &&
			 s->state == RCR_THREAD_RUNNING && s->updates == sought->s.updates;
}

/* Return whether the thread is listed exactly once, with these values. */
static bool is_listed(uint64_t id, uint64_t pc, uint64_t wish, uint64_t updates)
{
	struct sought sought;
	int turn;

	for (turn = 0; turn < 500; turn++) {
		sought = (struct sought){ .s = {
			.uid = geteuid(), .pid = getpid(), .tid = syscall(SYS_gettid), .id = id,
			.pc = pc, .wish = wish, .updates = updates } };
		board2_list(getpid(), compare_slot, &sought);
		if (sought.found == 1)
			return true;
		sleep_ns(10000000);
	}
	return false;
}

static void test_without_rcrd(void)
{
	bool ok;

	ok = RCRStartThread(4, 0x400) && RCRUpdateThread(4, 0x401) && rcr_thread_wish(4, 7) &&
	     fails_with(RCRStartThread(4, 1), EEXIST) && !rcr_threads_connect();
	ksft_test_result(ok, "threads: a program can start and update threads without rcrd\n");
	board2_start();
	sleep(1);
	rcr_threads_connect();
	ksft_test_result(is_listed(4, 0x401, 7, 2),
			 "threads: an rcrd that starts later lists the threads\n");
	ksft_test_result(rcr_threads_connect(), "threads: rcrd has sent its page\n");
	ksft_test_result(RCRCompleteThread(4) && !board2_seen(0, 0),
			 "threads: a completed thread is not listed\n");
}

static void test_one(void)
{
	ksft_test_result(RCRStartThread(5, 0x1000) && is_listed(5, 0x1000, 0, 0),
			 "one: a thread that starts is listed\n");
	ksft_test_result(fails_with(RCRStartThread(5, 0x2000), EEXIST) &&
			 is_listed(5, 0x1000, 0, 0), "one: an id cannot be started twice\n");
	ksft_test_result(RCRUpdateThread(5, 0x3000) && rcr_thread_wish(5, 9) &&
			 is_listed(5, 0x3000, 9, 2), "one: location, wish and updates are listed\n");
	ksft_test_result(fails_with(RCRUpdateThread(6, 1), ENOENT) &&
			 fails_with(RCRCompleteThread(6), ENOENT) &&
			 fails_with(rcr_thread_wish(-1, 1), ENOENT),
			 "one: an id that was not started gives ENOENT\n");
	ksft_test_result(RCRCompleteThread(5) && fails_with(RCRCompleteThread(5), ENOENT) &&
			 fails_with(RCRUpdateThread(5, 1), ENOENT) && !board2_seen(0, 0),
			 "one: a thread cannot be completed twice\n");
}

/* Kill the thread for any system call but exit_group(). */
static int forbid_calls(void)
{
	static struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Alternate between two ids, so that the slow path is taken as well. */
static void test_no_call(void)
{
	struct rlimit no_core = { 0, 0 };
	pid_t child = fork();
	int status, i;

	if (!child) {
		setrlimit(RLIMIT_CORE, &no_core);
		if (!RCRStartThread(1, 0) || !RCRStartThread(2, 0) || forbid_calls())
			syscall(SYS_exit_group, 9);
		for (i = 0; i < 1000000; i++)
			if (!RCRUpdateThread(1 + i / 1000 % 2, i) || !rcr_thread_wish(1, i))
				syscall(SYS_exit_group, 8);
		syscall(SYS_exit_group, 0);
	}
	status = status_of(child);
	ksft_test_result(!status, "update: a million updates and wishes make no system calls (%#x)\n",
			 status);
	child = fork();
	if (!child) {
		setrlimit(RLIMIT_CORE, &no_core);
		if (forbid_calls())
			syscall(SYS_exit_group, 9);
		RCRStartThread(1, 0);
		syscall(SYS_exit_group, 0);
	}
	status = status_of(child);
	ksft_test_result(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS,
			 "update: the filter kills a start, which makes a system call\n");
}

static int take_all_slots(void *unused)
{
	int i;

	(void)unused;
	for (i = 2; i <= RCR_THREADS_MAX; i++)
		if (!RCRStartThread(i, 1))
			return 1;
	return 0;
}

/* A task that shares the memory takes all slots and ends unnoticed by the C library. */
static void test_dead(void)
{
	static char stack[65536];
	pid_t child;

	RCRStartThread(1, 0x10);
	child = clone(take_all_slots, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD,
		      NULL);
	ksft_test_result(child > 0 && !status_of(child) &&
			 board2_seen(0, RCR_THREADS_MAX) == RCR_THREADS_MAX,
			 "dead: a task that bypasses the C library takes all slots\n");
	ksft_test_result(RCRStartThread(MANY, 1) && board2_seen(0, 2) == 2 &&
			 is_listed(1, 0x10, 0, 0),
			 "dead: slots of a dead task are freed when a slot is needed\n");
	RCRCompleteThread(1);
	RCRCompleteThread(MANY);
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static unsigned int got_slot, got_none, got_wrong;

static unsigned int count(unsigned int *of)
{
	return __atomic_load_n(of, __ATOMIC_RELAXED);
}

/* Threads without a slot end; the others wait until all have tried. */
static void *one_of_many(void *number)
{
	int id = (int)(uintptr_t)number;

	if (!RCRStartThread(id, 1)) {
		__atomic_fetch_add(errno == ENOSPC ? &got_none : &got_wrong, 1,
				   __ATOMIC_RELAXED);
		return NULL;
	}
	__atomic_fetch_add(&got_slot, 1, __ATOMIC_RELAXED);
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	if (!RCRUpdateThread(id, 2))
		__atomic_fetch_add(&got_wrong, 1, __ATOMIC_RELAXED);
	return NULL;
}

static void test_many(void)
{
	static pthread_t thread[MANY];
	pthread_attr_t attr;
	unsigned int i;
	int seen;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	pthread_mutex_lock(&gate);
	for (i = 0; i < MANY; i++)
		if (pthread_create(&thread[i], &attr, one_of_many, (void *)(uintptr_t)i))
			ksft_exit_fail_msg("no thread %u: %s\n", i, strerror(errno));
	while (count(&got_slot) + count(&got_none) + count(&got_wrong) < MANY)
		sleep_ns(1000000);
	seen = board2_seen(0, RCR_THREADS_MAX);
	pthread_mutex_unlock(&gate);
	for (i = 0; i < MANY; i++)
		pthread_join(thread[i], NULL);
	ksft_test_result(got_slot == RCR_THREADS_MAX && got_none == MANY - RCR_THREADS_MAX &&
			 !got_wrong, "many: of %u threads %u get a slot, %u get ENOSPC and %u another error\n",
			 MANY, got_slot, got_none, got_wrong);
	ksft_test_result(seen == RCR_THREADS_MAX, "many: %d threads are listed\n", seen);
	ksft_test_result(!board2_seen(0, 0), "many: threads that end free their slots\n");
}

static void *come_and_go(void *number)
{
	int id = (int)(uintptr_t)number, i;

	for (i = 0; i < 2000; i++)
		if (!RCRStartThread(id, i) || !RCRUpdateThread(id, i + 1) ||
		    !fails_with(RCRStartThread(id, i), EEXIST) || !RCRCompleteThread(id))
			return NULL;
	return number;
}

static void test_at_once(void)
{
	unsigned int i, bad = 0;
	pthread_t thread[8];
	void *ret;

	for (i = 0; i < 8; i++)
		pthread_create(&thread[i], NULL, come_and_go, (void *)(uintptr_t)(i + 1));
	for (i = 0; i < 8; i++) {
		pthread_join(thread[i], &ret);
		bad += !ret;
	}
	ksft_test_result(!bad && !board2_seen(0, 0),
			 "many: eight concurrent threads get different slots\n");
}

/* In a child: start the same ids. The parent has id 1 at 0x10. */
static int act_as_child(void)
{
	if (!fails_with(RCRUpdateThread(1, 0x20), ENOENT) ||
	    !fails_with(rcr_thread_wish(1, 3), ENOENT))
		return 1;
	if (!RCRStartThread(1, 0x30) || !RCRUpdateThread(1, 0x40))
		return 2;
	return is_listed(1, 0x40, 0, 1) ? 0 : 3;
}

static void test_fork(void)
{
	unsigned int files;
	pid_t child;

	RCRStartThread(1, 0x10);
	child = fork();
	if (!child)
		_exit(act_as_child());
	ksft_test_result(!status_of(child) && is_listed(1, 0x10, 0, 0) && !board2_seen(child, 0),
			 "fork: a child has its own slots, those of the parent are unchanged\n");
	child = plain_fork();
	if (!child)
		_exit(act_as_child());
	ksft_test_result(!status_of(child) && is_listed(1, 0x10, 0, 0) && board2_seen(0, 1) == 1,
			 "fork: a child of a raw clone() has its own slots as well\n");
	files = board2_files(getpid());
	child = fork();
	if (!child)
		_exit(board2_files(getpid()) != files - 2);
	ksft_test_result(!status_of(child), "fork: a child closes the descriptors of its parent\n");
	RCRCompleteThread(1);
}

static void *start_cancelled(void *unused)
{
	pthread_cancel(pthread_self());
	RCRStartThread(1, 0x10);
	pthread_testcancel();
	return unused;
}

/* Run in a child, so that the cancelled call is the first one, which connects. */
static void test_cancelled(void)
{
	pthread_t thread;
	pid_t child;
	void *end;

	fflush(stdout);
	child = fork();
	if (!child) {
		alarm(20);
		_exit(!(!pthread_create(&thread, NULL, start_cancelled, "") &&
			!pthread_join(thread, &end) && end == PTHREAD_CANCELED &&
			RCRStartThread(2, 0x20) && RCRCompleteThread(2)));
	}
	ksft_test_result(!status_of(child), "cancelled: a thread that is cancelled in a call does not keep a lock\n");
}

/* Return the descriptor of librcr whose link begins with @kind. */
static int descriptor(const char *kind)
{
	char path[64], name[64];
	ssize_t got;
	int fd;

	for (fd = 3; fd < 100; fd++) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		got = readlink(path, name, sizeof(name) - 1);
		if (got > 0 && !strncmp(name, kind, strlen(kind)))
			return fd;
	}
	return -1;
}

/* A program closes a descriptor of the library; its next open() reuses the number. */
static void test_closed(void)
{
	int memory, socket;
	pid_t child;

	RCRStartThread(1, 0x10);
	rcr_threads_connect();
	memory = descriptor("/memfd:rcr-threads");
	socket = descriptor("socket:");
	close(memory);
	close(socket);
	ksft_test_result(memory >= 0 && socket >= 0 &&
			 dup2(open("/dev/null", O_RDWR | O_CLOEXEC), memory) == memory &&
			 dup2(memory, socket) == socket && RCRUpdateThread(1, 0x50) &&
			 RCRStartThread(2, 0x60) && RCRCompleteThread(2) &&
			 fcntl(memory, F_GETFD) >= 0 && fcntl(socket, F_GETFD) >= 0,
			 "closed: calls succeed after a program has closed librcr's descriptors\n");
	child = fork();
	if (!child)
		_exit(!(fcntl(memory, F_GETFD) >= 0 && fcntl(socket, F_GETFD) >= 0 &&
			RCRStartThread(1, 1) && is_listed(1, 1, 0, 0)));
	ksft_test_result(!status_of(child),
			 "closed: librcr does not close descriptors that reuse the numbers\n");
	RCRCompleteThread(1);
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(23);
	board2_begin();
	test_without_rcrd();
	test_one();
	test_no_call();
	/* First, because librcr searches for dead slots only once per second. */
	test_dead();
	test_many();
	test_at_once();
	test_fork();
	test_cancelled();
	test_closed();
	ksft_print_msg("rcrd exits with status %#x\n", board2_stop(SIGTERM));
	board2_end();
	ksft_finished();
}
