// SPDX-License-Identifier: GPL-2.0-or-later
/* main.c - rcrjob: what one command did, and where else values come from. */
#include <locale.h>

#include "rcrjob/options.h"
#include "rcrjob/run.h"
#include "rcrjob/sources.h"

int main(int argc, char **argv)
{
	struct job_options options;
	int status;

	/* Numbers are written as in the C locale, for programs. */
	setlocale(LC_CTYPE, "");
	status = job_options_parse(&options, argc, argv);
	if (status)
		return status;
	return options.sources ? job_sources(&options) : job_run(&options);
}
