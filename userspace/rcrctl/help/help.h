/* SPDX-License-Identifier: GPL-2.0-or-later */
/* help.h - help of rcrctl: a summary, and one page per verb. */
#ifndef RCRCTL_HELP_H
#define RCRCTL_HELP_H

#include <stddef.h>

/**
 * struct help_page - help of a verb
 * @verb: its name
 * @arguments: its arguments, for the usage line
 * @summary: one line, without a full stop
 * @text: further lines, or NULL
 * @options: its options, one a line, or NULL
 * @example: a command, or NULL
 */
struct help_page {
	const char *verb;
	const char *arguments;
	const char *summary;
	const char *text;
	const char *options;
	const char *example;
};

/**
 * struct help_synonym - a verb of the LDMS sampler, or of an earlier version
 * @verb: its name
 * @means: the verb that it stands for
 */
struct help_synonym {
	const char *verb;
	const char *means;
};

/* All pages; ends with an empty entry. */
extern const struct help_page help_pages[];

/* All synonyms; ends with an empty entry. */
extern const struct help_synonym help_synonyms[];

/* Prints the usage, one line per verb, and the global options. */
void help_print_summary(void);

/* Prints the page of @verb or of its synonym; EXIT_SUCCESS, or EXIT_USAGE after an error. */
int help_print_page(const char *verb);

#endif
