// SPDX-License-Identifier: GPL-2.0-only
/*
 * triad.c - triad KIND PASSES: work with a known number of bytes and operations, whose begin and
 * end the caller controls. KIND is
 *
 *	triad	a = b + 3 c over arrays of 16 MiB with non-temporal stores: 24 bytes of memory
 *		traffic and two operations per element
 *	flops	operations of several kinds and widths in registers
 *
 * Fills the arrays, prints "ready", and waits for a line of standard input. Then it works, prints
 * the bytes, the operations and the begin and end (CLOCK_MONOTONIC, ns), and keeps its memory until
 * another line or the end of standard input.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ELEMENTS	(2 * 1024 * 1024)	/* doubles: arrays of 16 MiB */
#define ROUNDS		1000000			/* of a pass of flops */

static double a[ELEMENTS] __attribute__((aligned(4096)));
static double b[ELEMENTS] __attribute__((aligned(4096)));
static double c[ELEMENTS] __attribute__((aligned(4096)));

/* Write the arrays: pages that were never written are all the zero page. */
static void fill(void)
{
	size_t i;

	for (i = 0; i < ELEMENTS; i++) {
		a[i] = 0;
		b[i] = i;
		c[i] = 2 * i;
	}
}

/* Process two elements: a multiplication and an addition of two doubles each. */
static void triad(void)
{
	static const double three[2] __attribute__((aligned(16))) = { 3, 3 };
	size_t i;

	for (i = 0; i < ELEMENTS; i += 2)
		asm volatile("movapd (%0), %%xmm0; mulpd (%1), %%xmm0\n"
			     "addpd (%2), %%xmm0; movntpd %%xmm0, (%3)\n"
			     : : "r"(c + i), "r"(three), "r"(b + i), "r"(a + i)
			     : "memory", "xmm0");
	asm volatile("sfence" : : : "memory");
}

/*
 * Operations per round: additions and multiplications of 1, 2, 4 and 8 elements (15), a division
 * and a square root of two elements (3), a multiply-add of four (8), and one on a float.
 */
#define FLOPS_OF_ROUND	27

static void flops(void)
{
	uint64_t n = ROUNDS;

	asm volatile("vzeroall\n"
		     "1: addsd %%xmm1, %%xmm0; mulpd %%xmm1, %%xmm0\n"
		     "vaddpd %%ymm1, %%ymm0, %%ymm2; vmulps %%ymm1, %%ymm0, %%ymm2\n"
		     "divsd %%xmm1, %%xmm3; sqrtpd %%xmm1, %%xmm0\n"
		     "vfmadd231pd %%ymm1, %%ymm0, %%ymm2; addss %%xmm1, %%xmm0\n"
		     "dec %0; jnz 1b\n"
		     : "+r"(n) : : "cc", "xmm0", "xmm1", "xmm2", "xmm3");
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* Wait for a whole line; its rest would be read as the next line. */
static void wait_for_line(void)
{
	int byte;

	do
		byte = getchar();
	while (byte != '\n' && byte != EOF);
}

static void work(void (*pass)(void), unsigned long passes, uint64_t bytes, uint64_t operations)
{
	uint64_t begin;
	unsigned long i;

	pass();
	puts("ready");
	wait_for_line();
	begin = now();
	for (i = 0; i < passes; i++)
		pass();
	printf("%llu %llu %llu\n", (unsigned long long)(passes * bytes),
	       (unsigned long long)(passes * operations), (unsigned long long)(now() - begin));
	wait_for_line();
}

int main(int argc, char **argv)
{
	unsigned long passes = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (passes && !strcmp(argv[1], "triad")) {
		fill();
		work(triad, passes, 24ull * ELEMENTS, 2ull * ELEMENTS);
	} else if (passes && !strcmp(argv[1], "flops")) {
		work(flops, passes, 0, (uint64_t)FLOPS_OF_ROUND * ROUNDS);
	} else {
		fprintf(stderr, "triad triad|flops PASSES\n");
		return 1;
	}
	return 0;
}
