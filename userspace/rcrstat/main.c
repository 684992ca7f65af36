// SPDX-License-Identifier: GPL-2.0-only
/* main.c - rcrstat: converts the module's records to rates. */
#include <errno.h>
#include <locale.h>
#include <stdlib.h>

#include "message.h"
#include "options.h"
#include "rcr.h"
#include "session.h"
#include "signals.h"

static int read_stream(const struct options *options)
{
	struct rcr_reader *reader = rcr_open(options->device);
	char text[256];
	int ret;

	if (!reader)
		return fail("%s", rcr_open_error(options->device, errno, text,
						 sizeof(text)));
	ret = session_run(options, reader);
	rcr_close(reader);
	return ret;
}

int main(int argc, char **argv)
{
	struct options options;

	/* Numbers are written as in the C locale, for programs. */
	setlocale(LC_CTYPE, "");

	switch (parse_options(&options, argc, argv)) {
	case PARSED_DONE:
		return EXIT_SUCCESS;
	case PARSED_WRONG:
		return EXIT_USAGE;
	case PARSED_RUN:
		break;
	}
	signals_catch();
	return read_stream(&options);
}
