// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - calls SECONDS MODULE [PARAMETER]...: loads the module, runs programs for that time in
 * four concurrent workers, one as nobody and three as root, and unloads the module. A program that
 * runs new code of the module (kcov.c), or has a new result, is kept, and others are derived from
 * it.
 *
 * calls again FILE MODULE [PARAMETER]...: runs the programs in FILE, the log of a kernel that
 * crashed.
 *
 * Prints statistics, and a line for each place of the module that was run. The exit status is 0
 * unless a worker failed or the module cannot be unloaded; guest.sh checks the kernel's log.
 */
#define _GNU_SOURCE
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"

#define KEPT_MOST	2000
#define BEFORE_RESTORE	48
#define WORKERS		4	/* worker 0 runs as nobody */
#define RESULTS		(1u << 16)
#define NOBODY		65534

static struct program kept[KEPT_MOST];
static unsigned int kept_count;
static bool given[RESULTS];
static unsigned int worker;

/* True if an operation had this result for the first time, up to collisions of the hash. */
static bool is_new_answer(unsigned int answer)
{
	unsigned int place = answer * 2654435761u >> 16;
	bool new = !given[place % RESULTS];

	given[place % RESULTS] = true;
	return new;
}

/* Run a program. Return: true if it ran new code or had a new result. */
static bool run_program(const struct program *p)
{
	unsigned int i, new = 0;
	bool keep = false;

	perform_begin();
	kcov_begin();
	for (i = 0; i < p->count; i++) {
		log_op(worker, i, &p->op[i]);
		perform(&p->op[i]);
		new += is_new_answer(perform_result());
		keep |= p->op[i].kind == OP_KEEP;
	}
	perform_end(keep);
	return new + kcov_end() > 0;
}

static void keep_program(const struct program *p)
{
	if (kept_count < KEPT_MOST)
		kept[kept_count++] = *p;
	else
		kept[random_number() % KEPT_MOST] = *p;
}

static const struct program *pick_kept(void)
{
	/* Prefer recent programs: their results are the newest. */
	if (random_number() % 3 == 0 && kept_count > 16)
		return &kept[kept_count - 1 - random_number() % 16];
	return &kept[random_number() % kept_count];
}

static void run_known(void)
{
	struct program p;
	unsigned int n, all = make_known(&p, 0);

	for (n = 0; n < all; n++) {
		make_known(&p, n);
		run_program(&p);
		keep_program(&p);
	}
}

static long seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* Restore the initial state, with a sampled set, and run a known program. */
static void begin_anew(void)
{
	struct program p;

	kcov_begin();
	perform_end(false);
	perform_restore();
	request_restore();
	kcov_end();
	make_some_known(&p);
	run_program(&p);
}

static void fuzz_module(long seconds)
{
	long end = seconds_now() + seconds;
	unsigned long programs = 0;
	struct program p;

	run_known();
	while (seconds_now() < end) {
		if (programs++ % BEFORE_RESTORE == 0)
			begin_anew();
		make_other(&p, pick_kept(), pick_kept());
		if (run_program(&p))
			keep_program(&p);
	}
	printf("# calls as %s: %lu programs, %lu operations, %u kept\n",
	       worker ? "root" : "nobody", programs, (unsigned long)perform_count(), kept_count);
	fflush(stdout);
}

static void begin_worker(long seconds)
{
	kcov_open();
	if (!worker && (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
			setresuid(NOBODY, NOBODY, NOBODY)))
		_exit(2);
	random_seed(worker + 1);
	request_open();
	fuzz_module(seconds);
	_exit(0);
}

/* Run all workers, each in a process of its own. Return: false if any failed. */
static bool fuzz_all(long seconds)
{
	bool good = true;
	int status;

	for (worker = 0; worker < WORKERS; worker++) {
		pid_t child = fork();

		if (!child)
			begin_worker(seconds);
		good &= child > 0;
	}
	while (wait(&status) > 0) {
		if (status)
			printf("# calls: one of them ended with status 0x%x\n", status);
		good &= !status;
	}
	return good;
}

/* Run the programs of a log in sequence, all as root. Return: false if there is none. */
static bool run_again(const char *path)
{
	static struct program program[WORKERS];
	FILE *f = fopen(path, "r");
	unsigned int number, programs = 0;
	char line[4096];
	struct op op;

	request_open();
	request_restore();
	while (f && fgets(line, sizeof(line), f)) {
		if (!log_parse(line, &worker, &number, &op) || worker >= WORKERS || number >= OPS)
			continue;
		if (!number && program[worker].count) {
			run_program(&program[worker]);
			programs++;
		}
		program[worker].count = number + 1;
		program[worker].op[number] = op;
	}
	for (worker = 0; worker < WORKERS; worker++) {
		run_program(&program[worker]);
		programs += !!program[worker].count;
	}
	printf("# calls again: %u programs\n", programs);
	return programs;
}

static void tell_places(bool covers)
{
	if (covers)
		printf("# calls: %u places of the module\n", kcov_count());
	else
		printf("# calls: this kernel does not report covered code\n");
	kcov_print();
}

int main(int argc, char **argv)
{
	bool again = argc > 3 && !strcmp(argv[1], "again"), covers, good;
	long seconds = argc > 2 && !again ? atol(argv[1]) : 0;
	char **word = argv + 2 + again;

	if (!again && seconds < 1) {
		fprintf(stderr, "usage: calls SECONDS|again FILE MODULE [PARAMETER]...\n");
		return 2;
	}
	kcov_share();
	module_share();
	covers = kcov_open();
	log_open();
	if (module_load(*word, word + 1, argv + argc - word - 1)) {
		perror(*word);
		return 2;
	}
	good = again ? run_again(argv[2]) : fuzz_all(seconds);
	if (module_unload()) {
		perror("the module stays loaded");
		good = false;
	}
	tell_places(covers);
	return !good;
}
