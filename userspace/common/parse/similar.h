/* SPDX-License-Identifier: GPL-2.0-or-later */
/* similar.h - finds the name that is most similar to a mistyped word. */
#ifndef COMMON_SIMILAR_H
#define COMMON_SIMILAR_H

/* Longer words are not similar to any other. */
#define SIMILAR_LEN 64

/**
 * struct similar - a search for the most similar name
 * @word: what the user typed
 * @edits: distance of @name
 * @name: the best one so far
 */
struct similar {
	const char *word;
	unsigned int edits;
	char name[SIMILAR_LEN];
};

/* Number of insertions, deletions, substitutions and swaps from @from to @to, ignoring case. */
unsigned int similar_distance(const char *from, const char *to);

void similar_begin(struct similar *s, const char *word);

/* Considers @name; of equally similar ones the first is kept. */
void similar_try(struct similar *s, const char *name);

/* The most similar name, or NULL if none is. Lasts as long as @s. */
const char *similar_found(const struct similar *s);

#endif
