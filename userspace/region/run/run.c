// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * run.c - librcrregion-run.so, which 'rcrregion run' preloads: counts a whole program as the set
 * "program": its first thread, those that it creates, and its children.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run/run_mode.h"

/* What a thread of the program does. */
struct run_thread {
	void *(*start)(void *data);
	void *data;
};

static int run_set = -1;

static void start_program_set(void)
{
	RCR_Start(run_set);
}

__attribute__((constructor))
static void begin_run(void)
{
	if (RCR_Initialize(run_mode()))
		return;
	run_set = RCR_Set("program");
	pthread_atfork(NULL, NULL, start_program_set);
	start_program_set();
}

static void *count_run_thread(void *data)
{
	struct run_thread thread = *(struct run_thread *)data;
	void *ret;

	free(data);
	start_program_set();
	ret = thread.start(thread.data);
	RCR_Stop(run_set);
	return ret;
}

/* In place of the C library's. */
int pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*start)(void *), void *data)
{
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	struct run_thread *thread = run_set < 0 ? NULL : malloc(sizeof(*thread));
	int error;

	*(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
	if (!thread)
		return create(id, attr, start, data);
	*thread = (struct run_thread){ .start = start, .data = data };
	error = create(id, attr, count_run_thread, thread);
	if (error)
		free(thread);
	return error;
}

/* Ends a program that runs no functions of atexit(), such as a shell. */
__attribute__((noreturn))
void _exit(int status)
{
	/* The program may have its own calls of RCR_Initialize(). */
	while (run_set >= 0 && !RCR_Finalize())
		;
	for (;;)
		syscall(SYS_exit_group, status);
}

void _Exit(int status) __attribute__((alias("_exit")));
