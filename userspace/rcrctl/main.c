// SPDX-License-Identifier: GPL-2.0-or-later
/* main.c - rcrctl: controls the rcrtool module. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "help/help.h"
#include "help/pager.h"
#include "message.h"
#include "parse/number.h"
#include "verbs.h"

/**
 * struct options - the command line before the verb
 * @batch: file with verbs, or NULL
 * @keep_going: continue after a verb that failed
 * @generation: expected generation, or 0
 * @count: remaining words
 * @args: the remaining words
 */
struct options {
	const char *batch;
	bool keep_going;
	uint32_t generation;
	int count;
	char **args;
};

static bool parse_ctl_generation(const char *text, uint32_t *generation)
{
	uint64_t number;

	if (!number_parse_range(text, 1, UINT32_MAX, &number))
		return false;
	*generation = number;
	return true;
}

static bool is_either(const char *word, const char *name, const char *letter)
{
	return !strcmp(word, name) || !strcmp(word, letter);
}

/* Parses one option; --help and --version end the program. */
static int take_main_option(struct options *o)
{
	const char *option = o->args[0];

	if (is_either(option, "--help", "-h")) {
		help_print_summary();
		exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
	}
	if (is_either(option, "--version", "-V")) {
		puts("rcrctl " RCR_VERSION);
		exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
	}
	if (!strcmp(option, "--keep-going")) {
		o->keep_going = true;
		o->count--;
		o->args++;
		return EXIT_SUCCESS;
	}
	if (!strcmp(option, "--generation")) {
		if (o->count < 2 || !parse_ctl_generation(o->args[1], &o->generation))
			return wrong("--generation needs a number from 1, as 'rcrctl show' prints it");
	} else if (!strcmp(option, "--batch")) {
		if (o->count < 2)
			return wrong("--batch needs a file, or - for standard input");
		o->batch = o->args[1];
	} else {
		return wrong("unknown option '%s'", option);
	}
	o->count -= 2;
	o->args += 2;
	return EXIT_SUCCESS;
}

static int check_combination(const struct options *o)
{
	if (o->batch && o->count)
		return wrong("unexpected argument '%s': --batch reads verbs from its file only",
			     o->args[0]);
	if (o->batch && o->generation)
		return wrong("--generation goes with one verb, not with --batch");
	if (!o->batch && o->keep_going)
		return wrong("--keep-going goes with --batch");
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct options o = { .count = argc - 1, .args = argv + 1 };
	struct session s = { 0 };
	struct call c = { .session = &s };
	int status = EXIT_SUCCESS;

	while (!status && o.count && o.args[0][0] == '-')
		status = take_main_option(&o);
	if (!status)
		status = check_combination(&o);
	if (status)
		return status;
	s.generation = o.generation;
	if (o.batch) {
		status = batch_run(&s, o.batch, o.keep_going);
	} else if (o.count) {
		c.count = o.count - 1;
		c.args = o.args + 1;
		status = verb_run(&c, o.args[0]);
	} else {
		status = verb_run(&c, "show");
	}
	session_close(&s);
	if (fflush(stdout) || ferror(stdout))
		status = fail("standard output: %s", strerror(errno));
	pager_end();
	return status;
}
