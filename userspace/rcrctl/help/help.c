// SPDX-License-Identifier: GPL-2.0-or-later
/* help.c - prints the help of rcrctl. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help/help.h"
#include "help/pager.h"
#include "message.h"
#include "parse/similar.h"
#include "verbs.h"

static void print_page(const struct help_page *p)
{
	const struct help_synonym *s;

	printf("Usage: rcrctl %s%s%s\n%c%s.\n", p->verb, *p->arguments ? " " : "", p->arguments,
	       toupper(*p->summary), p->summary + 1);
	if (p->text)
		printf("\n%s", p->text);
	if (p->options)
		printf("\n%s", p->options);
	for (s = help_synonyms; s->verb; s++)
		if (!strcmp(s->means, p->verb))
			printf("\n'rcrctl %s' is a synonym.\n", s->verb);
	if (p->example)
		printf("\nExample: %s\n", p->example);
}

static const struct help_page *find_page(const char *verb)
{
	const struct help_synonym *s;
	const struct help_page *p;

	for (s = help_synonyms; s->verb; s++)
		if (!strcmp(s->verb, verb))
			verb = s->means;
	for (p = help_pages; p->verb; p++)
		if (!strcmp(p->verb, verb))
			return p;
	return NULL;
}

void help_print_summary(void)
{
	const struct help_synonym *s;
	const struct help_page *p;

	puts("Usage: rcrctl [--generation N] [VERB [ARGUMENT]...]\n"
	     "       rcrctl --batch FILE [--keep-going]\n"
	     "Control what the rcrtool module counts. Without a verb: show.\n");
	for (p = help_pages; p->verb; p++)
		printf("  %-10s  %s\n", p->verb, p->summary);
	puts("\nSynonyms, most of them verbs of the LDMS sampler:\n");
	for (s = help_synonyms; s->verb; s++)
		printf("  %-10s  %s\n", s->verb, s->means);
	puts("\n  --batch FILE      run the verbs in FILE, one a line; - is standard input\n"
	     "  --keep-going      of a batch: continue after a line that failed\n"
	     "  --generation N    fail unless the set still has generation N, see show\n"
	     "  --help            print this and exit\n"
	     "  --version         print the version and exit\n"
	     "\n"
	     "'rcrctl help VERB' prints arguments, options and an example. Exit status: 0 done,\n"
	     "1 refused or failed (nothing has changed), 2 the command line is wrong; for run,\n"
	     "the status of the command.");
}

static int refuse_verb(const char *verb)
{
	const struct help_synonym *s;
	const struct help_page *p;
	struct similar similar;

	similar_begin(&similar, verb);
	for (p = help_pages; p->verb; p++)
		similar_try(&similar, p->verb);
	for (s = help_synonyms; s->verb; s++)
		similar_try(&similar, s->verb);
	if (!similar_found(&similar))
		return wrong("unknown command '%s'", verb);
	note("unknown command '%s'; did you mean '%s'?", verb, similar_found(&similar));
	return EXIT_USAGE;
}

int help_print_page(const char *verb)
{
	const struct help_page *p = find_page(verb);

	if (!p)
		return refuse_verb(verb);
	print_page(p);
	return EXIT_SUCCESS;
}

int do_help(struct call *c)
{
	const struct help_page *p;
	int status = EXIT_SUCCESS;

	pager_start();
	if (!c->count) {
		help_print_summary();
	} else if (!strcmp(c->args[0], "all")) {
		for (p = help_pages; p->verb; p++) {
			if (p != help_pages)
				putchar('\n');
			print_page(p);
		}
	} else {
		status = help_print_page(c->args[0]);
	}
	return status;
}
