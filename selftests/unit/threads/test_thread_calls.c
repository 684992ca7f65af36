// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_thread_calls.c - counts the system calls with which a program registers its threads: 1,000
 * processes of 8 threads at once. A seccomp filter in each thread turns every system call into a
 * signal, whose handler counts the call and then makes it.
 */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <ucontext.h>

#include "board2.h"
#include "rcr_threads.h"

#define PROCESSES 1000
#define THREADS 8

/*
 * The bound for a process with 8 threads: 15 calls once, 8 to register, 5 to receive the answer,
 * one per thread, and one per attempt that finds no answer yet. Waits for its own threads
 * (futex) are not counted.
 */
#define BOUND 48

/* Number of calls of each process, in shared memory. */
static unsigned int *calls;
static unsigned int own_process;
static __thread bool counts;

static pthread_barrier_t started;
static int end[2];

/* The filter allows system calls only from the address after this syscall instruction. */
long make_call(long nr, long a, long b, long c, long d, long e, long f);
extern char call_made[];
__asm__(".text\n"
	"make_call:\n"
	"	mov %rdi, %rax\n"
	"	mov %rsi, %rdi\n"
	"	mov %rdx, %rsi\n"
	"	mov %rcx, %rdx\n"
	"	mov %r8, %r10\n"
	"	mov %r9, %r8\n"
	"	mov 8(%rsp), %r9\n"
	"	syscall\n"
	"call_made:\n"
	"	ret\n");

static void count_call(int signal, siginfo_t *info, void *context)
{
	greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)signal;
	(void)info;
	if (counts && r[REG_RAX] != SYS_futex)
		__atomic_fetch_add(&calls[own_process], 1, __ATOMIC_RELAXED);
	r[REG_RAX] = make_call(r[REG_RAX], r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10],
			       r[REG_R8], r[REG_R9]);
}

static void filter_calls(void)
{
	uint64_t at = (uintptr_t)call_made;
	size_t ip = offsetof(struct seccomp_data, instruction_pointer);
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 4, 0),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ip),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)at, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ip + 4),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, at >> 32, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(9);
}

static void *be_thread(void *number)
{
	int id = (int)(uintptr_t)number;
	bool ok;
	char byte;

	filter_calls();
	counts = true;
	ok = RCRStartThread(id, 0x1000) && RCRUpdateThread(id, 0x2000);
	counts = false;
	if (!ok)
		_exit(8);
	pthread_barrier_wait(&started);
	return read(end[0], &byte, 1) ? NULL : number;
}

static void be_process(unsigned int number, int ready)
{
	struct sigaction action = { .sa_sigaction = count_call, .sa_flags = SA_SIGINFO | SA_NODEFER };
	pthread_t thread[THREADS];
	pthread_attr_t attr;
	unsigned int i;

	own_process = number;
	close(end[1]);
	sigaction(SIGSYS, &action, NULL);
	pthread_barrier_init(&started, NULL, THREADS + 1);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], &attr, be_thread, (void *)(uintptr_t)(i + 1)))
			_exit(7);
	pthread_barrier_wait(&started);
	if (write(ready, "", 1) != 1)
		_exit(6);
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	_exit(0);
}

static void add_process(void *arg, const struct seen *s)
{
	unsigned int *seen = arg;

	if (s->pid)
		seen[0] += s->pc == 0x2000 && s->state == RCR_THREAD_RUNNING;
}

int main(void)
{
	unsigned int i, most = 0, least = ~0u, seen = 0, bad = 0;
	int ready[2], status, turn;
	char byte;

	ksft_print_header();
	ksft_set_plan(3);
	calls = mmap(NULL, PROCESSES * sizeof(*calls), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	board2_begin();
	/* Start the server before the pipes are made, so that it does not inherit them. */
	board2_start();
	if (calls == MAP_FAILED || pipe(ready) || pipe(end))
		ksft_exit_fail_msg("no pipe\n");
	for (i = 0; i < PROCESSES; i++)
		if (!fork())
			be_process(i, ready[1]);
	close(ready[1]);
	for (i = 0; i < PROCESSES && read(ready[0], &byte, 1) == 1; i++)
		;
	for (turn = 0; turn < 500 && seen != PROCESSES * THREADS; turn++) {
		sleep_ns(10000000);
		seen = 0;
		board2_list(0, add_process, &seen);
	}
	ksft_test_result(i == PROCESSES && seen == PROCESSES * THREADS,
			 "calls: the slots of %u processes with %u threads are listed with their processes\n", i,
			 seen);
	for (i = 0; i < PROCESSES; i++) {
		most = calls[i] > most ? calls[i] : most;
		least = calls[i] < least ? calls[i] : least;
	}
	ksft_test_result(least > THREADS && most <= BOUND,
			 "calls: a process makes %u to %u system calls, at most %u\n", least, most,
			 BOUND);
	close(end[1]);
	for (i = 0; i < PROCESSES; i++)
		bad += waitpid(-1, &status, 0) < 0 || status;
	ksft_test_result(!bad, "calls: every process exits with 0\n");
	board2_stop(SIGTERM);
	board2_end();
	ksft_finished();
}
