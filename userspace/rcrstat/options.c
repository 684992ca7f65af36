// SPDX-License-Identifier: GPL-2.0-only
/*
 * options.c - reads the command line of rcrstat.
 */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

static const char help[] =
	"Usage: rcrstat [OPTION]...\n"
	"Prints what the rcrtool module counts, as rates per second.\n"
	"\n"
	"  -i, --interval TIME   time from one line to the next: seconds, or with\n"
	"                        us, ms, s or min (default 1)\n"
	"  -n, --count N         end after N lines (default: go on)\n"
	"  -c, --cpus LIST       only these CPUs, as 0-3,8 (default: all sampled)\n"
	"  -f, --format FORMAT   csv: one line an interval (default)\n"
	"  -o, --output FILE     write to FILE instead of standard output\n"
	"  -d, --device FILE     read FILE instead of /dev/rcrtool\n"
	"  -h, --help            print this and exit\n"
	"  -V, --version         print the version and exit\n"
	"\n"
	"A line's time is the end of its interval. A cell is empty when nothing was\n"
	"counted there, and the column status says why. Lost records are in the\n"
	"column lost; rates stay right, for records carry totals.\n"
	"\n"
	"Exit status: 0 done, 1 something failed, 2 the command line is wrong.\n";

static enum parsed wrong(const char *format, ...)
{
	va_list args;

	fputs("rcrstat: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputs("; see 'rcrstat --help'\n", stderr);
	return PARSED_WRONG;
}

static bool parse_interval(const char *text, uint64_t *ns)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {
		{ "", 1 }, { "s", 1 }, { "ms", 0.001 }, { "us", 0.000001 }, { "min", 60 },
	};
	char *end;
	double val = strtod(text, &end);
	size_t i;

	if (end == text || !isfinite(val))
		return false;
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].name))
			continue;
		val *= units[i].seconds * 1e9;
		/* From a microsecond to a thousand days. */
		if (val < 1e3 || val > 86400e12)
			return false;
		*ns = val + 0.5;
		return true;
	}
	return false;
}

static bool parse_count(const char *text, uint64_t *count)
{
	char *end;

	errno = 0;
	*count = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && *count;
}

static bool parse_cpu(const char **text, unsigned long *cpu)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	*cpu = strtoul(*text, &end, 10);
	*text = end;
	return *cpu < CPU_LIMIT;
}

static bool parse_cpus(struct options *o, const char *text)
{
	unsigned long first, last;

	o->all_cpus = false;
	for (;;) {
		if (!parse_cpu(&text, &first))
			return false;
		last = first;
		if (*text == '-') {
			text++;
			if (!parse_cpu(&text, &last) || last < first)
				return false;
		}
		while (first <= last)
			o->cpu[first++] = true;
		if (!*text)
			return true;
		if (*text++ != ',')
			return false;
	}
}

static enum parsed parse_option(struct options *o, int option, const char *arg)
{
	switch (option) {
	case 'i':
		if (!parse_interval(arg, &o->interval))
			return wrong("interval \"%s\" is no time above 0, such as 1, 0.5 or 100ms", arg);
		return PARSED_RUN;
	case 'n':
		if (!parse_count(arg, &o->count))
			return wrong("count \"%s\" is no number from 1", arg);
		return PARSED_RUN;
	case 'c':
		if (!parse_cpus(o, arg))
			return wrong("\"%s\" is no list of CPUs, such as 0-3,8", arg);
		return PARSED_RUN;
	case 'f':
		if (strcmp(arg, "csv"))
			return wrong("format \"%s\" is unknown: csv is known", arg);
		return PARSED_RUN;
	case 'o':
		o->output = strcmp(arg, "-") ? arg : NULL;
		return PARSED_RUN;
	case 'd':
		o->device = arg;
		return PARSED_RUN;
	case 'h':
		fputs(help, stdout);
		return PARSED_DONE;
	case 'V':
		puts("rcrstat " RCR_VERSION);
		return PARSED_DONE;
	case ':':
		return wrong("option \"%s\" needs an argument", arg);
	default:
		return wrong("option \"%s\" is unknown", arg);
	}
}

enum parsed parse_options(struct options *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "interval", required_argument, NULL, 'i' },
		{ "count", required_argument, NULL, 'n' },
		{ "cpus", required_argument, NULL, 'c' },
		{ "format", required_argument, NULL, 'f' },
		{ "output", required_argument, NULL, 'o' },
		{ "device", required_argument, NULL, 'd' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ }
	};
	enum parsed parsed = PARSED_RUN;
	int option;

	*o = (struct options){ .interval = 1000000000, .all_cpus = true };
	opterr = 0;
	while (parsed == PARSED_RUN) {
		option = getopt_long(argc, argv, ":i:n:c:f:o:d:hV", longs, NULL);
		if (option < 0)
			break;
		parsed = parse_option(o, option,
				      option == '?' || option == ':' ?
				      argv[optind - 1] : optarg);
	}
	if (parsed == PARSED_RUN && optind < argc)
		return wrong("\"%s\" is no option", argv[optind]);
	return parsed;
}
