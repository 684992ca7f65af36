// SPDX-License-Identifier: GPL-2.0-only
/*
 * omp_work.c - omp_work CALLS ROUNDS: an OpenMP program that executes two parallel regions CALLS
 * times on four threads. Prints "unharmed"; the exit status is 42.
 *
 * In the first region thread I executes 2 (I + 1) ROUNDS instructions, so that the others wait for
 * the last one. In the second region each thread creates a task of as many instructions, and then
 * executes 2 ROUNDS itself. Any thread may execute a task, mostly one that waits for others.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4

static void work(uint64_t rounds)
{
	asm volatile("1: dec %0\n jnz 1b\n" : "+r"(rounds) : : "cc");
}

int main(int argc, char **argv)
{
	uint64_t calls, rounds;

	if (argc < 3)
		return 1;
	calls = strtoull(argv[1], NULL, 0);
	rounds = strtoull(argv[2], NULL, 0);
	for (uint64_t call = 0; call < calls; call++) {
#pragma omp parallel for num_threads(THREADS) schedule(static, 1)
		for (int i = 0; i < THREADS; i++)
			work((i + 1) * rounds);
#pragma omp parallel for num_threads(THREADS) schedule(static, 1)
		for (int i = 0; i < THREADS; i++) {
#pragma omp task firstprivate(i)
			work((i + 1) * rounds);
			work(rounds);
		}
	}
	puts("unharmed");
	return 42;
}
