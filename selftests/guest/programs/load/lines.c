// SPDX-License-Identifier: GPL-2.0-only
/*
 * lines.c - lines KIND ROUNDS CPU CPU: two processes, each on its CPU, write to different words of
 * shared memory.
 *
 *	turns	by turns, in the same cache line: each round moves the line to the other cache
 *	words	in the same cache line, as fast as possible
 *	apart	in different cache lines, as fast as possible
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINE 64

/* At the start of a page. */
struct shared {
	struct {
		volatile unsigned long turn;	/* whose turn it is: 0 or 1 */
		volatile unsigned long word[2];
		char rest[LINE - 3 * sizeof(long)];
	} together;
	struct {
		volatile unsigned long word;
		char rest[LINE - sizeof(long)];
	} apart[2];
};

static void take_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		perror("lines: sched_setaffinity");
		_exit(1);
	}
}

/* x86 does not reorder these stores and loads. */
static void by_turns(struct shared *s, unsigned int me, long rounds)
{
	while (rounds--) {
		while (s->together.turn != me)
			;
		s->together.word[me]++;
		s->together.turn = !me;
	}
}

static void work(struct shared *s, const char *kind, unsigned int me, long rounds, int cpu)
{
	take_cpu(cpu);
	if (!strcmp(kind, "turns"))
		by_turns(s, me, rounds);
	while (!strcmp(kind, "words") && rounds--)
		s->together.word[me] = rounds;
	while (!strcmp(kind, "apart") && rounds--)
		s->apart[me].word = rounds;
}

int main(int argc, char **argv)
{
	struct shared *s;
	int status = 0;
	pid_t pid;
	long rounds;

	if (argc != 5)
		return 2;
	rounds = atol(argv[2]);
	s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s == MAP_FAILED)
		return 1;
	pid = fork();
	if (pid < 0)
		return 1;
	work(s, argv[1], !pid, rounds, atoi(argv[pid ? 3 : 4]));
	if (pid && waitpid(pid, &status, 0) != pid)
		return 1;
	return status != 0;
}
