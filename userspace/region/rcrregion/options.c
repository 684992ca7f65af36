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
#include "parse/quantity.h"
#include "rcrregion/options.h"

static const char help[] =
	"Usage: rcrregion run [-M] [-O] [-m MODE] [-s RULE] [-k] [-w N] [-d DIR] -- COMMAND [ARGUMENT]...\n"
	"       rcrregion show [-f FORM] [-D FILE] [-r REGION] [-c | -t] FILE...\n"
	"       rcrregion join [-a] [-f FORM] [-D FILE] [-r REGION] [-c | -t] DIRECTORY...\n"
	"       rcrregion plot mix|roofline [-a] [-r REGION] [-o FILE] [-c | -t] DIRECTORY...\n"
	"       rcrregion compare [-a] [-b LIST] [-r REGION] [-o FILE] [-c | -t] [LABEL=]DIRECTORY...\n"
	"run counts a whole command with its threads and children, without changes to its\n"
	"source; each process writes a file. show prints files of run, and of programs that use\n"
	"librcrregion. join prints statistics over all files of a directory: the lowest, highest\n"
	"and mean count of a process, the deviation, and the processes with the extremes. plot\n"
	"draws joined files: the mix of floating-point operations, or the roofline. compare\n"
	"prints several runs, with ratios to the first.\n"
	"\n"
	"  -M, --mpi             count from MPI_Init to MPI_Finalize: mpirun rcrregion run -M --\n"
	"  -O, --openmp          count each parallel region of OpenMP, too (LLVM's libomp)\n"
	"  -m, --mode MODE       general, flops, memory, frontend, all or mix, or its number\n"
	"  -s, --split RULE      if there are more events than counters, split them into groups\n"
	"                        over ranks, nodes or even-odd ranks; none: only the first group\n"
	"  -k, --kernel          count in the kernel, too\n"
	"  -d, --directory DIR   write the files to DIR\n"
	"  -w, --l3-ways N       let the command fill N ways of the L3, by resctrl, as root\n"
	"  -p, --prefetch off    switch prefetchers off while it runs (Intel, as root)\n"
	"  -a, --all             also join processes that were ended by a signal\n"
	"  -f, --form FORM       print statistics, metrics (a line for each application), or\n"
	"                        values (of join: every value of every process)\n"
	"  -D, --derive FILE     compute the metrics of a file of formulas, NAME = FORMULA\n"
	"  -r, --region REGION   print only that region\n"
	"  -o, --output FILE     draw into FILE, as SVG, with gnuplot\n"
	"  -b, --by LIST         compare these metrics and counters, separated by commas\n"
	"  -R, --ratios          draw ratios to the first run\n"
	"  -C, --ceilings FILE   take the ceilings of the roofline from this file of rcrcal\n"
	"  -P, --peak NUMBER     ceiling of the roofline, in operations a second\n"
	"  -c, --csv             print CSV, also on a terminal\n"
	"  -t, --table           print a table, also into a pipe\n"
	"\n"
	"  -h, --help            print this and exit\n"
	"  -V, --version         print the version and exit\n"
	"\n"
	"Exit status of run: that of COMMAND; 128+N if signal N ended it; 127 if it was not\n"
	"found, 126 if it cannot be executed, 125 if it was not started. Without run: 0, 1 if a\n"
	"file could not be read, 2 if the command line is wrong.\n";

/* Accepts the same rules as read_split_rule() in librcrregion. */
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
	return wrong("unknown form '%s': use statistics, metrics or values", text);
}

static int parse_region_peak(struct region_options *o, const char *text)
{
	const struct quantity_scale scale = { .unit = "flop/s" };
	struct quantity q;
	struct why why;
	int64_t value;

	if (quantity_parse(text, &q, &why) || quantity_value(&q, &scale, &value, &why))
		return wrong("--peak: %s", why.text);
	if (value <= 0)
		return wrong("invalid peak '%s': use operations a second, such as 100G", text);
	o->peak = value;
	return 0;
}

static int parse_region_ways(struct region_options *o, const char *text)
{
	unsigned long ways;
	char *end;

	ways = strtoul(text, &end, 10);
	if (*text < '1' || *text > '9' || *end || ways > 64)
		return wrong("invalid number of ways '%s': use 1 to 64", text);
	o->l3_ways = ways;
	return 0;
}

static int parse_region_option(struct region_options *o, int option, const char *text)
{
	switch (option) {
	case 'a':
		o->all = true;
		return 0;
	case 'c':
		o->table = false;
		o->numbers = true;
		return 0;
	case 'b':
		o->by = text;
		return 0;
	case 'C':
		o->ceilings = text;
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
	case 'o':
		o->output = text;
		return 0;
	case 'P':
		return parse_region_peak(o, text);
	case 'p':
		o->prefetch_off = true;
		if (!strcmp(text, "off"))
			return 0;
		return wrong("unknown state '%s' of prefetchers: use off", text);
	case 'w':
		return parse_region_ways(o, text);
	case 'R':
		o->ratios = true;
		return 0;
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
		return wrong("unknown mode '%s': use general, flops, memory, frontend, all or mix",
			     text);
	case 's':
		o->split = text;
		if (is_split_rule(text))
			return 0;
		return wrong("unknown rule '%s': use ranks, nodes, even-odd, none or the number of a group",
			     text);
	case 't':
		o->table = true;
		o->numbers = true;
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

/* Parses the options after the verb; those that are not in @allowed are errors. */
static int parse_region_options(struct region_options *o, const char *allowed, int argc,
				char **argv)
{
	static const struct option longs[] = {
		{ "all", no_argument, NULL, 'a' },
		{ "by", required_argument, NULL, 'b' },
		{ "ceilings", required_argument, NULL, 'C' },
		{ "csv", no_argument, NULL, 'c' },
		{ "derive", required_argument, NULL, 'D' },
		{ "directory", required_argument, NULL, 'd' },
		{ "form", required_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ "kernel", no_argument, NULL, 'k' },
		{ "l3-ways", required_argument, NULL, 'w' },
		{ "mpi", no_argument, NULL, 'M' },
		{ "mode", required_argument, NULL, 'm' },
		{ "openmp", no_argument, NULL, 'O' },
		{ "output", required_argument, NULL, 'o' },
		{ "peak", required_argument, NULL, 'P' },
		{ "prefetch", required_argument, NULL, 'p' },
		{ "ratios", no_argument, NULL, 'R' },
		{ "region", required_argument, NULL, 'r' },
		{ "split", required_argument, NULL, 's' },
		{ "table", no_argument, NULL, 't' },
		{ "version", no_argument, NULL, 'V' },
		{ }
	};
	static const char shorts[] = "+:ab:cC:d:D:f:hkMm:Oo:p:P:r:Rs:tVw:";
	int option, status = 0;
	const char *text;

	opterr = 0;
	while (!status && (option = getopt_long(argc, argv, shorts, longs, NULL)) >= 0) {
		text = option == '?' || option == ':' ? argv[optind - 1] : optarg;
		if (strchr("abcCdDfkMmoOpPrRstw", option) && !strchr(allowed, option))
			return wrong("'rcrregion %s' has no option -%c", argv[0], option);
		status = parse_region_option(o, option, text);
	}
	o->words = argv + optind;
	return status;
}

static int parse_region_run(struct region_options *o, int argc, char **argv)
{
	o->verb = REGION_RUN;
	if (parse_region_options(o, "dkMmOpsw", argc, argv))
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
		return wrong("only 'rcrregion join' has the form values");
	if (o->region && o->form != REGION_METRICS)
		return wrong("--region needs --form=metrics, or 'rcrregion join'");
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

static int check_region_output(const struct region_options *o)
{
	if (!o->numbers || !o->output || strcmp(o->output, "-"))
		return 0;
	return wrong("--output=- draws on standard output, where --csv and --table print: choose one");
}

/* Accepts the name of the figure before or after the options. */
static int parse_region_plot(struct region_options *o, int argc, char **argv)
{
	static const char *const names[] = {
		[FIGURE_MIX] = "mix", [FIGURE_ROOFLINE] = "roofline",
	};
	const char *name = argc > 1 && *argv[1] != '-' ? argv[1] : NULL;
	unsigned int i;

	o->verb = REGION_PLOT;
	argv[name ? 1 : 0] = argv[0];
	if (parse_region_options(o, "acCDoPrt", argc - !!name, argv + !!name))
		return EXIT_USAGE;
	if (!name && *o->words)
		name = *o->words++;
	for (i = 0; name && i < sizeof(names) / sizeof(names[0]) && strcmp(names[i], name); i++)
		;
	if (!name)
		return wrong("a figure is missing: write 'rcrregion plot mix DIRECTORY'");
	if (i == sizeof(names) / sizeof(names[0]))
		return wrong("unknown figure '%s': use mix or roofline", name);
	o->figure = i;
	if (i == FIGURE_MIX && (o->ceilings || o->peak || o->derive))
		return wrong("--ceilings, --peak and --derive are options of the figure roofline");
	if (*o->words)
		return check_region_output(o);
	return wrong("a directory is missing: write 'rcrregion plot %s DIRECTORY'", name);
}

static int parse_region_compare(struct region_options *o, int argc, char **argv)
{
	o->verb = REGION_COMPARE;
	if (parse_region_options(o, "abcDorRt", argc, argv))
		return EXIT_USAGE;
	if (!*o->words || !o->words[1])
		return wrong("two runs are needed: write 'rcrregion compare LABEL=DIRECTORY LABEL=DIRECTORY'");
	return o->ratios && !o->output ? wrong("--ratios needs --output") :
					 check_region_output(o);
}

int region_options_parse(struct region_options *o, int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*parse)(struct region_options *o, int argc, char **argv);
	} verbs[] = {
		{ "run", parse_region_run }, { "show", parse_region_show },
		{ "join", parse_region_join }, { "plot", parse_region_plot },
		{ "compare", parse_region_compare },
	};
	unsigned int i;

	*o = (struct region_options){ .table = isatty(STDOUT_FILENO) };
	for (i = 0; argc > 1 && i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(argv[1], verbs[i].name))
			return verbs[i].parse(o, argc - 1, argv + 1);
	if (parse_region_options(o, "", argc, argv))
		return EXIT_USAGE;
	if (*o->words)
		return wrong("unknown verb '%s': use run, show, join, plot or compare",
			     *o->words);
	return wrong("a verb is missing: write 'rcrregion run -- COMMAND'");
}
