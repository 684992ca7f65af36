// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * load_threads.c - generates load with one thread on each CPU that this process may use. Each has
 * its own buffer; together, the buffers exceed the caches.
 *
 * A thread starts a block every interval, or at once if it is late: full load is all threads
 * running blocks back to back.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/rcrboard.h>

#include "clock.h"
#include "load_threads.h"
#include "mix.h"
#include "parse/cpulist.h"
#include "stream.h"
#include "topology.h"

#define CACHE_DEFAULT	(32l << 20)	/* if the C library does not report the size */
#define TIMES_CACHE	2
#define LEAST_BUFFER	(4l << 20)
#define SLEEP_NS	100000		/* busy-wait for shorter times */
#define NAP_NS		5000000		/* maximum delay before a changed interval is noticed */
#define FULL_NS		200000000	/* time to measure full load */
#define STOPPED		UINT64_MAX

struct load_threads;

/**
 * struct worker - one thread
 * @of: the group of threads
 * @cpu: CPU it is bound to
 * @thread: handle of the thread
 * @stream: its memory access
 * @blocks: number of blocks done
 * @busy_ns: time spent in blocks
 */
struct worker {
	struct load_threads *of;
	unsigned int cpu;
	pthread_t thread;
	struct stream stream;
	atomic_ullong blocks;
	atomic_ullong busy_ns;
};

/**
 * struct load_threads - a group of threads
 * @count: entries of @worker
 * @started: number of running threads
 * @worker: the threads
 * @kind: enum mix that they run
 * @interval: between starts of blocks of a thread, ns; STOPPED: idle
 * @end: the threads must exit
 * @ready: number of threads that have initialised their memory
 * @known: enum mix that @full belongs to, or MIXES
 * @full: blocks per ns of one thread at full load
 * @blocks: blocks of all threads at the last load_threads_latency()
 * @busy_ns: time in blocks of all threads, likewise
 */
struct load_threads {
	unsigned int count;
	unsigned int started;
	struct worker *worker;
	atomic_uint kind;
	atomic_ullong interval;
	atomic_bool end;
	atomic_uint ready;
	unsigned int known;
	double full;
	uint64_t blocks;
	uint64_t busy_ns;
};

static uint64_t earlier_time(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static bool is_idle(const struct load_threads *l)
{
	return l->interval == STOPPED && !l->end;
}

/* Waits until @next or shortly before; the caller checks the time again. */
static void pause_until(uint64_t next, uint64_t now)
{
	if (next - now > SLEEP_NS)
		sleep_ns(earlier_time(next - now - SLEEP_NS / 2, NAP_NS));
	else
		__builtin_ia32_pause();
}

static void do_block(struct worker *w)
{
	uint64_t from = now_ns();

	stream_block(&w->stream, w->of->kind);
	w->busy_ns += now_ns() - from;
	w->blocks++;
}

static void *run_worker(void *to)
{
	struct worker *w = to;
	uint64_t last = 0, now;

	memset(w->stream.buffer, 1, w->stream.size);
	w->of->ready++;
	while (!w->of->end) {
		now = now_ns();
		if (is_idle(w->of)) {
			sleep_ns(NAP_NS);
		} else if (now - last < w->of->interval) {
			pause_until(last + w->of->interval, now);
		} else {
			/* Catch up with a delay of up to half an interval. */
			last = now - last < 3 * w->of->interval / 2 ? last + w->of->interval : now;
			do_block(w);
		}
	}
	return NULL;
}

static bool map_buffer(struct stream *s, size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		return false;
	/* Without huge pages, page table walks would add to the load. */
	madvise(at, size, MADV_HUGEPAGE);
	*s = (struct stream){ .buffer = at, .size = size, .state = (uintptr_t)at };
	return true;
}

static int start_worker(struct load_threads *l, struct worker *w, size_t size)
{
	pthread_attr_t attr;
	cpu_set_t cpus;
	int error;

	w->of = l;
	if (!map_buffer(&w->stream, size))
		return errno;
	CPU_ZERO(&cpus);
	CPU_SET(w->cpu, &cpus);
	pthread_attr_init(&attr);
	pthread_attr_setaffinity_np(&attr, sizeof(cpus), &cpus);
	error = pthread_create(&w->thread, &attr, run_worker, w);
	pthread_attr_destroy(&attr);
	if (error)
		munmap(w->stream.buffer, size);
	return error;
}

/* Returns the number of last level caches of the threads; 1 if it is not known. */
static unsigned int count_caches(const struct load_threads *l)
{
	bool is_known[CPU_LIMIT] = { };
	unsigned int caches = 0, i;
	int llc;

	for (i = 0; i < l->count; i++) {
		llc = topology_place(TOPOLOGY_ROOT, l->worker[i].cpu).llc;
		if (llc < 0 || llc >= CPU_LIMIT || is_known[llc])
			continue;
		is_known[llc] = true;
		caches++;
	}
	return caches ? caches : 1;
}

/* Returns the size per thread: all threads of a last level cache use TIMES_CACHE times its size. */
static size_t buffer_size(const struct load_threads *l)
{
	long cache = sysconf(_SC_LEVEL3_CACHE_SIZE), size;

	size = (cache > 0 ? cache : CACHE_DEFAULT) / l->count * TIMES_CACHE * count_caches(l);
	return size < LEAST_BUFFER ? LEAST_BUFFER : size;
}

/* Blocks all signals in the threads, so that the calling thread handles them. */
static int start_all(struct load_threads *l, size_t size)
{
	sigset_t all, before;
	int error = 0;

	if (!size)
		size = buffer_size(l);
	size -= size % (2 * STREAM_BLOCK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (!error && l->started < l->count) {
		error = start_worker(l, &l->worker[l->started], size);
		l->started += !error;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	while (l->ready < l->started)
		sleep_ns(NAP_NS);
	return error;
}

static bool find_load_cpus(struct load_threads *l)
{
	cpu_set_t cpus;
	unsigned int i;

	if (sched_getaffinity(0, sizeof(cpus), &cpus))
		return false;
	l->worker = calloc(CPU_COUNT(&cpus), sizeof(*l->worker));
	for (i = 0; l->worker && i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &cpus))
			l->worker[l->count++].cpu = i;
	return l->worker;
}

struct load_threads *load_threads_open(size_t size, struct why *why)
{
	struct load_threads *l = calloc(1, sizeof(*l));
	int error;

	if (!l) {
		because(why, "%s", strerror(ENOMEM));
		return NULL;
	}
	l->interval = STOPPED;
	l->known = MIXES;
	error = find_load_cpus(l) ? start_all(l, size) : errno;
	if (!error)
		return l;
	because(why, "cannot start the load's threads: %s", strerror(error));
	load_threads_close(l);
	return NULL;
}

static void sum_progress(const struct load_threads *l, uint64_t *blocks, uint64_t *busy_ns)
{
	unsigned int i;

	*blocks = 0;
	*busy_ns = 0;
	for (i = 0; i < l->started; i++) {
		*blocks += l->worker[i].blocks;
		*busy_ns += l->worker[i].busy_ns;
	}
}

bool load_threads_latency(struct load_threads *l, double *ns)
{
	uint64_t blocks = l->blocks, busy_ns = l->busy_ns;

	sum_progress(l, &l->blocks, &l->busy_ns);
	*ns = (double)(l->busy_ns - busy_ns) / (l->blocks - blocks);
	return l->blocks != blocks;
}

/* Measures the rate of one thread at full load of all threads. */
static int find_full(struct load_threads *l, struct why *why)
{
	uint64_t from, to, time, busy_ns;

	l->interval = 0;
	/* Wait until all threads run at full load. */
	sleep_ns(FULL_NS);
	time = now_ns();
	sum_progress(l, &from, &busy_ns);
	sleep_ns(FULL_NS);
	sum_progress(l, &to, &busy_ns);
	time = now_ns() - time;
	l->full = (double)(to - from) / l->started / time;
	l->known = l->kind;
	return to > from ? 0 : because(why, "the load's threads get no time to run");
}

int load_threads_set(struct load_threads *l, unsigned int kind, double level, struct why *why)
{
	double ns;

	l->kind = kind;
	if (kind != l->known && level > 0 && find_full(l, why))
		return -1;
	l->interval = level > 0 ? 1 / (level * l->full) : STOPPED;
	load_threads_latency(l, &ns);
	return 0;
}

void load_threads_close(struct load_threads *l)
{
	unsigned int i;

	if (!l)
		return;
	l->end = true;
	for (i = 0; i < l->started; i++) {
		pthread_join(l->worker[i].thread, NULL);
		munmap(l->worker[i].stream.buffer, l->worker[i].stream.size);
	}
	free(l->worker);
	free(l);
}
