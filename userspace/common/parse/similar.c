// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * similar.c - finds the name that is most similar to a mistyped word.
 *
 * Pure: no input, no output. Compiled into the unit tests as well.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "parse/similar.h"

/* Words that differ in more edits are not similar. */
#define EDITS_MAX 2

static unsigned int least_of(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static bool is_same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

unsigned int similar_distance(const char *from, const char *to)
{
	/* The last three rows of the table of distances between prefixes. */
	unsigned int row[3][SIMILAR_LEN], n = strlen(from), m = strlen(to), i, j;

	if (n >= SIMILAR_LEN || m >= SIMILAR_LEN)
		return SIMILAR_LEN;
	for (j = 0; j <= m; j++)
		row[0][j] = j;
	for (i = 1; i <= n; i++) {
		unsigned int *now = row[i % 3];
		const unsigned int *last = row[(i + 2) % 3], *older = row[(i + 1) % 3];

		now[0] = i;
		for (j = 1; j <= m; j++) {
			now[j] = least_of(least_of(last[j], now[j - 1]) + 1,
					  last[j - 1] + !is_same_letter(from[i - 1], to[j - 1]));
			if (i > 1 && j > 1 && is_same_letter(from[i - 1], to[j - 2]) &&
			    is_same_letter(from[i - 2], to[j - 1]))
				now[j] = least_of(now[j], older[j - 2] + 1);
		}
	}
	return row[n % 3][m];
}

void similar_begin(struct similar *s, const char *word)
{
	*s = (struct similar){ .word = word, .edits = EDITS_MAX + 1 };
}

void similar_try(struct similar *s, const char *name)
{
	int more = (int)strlen(name) - (int)strlen(s->word);
	unsigned int edits;

	/* There are thousands of names: skip those of very different length. */
	if (abs(more) > EDITS_MAX)
		return;
	edits = similar_distance(s->word, name);
	if (edits >= s->edits)
		return;
	s->edits = edits;
	strcpy(s->name, name);
}

const char *similar_found(const struct similar *s)
{
	/* Any name is similar to a word with no more letters than edits. */
	return s->edits <= EDITS_MAX && s->edits < strlen(s->word) ? s->name : NULL;
}
