// SPDX-License-Identifier: GPL-2.0-only
/*
 * loops.c - loops SECONDS: three loops read lines of memory that are in no cache, in the ratio 6 to
 * 3 to 1. The third loop takes longer per line, so that its share of time is not that of its
 * misses.
 *
 * Prints "LOOP LINE" for each loop, LINE being its source line; at the end prints "NS begin 0" and,
 * for each execution of a loop, "NS LOOP LINES": CLOCK_MONOTONIC at its end, and the lines that it
 * has read.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LINE		64
#define BYTES		(4u << 20)
#define TENTH		40000u		/* lines per execution of the third loop */
#define QUIET		7		/* s */
#define PHASES		4096

/* A loop within one source line. */
#define READ_LINES(at, n, spin) \
	asm volatile("1: mov (%0), %%rax; add $64, %0; mov %2, %%ecx\n" \
		     "2: dec %%ecx; jnz 2b; dec %1; jnz 1b" \
		     : "+r"(at), "+r"(n) : "i"(spin) : "rax", "rcx", "cc", "memory")

static char memory[BYTES] __attribute__((aligned(4096)));
static unsigned int line_of[3];

static __attribute__((noinline)) void loop_first(const char *at, uint64_t n)
{
	READ_LINES(at, n, 30); line_of[0] = __LINE__;
}

static __attribute__((noinline)) void loop_second(const char *at, uint64_t n)
{
	READ_LINES(at, n, 30); line_of[1] = __LINE__;
}

static __attribute__((noinline)) void loop_third(const char *at, uint64_t n)
{
	READ_LINES(at, n, 150); line_of[2] = __LINE__;
}

static const struct {
	const char *name;
	void (*run)(const char *at, uint64_t n);
	unsigned int tenths;
} loops[3] = {
	{ "loop_first", loop_first, 6 },
	{ "loop_second", loop_second, 3 },
	{ "loop_third", loop_third, 1 },
};

struct phase {
	uint64_t end, lines;
	unsigned int loop;
};

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* Read the next lines of the memory, from where the last loop has ended. */
static void read_lines(unsigned int loop, uint64_t n)
{
	static uint64_t next;
	uint64_t part;

	for (; n; n -= part) {
		part = BYTES / LINE - next < n ? BYTES / LINE - next : n;
		loops[loop].run(memory + next * LINE, part);
		next = (next + part) % (BYTES / LINE);
	}
}

int main(int argc, char **argv)
{
	uint64_t end = now() + 1000000000ull * (argc > 1 ? atoi(argv[1]) : 1), begin;
	static struct phase phase[PHASES];
	unsigned int i, n = 0;

	/* Writing the memory causes contention, too. Let it end before the loops begin. */
	memset(memory, 1, sizeof(memory));
	sleep(QUIET);
	end += QUIET * 1000000000ull;
	begin = now();
	while (now() < end && n + 3 <= PHASES)
		for (i = 0; i < 3; i++) {
			uint64_t lines = loops[i].tenths * TENTH;

			read_lines(i, lines);
			phase[n++] = (struct phase){ now(), lines, i };
		}
	for (i = 0; i < 3; i++)
		printf("%s %u\n", loops[i].name, line_of[i]);
	printf("%llu begin 0\n", (unsigned long long)begin);
	for (i = 0; i < n; i++)
		printf("%llu %s %llu\n", (unsigned long long)phase[i].end, loops[phase[i].loop].name,
		       (unsigned long long)phase[i].lines);
	return 0;
}
