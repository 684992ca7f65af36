// SPDX-License-Identifier: GPL-2.0-or-later
/* options.c - parses the command line of rcrstat. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "parse/number.h"
#include "parse/period.h"
#include "options.h"
#include "topology.h"

#define SECOND 1000000000

/* Options that have no short form. */
enum {
	OPTION_COMPONENT = 256,
	OPTION_DERIVE,
	OPTION_RELATIONS,
	OPTION_SYSFS,
};

static const char help[] =
	"Usage: rcrstat [OPTION]... [INTERVAL [COUNT]]\n"
	"       rcrstat [-e LIST] [-m LIST] [-c LIST] [-j] [-o FILE] -- COMMAND [ARGUMENT]...\n"
	"Prints the counts of the rcrtool module as rates per second: on a terminal as a\n"
	"table (press q to quit), elsewhere as CSV. With COMMAND: prints the totals while\n"
	"COMMAND runs, on standard error.\n"
	"\n"
	"  -i, --interval TIME   time from one line to the next: seconds, or with\n"
	"                        us, ms, s or min (default 1); as INTERVAL\n"
	"  -n, --count N         end after N intervals (default: no limit); as COUNT\n"
	"  -e, --events LIST     only these events, e.g. cycles,instructions,@ldms; if root\n"
	"                        runs it, missing events are added to the set until it ends\n"
	"  -m, --meters LIST     only these meters, e.g. ipc,mem_bw, or with -e both; missing\n"
	"                        events are added to the set until it ends, as with -e\n"
	"  -c, --cpus LIST       only these CPUs, e.g. 0-3,8 (default: all online)\n"
	"  -f, --format FORMAT   table: for people, in place on a terminal (default there)\n"
	"                        csv: one line an interval (default elsewhere, and for -o)\n"
	"                        json: one object an interval, or a mark, each on a line\n"
	"                        raw: the records as they are, for -r\n"
	"                        ldms: totals in the layout of LDMS's store_csv\n"
	"                        openmetrics, prometheus: for Prometheus; -o FILE is replaced\n"
	"                        influx: the line protocol of InfluxDB\n"
	"                        tacc_stats: the text files of TACC Stats\n"
	"                        ctf: a directory, -o DIR, for babeltrace2\n"
	"                        chrome: a trace for Perfetto and chrome://tracing\n"
	"                        svg: a plot of all intervals, which gnuplot draws\n"
	"  -p, --per UNIT        sum, mean, min, max and deviation for each core, llc,\n"
	"                        die, package or node, or of all (default: each cpu; in a\n"
	"                        table of more than 32, minimum, median and maximum);\n"
	"                        process, cgroup: statistical shares, by the task that each\n"
	"                        sample has interrupted, with their standard errors\n"
	"  -j, --json            -f json; with COMMAND: the totals as JSON\n"
	"  -o, --output FILE     write to FILE instead of standard output\n"
	"  -r, --read FILE       read FILE, of -f raw, csv or ldms, or of a recorder\n"
	"  -F, --follow          with -r: wait for more data at the end of FILE, like tail -f\n"
	"  -d, --device FILE     read FILE instead of /dev/rcrtool\n"
	"      --derive FILE     add columns computed by formulas, e.g. flops = rate(FLOPS);\n"
	"                        for csv, json and ldms\n"
	"      --component-id N  number of this node (default: that of rcrtool.conf)\n"
	"      --relations FILE  check more relations between counters; none: check none\n"
	"      --sysfs DIR       read the topology from DIR instead of /sys\n"
	"  -h, --help            print this and exit\n"
	"  -V, --version         print the version and exit\n"
	"\n"
	"A line's time is the end of its interval. An empty cell has no rate: the column\n"
	"status has the reason. The column lost has the number of lost records; rates are\n"
	"right even so, because records have totals. Lines that begin with # are marks of\n"
	"'rcrctl mark'.\n"
	"\n"
	"Exit status: 0 on success, 1 after an error, 2 if the command line is wrong. With\n"
	"COMMAND: that of COMMAND; 128+N if signal N ended it; 127 if it was not found, 126 if\n"
	"it cannot be executed, 125 if it was not started.\n";

static bool parse_interval(const char *text, uint64_t *ns)
{
	/* From a microsecond to a thousand days. */
	return period_parse_bare(text, SECOND, ns) && *ns >= 1000 && *ns <= 86400000000000000;
}

/* Returns the index of @text in the @n names, or -1. */
static int find_in_names(const char *text, const char *const *names, int n)
{
	while (n-- > 0)
		if (!strcmp(text, names[n]))
			return n;
	return -1;
}

static enum parsed parse_format(struct options *o, const char *text)
{
	char names[128];

	o->format = format_find(text);
	if (!o->format)
		return wrong("unknown format '%s': use %s", text,
			     format_names(names, sizeof(names)));
	return PARSED_RUN;
}

static enum parsed parse_per(struct options *o, const char *text)
{
	static const char *const names[] = {
		[PER_CPU] = "cpu", [PER_CORE] = "core", [PER_LLC] = "llc",
		[PER_DIE] = "die", [PER_PACKAGE] = "package", [PER_NODE] = "node", [PER_ALL] = "all",
	};
	int per = find_in_names(text, names, sizeof(names) / sizeof(names[0]));

	o->per_given = true;
	o->tasks = !strcmp(text, "process") ? TASK_PROCESS :
		   !strcmp(text, "cgroup") ? TASK_CGROUP : TASK_NONE;
	if (o->tasks)
		per = PER_CPU;
	if (per < 0)
		return wrong("unknown unit '%s': use cpu, core, llc, die, package, node, all, process or cgroup", text);
	o->per = per;
	return PARSED_RUN;
}

static enum parsed parse_cpus(struct options *o, const char *text)
{
	o->all_cpus = false;
	if (!cpulist_parse(text, o->cpu))
		return wrong("invalid list of CPUs '%s': use for example 0-3,8", text);
	return PARSED_RUN;
}

/* Joins the lists of an option that is given more than once. */
static enum parsed join_list(char **list, const char *text, const char *what)
{
	char *joined = NULL;

	if (!*text)
		return wrong("%s is missing in the list", what);
	if (asprintf(&joined, "%s%s%s", *list ? *list : "", *list ? "," : "", text) < 0)
		return wrong("the list is too long");
	free(*list);
	*list = joined;
	return PARSED_RUN;
}

/* Rejects options that cannot be combined with a command: those of intervals, or of a stream. */
static enum parsed check_command_options(const struct options *o)
{
	if (o->derive || o->device || o->format || o->per_given || o->count || o->interval_given ||
	    o->component_given || o->has_relations || o->follow)
		return wrong("only -e, -m, -c, -j and -o can be used with a command");
	return PARSED_RUN;
}

/* Rejects options that a format or a source would ignore. */
static enum parsed check_ignored(const struct options *o)
{
	if (o->format && o->format->items && o->interval_given && !o->count)
		return wrong("the format raw has no intervals: option '-i' needs '-n'");
	if (o->component_given && o->saved && o->format && o->format->items)
		return wrong("option '--component-id' cannot be used with '-r' and the format raw, which changes nothing");
	if (o->follow && !o->saved)
		return wrong("option '-F' needs '-r FILE'");
	return PARSED_RUN;
}

/* Checks combinations of options. */
static enum parsed check_options(struct options *o)
{
	if (o->tasks && o->meters)
		return wrong("option '-m' cannot be used with '-p process' or '-p cgroup': a meter has no shares");
	if (o->tasks && o->format && (!o->format->meters || o->format->program))
		return wrong("option '--per' with tasks is only for the formats table, csv and json");
	if (o->per != PER_CPU && o->format && !o->format->grouped)
		return wrong("option '--per' is only for the formats table, csv, json and svg");
	if (o->events && o->format && !o->format->chosen)
		return wrong("option '-e' cannot be used with the format %s", o->format->name);
	if (o->meters && o->format && !o->format->meters)
		return wrong("option '-m' is only for the formats table, csv, json and svg");
	if (o->derive && o->tasks)
		return wrong("option '--derive' cannot be used with '-p process' or '-p cgroup'");
	if (o->derive && o->format && !o->format->derives)
		return wrong("option '--derive' is only for the formats csv, json, ldms and svg");
	if (o->format && o->format->directory && !o->output)
		return wrong("the format %s is a directory: name it with -o", o->format->name);
	if (o->json && o->format && o->format != &format_json)
		return wrong("option '-j' is a format: leave out '-f'");
	if (o->command)
		return check_command_options(o);
	if (o->json)
		o->format = &format_json;
	if (o->derive && !o->format)
		o->format = &format_csv;
	return check_ignored(o);
}

static enum parsed take_stat_option(struct options *o, int option, const char *arg)
{
	switch (option) {
	case 'i':
		o->interval_given = true;
		if (!parse_interval(arg, &o->interval))
			return wrong("invalid interval '%s': use a time above 0, for example 1, 0.5 or 100ms", arg);
		return PARSED_RUN;
	case 'n':
		if (!number_parse(arg, &o->count) || !o->count)
			return wrong("invalid count '%s': use 1 or more", arg);
		return PARSED_RUN;
	case 'c':
		return parse_cpus(o, arg);
	case 'f':
		return parse_format(o, arg);
	case 'p':
		return parse_per(o, arg);
	case OPTION_COMPONENT:
		o->component_given = number_parse(arg, &o->component);
		if (!o->component_given)
			return wrong("invalid component id '%s': use 0 or more", arg);
		return PARSED_RUN;
	case OPTION_DERIVE:
		o->derive = arg;
		return PARSED_RUN;
	case OPTION_RELATIONS:
		o->relations = arg;
		o->has_relations = true;
		return PARSED_RUN;
	case OPTION_SYSFS:
		o->sysfs = arg;
		return PARSED_RUN;
	case 'e':
		return join_list(&o->events, arg, "an event");
	case 'm':
		return join_list(&o->meters, arg, "a meter");
	case 'j':
		o->json = true;
		return PARSED_RUN;
	case 'o':
		o->output = strcmp(arg, "-") ? arg : NULL;
		return PARSED_RUN;
	case 'd':
		if (o->saved)
			return wrong("options -d and -r both name a source: use one of them");
		o->device = arg;
		return PARSED_RUN;
	case 'r':
		if (o->device && !o->saved)
			return wrong("options -d and -r both name a source: use one of them");
		o->device = strcmp(arg, "-") ? arg : "/dev/stdin";
		o->saved = true;
		return PARSED_RUN;
	case 'F':
		o->follow = true;
		return PARSED_RUN;
	case 'h':
		fputs(help, stdout);
		return PARSED_DONE;
	case 'V':
		puts("rcrstat " RCR_VERSION);
		return PARSED_DONE;
	case ':':
		return wrong("option '%s' needs an argument", arg);
	default:
		return wrong("unknown option '%s'", arg);
	}
}

/* Parses a word that is no option: the interval, then the count. */
static enum parsed take_stat_word(struct options *o, const char *text, unsigned int *words)
{
	switch ((*words)++) {
	case 0:
		if (*text < '0' || *text > '9')
			return wrong("unexpected word '%s': to count while a command runs, write 'rcrstat -- %s'",
				     text, text);
		return take_stat_option(o, 'i', text);
	case 1:
		return take_stat_option(o, 'n', text);
	default:
		return wrong("unexpected word '%s' after the interval and the count", text);
	}
}

/* Takes the words after "--" as the command to measure. */
static enum parsed parse_command(struct options *o, char **words)
{
	if (!*words)
		return wrong("a command is missing after '--'");
	o->command = words;
	return PARSED_RUN;
}

enum parsed parse_options(struct options *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "interval", required_argument, NULL, 'i' },
		{ "count", required_argument, NULL, 'n' },
		{ "events", required_argument, NULL, 'e' },
		{ "meters", required_argument, NULL, 'm' },
		{ "json", no_argument, NULL, 'j' },
		{ "cpus", required_argument, NULL, 'c' },
		{ "format", required_argument, NULL, 'f' },
		{ "per", required_argument, NULL, 'p' },
		{ "derive", required_argument, NULL, OPTION_DERIVE },
		{ "component-id", required_argument, NULL, OPTION_COMPONENT },
		{ "relations", required_argument, NULL, OPTION_RELATIONS },
		{ "sysfs", required_argument, NULL, OPTION_SYSFS },
		{ "output", required_argument, NULL, 'o' },
		{ "read", required_argument, NULL, 'r' },
		{ "follow", no_argument, NULL, 'F' },
		{ "device", required_argument, NULL, 'd' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ }
	};
	enum parsed parsed = PARSED_RUN;
	unsigned int words = 0;
	int option, before;

	*o = (struct options){
		.interval = SECOND, .all_cpus = true, .sysfs = TOPOLOGY_ROOT,
		.relations = getenv("RCR_RELATIONS"),
	};
	opterr = 0;
	while (parsed == PARSED_RUN) {
		before = optind;
		option = getopt_long(argc, argv, "+:i:n:e:m:jc:f:p:o:r:Fd:hV", longs, NULL);
		if (option < 0 && optind > before) {
			parsed = parse_command(o, argv + optind);
			break;
		}
		if (option < 0) {
			if (optind == argc)
				break;
			parsed = take_stat_word(o, argv[optind++], &words);
			continue;
		}
		parsed = take_stat_option(o, option,
					  option == '?' || option == ':' ?
					  argv[optind - 1] : optarg);
	}
	return parsed == PARSED_RUN ? check_options(o) : parsed;
}
