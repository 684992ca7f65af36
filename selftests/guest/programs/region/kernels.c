// SPDX-License-Identifier: GPL-2.0-only
/*
 * kernels.c - kernels MODE [NAME]...: sections with known floating-point operations and memory
 * traffic, each a named set of librcrregion in that mode. Prints "NAME right" or "NAME wrong",
 * depending on the results of the kernel. Operations and memory traffic of a section of length N:
 *
 *	triad	a = b + s c, PASSES times: N additions and multiplications each; 24 N bytes
 *		read (the lines of a are allocated before they are written), 8 N written
 *	stream	the same, LONG_PASSES times; only where it is named
 *	product	C = A B, ROWS x N by N x N: ROWS N^2 additions and multiplications; 8 ROWS N^2
 *		bytes of B read, and 16 ROWS N bytes of A and C
 *	fused	the same with multiply-adds, which are two operations, over a part of B
 *	fft	N log2(N) / 2 butterflies of 4 multiplications and 6 additions
 *	sort	12-bit keys in 2 passes of 6 bits: no operation; per pass 12 N bytes read (the keys
 *		twice, and the lines where they are stored), and 4 N written
 *	cg	a step of conjugate gradients with Z nonzeros: Z + 5 N additions and multiplications
 *		and two divisions; before the first one N of both
 *	nothing	none
 *	ep	N pairs of numbers: 3 additions and 4 multiplications each; for each of the K pairs
 *		in the unit circle also 2 additions, 2 divisions and a root, which counts as a
 *		division
 *
 * Tables are computed outside the sections. Compiled with -DWITH_MPI each rank runs all kernels,
 * pinned to a CPU, as another CPU would have other caches.
 *
 * With CPU_TOTAL="FD COUNTER CONTROL SELECT" in the environment it prints, after each NAME, how far
 * the MSR COUNTER has counted around the section; FD is a descriptor of a /dev/cpu/CPU/msr. CONTROL
 * is set to SELECT after RCR_Initialize(), which may try all counters to find a group that fits.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

#include "rcr_region.h"

#define LENGTH	(256 * 1024)	/* triad: arrays of 2 MiB */
#define PASSES	2
#define LONG_PASSES 40
#define ROWS	8
#define ORDER	512		/* product: B has 2 MiB */
#define PART	64		/* fused: rows of B */
#define POINTS	4096		/* fft */
#define KEYS	(512 * 1024)	/* sort: 2 MiB */
#define DIGITS	64	/* of 6 bits */
#define GRID	48		/* cg: points of an edge */
#define UNKNOWNS (GRID * GRID)
#define STEPS	20
#define PAIRS	20000		/* ep */

static double a[LENGTH], b[LENGTH], c[LENGTH];
static double left[ROWS][ORDER], right[ORDER][ORDER], product[ROWS][ORDER];
static double re[POINTS], im[POINTS], cosine[POINTS / 2], sine[POINTS / 2], energy;
static uint32_t key[KEYS], sorted[KEYS];
static uint32_t row[UNKNOWNS + 1], column[5 * UNKNOWNS];
static double value[5 * UNKNOWNS], x[UNKNOWNS], r[UNKNOWNS], p[UNKNOWNS], q[UNKNOWNS];
static volatile double factor = 3;
static double first_rho, last_rho, sum_x, sum_y;
static unsigned int accepted;

static void prepare_triad(void)
{
	int i;

	for (i = 0; i < LENGTH; i++) {
		a[i] = -1;
		b[i] = i;
		c[i] = 2 * i;
	}
}

static void run_passes(int passes)
{
	double s = factor;
	int i;

	while (passes--) {
		for (i = 0; i < LENGTH; i++)
			a[i] = b[i] + s * c[i];
		asm volatile("" : : : "memory");
	}
}

static void run_triad(void)
{
	run_passes(PASSES);
}

static void run_stream(void)
{
	run_passes(LONG_PASSES);
}

static int is_triad_right(void)
{
	int i;

	for (i = 0; i < LENGTH && a[i] == 7. * i; i++)
		;
	return i == LENGTH;
}

static void prepare_product(void)
{
	int i, j;

	memset(product, 0, sizeof(product));
	for (i = 0; i < ROWS; i++)
		for (j = 0; j < ORDER; j++)
			left[i][j] = i + 1;
	for (i = 0; i < ORDER; i++)
		for (j = 0; j < ORDER; j++)
			right[i][j] = i + j;
}

static void run_product(void)
{
	int i, j, k;

	for (i = 0; i < ROWS; i++)
		for (k = 0; k < ORDER; k++)
			for (j = 0; j < ORDER; j++)
				product[i][j] += left[i][k] * right[k][j];
}

__attribute__((target("fma")))
static void run_fused(void)
{
	int i, j, k;

	for (i = 0; i < ROWS; i++)
		for (k = 0; k < PART; k++)
			for (j = 0; j < ORDER; j++)
				product[i][j] = __builtin_fma(left[i][k], right[k][j], product[i][j]);
}

/* Check all elements: (i + 1) times the sum of k + j over all k below @rows. */
static int has_products(int rows)
{
	int i, j;

	for (i = 0; i < ROWS; i++)
		for (j = 0; j < ORDER; j++)
			if (product[i][j] != (i + 1.) * (rows * (rows - 1.) / 2 + (double)rows * j))
				return 0;
	return 1;
}

static int is_product_right(void)
{
	return has_products(ORDER);
}

static int is_fused_right(void)
{
	return has_products(PART);
}

/* Compute a root of unity by the series of sine and cosine, and its powers. */
static void make_roots(void)
{
	double angle = 2 * 3.14159265358979323846 / POINTS, term = 1, one_c = 0, one_s = 0, t;
	int i;

	for (i = 1; i < 20; i += 2) {
		one_c += term;
		one_s += term * angle / i;
		term *= -angle * angle / (i * (i + 1.));
	}
	cosine[0] = 1;
	sine[0] = 0;
	for (i = 1; i < POINTS / 2; i++) {
		t = cosine[i - 1];
		cosine[i] = t * one_c + sine[i - 1] * one_s;
		sine[i] = sine[i - 1] * one_c - t * one_s;
	}
}

static void prepare_fft(void)
{
	uint32_t i, bit, mirror;

	make_roots();
	for (i = 0, energy = 0; i < POINTS; i++) {
		for (bit = 1, mirror = 0; bit < POINTS; bit *= 2)
			mirror = mirror * 2 + !!(i & bit);
		re[mirror] = i % 17;
		im[mirror] = i % 5;
		energy += (i % 17) * (i % 17) + (i % 5) * (i % 5);
	}
}

static void run_fft(void)
{
	int half, first, i, k;
	double tr, ti;

	for (half = 1; half < POINTS; half *= 2)
		for (first = 0; first < POINTS; first += 2 * half)
			for (i = first, k = 0; i < first + half; i++, k += POINTS / 2 / half) {
				tr = re[i + half] * cosine[k] - im[i + half] * sine[k];
				ti = re[i + half] * sine[k] + im[i + half] * cosine[k];
				re[i + half] = re[i] - tr;
				im[i + half] = im[i] - ti;
				re[i] += tr;
				im[i] += ti;
			}
}

/* Check Parseval's theorem, and the value at 0, which is the sum of the input. */
static int is_fft_right(void)
{
	double sum = 0, of_values = 0;
	int i;

	for (i = 0; i < POINTS; i++) {
		sum += re[i] * re[i] + im[i] * im[i];
		of_values += i % 17;
	}
	sum /= energy * POINTS;
	return sum > 0.9999999999 && sum < 1.0000000001 && re[0] == of_values;
}

/* Return the next number of the Park-Miller sequence. */
static uint64_t next_number(uint64_t number)
{
	return number * 16807 % 2147483647;
}

static void prepare_sort(void)
{
	uint64_t number = 1;
	int i;

	for (i = 0; i < KEYS; i++) {
		number = next_number(number);
		key[i] = number % (DIGITS * DIGITS);
		sorted[i] = 0;
	}
}

static void sort_pass(const uint32_t *from, uint32_t *to, unsigned int shift)
{
	uint32_t place[DIGITS] = { }, next = 0, count;
	int i;

	for (i = 0; i < KEYS; i++)
		place[from[i] >> shift & (DIGITS - 1)]++;
	for (i = 0; i < DIGITS; i++) {
		count = place[i];
		place[i] = next;
		next += count;
	}
	for (i = 0; i < KEYS; i++)
		to[place[from[i] >> shift & (DIGITS - 1)]++] = from[i];
}

static void run_sort(void)
{
	sort_pass(key, sorted, 0);
	sort_pass(sorted, key, 6);
}

static int is_sort_right(void)
{
	int i;

	for (i = 1; i < KEYS && key[i - 1] <= key[i]; i++)
		;
	return i == KEYS;
}

static void add_entry(int at, double entry)
{
	uint32_t *last = &row[UNKNOWNS];

	column[*last] = at;
	value[(*last)++] = entry;
}

/* Prepare the Laplacian of a square grid: 5 entries per row, fewer at the edges. */
static void prepare_cg(void)
{
	int i;

	row[UNKNOWNS] = 0;
	for (i = 0; i < UNKNOWNS; i++) {
		row[i] = row[UNKNOWNS];
		if (i >= GRID)
			add_entry(i - GRID, -1);
		if (i % GRID)
			add_entry(i - 1, -1);
		add_entry(i, 4);
		if (i % GRID < GRID - 1)
			add_entry(i + 1, -1);
		if (i < UNKNOWNS - GRID)
			add_entry(i + GRID, -1);
		x[i] = 0;
		r[i] = i % 7 - 3;
		p[i] = r[i];
	}
}

static double inner_product(const double *u, const double *v)
{
	double sum = 0;
	int i;

	for (i = 0; i < UNKNOWNS; i++)
		sum += u[i] * v[i];
	return sum;
}

static void multiply_matrix(void)
{
	uint32_t k;
	double sum;
	int i;

	for (i = 0; i < UNKNOWNS; i++) {
		for (k = row[i], sum = 0; k < row[i + 1]; k++)
			sum += value[k] * p[column[k]];
		q[i] = sum;
	}
}

static void run_cg(void)
{
	double rho = inner_product(r, r), before, alpha, beta;
	int i, step;

	first_rho = rho;
	for (step = 0; step < STEPS; step++) {
		multiply_matrix();
		alpha = rho / inner_product(p, q);
		for (i = 0; i < UNKNOWNS; i++)
			x[i] += alpha * p[i];
		for (i = 0; i < UNKNOWNS; i++)
			r[i] -= alpha * q[i];
		before = rho;
		rho = inner_product(r, r);
		beta = rho / before;
		for (i = 0; i < UNKNOWNS; i++)
			p[i] = r[i] + beta * p[i];
	}
	last_rho = rho;
}

/* Check that the residual has decreased, and is the one that the last step has computed. */
static int is_cg_right(void)
{
	double residual = 0, off;
	int i;

	memcpy(p, x, sizeof(p));
	multiply_matrix();
	for (i = 0; i < UNKNOWNS; i++) {
		off = i % 7 - 3 - q[i];
		residual += off * off;
	}
	return last_rho < first_rho / 10 && residual > last_rho * 0.999 && residual < last_rho * 1.001;
}

static void prepare_ep(void)
{
	accepted = 0;
	sum_x = 0;
	sum_y = 0;
}

static void run_ep(void)
{
	const double scale = 2 / 2147483647.;
	uint64_t number = 271828183;
	double u, v, t, root;
	int i;

	for (i = 0; i < PAIRS; i++) {
		number = next_number(number);
		u = (int64_t)number * scale - 1;
		number = next_number(number);
		v = (int64_t)number * scale - 1;
		t = u * u + v * v;
		if (t > 1)
			continue;
		root = __builtin_sqrt(t);
		sum_x += u / root;
		sum_y += v / root;
		accepted++;
	}
}

/* Check that about pi / 4 of the pairs were accepted, and that their mean is about 0. */
static int is_ep_right(void)
{
	double share = (double)accepted / PAIRS;

	return share > 0.77 && share < 0.80 && sum_x * sum_x + sum_y * sum_y < 10. * accepted;
}

/* An empty section: only the cost of the calls. */
static void do_nothing(void)
{
}

static int is_always_right(void)
{
	return 1;
}

static const struct {
	const char *name;
	void (*prepare)(void);
	void (*run)(void);
	int (*is_right)(void);
} kernels[] = {
	{ "nothing", prepare_ep, do_nothing, is_always_right },
	{ "triad", prepare_triad, run_triad, is_triad_right },
	{ "stream", prepare_triad, run_stream, is_triad_right },
	{ "product", prepare_product, run_product, is_product_right },
	{ "fused", prepare_product, run_fused, is_fused_right },
	{ "fft", prepare_fft, run_fft, is_fft_right },
	{ "sort", prepare_sort, run_sort, is_sort_right },
	{ "cg", prepare_cg, run_cg, is_cg_right },
	{ "ep", prepare_ep, run_ep, is_ep_right },
};

#define KERNELS	(sizeof(kernels) / sizeof(kernels[0]))

static int total_fd = -1;
static long total_register;

static void start_total(void)
{
	const char *text = getenv("CPU_TOTAL");

	long control;
	uint64_t select;

	if (!text)
		return;
	if (sscanf(text, "%d %li %li %" SCNi64, &total_fd, &total_register, &control,
		   (int64_t *)&select) != 4 ||
	    pwrite(total_fd, &select, sizeof(select), control) != sizeof(select)) {
		perror("CPU_TOTAL");
		total_fd = -1;
	}
}

static uint64_t read_total(void)
{
	uint64_t total = 0;

	if (total_fd >= 0 && pread(total_fd, &total, sizeof(total), total_register) != sizeof(total))
		perror("CPU_TOTAL");
	return total;
}

#ifdef WITH_MPI
static void take_cpu(void)
{
	cpu_set_t set;
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	CPU_ZERO(&set);
	CPU_SET(rank % sysconf(_SC_NPROCESSORS_CONF), &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		perror("sched_setaffinity");
}
#endif

/* Let all ranks begin at the same time. */
static void wait_for_ranks(void)
{
#ifdef WITH_MPI
	MPI_Barrier(MPI_COMM_WORLD);
#endif
}

/* Print the result of a kernel on the first rank: "right" if it is right on all ranks. */
static void print_kernel(const char *name, int wrong, uint64_t total)
{
	int rank = 0;
#ifdef WITH_MPI
	int mine = wrong;

	MPI_Allreduce(&mine, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
	if (!rank)
		printf("%s %s %" PRIu64 "\n", name, wrong ? "wrong" : "right", total);
}

static void run_kernel(size_t i)
{
	int set = RCR_Set(kernels[i].name);
	uint64_t total;

	/* The first RCR_Start() of a thread opens its counters: do that outside the sections. */
	RCR_Start(0);
	RCR_Stop(0);
	kernels[i].prepare();
	wait_for_ranks();
	total = read_total();
	RCR_Start(set);
	kernels[i].run();
	RCR_Stop(set);
	total = read_total() - total;
	print_kernel(kernels[i].name, !kernels[i].is_right(), total);
}

int main(int argc, char **argv)
{
	size_t i;
	int k;

#ifdef WITH_MPI
	MPI_Init(&argc, &argv);
	take_cpu();
#endif
	RCR_Initialize(argc > 1 ? atoi(argv[1]) : 0);
	start_total();
	for (i = 0; i < KERNELS; i++) {
		for (k = 2; k < argc && strcmp(argv[k], kernels[i].name); k++)
			;
		if (k < argc || (argc == 2 && kernels[i].run != run_stream))
			run_kernel(i);
	}
	RCR_Finalize();
#ifdef WITH_MPI
	MPI_Finalize();
#endif
	return 0;
}
