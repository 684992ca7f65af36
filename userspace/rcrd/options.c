// SPDX-License-Identifier: GPL-2.0-or-later
/* options.c - parse the command line of rcrd. */
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "file.h"
#include "message.h"
#include "options.h"
#include "parse/number.h"
#include "parse/quantity.h"

static const char help[] =
	"Usage: rcrd [-f] [--observe]\n"
	"       rcrd --replay FILE [--memory B/s] [--latency CYCLES] [--bounds FILE]\n"
	"            [--set NAME=VALUE]... [--json]\n"
	"The daemon of rcrtool. It records the samples before an event ('rcrctl record'),\n"
	"reads the state that programs report of their threads ('rcrctl threads'), posts\n"
	"network traffic as meters, writes the public board, and judges contention\n"
	"('rcrctl why').\n"
	"It must be started by root, and then runs as the user rcrtool. With --replay, which\n"
	"any user may use, it judges a recording, prints the verdicts, and exits.\n"
	"\n"
	"  -f, --foreground  stay in the foreground, and log to standard error (default: run in\n"
	"                    the background once everything is ready)\n"
	"      --observe         judge contention, but post no verdicts: no meters, no marks\n"
	"      --replay FILE     judge a recording of 'rcrstat -f raw' or 'rcrctl record fetch'\n"
	"      --memory B/s      maximum memory bandwidth of each node, as in 12.8G; without it,\n"
	"                        findings that depend on it are not judged\n"
	"      --latency CYCLES  read latency without load (default: estimated from the recording)\n"
	"      --bounds FILE     read thresholds from lines NAME = VALUE; see rcrd(8)\n"
	"      --set NAME=VALUE  set one threshold\n"
	"      --json            print JSON\n"
	"  -h, --help        print this and exit\n"
	"  -V, --version     print the version and exit\n"
	"\n"
	"Exit status: 0 ended by SIGTERM or SIGINT, running in the background, or end of the\n"
	"replay; 1 an error occurred; 2 invalid command line.\n";

static int wrong_option(const char *word)
{
	char letter[] = { '-', optopt, 0 };

	return wrong("unknown option '%s'", optopt ? letter : word);
}

/* Options without a letter. From OPTION_REPLAY on, they belong to a replay. */
enum long_option {
	OPTION_OBSERVE = 256,
	OPTION_GROUPS,
	OPTION_REPLAY,
	OPTION_MEMORY,
	OPTION_LATENCY,
	OPTION_BOUNDS,
	OPTION_SET,
	OPTION_JSON,
};

static int take_memory_rate(struct replay *r, const char *text)
{
	const struct quantity_scale scale = { .unit = "B/s" };
	struct quantity q;
	struct why why;
	int64_t value;

	if (quantity_parse(text, &q, &why) || quantity_value(&q, &scale, &value, &why))
		return wrong("--memory: %s", why.text);
	if (value <= 0)
		return wrong("--memory: invalid rate '%s': use one above 0, as in 12.8G", text);
	r->capacity = value;
	return EXIT_SUCCESS;
}

static int take_latency(struct replay *r, const char *text)
{
	long double value;
	const char *rest = number_begin(text, &value);

	if (!rest || *rest || !(value >= 1 && value <= 1e6))
		return wrong("--latency: invalid number '%s': use 1 to 1000000", text);
	r->latency = value;
	return EXIT_SUCCESS;
}

static int take_bounds_file(struct replay *r, const char *path)
{
	struct why why;
	size_t size;
	char *text = file_read(path, &size, &why);
	int ret;

	if (!text)
		return fail("%s", why.text);
	ret = bounds_parse(&r->bounds, path, text, size, &why);
	free(text);
	return ret ? wrong("%s", why.text) : EXIT_SUCCESS;
}

/* rcrd-set passes its socket with this undocumented option. */
static int take_groups(struct daemon_options *o, const char *text)
{
	uint64_t fd;

	if (!number_parse_range(text, 3, 1023, &fd) || fcntl(fd, F_SETFD, FD_CLOEXEC))
		return wrong("--groups: '%s' is not a socket: only rcrd-set uses this option",
			     text);
	o->groups = fd;
	return EXIT_SUCCESS;
}

static int take_replay_option(struct replay *r, int option)
{
	struct why why;

	switch (option) {
	case OPTION_REPLAY:
		r->path = optarg;
		return EXIT_SUCCESS;
	case OPTION_MEMORY:
		return take_memory_rate(r, optarg);
	case OPTION_LATENCY:
		return take_latency(r, optarg);
	case OPTION_BOUNDS:
		return take_bounds_file(r, optarg);
	case OPTION_JSON:
		r->json = true;
		return EXIT_SUCCESS;
	default:
		if (bounds_set(&r->bounds, optarg, &why))
			return wrong("--set: %s", why.text);
		return EXIT_SUCCESS;
	}
}

int daemon_options_parse(struct daemon_options *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "foreground", no_argument, NULL, 'f' },
		{ "observe", no_argument, NULL, OPTION_OBSERVE },
		{ "groups", required_argument, NULL, OPTION_GROUPS },
		{ "replay", required_argument, NULL, OPTION_REPLAY },
		{ "memory", required_argument, NULL, OPTION_MEMORY },
		{ "latency", required_argument, NULL, OPTION_LATENCY },
		{ "bounds", required_argument, NULL, OPTION_BOUNDS },
		{ "set", required_argument, NULL, OPTION_SET },
		{ "json", no_argument, NULL, OPTION_JSON },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ }
	};
	int option, status = EXIT_SUCCESS;
	bool of_replay = false;

	*o = (struct daemon_options){ .groups = -1 };
	bounds_init(&o->replay.bounds);
	opterr = 0;
	while (!status && (option = getopt_long(argc, argv, ":fhV", longs, NULL)) >= 0) {
		if (option == 'f') {
			o->foreground = true;
		} else if (option == OPTION_OBSERVE) {
			o->observes = true;
		} else if (option == OPTION_GROUPS) {
			status = take_groups(o, optarg);
		} else if (option >= OPTION_REPLAY) {
			of_replay = true;
			status = take_replay_option(&o->replay, option);
		} else if (option == ':') {
			status = wrong("%s needs a value", argv[optind - 1]);
		} else if (option == '?') {
			status = wrong_option(argv[optind - 1]);
		} else {
			fputs(option == 'h' ? help : "rcrd " RCR_VERSION "\n", stdout);
			exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
		}
	}
	if (!status && optind < argc)
		return wrong("unexpected argument '%s'", argv[optind]);
	if (!status && of_replay && !o->replay.path)
		return wrong("options of a replay need --replay FILE");
	return status;
}
