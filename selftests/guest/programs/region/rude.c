// SPDX-License-Identifier: GPL-2.0-only
/*
 * rude.c - rude KIND [NUMBER]: a program that uses librcrregion in unusual ways. Prints "unharmed"
 * at the end; the exit status is 42.
 *
 *	numbers		set numbers that do not exist, and a name that is a number
 *	outlives	a thread whose section ends after RCR_Finalize()
 *	handler		set 1, NUMBER times, and a handler of SIGUSR2 with a section of set 2
 *	exits		a handler of SIGUSR2 that calls exit()
 *	forks		fork() while another thread is in RCR_Initialize()
 *	cloned		a child made by a raw clone() in set 1
 *	closes		set 1, twice; in between replaces all of its file descriptors
 *	jumps		sections that are left by longjmp(), NUMBER times
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rcr_region.h"

static void section(int set)
{
	RCR_Start(set);
	RCR_Stop(set);
}

static void use_numbers(void)
{
	const int wrong[] = { 1024, 2045, 2046, 2047, 2048, 0x7fffffff, -1, -2048 };
	size_t i;

	RCR_Initialize(0);
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		section(wrong[i]);
	section(7);
	section(RCR_Set("7"));
	section(RCR_Set("07"));
}

static pthread_barrier_t reached;

static void *open_section(void *data)
{
	RCR_Start(1);
	pthread_barrier_wait(&reached);
	pthread_barrier_wait(&reached);
	return data;
}

static void outlive(void)
{
	pthread_t id;

	RCR_Initialize(0);
	pthread_barrier_init(&reached, NULL, 2);
	pthread_create(&id, NULL, open_section, NULL);
	pthread_barrier_wait(&reached);
	RCR_Finalize();
	pthread_barrier_wait(&reached);
	pthread_join(id, NULL);
}

static void enter_section(int number)
{
	(void)number;
	section(2);
}

static void leave_program(int number)
{
	(void)number;
	printf("unharmed\n");
	exit(42);
}

static void pause_shortly(int number)
{
	(void)number;
	pthread_barrier_wait(&reached);
	usleep(200000);
}

static void *begin(void *data)
{
	RCR_Initialize(0);
	return data;
}

/* Return the exit status of a child, which must exit within five seconds. */
static int child_status(pid_t pid)
{
	int status;

	if (!pid) {
		alarm(5);
		section(1);
		exit(0);
	}
	waitpid(pid, &status, 0);
	return status;
}

static int fork_meanwhile(void)
{
	pthread_t id;
	int status;

	signal(SIGUSR2, pause_shortly);
	pthread_barrier_init(&reached, NULL, 2);
	pthread_create(&id, NULL, begin, NULL);
	pthread_barrier_wait(&reached);
	status = child_status(fork());
	pthread_join(id, NULL);
	return status;
}

/* Replace each file descriptor but the standard ones by a pipe with data. */
static int close_files(void)
{
	int fd, pipes[2], before, after = 0;
	char data[100] = "";

	RCR_Initialize(0);
	section(1);
	if (pipe(pipes) || write(pipes[1], data, sizeof(data)) != sizeof(data))
		return 1;
	for (fd = 3; fd < 4096; fd++)
		if (fd != pipes[0])
			close(fd);
	for (fd = 1000; fd < 1100; fd++)
		dup2(pipes[0], fd);
	section(2);
	RCR_Finalize();
	before = sizeof(data);
	fcntl(pipes[0], F_SETFL, O_NONBLOCK);
	if (read(pipes[0], data, sizeof(data)) > 0)
		after = sizeof(data);
	for (fd = 1000; fd < 1100; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			return 1;
	return before != after;
}

static void jump(long n)
{
	static jmp_buf out;
	static volatile long i;

	RCR_Initialize(0);
	for (i = 0; i < n; i++) {
		if (setjmp(out))
			continue;
		RCR_Start(1);
		longjmp(out, 1);
	}
	section(2);
}

static int behave(const char *kind, long number)
{
	if (!strcmp(kind, "numbers")) {
		use_numbers();
	} else if (!strcmp(kind, "outlives")) {
		outlive();
	} else if (!strcmp(kind, "handler")) {
		signal(SIGUSR2, enter_section);
		RCR_Initialize(0);
		while (number-- > 0)
			section(1);
	} else if (!strcmp(kind, "exits")) {
		signal(SIGUSR2, leave_program);
		RCR_Initialize(0);
		section(1);
		return 1;
	} else if (!strcmp(kind, "forks")) {
		return fork_meanwhile();
	} else if (!strcmp(kind, "cloned")) {
		RCR_Initialize(0);
		RCR_Start(1);
		RCR_Start(3);
		RCR_Stop(3);
		return child_status(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
	} else if (!strcmp(kind, "closes")) {
		return close_files();
	} else if (!strcmp(kind, "jumps")) {
		jump(number);
	} else {
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (behave(argc > 1 ? argv[1] : "", argc > 2 ? atol(argv[2]) : 0))
		return 1;
	RCR_Finalize();
	printf("unharmed\n");
	return 42;
}
