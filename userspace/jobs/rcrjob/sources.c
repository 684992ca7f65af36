// SPDX-License-Identifier: GPL-2.0-or-later
/* sources.c - prints which sources of values this machine has, or their values. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "print/columns.h"
#include "rcrjob/options.h"
#include "rcrjob/sources.h"
#include "source/source.h"

static void print_sources(const char *root)
{
	struct columns table = { .count = 3, .heading = { "SOURCE", "WHAT", "STATE" } };
	const struct rcr_source *s;
	char missing[SOURCE_MISSING_LEN];

	for (s = rcr_sources; s->name; s++) {
		if (s->find(s, root, missing))
			strcpy(missing, "present");
		columns_add(&table, (const char *[]){ s->name, s->what, missing });
	}
	columns_print(&table, true, stdout);
}

/* Prints a name; blanks and bytes that a terminal may interpret become '?'. */
static void print_source_word(const char *text)
{
	for (; *text; text++)
		putchar(*text <= ' ' || *text > '~' ? '?' : *text);
}

static void print_source_value(void *to, const struct source_value *v)
{
	const struct rcr_source *s = to;

	printf("%s\t", s->name);
	print_source_word(*v->instance ? v->instance : "-");
	putchar('\t');
	print_source_word(v->name);
	printf("\t%llu\t%s\n", (unsigned long long)v->value, v->unit);
}

static void print_values(const char *root)
{
	const struct rcr_source *s;
	char missing[SOURCE_MISSING_LEN];
	void *state;

	for (s = rcr_sources; s->name; s++) {
		state = s->open(s, root, missing);
		if (!state)
			continue;
		s->read(s, state, print_source_value, (void *)s);
		s->close(state);
	}
}

int job_sources(const struct job_options *options)
{
	struct stat st;

	if (*options->root && (stat(options->root, &st) || access(options->root, X_OK)))
		return fail("%s: %s", options->root, strerror(errno));
	if (*options->root && !S_ISDIR(st.st_mode))
		return fail("%s: %s", options->root, strerror(ENOTDIR));
	if (options->values)
		print_values(options->root);
	else
		print_sources(options->root);
	if (fflush(stdout) || ferror(stdout))
		return fail("standard output: %s", strerror(errno));
	return EXIT_SUCCESS;
}
