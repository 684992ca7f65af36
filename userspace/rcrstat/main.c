// SPDX-License-Identifier: GPL-2.0-or-later
/* main.c - rcrstat: converts the module's records to rates. */
#include <errno.h>
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "command/choice.h"
#include "command/measure.h"
#include "meter/derive.h"
#include "message.h"
#include "options.h"
#include "rcr.h"
#include "recording.h"
#include "saved/saved.h"
#include "session.h"
#include "signals.h"

static int follow_stream(const struct options *options, struct choice *choice)
{
	struct rcr_reader *reader = rcr_open(options->device);
	char text[256];
	int ret;

	if (!reader && options->saved)
		return recording_refuse(options->device, errno);
	if (!reader)
		return fail("%s", rcr_open_error(options->device, errno, text,
						 sizeof(text)));
	ret = session_run(options, choice, reader);
	rcr_close(reader);
	return ret;
}

static int run_stream(const struct options *options)
{
	static struct derive derive;
	struct choice choice;
	int ret = derive_read(&derive, options->derive);

	if (ret)
		return ret;
	ret = choice_open(&choice, options->events, options->meters, options->device);
	choice.derive = options->derive ? &derive : NULL;
	if (!ret)
		ret = follow_stream(options, &choice);
	choice_close(&choice);
	return ret;
}

/*
 * True if a command was to be run. A wrong command line then ends in EXIT_NOT_STARTED, because
 * EXIT_USAGE may be a status of the command.
 */
static bool has_command(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--"))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	struct options options;

	/* Keep LC_NUMERIC of the C locale: programs read the output. */
	setlocale(LC_CTYPE, "");

	switch (parse_options(&options, argc, argv)) {
	case PARSED_DONE:
		return EXIT_SUCCESS;
	case PARSED_WRONG:
		return has_command(argc, argv) ? EXIT_NOT_STARTED : EXIT_USAGE;
	case PARSED_RUN:
		break;
	}
	if (options.command)
		return measure_command(&options);
	signals_catch();
	if (options.saved && saved_is_text(options.device))
		return saved_run(&options);
	return run_stream(&options);
}
