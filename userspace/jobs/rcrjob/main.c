// SPDX-License-Identifier: GPL-2.0-or-later
/* main.c - rcrjob: what one command did. */
#include <locale.h>

#include "rcrjob/options.h"
#include "rcrjob/run.h"

int main(int argc, char **argv)
{
	struct job_options options;
	int status;

	/* Numbers are written as in the C locale, for programs. */
	setlocale(LC_CTYPE, "");
	status = job_options_parse(&options, argc, argv);
	return status ? status : job_run(&options);
}
