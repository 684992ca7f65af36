// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - calls SECONDS MODULE [PARAMETER]...: loads the module, carries out programs for
 * that long, at once as nobody and, three times, as root, and unloads it. A program with
 * a new result is kept, and others are made of it: new code of the module that was run,
 * where the kernel reports that (kcov.c), and an answer that was not given before.
 *
 * calls again FILE MODULE [PARAMETER]...: carries out the programs in FILE, the
 * log of a kernel that went down.
 *
 * Prints the number of all that, and a line for each place of the module that was
 * run. The status is 0 at the end; whether the kernel is well is judged elsewhere.
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
#define WORKERS		4	/* the first is nobody */
#define RESULTS		(1u << 16)
#define NOBODY		65534

static struct program kept[KEPT_MOST];
static unsigned int kept_count;
static bool given[RESULTS];
static unsigned int worker;

/* Was that answer not given before? */
static bool is_new_answer(unsigned int answer)
{
	unsigned int place = answer * 2654435761u >> 16;
	bool new = !given[place % RESULTS];

	given[place % RESULTS] = true;
	return new;
}

/* Carries it out; did that bring about anything new? */
static bool run(const struct program *p)
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

static void keep(const struct program *p)
{
	if (kept_count < KEPT_MOST)
		kept[kept_count++] = *p;
	else
		kept[random_number() % KEPT_MOST] = *p;
}

static const struct program *any(void)
{
	/* The latest program leads on the furthest. */
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
		run(&p);
		keep(&p);
	}
}

static long seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* With something sampled, and something that uses it as it is meant. */
static void begin_anew(void)
{
	struct program p;

	kcov_begin();
	perform_end(false);
	perform_restore();
	request_restore();
	kcov_end();
	make_some_known(&p);
	run(&p);
}

static void fuzz(long seconds)
{
	long end = seconds_now() + seconds;
	unsigned long programs = 0;
	struct program p;

	run_known();
	while (seconds_now() < end) {
		if (programs++ % BEFORE_RESTORE == 0)
			begin_anew();
		make_other(&p, any(), any());
		if (run(&p))
			keep(&p);
	}
	printf("# calls as %s: %lu programs, %lu operations, %u kept\n",
	       worker ? "root" : "nobody", programs, (unsigned long)perform_count(), kept_count);
	fflush(stdout);
}

static void work(long seconds)
{
	kcov_open();
	if (!worker && (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
			setresuid(NOBODY, NOBODY, NOBODY)))
		_exit(2);
	random_seed(worker + 1);
	request_open();
	fuzz(seconds);
	_exit(0);
}

/* Each is a process of its own, and fails by itself; whether none did. */
static bool fuzz_all(long seconds)
{
	bool good = true;
	int status;

	for (worker = 0; worker < WORKERS; worker++) {
		pid_t child = fork();

		if (!child)
			work(seconds);
		good &= child > 0;
	}
	while (wait(&status) > 0) {
		if (status)
			printf("# calls: one of them ended with status 0x%x\n", status);
		good &= !status;
	}
	return good;
}

/* One after the other, nobody's programs as root; returns whether there were any. */
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
			run(&program[worker]);
			programs++;
		}
		program[worker].count = number + 1;
		program[worker].op[number] = op;
	}
	for (worker = 0; worker < WORKERS; worker++) {
		run(&program[worker]);
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
