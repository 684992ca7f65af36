// SPDX-License-Identifier: GPL-2.0-or-later
/* options.c - parses the command line of rcrjob. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"
#include "parse/period.h"
#include "rcrjob/options.h"

/* The shortest sampling period: a shorter interval would have no samples. */
#define INTERVAL_MIN	100000ull
#define INTERVAL_MAX	86400000000000000ull

/* Options that have no short form. */
enum {
	OPTION_ROOT = 256,
	OPTION_VALUES,
};

static const char help[] =
	"Usage: rcrjob run [OPTION]... -- COMMAND [ARGUMENT]...\n"
	"       rcrjob sources [--values] [--root DIRECTORY]\n"
	"Runs a command and prints what its CPUs counted in that time on standard error: totals,\n"
	"rates, meters, and the limit that it came closest to. Its CPUs are those that rcrjob\n"
	"may use; other work on them is included.\n"
	"\n"
	"  -p, --per PART        also print the counts of each core, package or node\n"
	"  -i, --interval TIME   also print the totals of each TIME, a number with us, ms, s or\n"
	"                        min\n"
	"  -j, --json            print JSON\n"
	"  -o, --output FILE     write to FILE instead of standard error\n"
	"\n"
	"rcrjob sources lists sources of other values, and why some of them are unavailable.\n"
	"\n"
	"  --values              print the values instead\n"
	"  --root DIRECTORY      read the files of a system below DIRECTORY\n"
	"\n"
	"  -h, --help            print this and exit\n"
	"  -V, --version         print the version and exit\n"
	"\n"
	"Exit status of run: that of COMMAND; 128+N if signal N ended it; 127 if it was not\n"
	"found, 126 if it cannot be executed, 125 if it was not started, because of an error or\n"
	"a wrong command line. Without run: 0, 1 after an error, 2 if the command line is wrong.\n";

static int parse_job_per(struct job_options *o, const char *text)
{
	if (!strcmp(text, "core"))
		o->per = JOB_PER_CORE;
	else if (!strcmp(text, "package"))
		o->per = JOB_PER_PACKAGE;
	else if (!strcmp(text, "node"))
		o->per = JOB_PER_NODE;
	else
		return wrong("unknown part '%s': use core, package or node", text);
	return EXIT_SUCCESS;
}

static int parse_job_interval(struct job_options *o, const char *text)
{
	if (period_parse(text, &o->interval_ns) && o->interval_ns >= INTERVAL_MIN &&
	    o->interval_ns <= INTERVAL_MAX)
		return EXIT_SUCCESS;
	return wrong("invalid interval '%s': use a number and a unit, for example 500ms or 1s",
		     text);
}

/* Parses one option; --help and --version end the program. */
static int parse_job_option(struct job_options *o, int option, const char *text)
{
	switch (option) {
	case 'i':
		return parse_job_interval(o, text);
	case 'j':
		o->json = true;
		return EXIT_SUCCESS;
	case 'o':
		o->output = text;
		return EXIT_SUCCESS;
	case 'p':
		return parse_job_per(o, text);
	case OPTION_ROOT:
		o->root = text;
		return EXIT_SUCCESS;
	case OPTION_VALUES:
		o->values = true;
		return EXIT_SUCCESS;
	case ':':
		return wrong("%s needs a value", text);
	case '?':
		return wrong("unknown option '%s'", text);
	default:
		fputs(option == 'h' ? help : "rcrjob " RCR_VERSION "\n", stdout);
		exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
	}
}

/* Parses options up to "--" or the first word that is no option. */
static int parse_job_options(struct job_options *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "help", no_argument, NULL, 'h' },
		{ "interval", required_argument, NULL, 'i' },
		{ "json", no_argument, NULL, 'j' },
		{ "output", required_argument, NULL, 'o' },
		{ "per", required_argument, NULL, 'p' },
		{ "root", required_argument, NULL, OPTION_ROOT },
		{ "values", no_argument, NULL, OPTION_VALUES },
		{ "version", no_argument, NULL, 'V' },
		{ }
	};
	int option, status = EXIT_SUCCESS;
	const char *text;

	opterr = 0;
	while (!status && (option = getopt_long(argc, argv, "+:hi:jo:p:V", longs, NULL)) >= 0) {
		text = option == '?' || option == ':' ? argv[optind - 1] : optarg;
		status = parse_job_option(o, option, text);
	}
	return status;
}

/* Parses "run" and the words after it; argv[0] is "run". */
static int parse_run(struct job_options *o, int argc, char **argv)
{
	if (parse_job_options(o, argc, argv))
		return EXIT_NOT_STARTED;
	if (o->root || o->values) {
		wrong("--root and --values are options of 'rcrjob sources'");
		return EXIT_NOT_STARTED;
	}
	if (optind < argc && !strcmp(argv[optind - 1], "--")) {
		o->command = argv + optind;
		return EXIT_SUCCESS;
	}
	if (optind < argc)
		wrong("unexpected word '%s': write 'rcrjob run -- %s'", argv[optind], argv[optind]);
	else
		wrong("a command is missing: write 'rcrjob run -- COMMAND'");
	return EXIT_NOT_STARTED;
}

/* Parses "sources" and the words after it; argv[0] is "sources". */
static int parse_sources(struct job_options *o, int argc, char **argv)
{
	o->sources = true;
	if (parse_job_options(o, argc, argv))
		return EXIT_USAGE;
	if (o->json || o->interval_ns || o->per != JOB_PER_ALL || o->output)
		return wrong("'rcrjob sources' has no options but --values and --root");
	if (optind < argc)
		return wrong("unexpected word '%s'", argv[optind]);
	o->root = o->root ? o->root : "";
	return EXIT_SUCCESS;
}

int job_options_parse(struct job_options *o, int argc, char **argv)
{
	*o = (struct job_options){ };
	if (argc > 1 && !strcmp(argv[1], "run"))
		return parse_run(o, argc - 1, argv + 1);
	if (argc > 1 && !strcmp(argv[1], "sources"))
		return parse_sources(o, argc - 1, argv + 1);
	if (parse_job_options(o, argc, argv))
		return EXIT_USAGE;
	if (argc > 1 && argv[1][0] != '-')
		return wrong("unknown verb '%s': use run or sources", argv[1]);
	return wrong("a verb is missing: write 'rcrjob run -- COMMAND'");
}
