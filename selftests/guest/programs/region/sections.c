// SPDX-License-Identifier: GPL-2.0-only
/*
 * sections.c - sections KIND [NUMBER]: a program with librcrregion whose sections have a known
 * number of instructions. Prints "unharmed" at the end; the exit status is 42.
 *
 *	pairs N		N times: set 1, of 2,000 instructions, around set 2, of 6,000; then set 3,
 *			of 2,000; then the named set "solve", which is empty
 *	threads N	the same in 8 threads at the same time, which change CPUs
 *	wrong		invalid calls
 *	fork		set 1, once in a child and then three times in the parent
 *	exec		set 1, then execve() of true
 *	die SIGNAL	a call of set 1, then raises the signal in set 2
 *	mode M		set 1 in mode M
 *	ranks N		the pairs in the mode all
 *	open		set 1 of 6,000,000 instructions, which another thread leaves open
 *	stop N		a section, and N rounds of the loop outside
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rcr_region.h"

#define THREADS 8

/* Execute 2 * @rounds instructions. */
static void work(uint64_t rounds)
{
	asm volatile("1: dec %0\n jnz 1b\n" : "+r"(rounds) : : "cc");
}

static void section(int set, uint64_t rounds)
{
	RCR_Start(set);
	work(rounds);
	RCR_Stop(set);
}

static void pairs(long n, int solve)
{
	while (n-- > 0) {
		RCR_Start(1);
		work(1000);
		section(2, 3000);
		RCR_Stop(1);
		section(3, 1000);
		RCR_Start(solve);
		RCR_Stop(solve);
	}
}

static long thread_pairs;

static void *thread(void *data)
{
	long i, cpus = sysconf(_SC_NPROCESSORS_ONLN), first = (long)data;
	cpu_set_t set;

	for (i = 0; i < 10; i++) {
		CPU_ZERO(&set);
		CPU_SET((first + i) % cpus, &set);
		sched_setaffinity(0, sizeof(set), &set);
		pairs(thread_pairs / 10, RCR_Set("solve"));
	}
	return NULL;
}

static void threads(void)
{
	pthread_t id[THREADS];
	long i;

	for (i = 0; i < THREADS; i++)
		pthread_create(&id[i], NULL, thread, (void *)i);
	for (i = 0; i < THREADS; i++)
		pthread_join(id[i], NULL);
}

static void wrong_calls(void)
{
	char name[16];
	int i;

	RCR_Stop(1);
	RCR_Start(1024);
	RCR_Start(-1);
	for (i = 0; i < 2000; i++) {
		snprintf(name, sizeof(name), "set %d", i);
		RCR_Start(RCR_Set(name));
		RCR_Stop(RCR_Set(name));
	}
	section(7, 1000);
}

static void forks(void)
{
	int i, status;

	if (!fork()) {
		section(1, 5000);
		exit(0);
	}
	wait(&status);
	for (i = 0; i < 3; i++)
		section(1, 1000);
}

static pthread_barrier_t reached;

static void *open_section(void *data)
{
	RCR_Start(1);
	work(1000);
	RCR_Stop(1);
	RCR_Start(1);
	work(3000000);
	pthread_barrier_wait(&reached);
	for (;;)
		pause();
	return data;
}

static void open_elsewhere(void)
{
	pthread_t id;

	pthread_barrier_init(&reached, NULL, 2);
	pthread_create(&id, NULL, open_section, NULL);
	pthread_barrier_wait(&reached);
}

static int run_mode(const char *kind)
{
	return !strcmp(kind, "ranks") ? RCR_REGION_ALL : RCR_REGION_GENERAL;
}

static int run(const char *kind, const char *argument)
{
	long number = atol(argument);

	if (!strcmp(kind, "pairs") || !strcmp(kind, "ranks")) {
		pairs(number, RCR_Set("solve"));
	} else if (!strcmp(kind, "threads")) {
		thread_pairs = number;
		threads();
	} else if (!strcmp(kind, "wrong")) {
		wrong_calls();
	} else if (!strcmp(kind, "fork")) {
		forks();
	} else if (!strcmp(kind, "exec")) {
		section(1, 1000);
		execlp("true", "true", NULL);
	} else if (!strcmp(kind, "die")) {
		section(1, 1000);
		RCR_Start(2);
		work(3000);
		raise(number);
	} else if (!strcmp(kind, "open")) {
		open_elsewhere();
	} else if (!strcmp(kind, "mode")) {
		section(1, 1000);
	} else if (!strcmp(kind, "stop")) {
		section(1, 1000);
		work(number);
		BGP_Start(1);
		work(1000);
		BGP_Stop(1);
	} else {
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "", *argument = argc > 2 ? argv[2] : "0";

	if (!strcmp(kind, "wrong"))
		RCR_Start(1);
	RCR_Initialize(!strcmp(kind, "mode") ? atoi(argument) : run_mode(kind));
	if (run(kind, argument))
		return 1;
	RCR_Finalize();
	if (!strcmp(kind, "wrong"))
		RCR_Start(1);
	puts("unharmed");
	return 42;
}
