// SPDX-License-Identifier: GPL-2.0-or-later
/* options.c - parses the command line of pmdarcr. */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "message.h"
#include "parse/period.h"
#include "pmda/options.h"
#include "runs/job_cpus.h"
#include "runs/spool.h"
#include "topology.h"

/* pmcd numbers agents below this. */
#define DOMAINS		511
#define GRID_MIN	1000000ull
#define GRID_MAX	3600000000000ull

enum {
	OPTION_SYSFS = 256,
	OPTION_SPOOL,
	OPTION_CGROUPS,
};

static const char help[] =
	"Usage: pmdarcr [OPTION]...\n"
	"PCP agent for rcrtool, started by pmcd. Publishes totals at instants that are the same\n"
	"on all machines.\n"
	"\n"
	"  -d, --domain NUMBER   number in pmcd.conf (300)\n"
	"  -f, --file FILE       replay FILE, a recording of 'rcrstat -f raw'\n"
	"  -g, --grid TIME       time between two instants, on the wall clock (1s)\n"
	"  -l, --log FILE        log file (rcr.log)\n"
	"  -U, --user USER       user to run as, with the group rcrtool, if root started it (pcp)\n"
	"      --cgroups DIR     search the control groups of jobs in DIR instead of /sys/fs/cgroup\n"
	"      --spool DIR       keep the cards of jobs in DIR instead of /var/spool/rcrtool/jobs;\n"
	"                        with -f, no cards are kept unless this is given\n"
	"      --sysfs DIR       read the topology from DIR instead of /sys\n"
	"  -h, --help            print this and exit\n"
	"  -V, --version         print the version and exit\n"
	"\n"
	"Exit status: 0 if pmcd has ended, 1 after an error, 2 if the command line is wrong.\n";

static int parse_domain(struct agent_options *o, const char *text)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || !number || number >= DOMAINS)
		return wrong("invalid domain '%s': use a number from 1 to %u", text, DOMAINS - 1);
	o->domain = number;
	return EXIT_SUCCESS;
}

static int parse_grid(struct agent_options *o, const char *text)
{
	if (period_parse(text, &o->grid) && o->grid >= GRID_MIN && o->grid <= GRID_MAX)
		return EXIT_SUCCESS;
	return wrong("invalid grid '%s': use a number and a unit from 1ms to 60min, for example 1s",
		     text);
}

/* Parses one option; --help and --version end the program. */
static int parse_agent_option(struct agent_options *o, int option, const char *text)
{
	switch (option) {
	case 'd':
		return parse_domain(o, text);
	case 'f':
		o->file = text;
		return EXIT_SUCCESS;
	case 'g':
		return parse_grid(o, text);
	case 'l':
		o->log = text;
		return EXIT_SUCCESS;
	case 'U':
		o->user = text;
		return EXIT_SUCCESS;
	case OPTION_SYSFS:
		o->sysfs = text;
		return EXIT_SUCCESS;
	case OPTION_SPOOL:
		o->spool = text;
		return EXIT_SUCCESS;
	case OPTION_CGROUPS:
		o->cgroups = text;
		return EXIT_SUCCESS;
	case ':':
		return wrong("%s needs a value", text);
	case '?':
		return wrong("unknown option '%s'", text);
	default:
		fputs(option == 'h' ? help : "pmdarcr " RCR_VERSION "\n", stdout);
		exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
	}
}

int agent_options_parse(struct agent_options *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "cgroups", required_argument, NULL, OPTION_CGROUPS },
		{ "domain", required_argument, NULL, 'd' },
		{ "file", required_argument, NULL, 'f' },
		{ "grid", required_argument, NULL, 'g' },
		{ "help", no_argument, NULL, 'h' },
		{ "log", required_argument, NULL, 'l' },
		{ "spool", required_argument, NULL, OPTION_SPOOL },
		{ "sysfs", required_argument, NULL, OPTION_SYSFS },
		{ "user", required_argument, NULL, 'U' },
		{ "version", no_argument, NULL, 'V' },
		{ }
	};
	int option, status = EXIT_SUCCESS;
	const char *text;

	*o = (struct agent_options){
		.domain = 300, .grid = 1000000000, .user = "pcp", .sysfs = TOPOLOGY_ROOT,
		.cgroups = JOB_CGROUPS,
	};
	opterr = 0;
	while (!status && (option = getopt_long(argc, argv, ":d:f:g:hl:U:V", longs, NULL)) >= 0) {
		text = option == '?' || option == ':' ? argv[optind - 1] : optarg;
		status = parse_agent_option(o, option, text);
	}
	if (!status && optind < argc)
		return wrong("unexpected word '%s'", argv[optind]);
	if (!o->file && !o->spool)
		o->spool = SPOOL_DIRECTORY;
	return status;
}
