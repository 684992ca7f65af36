// SPDX-License-Identifier: GPL-2.0-or-later
/* main.c - rcrregion: what sections of programs did, of one process or of all. */
#include <locale.h>

#include "rcrregion/options.h"

int main(int argc, char **argv)
{
	struct region_options options;
	int status;

	/* Numbers are written as in the C locale, for programs. */
	setlocale(LC_CTYPE, "");
	status = region_options_parse(&options, argc, argv);
	if (status)
		return status;
	switch (options.verb) {
	case REGION_RUN:
		return region_run(&options);
	case REGION_SHOW:
		return region_show(&options);
	case REGION_JOIN:
		return region_join(&options);
	case REGION_PLOT:
		return region_plot(&options);
	default:
		return region_compare(&options);
	}
}
