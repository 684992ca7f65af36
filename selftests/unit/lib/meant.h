/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * meant.h - checks to which event a name resolves, or with which error it is refused.
 */
#ifndef MEANT_H
#define MEANT_H

#include <string.h>

#include "ksft.h"
#include "names.h"

static struct names n;
static char event[RCR_EVENT_LEN];	/* event of the last name */
static struct why why;			/* the latest error */

/* Called for invalid lines of the dictionary; the tests have none. */
static void no_row(void *to, unsigned int line, const char *sentence)
{
	ksft_exit_fail_msg("%s line %u: %s\n", (char *)to, line, sentence);
}

static bool is(const char *word, const char *means)
{
	event[0] = 0;
	if (names_resolve(&n, word, event, &why))
		ksft_print_msg("%s: %s\n", word, why.text);
	else if (strcmp(event, means))
		ksft_print_msg("%s: %s\n", word, event);
	return !strcmp(event, means);
}

static bool refused(const char *word, const char *says)
{
	if (!names_resolve(&n, word, event, &why)) {
		ksft_print_msg("%s: %s\n", word, event);
		return false;
	}
	if (!strstr(why.text, says))
		ksft_print_msg("%s: %s\n", word, why.text);
	return strstr(why.text, says);
}

#endif
