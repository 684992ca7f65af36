// SPDX-License-Identifier: GPL-2.0-or-later
/* options.c - parses the command line of rcrregion. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exit_status.h"
#include "format/modes.h"
#include "message.h"
#include "rcrregion/options.h"

static const char help[] =
	"Usage: rcrregion run [-M] [-O] [-m MODE] [-s RULE] [-k] [-d DIRECTORY] -- COMMAND [ARGUMENT]...\n"
	"       rcrregion show [-f FORM] [-D FILE] [-r REGION] [-c | -t] FILE...\n"
	"       rcrregion join [-a] [-f FORM] [-D FILE] [-r REGION] [-c | -t] DIRECTORY...\n"
	"run counts a whole command, its threads and its children, without a change of its\n"
	"source; each process leaves a file. show prints files of run and of programs with\n"
	"librcrregion; join prints what all files of a directory have in common: the least,\n"
	"the greatest and the mean count of a process, the deviation, and which processes\n"
	"have the extremes.\n"
	"\n"
	"  -M, --mpi             count from MPI_Init to MPI_Finalize: mpirun rcrregion run -M --\n"
	"  -O, --openmp          count each parallel region of OpenMP, too (LLVM's libomp)\n"
	"  -m, --mode MODE       general, flops, memory, frontend, all or mix, or its number\n"
	"  -s, --split RULE      where more events than counters: count groups of them by turns\n"
	"                        over ranks, nodes or even-odd ranks, or none: the first group\n"
	"  -k, --kernel          count in the kernel, too\n"
	"  -d, --directory DIR   leave the files in DIR\n"
	"  -a, --all             join processes that were ended by a signal, too\n"
	"  -f, --form FORM       print statistics, metrics (a line an application), or values\n"
	"                        (of join: every value of every process)\n"
	"  -D, --derive FILE     compute the metrics of a file of formulas, NAME = FORMULA\n"
	"  -r, --region REGION   print only that region\n"
	"  -c, --csv             print CSV, also on a terminal\n"
	"  -t, --table           print a table, also into a pipe\n"
	"\n"
	"  -h, --help            print this and exit\n"
	"  -V, --version         print the version and exit\n"
	"\n"
	"Exit status of run: that of COMMAND, 128+N if signal N ended it, 127 it was not\n"
	"found, 126 it cannot be executed, 125 the command line is wrong. Else: 0, 1 if a\n"
	"file could not be read, 2 the command line is wrong.\n";

/* As librcrregion reads RCR_REGION_SPLIT. */
static bool is_split_rule(const char *text)
{
	return !strcmp(text, "ranks") || !strcmp(text, "nodes") || !strcmp(text, "even-odd") ||
	       !strcmp(text, "none") ||
	       (*text >= '1' && *text <= '9' && strspn(text, "0123456789") == strlen(text));
}

static int parse_region_form(struct region_options *o, const char *text)
{
	static const char *const names[] = {
		[REGION_STATISTICS] = "statistics", [REGION_METRICS] = "metrics",
		[REGION_EVERY_VALUE] = "values",
	};
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(names[i], text)) {
			o->form = i;
			return 0;
		}
	}
	return wrong("unknown form '%s': there are statistics, metrics and values", text);
}

static int parse_region_option(struct region_options *o, int option, const char *text)
{
	switch (option) {
	case 'a':
		o->all = true;
		return 0;
	case 'c':
		o->table = false;
		return 0;
	case 'd':
		o->directory = text;
		return 0;
	case 'D':
		o->derive = text;
		o->form = REGION_METRICS;
		return 0;
	case 'f':
		return parse_region_form(o, text);
	case 'r':
		o->region = text;
		return 0;
	case 'k':
		o->kernel = true;
		return 0;
	case 'M':
		o->mpi = true;
		return 0;
	case 'O':
		o->openmp = true;
		return 0;
	case 'm':
		o->mode = text;
		if (region_mode_find(text) >= 0)
			return 0;
		return wrong("unknown mode '%s': there are general, flops, memory, frontend, all and mix",
			     text);
	case 's':
		o->split = text;
		if (is_split_rule(text))
			return 0;
		return wrong("unknown rule '%s': there are ranks, nodes, even-odd, none and the number of a group",
			     text);
	case 't':
		o->table = true;
		return 0;
	case ':':
		return wrong("%s needs a value", text);
	case '?':
		return wrong("unknown option '%s'", text);
	default:
		fputs(option == 'h' ? help : "rcrregion " RCR_VERSION "\n", stdout);
		exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
	}
}

/* Parses the options among @allowed, after the verb. */
static int parse_region_options(struct region_options *o, const char *allowed, int argc,
				char **argv)
{
	static const struct option longs[] = {
		{ "all", no_argument, NULL, 'a' },
		{ "csv", no_argument, NULL, 'c' },
		{ "derive", required_argument, NULL, 'D' },
		{ "directory", required_argument, NULL, 'd' },
		{ "form", required_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ "kernel", no_argument, NULL, 'k' },
		{ "mpi", no_argument, NULL, 'M' },
		{ "mode", required_argument, NULL, 'm' },
		{ "openmp", no_argument, NULL, 'O' },
		{ "region", required_argument, NULL, 'r' },
		{ "split", required_argument, NULL, 's' },
		{ "table", no_argument, NULL, 't' },
		{ "version", no_argument, NULL, 'V' },
		{ }
	};
	static const char shorts[] = "+:acd:D:f:hkMm:Or:s:tV";
	int option, status = 0;
	const char *text;

	opterr = 0;
	while (!status && (option = getopt_long(argc, argv, shorts, longs, NULL)) >= 0) {
		text = option == '?' || option == ':' ? argv[optind - 1] : optarg;
		if (strchr("acdDfkMmOrst", option) && !strchr(allowed, option))
			return wrong("-%c is no option of 'rcrregion %s'", option, argv[0]);
		status = parse_region_option(o, option, text);
	}
	o->words = argv + optind;
	return status;
}

static int parse_region_run(struct region_options *o, int argc, char **argv)
{
	o->verb = REGION_RUN;
	if (parse_region_options(o, "dkMmOs", argc, argv))
		return EXIT_NOT_STARTED;
	if (*o->words && !strcmp(argv[optind - 1], "--"))
		return 0;
	if (*o->words)
		wrong("unexpected word '%s': write 'rcrregion run -- %s'", *o->words, *o->words);
	else
		wrong("a command is missing: write 'rcrregion run -- COMMAND'");
	return EXIT_NOT_STARTED;
}

static int parse_region_show(struct region_options *o, int argc, char **argv)
{
	o->verb = REGION_SHOW;
	if (parse_region_options(o, "cDfrt", argc, argv))
		return EXIT_USAGE;
	if (o->form == REGION_EVERY_VALUE)
		return wrong("the form values is one of 'rcrregion join'");
	if (o->region && o->form != REGION_METRICS)
		return wrong("--region goes with --form=metrics, or with 'rcrregion join'");
	return *o->words ? 0 : wrong("a file is missing: write 'rcrregion show FILE...'");
}

static int parse_region_join(struct region_options *o, int argc, char **argv)
{
	o->verb = REGION_JOIN;
	if (parse_region_options(o, "acDfrt", argc, argv))
		return EXIT_USAGE;
	if (!*o->words)
		return wrong("a directory is missing: write 'rcrregion join DIRECTORY'");
	if (o->words[1] && o->form != REGION_METRICS)
		return wrong("unexpected word '%s': only the form metrics has several directories",
			     o->words[1]);
	return 0;
}

int region_options_parse(struct region_options *o, int argc, char **argv)
{
	*o = (struct region_options){ .table = isatty(STDOUT_FILENO) };
	if (argc > 1 && !strcmp(argv[1], "run"))
		return parse_region_run(o, argc - 1, argv + 1);
	if (argc > 1 && !strcmp(argv[1], "show"))
		return parse_region_show(o, argc - 1, argv + 1);
	if (argc > 1 && !strcmp(argv[1], "join"))
		return parse_region_join(o, argc - 1, argv + 1);
	if (parse_region_options(o, "", argc, argv))
		return EXIT_USAGE;
	if (*o->words)
		return wrong("unknown verb '%s': there are run, show and join", *o->words);
	return wrong("a verb is missing: write 'rcrregion run -- COMMAND'");
}
