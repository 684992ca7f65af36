// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * run.c - librcrregion-run.so, which 'rcrregion run' preloads. Counts a whole program as the set
 * "program": all of its threads, and its child processes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "library/region.h"
#include "run/run_mode.h"

/* Arguments of pthread_create(), for count_run_thread(). */
struct run_thread {
	void *(*start)(void *data);
	void *data;
};

static int run_set = -1;
/* The program is ending: librcrregion closes open sections and rejects further calls. */
static bool has_run_ended;

static int (*set_action)(int number, const struct sigaction *action, struct sigaction *before);
static sighandler_t (*set_handler)(int number, sighandler_t handler);

/* Looks them up before main(), because dlsym() is not safe in a signal handler. */
static void find_signal_functions(void)
{
	if (set_action)
		return;
	*(void **)&set_handler = dlsym(RTLD_NEXT, "signal");
	*(void **)&set_action = dlsym(RTLD_NEXT, "sigaction");
}

static void start_program_set(void)
{
	if (!__atomic_load_n(&has_run_ended, __ATOMIC_RELAXED))
		RCR_Start(run_set);
}

static void stop_program_set(void)
{
	if (!__atomic_load_n(&has_run_ended, __ATOMIC_RELAXED))
		RCR_Stop(run_set);
}

static void note_end_of_run(void)
{
	__atomic_store_n(&has_run_ended, true, __ATOMIC_RELAXED);
}

__attribute__((constructor))
static void begin_run(void)
{
	find_signal_functions();
	if (RCR_Initialize(run_mode()))
		return;
	run_set = RCR_Set("program");
	/* Runs before the handler that RCR_Initialize() has registered. */
	atexit(note_end_of_run);
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
	stop_program_set();
	return ret;
}

/* Replaces that of the C library. */
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

/*
 * Replaces that of the C library, to hide the handlers of librcrregion: a program may query the
 * handler before it installs its own, as Python does for SIGINT.
 */
int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
	int ret;

	find_signal_functions();
	ret = set_action(number, action, before);
	if (!ret && before && region_is_death_handler(before))
		*before = (struct sigaction){ .sa_handler = SIG_DFL };
	return ret;
}

sighandler_t signal(int number, sighandler_t handler)
{
	struct sigaction before = { .sa_flags = SA_SIGINFO };

	find_signal_functions();
	before.sa_handler = set_handler(number, handler);
	return region_is_death_handler(&before) ? SIG_DFL : before.sa_handler;
}

/* Writes the file of a program, such as a shell, that ends without running atexit() handlers. */
__attribute__((noreturn))
void _exit(int status)
{
	/* Repeat, as the program may have called RCR_Initialize(), too. */
	while (run_set >= 0 && !RCR_Finalize())
		;
	for (;;)
		syscall(SYS_exit_group, status);
}

void _Exit(int status) __attribute__((alias("_exit")));
