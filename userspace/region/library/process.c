// SPDX-License-Identifier: LGPL-2.1-or-later
/* process.c - RCR_Initialize() and RCR_Finalize(), and the end of the program. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

#include "library/rcr_region.h"
#include "library/region.h"

/* To measure the cost of calls: number of rounds, and of pairs of calls in each. */
#define COST_ROUNDS	4
#define COST_PAIRS	64

struct region_process region_process;

/* Checks for errors, because a signal handler may run in the thread that holds it. */
static pthread_mutex_t process_mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static bool locked_by_fork;

static bool lock_process(struct region_quiet *quiet)
{
	region_quiet(quiet);
	if (!pthread_mutex_lock(&process_mutex))
		return true;
	region_loud(quiet);
	return false;
}

static void unlock_process(const struct region_quiet *quiet)
{
	pthread_mutex_unlock(&process_mutex);
	region_loud(quiet);
}

/* Holds the lock across fork(): in the child, no other thread would release it. */
static void lock_process_for_fork(void)
{
	locked_by_fork = !pthread_mutex_lock(&process_mutex);
}

static void unlock_process_after_fork(void)
{
	if (locked_by_fork)
		pthread_mutex_unlock(&process_mutex);
}

static void forget_process_lock(void)
{
	process_mutex = (pthread_mutex_t)PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
}

/* Chooses the directory of the file as an absolute path, as the program may call chdir(). */
static int choose_directory(struct region_process *p)
{
	const char *name = getenv("RCR_REGION_DIR");
	size_t length = 0;

	name = name && *name ? name : ".";
	if (*name != '/') {
		if (!getcwd(p->directory, sizeof(p->directory)))
			return region_say(REGION_SAY_REFUSED, "sections are not counted: cannot read the current directory: %s",
					  strerrordesc_np(errno));
		length = strlen(p->directory);
	}
	if (!strcmp(name, "."))
		return 0;
	if (snprintf(p->directory + length, sizeof(p->directory) - length, "%s%s",
		     length ? "/" : "", name) >= (int)(sizeof(p->directory) - length))
		return region_say(REGION_SAY_REFUSED, "sections are not counted: RCR_REGION_DIR is too long");
	return 0;
}

static int read_paranoid(void)
{
	int fd = open("/proc/sys/kernel/perf_event_paranoid", O_RDONLY | O_CLOEXEC);
	char text[16] = "";
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	return n > 0 ? atoi(text) : -1;
}

/* True if the kernel has a driver for this CPU's counters; hybrid CPUs have one per core type. */
static bool has_pmu(void)
{
	return access("/sys/bus/event_source/devices", F_OK) ||
	       !access("/sys/bus/event_source/devices/cpu", F_OK) ||
	       !access("/sys/bus/event_source/devices/cpu_core", F_OK);
}

/* Reports why no event can be counted. */
static int refuse_events(int error)
{
	int paranoid = read_paranoid(), wanted = region_process.kernel ? 1 : 2;
	const char *why;

	/* The kernel checks permissions first: without a PMU these would not help. */
	if ((error == EACCES || error == EPERM) && !has_pmu())
		error = ENOENT;
	if ((error == EACCES || error == EPERM) && paranoid > wanted)
		return region_say(REGION_SAY_REFUSED,
				  "sections are not counted: kernel.perf_event_paranoid is %d: as root, 'sysctl kernel.perf_event_paranoid=%d'",
				  paranoid, wanted);
	switch (error) {
	case EAGAIN:
	case EINVAL:
		why = "no counter is free";
		break;
	case EBUSY:
		why = access("/sys/module/rcrtool", F_OK) ?
		      "another driver has the counters to itself" :
		      "rcrtool has the counters to itself: load it with source=perf";
		break;
	case ENOENT:
	case ENODEV:
	case ENXIO:
	case EOPNOTSUPP:
		why = "the kernel has no counters of this CPU (a virtual machine without a PMU?)";
		break;
	case EXDEV:
		why = "the kernel uses counters that cannot count the events";
		break;
	case ENOSYS:
		why = "the kernel has no perf events";
		break;
	default:
		why = strerrordesc_np(error);
	}
	return region_say(REGION_SAY_REFUSED, "sections are not counted: %s", why);
}

/* Measures the least that a pair of calls adds to each event of an enclosing section. */
static void measure_cost(struct region_process *p)
{
	int (*volatile start)(int) = RCR_Start, (*volatile stop)(int) = RCR_Stop;
	const int inner = REGION_SETS - 1, outer = REGION_SETS - 2;
	struct region_thread *t;
	unsigned int round, i;

	start(inner);
	stop(inner);
	for (round = 0; round < COST_ROUNDS; round++) {
		start(outer);
		for (i = 0; i < COST_PAIRS; i += 4) {
			start(inner);
			stop(inner);
			start(inner);
			stop(inner);
			start(inner);
			stop(inner);
			start(inner);
			stop(inner);
		}
		stop(outer);
	}
	t = region_self;
	if (!t || !t->count)
		return;
	for (i = 0; i <= t->count && t->set[outer]->calls; i++)
		p->cost[i] = t->set[outer]->value[i].min * 1000 / COST_PAIRS;
	t->set[outer] = NULL;
	t->set[inner] = NULL;
	t->first = NULL;
	t->last = NULL;
}

/* Ends counting, even if sections are open; the caller holds the mutex. */
static int end_process(struct region_process *p)
{
	bool locked;
	int ret;

	if (region_self)
		region_close_sets(region_self);
	locked = region_threads_lock();
	ret = region_dump(0);
	p->state = REGION_ENDED;
	region_threads_stop();
	if (locked)
		region_threads_unlock();
	return ret;
}

static void end_program(void)
{
	struct region_process *p = &region_process;
	struct region_quiet quiet;

	if (!lock_process(&quiet))
		return;
	if (p->state == REGION_COUNTING && p->pid == getpid())
		end_process(p);
	unlock_process(&quiet);
}

void region_process_begin(struct region_process *p)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	p->begin_ns = now.tv_sec * 1000000000ull + now.tv_nsec;
	clock_gettime(CLOCK_MONOTONIC, &now);
	p->begin_steady_ns = now.tv_sec * 1000000000ull + now.tv_nsec;
	p->begin_tsc = region_tsc();
}

/* Begins to count; sets p->state to REGION_COUNTING on success. */
static int begin_process(struct region_process *p, int mode)
{
	int error;

	p->state = REGION_REFUSED;
	p->pid = getpid();
	p->rank = region_read_rank();
	p->kernel = mode & RCR_REGION_KERNEL;
	p->events = mode < 0 ? 0 : region_mode(mode & ~RCR_REGION_KERNEL, &p->mode);
	if (!p->events)
		return region_say(REGION_SAY_MODE, "unknown mode %d: use 0 to %d", mode,
				  REGION_MODES - 1);
	if (getauxval(AT_SECURE))
		return region_say(REGION_SAY_REFUSED, "sections of a setuid program are not counted");
	if (choose_directory(p))
		return -1;
	error = region_choose_events();
	if (error)
		return refuse_events(error);
	region_report_events();
	region_threads_prepare();
	/* Handlers before fork() are called in reverse order, so this lock is taken first. */
	pthread_atfork(lock_process_for_fork, unlock_process_after_fork, forget_process_lock);
	region_catch_signals();
	atexit(end_program);
	at_quick_exit(end_program);
	p->state = REGION_COUNTING;
	measure_cost(p);
	region_node_open();
	region_process_begin(p);
	return 0;
}

int RCR_Initialize(int mode)
{
	struct region_process *p = &region_process;
	struct region_quiet quiet;
	int ret = 0;

	if (!lock_process(&quiet))
		return -1;
	if (p->state == REGION_BEFORE)
		ret = begin_process(p, mode);
	else if (p->state == REGION_ENDED)
		ret = region_say(REGION_SAY_ENDED, "RCR_Initialize after RCR_Finalize: the call is ignored");
	else if (p->state == REGION_REFUSED)
		ret = -1;
	p->users += !ret;
	unlock_process(&quiet);
	return ret;
}

int RCR_Finalize(void)
{
	struct region_process *p = &region_process;
	struct region_quiet quiet;
	int ret = -1;

	/* Compare pids: a child of vfork() shares the memory of its parent. */
	if (p->state == REGION_COUNTING && p->pid != getpid())
		return -1;
	if (!lock_process(&quiet))
		return -1;
	if (p->state == REGION_COUNTING)
		ret = --p->users ? 0 : end_process(p);
	else if (p->state == REGION_BEFORE)
		region_say(REGION_SAY_BEFORE, "RCR_Finalize before RCR_Initialize: nothing was counted");
	unlock_process(&quiet);
	return ret;
}

int BGP_Initialize(int mode) __attribute__((alias("RCR_Initialize")));
int BGP_Finalize(void) __attribute__((alias("RCR_Finalize")));
