// SPDX-License-Identifier: GPL-2.0-or-later
/* relations.c - parses relations between counters. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "parse/lines.h"
#include "parse/number.h"
#include "message.h"
#include "problems/relations.h"

/* No counter of a core counts more than this per cycle: Zen's event 003h. */
#define MOST 96

#define WORDS (2 + 4 * RELATION_TERMS)

/* Sets @number only if @word is a number. */
static bool parse_factor(const char *word, double *number)
{
	long double val;
	const char *end = number_begin(word, &val);

	if (!end || *end || !isfinite((double)val) || val < 0)
		return false;
	*number = val;
	return true;
}

static int copy_word(char to[RELATION_WORD], const char *word, struct why *why)
{
	if (strlen(word) >= RELATION_WORD)
		return because(why, "'%.40s...' is too long for a counter", word);
	strcpy(to, word);
	return 0;
}

/* Parses a term of @count words. */
static int parse_relation_term(struct relation *r, char **word, unsigned int count,
			       struct why *why)
{
	double factor = 1, other;
	bool number = count && parse_factor(word[0], &factor);

	if (number && count == 1) {
		r->constant += factor;
		return 0;
	}
	if (count != 1u + number || parse_factor(word[number], &other) ||
	    !strcmp(word[number], "<="))
		return because(why, "a term is a counter, a number and a counter, or a number; separate terms by ' + '");
	if (r->terms == RELATION_TERMS)
		return because(why, "too many counters on the right: the maximum is %d", RELATION_TERMS);
	r->term[r->terms].factor = factor;
	return copy_word(r->term[r->terms++].word, word[number], why);
}

static int take_right(struct relation *r, char **word, unsigned int words,
		      struct why *why)
{
	unsigned int first = 0, i;

	for (i = 0; i <= words; i++) {
		if (i < words && strcmp(word[i], "+"))
			continue;
		if (parse_relation_term(r, word + first, i - first, why))
			return -1;
		first = i + 1;
	}
	return 0;
}

int relation_parse(struct relation *r, const char *text, struct why *why)
{
	char copy[512], *word[WORDS], *at, *save;
	unsigned int words = 0;

	if (strlen(text) >= sizeof(copy))
		return because(why, "the line is too long");
	strcpy(copy, text);
	for (at = strtok_r(copy, " \t", &save); at; at = strtok_r(NULL, " \t", &save)) {
		if (words == WORDS)
			return because(why, "too many words: the maximum is %d", WORDS);
		word[words++] = at;
	}
	if (words < 3 || strcmp(word[1], "<="))
		return because(why, "this is not COUNTER <= TERM, such as L1_DCM <= 2 LS_DISP + 100");
	*r = (struct relation){ .most = MOST };
	if (copy_word(r->left, word[0], why))
		return -1;
	return take_right(r, word + 2, words - 2, why);
}

static int take_relation_line(void *to, const struct text_line *line, struct why *why)
{
	struct relations *r = to;

	if (r->count == RELATIONS_MAX)
		return because(why, "too many relations: the maximum is %d", RELATIONS_MAX);
	if (relation_parse(&r->relation[r->count], line->words, why))
		return -1;
	r->count++;
	return 0;
}

static void note_relation(void *path, unsigned int number, const char *sentence)
{
	note_line(path, number, "%s", sentence);
}

int relations_read(struct relations *r, const char *path)
{
	struct line_reader reader = { take_relation_line, r, note_relation, (void *)path };
	struct why why;
	size_t size;
	char *text;
	int bad;

	r->count = 0;
	text = file_read(path, &size, &why);
	if (!text) {
		fail("%s", why.text);
		return -1;
	}
	bad = lines_read(&reader, text, size);
	free(text);
	return bad ? -1 : 0;
}
