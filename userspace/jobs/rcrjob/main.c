// SPDX-License-Identifier: GPL-2.0-or-later
/* main.c - rcrjob: counts while a command runs, or lists other sources of values. */
#include <locale.h>

#include "rcrjob/options.h"
#include "rcrjob/run.h"
#include "rcrjob/sources.h"

int main(int argc, char **argv)
{
	struct job_options options;
	int status;

	/* Keep LC_NUMERIC of the C locale: programs read the output. */
	setlocale(LC_CTYPE, "");
	status = job_options_parse(&options, argc, argv);
	if (status)
		return status;
	return options.sources ? job_sources(&options) : job_run(&options);
}
