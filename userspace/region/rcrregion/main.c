// SPDX-License-Identifier: GPL-2.0-or-later
/* main.c - rcrregion: counts events in sections of programs, for one process or many. */
#include <locale.h>
#include <stdio.h>

#include "message.h"
#include "rcrregion/options.h"

static int print_regions(const struct region_options *o)
{
	switch (o->verb) {
	case REGION_SHOW:
		return region_show(o);
	case REGION_JOIN:
		return region_join(o);
	case REGION_PLOT:
		return region_plot(o);
	default:
		return region_compare(o);
	}
}

int main(int argc, char **argv)
{
	struct region_options options;
	int status;

	/* Keep LC_NUMERIC of the C locale: programs read the output. */
	setlocale(LC_CTYPE, "");
	status = region_options_parse(&options, argc, argv);
	if (status)
		return status;
	if (options.verb == REGION_RUN)
		return region_run(&options);
	status = print_regions(&options);
	return fflush(stdout) || ferror(stdout) ? fail("standard output: write error") : status;
}
