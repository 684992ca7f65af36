// SPDX-License-Identifier: GPL-2.0-only
/*
 * placed.c COUNT [restarts] - a program of COUNT threads that use blackboard 2 through librcr.
 *
 * Thread N has id N, place 0x400000 + N and wish N. Once all threads have started it prints its
 * process id and the id of each thread; the threads update their entries until SIGTERM. The main
 * thread calls rcr_threads_connect() ten times a second. At the end it prints how many updates
 * failed and, with "restarts", how often it has reconnected.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "rcr_threads.h"

#define MOST 64

static volatile sig_atomic_t ended;
static pthread_barrier_t started;
static unsigned int failed;
static long tids[MOST];

static void end(int unused)
{
	(void)unused;
	ended = 1;
}

static void pause_ms(unsigned int ms)
{
	struct timespec t = { 0, ms * 1000000l };

	nanosleep(&t, NULL);
}

static void *work(void *number)
{
	int id = (int)(long)number;
	bool ok = RCRStartThread(id, 0) && rcr_thread_wish(id, id);

	tids[id - 1] = syscall(SYS_gettid);
	pthread_barrier_wait(&started);
	while (!ended) {
		ok = RCRUpdateThread(id, 0x400000 + id) && ok;
		pause_ms(10);
	}
	if (!RCRCompleteThread(id) || !ok)
		__atomic_fetch_add(&failed, 1, __ATOMIC_RELAXED);
	return NULL;
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? atoi(argv[1]) : 0, i;
	bool restarts = argc > 2 && !strcmp(argv[2], "restarts"), is = false, was;
	pthread_t thread[MOST];
	unsigned int times = 0;

	if (count < 1 || count > MOST)
		return 2;
	signal(SIGTERM, end);
	pthread_barrier_init(&started, NULL, count + 1);
	for (i = 0; i < count; i++)
		if (pthread_create(&thread[i], NULL, work, (void *)(i + 1)))
			return 1;
	pthread_barrier_wait(&started);
	printf("%d", getpid());
	for (i = 0; i < count; i++)
		printf(" %ld", tids[i]);
	puts("");
	fflush(stdout);
	while (!ended) {
		was = is;
		is = rcr_threads_connect();
		times += is && !was;
		pause_ms(100);
	}
	for (i = 0; i < count; i++)
		pthread_join(thread[i], NULL);
	printf("%u failed", failed);
	if (restarts)
		printf(", connected %u times", times);
	puts("");
	return failed;
}
