// SPDX-License-Identifier: GPL-2.0-only
/*
 * crowd.c [absent|denied] - the thread calls of librcr, by a crowd of threads and
 * processes; or without the module; or by who may not. Root's view is the witness.
 */
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>

#include "ksft.h"
#include "rcr_threads.h"
#include "slots.h"

#define CROWD 10000

static bool no(bool ok, int error)
{
	if (!ok && errno == error)
		return true;
	ksft_print_msg("got %s\n", ok ? "true" : strerror(errno));
	return false;
}

static void test_nothing(int error, const char *why)
{
	ksft_set_plan(1);
	ksft_test_result(no(RCRStartThread(1, 2), error) && no(RCRUpdateThread(1, 2), ENOENT) &&
			 no(rcr_thread_wish(1, 2), ENOENT) && no(RCRCompleteThread(1), ENOENT) &&
			 no(RCRStartThread(1, 2), error), "%s, each call says so\n", why);
	ksft_finished();
}

static bool stands(int id, uint64_t pc, uint64_t wish)
{
	char line[256];

	snprintf(line, sizeof(line),
		 "tgid %d tid %ld id %d pc 0x%" PRIx64 " state running wish 0x%" PRIx64 "\n",
		 getpid(), syscall(SYS_gettid), id, pc, wish);
	return seen(line) == 1;
}

static void test_one(void)
{
	ksft_test_result(RCRStartThread(5, 0x1000) && stands(5, 0x1000, 0),
			 "a thread that starts is seen\n");
	ksft_test_result(no(RCRStartThread(5, 0x2000), EEXIST) && stands(5, 0x1000, 0),
			 "it does not start twice\n");
	ksft_test_result(RCRUpdateThread(5, 0x3000) && rcr_thread_wish(5, 9) &&
			 stands(5, 0x3000, 9), "it goes on, and wishes\n");
	ksft_test_result(no(RCRUpdateThread(6, 1), ENOENT) && no(RCRCompleteThread(6), ENOENT) &&
			 no(rcr_thread_wish(-1, 1), ENOENT),
			 "what was not started is ENOENT\n");
	ksft_test_result(RCRCompleteThread(5) && no(RCRCompleteThread(5), ENOENT) &&
			 no(RCRUpdateThread(5, 1), ENOENT) && !seen_of(getpid()),
			 "it ends once\n");
}

static pthread_barrier_t all_tried;
static unsigned int got, full, odd;

/* Who gets no slot is done; the others stay until everybody has tried. */
static void *one_of_crowd(void *number)
{
	int id = (int)(uintptr_t)number;

	if (RCRStartThread(id, 1)) {
		__atomic_fetch_add(&got, 1, __ATOMIC_RELAXED);
		pthread_barrier_wait(&all_tried);
		if (!RCRUpdateThread(id, 2))
			__atomic_fetch_add(&odd, 1, __ATOMIC_RELAXED);
		pthread_barrier_wait(&all_tried);
	} else {
		__atomic_fetch_add(errno == ENOSPC ? &full : &odd, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static void test_crowd(void)
{
	static pthread_t thread[CROWD];
	pthread_attr_t attr;
	unsigned int i, seen_then;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 32768);
	pthread_barrier_init(&all_tried, NULL, RCR_THREADS_MAX + 1);
	for (i = 0; i < CROWD; i++)
		if (pthread_create(&thread[i], &attr, one_of_crowd, (void *)(uintptr_t)i))
			ksft_exit_fail_msg("no thread %u: %s\n", i, strerror(errno));
	pthread_barrier_wait(&all_tried);
	seen_then = seen_of(getpid());
	pthread_barrier_wait(&all_tried);
	for (i = 0; i < CROWD; i++)
		pthread_join(thread[i], NULL);
	ksft_test_result(got == RCR_THREADS_MAX && full == CROWD - RCR_THREADS_MAX && !odd,
			 "of %u threads %u get a slot, %u get ENOSPC, and %u else\n", CROWD, got,
			 full, odd);
	ksft_test_result(seen_then == RCR_THREADS_MAX, "%u are seen\n", seen_then);
	ksft_test_result(!seen_of(getpid()), "threads that end leave their slots\n");
}

static void test_full(void)
{
	int i, started = 0;

	while (started < CROWD && RCRStartThread(started, 1))
		started++;
	ksft_test_result(started == RCR_THREADS_MAX && errno == ENOSPC &&
			 seen_of(getpid()) == RCR_THREADS_MAX,
			 "one thread may have %d ids\n", started);
	ksft_test_result(RCRCompleteThread(2000) && RCRStartThread(CROWD, 1) &&
			 no(RCRStartThread(CROWD + 1, 1), ENOSPC),
			 "what one leaves another one gets\n");
	RCRCompleteThread(CROWD);
	for (i = 0; i < started; i++)
		RCRCompleteThread(i);
	ksft_test_result(!seen_of(getpid()), "and all are left\n");
}

static void *comes_and_goes(void *number)
{
	int id = (int)(uintptr_t)number, i;

	for (i = 0; i < 2000; i++)
		if (!RCRStartThread(id, i) || !RCRUpdateThread(id, i + 1) ||
		    !no(RCRStartThread(id, i), EEXIST) || !RCRCompleteThread(id))
			return NULL;
	return number;
}

static void test_at_once(void)
{
	unsigned int i, bad = 0;
	pthread_t thread[8];
	void *ret;

	for (i = 0; i < 8; i++)
		pthread_create(&thread[i], NULL, comes_and_goes, (void *)(uintptr_t)(i + 1));
	for (i = 0; i < 8; i++) {
		pthread_join(thread[i], &ret);
		bad += !ret;
	}
	ksft_test_result(!bad && !seen_of(getpid()),
			 "eight that come and go at once do not meet\n");
}

static int status_of(pid_t child)
{
	int status = -1;

	waitpid(child, &status, 0);
	return status;
}

/* Each child has a blackboard of its own, and its parent's is as it was. */
static void test_fork(void)
{
	pid_t child;

	RCRStartThread(1, 0x10);
	child = fork();
	if (!child)
		_exit(!(no(RCRUpdateThread(1, 0x20), ENOENT) && RCRStartThread(1, 0x30) &&
			RCRUpdateThread(1, 0x40) && stands(1, 0x40, 0) &&
			seen_of(getppid()) == 1));
	ksft_test_result(!status_of(child) && stands(1, 0x10, 0) && !seen_of(child),
			 "a child has its own, which goes with it\n");
	RCRCompleteThread(1);
}

/* The descriptor that librcr has opened. */
static int descriptor(void)
{
	struct stat device, st;
	int fd;

	stat(BOARD, &device);
	for (fd = 3; fd < 100; fd++)
		if (!fstat(fd, &st) && S_ISCHR(st.st_mode) && st.st_rdev == device.st_rdev)
			return fd;
	return -1;
}

/* A program that closes what it did not open, and then opens something of its own. */
static void test_closed(void)
{
	int fd = descriptor();
	pid_t child;

	RCRStartThread(1, 0x10);
	close(fd);
	ksft_test_result(fd >= 0 && open("/dev/null", O_RDWR) == fd && RCRUpdateThread(1, 0x50) &&
			 stands(1, 0x50, 0), "a descriptor that is closed is missed by nobody\n");
	child = fork();
	if (!child)
		_exit(!(fcntl(fd, F_GETFD) >= 0 && RCRStartThread(1, 1) && stands(1, 1, 0)));
	ksft_test_result(!status_of(child), "and what has its number now is left alone\n");
	RCRCompleteThread(1);
}

/* Slots that a child took that shares the pages, and that died without a word. */
static void test_buried(void)
{
	unsigned int dead, left;
	pid_t child;
	int i;

	RCRStartThread(1, 0x10);
	child = plain_fork();
	if (!child) {
		for (i = 2; i <= RCR_THREADS_MAX; i++)
			if (!RCRStartThread(i, 1))
				_exit(1);
		_exit(RCRStartThread(i, 1));
	}
	ksft_test_result(!status_of(child), "a child takes all of its parent's slots\n");
	dead = seen_of(getpid());
	ksft_test_result(dead == RCR_THREADS_MAX && RCRStartThread(CROWD, 1),
			 "of %u the dead's are free as soon as one is wanted (%s)\n", dead,
			 strerror(errno));
	left = seen_of(getpid());
	ksft_test_result(left == 2 && stands(1, 0x10, 0), "then there are %u, the living\n", left);
	RCRCompleteThread(1);
	RCRCompleteThread(CROWD);
}

int main(int argc, char **argv)
{
	ksft_print_header();
	if (argc > 1 && !strcmp(argv[1], "absent"))
		test_nothing(ENOENT, "without the module");
	if (argc > 1 && !strcmp(argv[1], "denied"))
		test_nothing(EACCES, "to who may not open the device");
	ksft_set_plan(18);
	test_one();
	/* Before the dead are looked for the first time. */
	test_buried();
	test_crowd();
	test_full();
	test_at_once();
	test_fork();
	test_closed();
	ksft_finished();
}
