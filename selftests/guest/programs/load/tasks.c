// SPDX-License-Identifier: GPL-2.0-only
/*
 * tasks.c CGROUP CGROUP - compares the task in a record with the one that is known to run.
 *
 * Two programs spin, each in its own cgroup: one on CPU 1, in a PID namespace of its own, and one
 * in the second thread of a process on CPU 2. They have real-time priority, so that hardly anything
 * else runs there. The expected ids are those of fork() and the inode numbers of the cgroups.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "ksft.h"
#include "stream.h"

#define SPINNERS	2
#define SPIN_MS		1500
#define ENOUGH		200	/* least records of a spinner */

static struct spinner {
	pid_t pid;
	uint64_t cgroup;
	/* Records of the spinner's CPU while it spins. */
	unsigned int its, of_others, wrong_cgroup, idle;
	/* Records with the spinner's id from other CPUs or from after its end. */
	unsigned int stray;
} spinner[SPINNERS];

static uint64_t ended = UINT64_MAX;	/* CLOCK_MONOTONIC, ns: all spinners have exited */

static void *spin_forever(void *arg)
{
	for (;;)
		__asm__ volatile("pause");
	return arg;
}

static void enter_cgroup(const char *folder)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/cgroup.procs", folder);
	f = fopen(path, "w");
	if (!f || fputs("0", f) < 0 || fclose(f))
		exit(1);
}

static void run_spinner(unsigned int i, const char *folder, int ready)
{
	cpu_set_t cpu;
	pthread_t thread;

	CPU_ZERO(&cpu);
	CPU_SET(i + 1, &cpu);
	enter_cgroup(folder);
	if (sched_setaffinity(0, sizeof(cpu), &cpu) ||
	    nice(-20) == -1 || write(ready, "", 1) != 1)
		exit(1);
	if (i && !pthread_create(&thread, NULL, spin_forever, NULL))
		pthread_join(thread, NULL);
	spin_forever(NULL);
}

static void start_spinner(unsigned int i, const char *folder)
{
	struct stat st;
	int ready[2];
	char byte;

	if (stat(folder, &st) || pipe(ready) || (!i && unshare(CLONE_NEWPID)))
		ksft_exit_fail_msg("cannot use cgroup %s, or create a pipe or PID namespace\n", folder);
	spinner[i].cgroup = st.st_ino;
	spinner[i].pid = fork();
	if (!spinner[i].pid) {
		/* The new PID namespace applies to children only. */
		if (!i && getpid() != 1)
			exit(1);
		run_spinner(i, folder, ready[1]);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		ksft_exit_fail_msg("spinner %u did not start\n", i);
	close(ready[0]);
}

static void take_sample(const struct rcr_record *r, uint64_t from, uint64_t until)
{
	unsigned int i;

	for (i = 0; i < SPINNERS; i++) {
		struct spinner *s = &spinner[i];
		bool its = r->tgid == (uint32_t)s->pid, here = r->item.cpu == i + 1;

		if (its && (!here || r->time > ended))
			s->stray++;
		if (!here || r->time < from || r->time > until)
			continue;
		s->its += its;
		s->of_others += !its;
		s->wrong_cgroup += its && r->cgroup != s->cgroup;
		s->idle += !!(r->item.flags & RCR_RECORD_IDLE);
	}
}

/* Follow the stream until @end; check the records between @from and @until. */
static void follow(int fd, uint64_t from, uint64_t until, uint64_t end)
{
	static char buffer[256 * 1024] __attribute__((aligned(8)));
	ssize_t got, at;

	while (monotonic_ns() < end) {
		got = read(fd, buffer, sizeof(buffer));
		for (at = 0; at < got; ) {
			const struct rcr_item *item = (void *)(buffer + at);

			if (item->type == RCR_ITEM_SAMPLE)
				take_sample((const void *)item, from, until);
			at += item->size;
		}
	}
}

static void report(const struct spinner *s, const char *what)
{
	ksft_print_msg("%s: pid %d, cgroup %" PRIu64 ": %u records, %u of other processes, %u idle\n",
		       what, s->pid, s->cgroup, s->its, s->of_others, s->idle);
	/* A kernel thread may run now and then. */
	ksft_test_result(s->its >= ENOUGH && s->of_others * 10 <= s->its && !s->idle,
			 "%s: the records of its CPU have its process id while it spins\n", what);
	ksft_test_result(s->its && !s->wrong_cgroup,
			 "%s: each record with its process id has the id of its cgroup (%u do not)\n", what,
			 s->wrong_cgroup);
	ksft_test_result(!s->stray, "%s: no record of another CPU or from after its end has its process id (%u do)\n", what, s->stray);
}

int main(int argc, char **argv)
{
	struct rcr_set *set;
	uint64_t from, until;
	unsigned int i;
	cpu_set_t first;
	int fd;

	ksft_print_header();
	if (argc != 1 + SPINNERS)
		ksft_exit_fail_msg("usage: tasks CGROUP CGROUP\n");
	ksft_set_plan(3 * SPINNERS + 1);
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	sched_setaffinity(0, sizeof(first), &first);
	/* The one with a PID namespace comes last, as later children would be in it, too. */
	for (i = SPINNERS; i-- > 0; )
		start_spinner(i, argv[1 + i]);
	set = open_stream(&fd, 0);
	if (!set)
		ksft_exit_fail_msg("cannot open the device: %s\n", strerror(errno));
	from = monotonic_ns() + 2 * set->period_ns;
	until = from + SPIN_MS * 1000000ull;
	follow(fd, from, until, until + 2 * set->period_ns);
	for (i = 0; i < SPINNERS; i++)
		kill(spinner[i].pid, SIGKILL);
	for (i = 0; i < SPINNERS; i++)
		waitpid(spinner[i].pid, NULL, 0);
	ended = monotonic_ns();
	follow(fd, UINT64_MAX, 0, ended + 300000000);
	report(&spinner[0], "tasks: in its own PID namespace");
	report(&spinner[1], "tasks: in a second thread");
	ksft_test_result(spinner[0].cgroup != spinner[1].cgroup, "tasks: the two cgroups have different ids\n");
	ksft_finished();
}
