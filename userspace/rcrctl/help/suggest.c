// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * suggest.c - finds the verb that a mistyped word was meant to be.
 *
 * Pure: no input, no output. Also compiled into the unit tests.
 */
#include <stdbool.h>
#include <string.h>

#include "help/help.h"

#define WORD_MAX 32

/* Words that differ in more edits are not similar. */
#define EDITS_MAX 2

static unsigned int least_of(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

unsigned int help_distance(const char *from, const char *to)
{
	/* Rows of the table of distances of prefixes: the row before the last one, and so on. */
	unsigned int row[3][WORD_MAX + 1], n = strlen(from), m = strlen(to), i, j;

	if (n > WORD_MAX || m > WORD_MAX)
		return WORD_MAX;
	for (j = 0; j <= m; j++)
		row[0][j] = j;
	for (i = 1; i <= n; i++) {
		unsigned int *now = row[i % 3];
		const unsigned int *last = row[(i + 2) % 3], *older = row[(i + 1) % 3];

		now[0] = i;
		for (j = 1; j <= m; j++) {
			now[j] = least_of(least_of(last[j], now[j - 1]) + 1,
					  last[j - 1] + (from[i - 1] != to[j - 1]));
			if (i > 1 && j > 1 && from[i - 1] == to[j - 2] &&
			    from[i - 2] == to[j - 1])
				now[j] = least_of(now[j], older[j - 2] + 1);
		}
	}
	return row[n % 3][m];
}

const char *help_suggest(const char *word)
{
	unsigned int best = EDITS_MAX + 1, each;
	const struct help_synonym *s;
	const struct help_page *p;
	const char *found = NULL;

	for (p = help_pages; p->verb; p++) {
		each = help_distance(word, p->verb);
		if (each < best) {
			best = each;
			found = p->verb;
		}
	}
	for (s = help_synonyms; s->verb; s++) {
		each = help_distance(word, s->verb);
		if (each < best) {
			best = each;
			found = s->verb;
		}
	}
	/* Of a short word too little would be left. */
	return best < strlen(word) ? found : NULL;
}
