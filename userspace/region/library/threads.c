// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * threads.c - the threads of the process, their sets, and the names of sets. Lists only grow, so
 * that the file can be written without a lock. Memory comes from mmap(), because sections may start
 * anywhere, even in an allocator.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "library/rcr_region.h"
#include "library/region.h"

/* Number of sets that are allocated at once. */
#define SETS_AT_ONCE	64

/* The last two numbers are reserved for measure_cost(). */
#define NAMED_SETS	(REGION_SETS - REGION_NUMBERS - 2)

__thread struct region_thread *region_self;

/* Checks for errors, because a signal handler may run in the thread that holds it. */
static pthread_mutex_t region_mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static bool locked_by_fork;
static pthread_key_t thread_key;
static char set_names[NAMED_SETS][REGION_TEXT_LEN];
static unsigned int set_names_count;

void *region_map_memory(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

/* Releases the structure of a thread that ends; a later thread adds to the same counts. */
static void leave_thread(void *data)
{
	struct region_thread *t = data;
	bool locked;

	if (region_process.state == REGION_COUNTING)
		region_close_sets(t);
	region_self = NULL;
	/* RCR_Finalize() may be reading the counters of this thread. */
	locked = region_threads_lock();
	region_group_close(t);
	__atomic_store_n(&t->used, false, __ATOMIC_RELEASE);
	if (locked)
		region_threads_unlock();
}

/* Finds or allocates an unused structure; the caller holds the mutex. */
static struct region_thread *find_unused_thread(void)
{
	struct region_thread **last = &region_process.threads, *t;
	unsigned int threads = 0;

	for (t = *last; t; t = *last) {
		if (!__atomic_load_n(&t->used, __ATOMIC_ACQUIRE))
			return t;
		last = &t->next;
		threads++;
	}
	if (threads == REGION_THREADS)
		return NULL;
	t = region_map_memory(sizeof(*t));
	if (t)
		__atomic_store_n(last, t, __ATOMIC_RELEASE);
	return t;
}

/* Begins to count the calling thread; returns NULL if it cannot be counted. */
struct region_thread *region_take_thread(void)
{
	static __thread bool taking __attribute__((tls_model("initial-exec")));
	struct region_thread *t;
	int error;

	/* A signal handler has interrupted this function, or another holder of the lock. */
	if (taking || !region_threads_lock())
		return NULL;
	taking = true;
	t = find_unused_thread();
	if (t)
		t->used = true;
	region_threads_unlock();
	if (!t) {
		region_say(REGION_SAY_THREAD, "a thread is not counted: out of memory");
		taking = false;
		return NULL;
	}
	error = region_group_open(t);
	if (error)
		region_say(REGION_SAY_THREAD, "a thread is not counted: %s",
			   error == EAGAIN ? "no counter is free" : strerrordesc_np(error));
	region_self = t;
	pthread_setspecific(thread_key, t);
	taking = false;
	return t;
}

struct region_set *region_add_set(struct region_thread *t, unsigned int number)
{
	struct region_set *r;
	unsigned int i;

	if (!t->spares) {
		t->spare = region_map_memory(SETS_AT_ONCE * sizeof(*r));
		if (!t->spare)
			return NULL;
		t->spares = SETS_AT_ONCE;
	}
	r = t->spare++;
	t->spares--;
	r->number = number;
	for (i = 0; i < REGION_VALUES; i++)
		r->value[i].min = UINT64_MAX;
	__atomic_store_n(t->last ? &t->last->next : &t->first, r, __ATOMIC_RELEASE);
	t->last = r;
	t->set[number] = r;
	return r;
}

/* Disables the events of all threads. */
void region_threads_stop(void)
{
	struct region_thread *t;

	for (t = region_process.threads; t; t = t->next)
		if (t->used)
			region_group_disable(t);
}

bool region_threads_lock(void)
{
	return !pthread_mutex_lock(&region_mutex);
}

void region_threads_unlock(void)
{
	pthread_mutex_unlock(&region_mutex);
}

static void lock_for_fork(void)
{
	locked_by_fork = region_threads_lock();
}

static void unlock_after_fork(void)
{
	if (locked_by_fork)
		region_threads_unlock();
}

/*
 * Lets a child of fork() start from scratch: the events are those of the parent, whose pages are
 * not mapped in the child.
 */
static void forget_threads(void)
{
	struct region_process *p = &region_process;
	struct region_thread *t;

	for (t = p->threads; t; t = t->next)
		if (t->used)
			region_group_close(t);
	p->threads = NULL;
	p->forked = true;
	p->pid = getpid();
	region_process_begin(p);
	region_self = NULL;
	pthread_setspecific(thread_key, NULL);
	region_mutex = (pthread_mutex_t)PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
}

void region_threads_prepare(void)
{
	pthread_key_create(&thread_key, leave_thread);
	pthread_atfork(lock_for_fork, unlock_after_fork, forget_threads);
}

bool region_has_set(unsigned int number)
{
	return number < REGION_NUMBERS + __atomic_load_n(&set_names_count, __ATOMIC_ACQUIRE) ||
	       (number >= REGION_SETS - 2 && number < REGION_SETS && !region_process.begin_tsc);
}

const char *region_set_name(unsigned int number)
{
	return number < REGION_NUMBERS ? NULL : set_names[number - REGION_NUMBERS];
}

static bool is_set_name(const char *name)
{
	size_t length = 0;

	for (; name[length]; length++)
		if (region_is_control(&name[length]) || length == REGION_TEXT_LEN - 1)
			return false;
	return length;
}

/* Returns the number that a name spells; -1 if it is not that of a numbered set. */
static int number_of_name(const char *name)
{
	int number = 0;
	const char *at;

	for (at = name; *at >= '0' && *at <= '9' && number < REGION_NUMBERS; at++)
		number = 10 * number + *at - '0';
	return *at || number >= REGION_NUMBERS || (*name == '0' && name[1]) ? -1 : number;
}

int RCR_Set(const char *name)
{
	unsigned int i;
	bool locked;

	if (!name || !is_set_name(name))
		return region_say(REGION_SAY_NAMES, "a name of a set has 1 to %d printable characters",
				  REGION_TEXT_LEN - 1);
	/* The file identifies sets by name, so "7" and set 7 must be the same set. */
	if (number_of_name(name) >= 0)
		return number_of_name(name);
	locked = region_threads_lock();
	for (i = 0; i < set_names_count && strcmp(set_names[i], name); i++)
		;
	if (i == set_names_count && i < NAMED_SETS && locked) {
		strcpy(set_names[i], name);
		__atomic_store_n(&set_names_count, i + 1, __ATOMIC_RELEASE);
	}
	if (locked)
		region_threads_unlock();
	if (i < set_names_count)
		return REGION_NUMBERS + i;
	return region_say(REGION_SAY_NAMES, "set '%s' is not counted: a process has at most %d names",
			  name, NAMED_SETS);
}
