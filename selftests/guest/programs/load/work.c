// SPDX-License-Identifier: GPL-2.0-only
/*
 * work.c - work KIND COUNT: does known work COUNT times, which exec.sh counts.
 *
 * The program uses no C library, and executes the same instructions each time, except for the
 * number of rounds of the loops, which are in assembly. Two runs with COUNTs of as many digits
 * differ only by these rounds.
 */
#include <stddef.h>
#include <stdint.h>

#define LINE		64
#define PAGE		4096
#define ELEMENTS	(512 * 1024)	/* doubles: arrays of 4 MiB */
#define PAGES		4096
#define PART		(768 * 1024)

static double a[ELEMENTS] __attribute__((aligned(PAGE)));
static double b[ELEMENTS] __attribute__((aligned(PAGE)));
static double c[ELEMENTS] __attribute__((aligned(PAGE)));
static char fresh[PAGES * PAGE] __attribute__((aligned(PAGE)));
static char data[4 * LINE] __attribute__((aligned(LINE)));

/* Repeat @body @n times; %1 is the address of some data. */
#define LOOP(body, n) \
	asm volatile("1:\n" body "dec %0\n jnz 1b\n" : "+r"(n) : "r"(data) \
		     : "memory", "cc", "rax", "rcx", "rsi", "rdi", \
		       "xmm0", "xmm1", "xmm2", "xmm3")

/* 10 instructions, one branch. */
static void nops(uint64_t n)
{
	LOOP("nop; nop; nop; nop; nop; nop; nop; nop\n", n);
}

/* 4 operations, double precision additions. */
static void add(uint64_t n)
{
	LOOP("addsd %%xmm1, %%xmm0; addsd %%xmm1, %%xmm0\n"
	     "addsd %%xmm1, %%xmm0; addsd %%xmm1, %%xmm0\n", n);
}

/* Operations of each kind and width; exec.sh has their numbers. */
static void flops(uint64_t n)
{
	asm volatile("vzeroall" : : : "xmm0", "xmm1", "xmm2", "xmm3");
	LOOP(/* single precision: add 17, mul 13, div 6, multiply-add 26 */
	     "addss %%xmm1, %%xmm0; subps %%xmm1, %%xmm0\n"
	     "vaddps %%ymm1, %%ymm0, %%ymm2; haddps %%xmm1, %%xmm0\n"
	     "mulss (%1), %%xmm0; mulps %%xmm1, %%xmm0\n"
	     "vmulps %%ymm1, %%ymm0, %%ymm2\n"
	     "divss %%xmm1, %%xmm0; sqrtps %%xmm1, %%xmm0; vsqrtss %%xmm1, %%xmm0, %%xmm2\n"
	     "vfmadd231ss %%xmm1, %%xmm0, %%xmm2; vfmsub132ps %%xmm1, %%xmm0, %%xmm2\n"
	     "vfnmadd213ps %%ymm1, %%ymm0, %%ymm2\n"
	     /* double: add 11, mul 7, div 3, multiply-add 14 */
	     "addsd %%xmm1, %%xmm0; subpd %%xmm1, %%xmm0; vsubpd %%ymm1, %%ymm0, %%ymm2\n"
	     "addsubpd %%xmm1, %%xmm0; haddpd %%xmm1, %%xmm0\n"
	     "mulsd %%xmm1, %%xmm0; mulpd (%1), %%xmm0; vmulpd (%1), %%ymm0, %%ymm2\n"
	     "divsd %%xmm1, %%xmm0; sqrtpd %%xmm1, %%xmm0\n"
	     "vfmadd132sd %%xmm1, %%xmm0, %%xmm2; vfmaddsub231pd %%xmm1, %%xmm0, %%xmm2\n"
	     "vfnmsub231pd %%ymm1, %%ymm0, %%ymm2\n"
	     /* none of these counts as an operation */
	     "minsd %%xmm1, %%xmm0; ucomisd %%xmm1, %%xmm0; cvtss2sd %%xmm1, %%xmm0\n"
	     "rcpps %%xmm1, %%xmm0; movapd %%xmm1, %%xmm0; xorps %%xmm0, %%xmm0\n",
	     n);
}

/* 14 instructions, 8 loads, 7 stores; an access of 32 bytes counts as two. */
static void accesses(uint64_t n)
{
	LOOP("mov (%1), %%rax; movzbl 8(%1), %%eax; movaps (%1), %%xmm0\n"
	     "addsd (%1), %%xmm0; vmovaps 32(%1), %%ymm1\n"
	     "mov %%rax, 64(%1); movb $1, 72(%1); movups %%xmm0, 80(%1)\n"
	     "addl $1, 128(%1); vmovups %%ymm1, 160(%1)\n"
	     "lea (%1), %%rax; lock incl 136(%1)\n", n);
}

/* 6 instructions, 64 loads, 64 stores. */
static void strings(uint64_t n)
{
	LOOP("mov %1, %%rsi; lea 128(%1), %%rdi; mov $64, %%ecx; rep movsb\n",
	     n);
}

/* 4 instructions; the first one faults and is executed twice. */
static void faults(uint64_t n)
{
	const char *p = fresh;

	asm volatile("1: movb $1, (%1); add $4096, %1; dec %0; jnz 1b\n"
		     : "+r"(n), "+r"(p) : : "memory", "cc");
}

/* Write the arrays: memory that was never written is all the zero page. */
static void fill(void)
{
	size_t i;

	for (i = 0; i < ELEMENTS; i++) {
		b[i] = i;
		c[i] = i;
	}
}

/* Reads b, c and also a: each line of a is allocated before it is written. */
static void triad(uint64_t n)
{
	size_t i;

	fill();
	for (; n; n--)
		for (i = 0; i < ELEMENTS; i++) {
			a[i] = b[i] + 3 * c[i];
			asm volatile("" : : : "memory");	/* keep each store */
		}
}

/* Like triad(), but the stores bypass the caches. */
static void stream(uint64_t n)
{
	size_t i;

	fill();
	for (; n; n--)
		for (i = 0; i < ELEMENTS; i += 2)
			asm volatile("movapd (%0), %%xmm0; addpd (%1), %%xmm0\n"
				     "movntpd %%xmm0, (%2)\n"
				     : : "r"(b + i), "r"(c + i), "r"(a + i)
				     : "memory", "xmm0");
}

/* Reads 8 KiB, half of the L1 cache. */
static void small(uint64_t n)
{
	size_t i;

	fill();
	for (; n; n--)
		for (i = 0; i < 1024; i++)
			asm volatile("mov %0, %%rax" : : "m"(b[i]) : "rax");
}

/* Read one word of each cache line of @memory, with 64 instructions in between. */
static void walk(const void *memory, size_t size, uint64_t n)
{
	const char *at = memory;
	size_t i;

	for (; n; n--)
		for (i = 0; i < size; i += LINE)
			asm volatile("mov %0, %%rax; mov $30, %%ecx\n 2: dec %%ecx; jnz 2b\n"
				     : : "m"(at[i]) : "rax", "rcx", "cc");
}

/* Walk 768 KiB; walk_all() walks 8 MiB. */
static void walk_part(uint64_t n)
{
	size_t i;

	for (i = 0; i < PART; i += PAGE)
		*((volatile char *)b + i) = 1;
	walk(b, PART, n);
}

static void walk_all(uint64_t n)
{
	fill();
	for (; n; n--) {
		walk(b, sizeof(b), 1);
		walk(c, sizeof(c), 1);
	}
}

/* Write a word in each cache line of 8 MiB. */
static void write_all(uint64_t n)
{
	size_t i;

	for (; n; n--)
		for (i = 0; i < ELEMENTS; i += LINE / sizeof(*b))
			asm volatile("movq $1, %0; movq $1, %1\n" : "=m"(b[i]), "=m"(c[i]));
}

static const struct {
	char name[16];
	void (*run)(uint64_t n);
} kinds[] = {
	{ "nops", nops }, { "add", add }, { "flops", flops },
	{ "accesses", accesses }, { "strings", strings }, { "faults", faults },
	{ "triad", triad }, { "stream", stream }, { "small", small },
	{ "part", walk_part }, { "all", walk_all }, { "write", write_all },
};

static _Noreturn void end(long status)
{
	asm volatile("syscall" : : "a"(60L), "D"(status) : "rcx", "r11", "memory");
	__builtin_unreachable();
}

static uint64_t number(const char *text)
{
	uint64_t n = 0;

	while (*text >= '0' && *text <= '9')
		n = 10 * n + *text++ - '0';
	return n;
}

static int same(const char *x, const char *y)
{
	while (*x && *x == *y) {
		x++;
		y++;
	}
	return *x == *y;
}

__attribute__((used)) _Noreturn void begin(long argc, char **argv)
{
	size_t i;

	for (i = 0; argc == 3 && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (same(argv[1], kinds[i].name)) {
			kinds[i].run(number(argv[2]));
			end(0);
		}
	end(1);
}

asm(".globl _start\n_start: mov (%rsp), %rdi; lea 8(%rsp), %rsi; call begin\n");
