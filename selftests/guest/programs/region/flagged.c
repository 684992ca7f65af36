// SPDX-License-Identifier: GPL-2.0-only
/*
 * flagged.c - flagged MODE FLAGS POINTS ROUNDS: two kernels as regions, compiled with o1, o3 or
 * simd (-O1, -O3 without and with vectorization): MG, a stencil with 2 additions and 2
 * multiplications per point, and FT, with 6 and 4 per butterfly.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rcr_region.h"

#define POINTS_MAX	1048576

static double from[2][POINTS_MAX + 2], to[2][POINTS_MAX + 2], wave[2][POINTS_MAX];

/* clang, which only checks this source, does not know the attribute. */
#ifdef __clang__
#define COMPILED_WITH(...)
#else
#define COMPILED_WITH(...) optimize(__VA_ARGS__)
#endif

#define KERNELS(flags, ...) \
static __attribute__((noinline, COMPILED_WITH(__VA_ARGS__))) void stencil_##flags(long n) \
{ \
	double *restrict t = to[0], *restrict f = from[0]; \
	long i; \
	for (i = 1; i <= n; i++) \
		t[i] = 0.25 * (f[i - 1] + f[i + 1]) + 0.5 * f[i]; \
	asm volatile("" : : "r"(t) : "memory"); \
} \
\
static __attribute__((noinline, COMPILED_WITH(__VA_ARGS__))) void butterflies_##flags(long n) \
{ \
	double *restrict a = from[0], *restrict b = from[1], *restrict c = to[0]; \
	double *restrict d = to[1], *restrict re = wave[0], *restrict im = wave[1]; \
	double x, y; \
	long i; \
	for (i = 0; i < n; i++) { \
		x = c[i] * re[i] - d[i] * im[i]; \
		y = c[i] * im[i] + d[i] * re[i]; \
		c[i] = a[i] - x; \
		d[i] = b[i] - y; \
		a[i] = a[i] + x; \
		b[i] = b[i] + y; \
	} \
	asm volatile("" : : "r"(a) : "memory"); \
}

KERNELS(o1, "O1")
KERNELS(o3, "O3", "no-tree-vectorize")
KERNELS(simd, "O3", "tree-vectorize")

static const struct {
	const char *name;
	void (*stencil)(long n);
	void (*butterflies)(long n);
} variants[] = {
	{ "o1", stencil_o1, butterflies_o1 },
	{ "o3", stencil_o3, butterflies_o3 },
	{ "simd", stencil_simd, butterflies_simd },
};

static void count_region(const char *name, void (*kernel)(long n), long points, long rounds)
{
	int set = RCR_Set(name);

	/* Keep first accesses to the memory out of the region. */
	kernel(points);
	RCR_Start(set);
	while (rounds--)
		kernel(points);
	RCR_Stop(set);
}

int main(int argc, char **argv)
{
	long points, rounds;
	unsigned int i;

	if (argc != 5)
		return 2;
	points = atol(argv[3]);
	rounds = atol(argv[4]);
	for (i = 0; i < 3 && strcmp(variants[i].name, argv[2]); i++)
		;
	if (i == 3 || points < 1 || points > POINTS_MAX)
		return 2;
	if (RCR_Initialize(atoi(argv[1])))
		return 1;
	count_region("MG", variants[i].stencil, points, rounds);
	count_region("FT", variants[i].butterflies, points, rounds);
	return RCR_Finalize() ? 1 : 0;
}
