/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words.h - a list of events on the command line. */
#ifndef RCRSTAT_WORDS_H
#define RCRSTAT_WORDS_H

#include "names.h"

/**
 * struct words - events as the user writes them
 * @word: the events
 * @count: entries of @word
 * @spared: by word: it may be left out if there are too few counters
 * @text: copy of the list that @word points into
 */
struct words {
	const char *word[RCR_MAX_COUNTERS];
	unsigned int count;
	bool spared[RCR_MAX_COUNTERS];
	char *text;
};

int words_split(struct words *w, const char *list, struct why *why);
int words_expand(struct words *w, const struct names *names, struct why *why);
void words_move(struct words *w, unsigned int from, unsigned int to);
void words_unique(struct words *w);
void words_free(struct words *w);

#endif
