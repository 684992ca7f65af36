// SPDX-License-Identifier: GPL-2.0-or-later
/* main.c - rcrcal: measures the limits of a resource, such as the memory. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"
#include "knee/sweep.h"
#include "message.h"
#include "parse/number.h"
#include "parse/period.h"

#define STEPS_DEFAULT	24
#define TIME_DEFAULT	100000000
#define TIME_MIN	1000000
#define TIME_MAX	60000000000ull

/* Options without a short form. */
enum {
	OPTION_FILE = 256,
	OPTION_GENERATION,
	OPTION_KIND,
	OPTION_LATENCY,
	OPTION_LOAD,
	OPTION_METER,
	OPTION_MIX,
	OPTION_RESTORE,
	OPTION_STEPS,
	OPTION_TIME,
};

static const char help[] =
	"Usage: rcrcal [OPTION]...\n"
	"       rcrcal --restore [--file FILE] [--mix KIND]\n"
	"Measures the limits of the memory with load on all CPUs, for some minutes. The machine\n"
	"should be otherwise idle. The results are saved to a file, and set as limits of the meter.\n"
	"\n"
	"      --restore         do not measure: set the limits that are in the file\n"
	"      --file FILE       file of the results (default /var/lib/rcrtool/calibration)\n"
	"      --meter NAME      meter of the resource (default mem_bw)\n"
	"      --latency NAME    meter of its latency (default mem_latency where that is\n"
	"                        counted, for mem_bw)\n"
	"      --kind LIST       kinds of operation (default read,write,copy,random)\n"
	"      --mix KIND        set the limits of this kind (default copy)\n"
	"      --steps N         loads in each of three rounds (default 24)\n"
	"      --time TIME       time of each measurement (default 100ms)\n"
	"      --load COMMAND    generate the load with COMMAND\n"
	"      --generation N    only if the set is still that of generation N in\n"
	"                        'rcrctl show'\n"
	"  -h, --help            print this and exit\n"
	"  -V, --version         print the version and exit\n"
	"\n"
	"Exit status: 0 on success; 1 after an error, with nothing changed, or if a kind had no\n"
	"knee; 2 if the command line is wrong.\n";

static int parse_kinds(struct calibrate *c, const char *text)
{
	unsigned int kind;
	char word[16];
	size_t len;

	for (c->kinds = 0; ; text += len + 1) {
		len = strcspn(text, ",");
		snprintf(word, sizeof(word), "%.*s", (int)len, text);
		if (!calibration_parse_kind(word, &kind) || kind == CALIBRATION_MACHINE)
			return wrong("invalid --kind '%s': use read, write, copy or random, separated by commas",
				     word);
		c->kinds |= 1u << kind;
		if (!text[len])
			return EXIT_SUCCESS;
	}
}

static int parse_mix(struct calibrate *c, const char *text)
{
	if (calibration_parse_kind(text, &c->mix) && c->mix != CALIBRATION_MACHINE)
		return EXIT_SUCCESS;
	return wrong("invalid --mix '%s': use read, write, copy or random", text);
}

static int parse_steps(struct calibrate *c, const char *text)
{
	uint64_t steps;

	if (!number_parse_range(text, SWEEP_STEPS_MIN, SWEEP_STEPS_MAX, &steps))
		return wrong("invalid --steps '%s': use a number from %d to %d", text,
			     SWEEP_STEPS_MIN, SWEEP_STEPS_MAX);
	c->steps = steps;
	return EXIT_SUCCESS;
}

static int parse_time(struct calibrate *c, const char *text)
{
	if (period_parse(text, &c->time_ns) && c->time_ns >= TIME_MIN && c->time_ns <= TIME_MAX)
		return EXIT_SUCCESS;
	return wrong("invalid --time '%s': use a time from 1ms to 1min", text);
}

static int parse_cal_generation(uint32_t *generation, const char *text)
{
	uint64_t number;

	if (!number_parse_range(text, 1, UINT32_MAX, &number))
		return wrong("invalid --generation '%s': use the number that 'rcrctl show' prints",
			     text);
	*generation = number;
	return EXIT_SUCCESS;
}

/* Parses one option; --help and --version end the program. */
static int parse_cal_option(struct calibrate *c, uint32_t *generation, int option, const char *text)
{
	switch (option) {
	case OPTION_FILE:
		c->file = text;
		return EXIT_SUCCESS;
	case OPTION_GENERATION:
		return parse_cal_generation(generation, text);
	case OPTION_KIND:
		return parse_kinds(c, text);
	case OPTION_LATENCY:
		c->latency = text;
		return EXIT_SUCCESS;
	case OPTION_LOAD:
		c->command = text;
		return EXIT_SUCCESS;
	case OPTION_METER:
		c->meter = text;
		return EXIT_SUCCESS;
	case OPTION_MIX:
		return parse_mix(c, text);
	case OPTION_RESTORE:
		c->restore = true;
		return EXIT_SUCCESS;
	case OPTION_STEPS:
		return parse_steps(c, text);
	case OPTION_TIME:
		return parse_time(c, text);
	case ':':
		return wrong("%s needs a value", text);
	case '?':
		return wrong("unknown option '%s'", text);
	default:
		fputs(option == 'h' ? help : "rcrcal " RCR_VERSION "\n", stdout);
		exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
	}
}

static int parse_cal_options(int argc, char **argv, struct calibrate *c, uint32_t *generation)
{
	static const struct option longs[] = {
		{ "file", required_argument, NULL, OPTION_FILE },
		{ "generation", required_argument, NULL, OPTION_GENERATION },
		{ "help", no_argument, NULL, 'h' },
		{ "kind", required_argument, NULL, OPTION_KIND },
		{ "latency", required_argument, NULL, OPTION_LATENCY },
		{ "load", required_argument, NULL, OPTION_LOAD },
		{ "meter", required_argument, NULL, OPTION_METER },
		{ "mix", required_argument, NULL, OPTION_MIX },
		{ "restore", no_argument, NULL, OPTION_RESTORE },
		{ "steps", required_argument, NULL, OPTION_STEPS },
		{ "time", required_argument, NULL, OPTION_TIME },
		{ "version", no_argument, NULL, 'V' },
		{ }
	};
	int option, status = EXIT_SUCCESS;
	bool measures = false;
	const char *text;

	opterr = 0;
	while (!status && (option = getopt_long(argc, argv, ":hV", longs, NULL)) >= 0) {
		text = option == '?' || option == ':' ? argv[optind - 1] : optarg;
		status = parse_cal_option(c, generation, option, text);
		measures |= option != OPTION_RESTORE && option != OPTION_FILE &&
			    option != OPTION_MIX && option != OPTION_GENERATION;
	}
	if (!status && optind < argc)
		return wrong("unexpected argument '%s'", argv[optind]);
	if (!status && c->restore && measures)
		return wrong("--restore does not measure: use it only with --file and --mix");
	return status;
}

int main(int argc, char **argv)
{
	struct calibrate c = {
		.file = CALIBRATION_FILE, .meter = "mem_bw", .kinds = (1u << MIXES) - 1,
		.mix = MIX_COPY, .steps = STEPS_DEFAULT, .time_ns = TIME_DEFAULT,
	};
	struct session s = { 0 };
	int status = parse_cal_options(argc, argv, &c, &s.generation);

	if (status)
		return status;
	status = calibrate_run(&s, &c);
	session_close(&s);
	if (fflush(stdout) || ferror(stdout))
		status = fail("standard output: %s", strerror(errno));
	return status;
}
