// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * calibration.c - limits of resources as a text file.
 *
 * Pure: also compiled into the unit tests.
 */
#include <string.h>

#include "calibration.h"

#define WORDS 7

static const char *const kinds[CALIBRATION_KINDS] = {
	[MIX_READ] = "read",
	[MIX_WRITE] = "write",
	[MIX_COPY] = "copy",
	[MIX_RANDOM] = "random",
	[CALIBRATION_MACHINE] = "machine",
};

const char *calibration_kind_name(unsigned int kind)
{
	return kind < CALIBRATION_KINDS ? kinds[kind] : "unknown";
}

bool calibration_parse_kind(const char *name, unsigned int *kind)
{
	unsigned int i;

	for (i = 0; i < CALIBRATION_KINDS; i++)
		if (!strcmp(kinds[i], name)) {
			*kind = i;
			return true;
		}
	return false;
}

static const struct calibrated *find_line(const struct calibration *c, const char *meter,
					  unsigned int kind)
{
	unsigned int i;

	for (i = 0; i < c->count; i++)
		if (c->line[i].kind == kind && !strcmp(c->line[i].meter, meter))
			return &c->line[i];
	return NULL;
}

static struct calibrated *find_calibrated(struct calibration *c, const char *meter,
					  unsigned int kind)
{
	return (struct calibrated *)find_line(c, meter, kind);
}

const struct calibrated *calibration_choose(const struct calibration *c, const char *meter,
					    unsigned int kind)
{
	static const unsigned int next[] = {
		MIX_COPY, MIX_READ, MIX_WRITE, MIX_RANDOM, CALIBRATION_MACHINE,
	};
	const struct calibrated *line = find_line(c, meter, kind);
	unsigned int i;

	for (i = 0; !line && i < sizeof(next) / sizeof(next[0]); i++)
		line = find_line(c, meter, next[i]);
	return line;
}

int calibration_put(struct calibration *c, const struct calibrated *line, struct why *why)
{
	struct calibrated *place = find_calibrated(c, line->meter, line->kind);

	if (!place && c->count == CALIBRATION_MOST)
		return because(why, "too many lines: the maximum is %d", CALIBRATION_MOST);
	*(place ? place : &c->line[c->count++]) = *line;
	return 0;
}

static int take_limit_value(char *to, const char *word, struct why *why)
{
	struct quantity q;

	if (quantity_parse(word, &q, why))
		return -1;
	if (!(q.number > 0) || !strcmp(q.suffix, "%") ||
	    strlen(word) >= sizeof(((struct calibrated *)0)->maximum))
		return because(why, "invalid value '%.40s' of a meter: use one above 0", word);
	strcpy(to, word);
	return 0;
}

static int take_words(struct calibrated *line, char *const *word, unsigned int count,
		      struct why *why)
{
	if ((count != 4 && count != 6) || strcmp(word[2], "maximum") ||
	    (count == 6 && strcmp(word[4], "contention")))
		return because(why, "invalid line: write 'METER MIX maximum V contention V' or 'METER machine maximum V'");
	if (strlen(word[0]) >= sizeof(line->meter))
		return because(why, "invalid name of a meter '%.40s...'", word[0]);
	strcpy(line->meter, word[0]);
	if (!calibration_parse_kind(word[1], &line->kind))
		return because(why, "invalid kind '%.40s': use read, write, copy, random or machine",
			       word[1]);
	if (count == 6 && line->kind == CALIBRATION_MACHINE)
		return because(why, "a machine line has no contention: write 'METER machine maximum V'");
	if (take_limit_value(line->maximum, word[3], why))
		return -1;
	return count == 6 ? take_limit_value(line->contention, word[5], why) : 0;
}

static int take_family(struct calibration *c, const char *name, struct why *why)
{
	if (*c->family)
		return because(why, "the family is already in an earlier line");
	if (strlen(name) >= sizeof(c->family))
		return because(why, "unknown family of processors '%.40s...'", name);
	strcpy(c->family, name);
	return 0;
}

static int take_calibration_line(void *to, const struct text_line *line, struct why *why)
{
	struct calibrated new = { 0 };
	struct calibration *c = to;
	char *word[WORDS], *rest;
	unsigned int count = 0;

	if (!strncmp(line->words, "family ", 7))
		return take_family(c, line->words + 7, why);
	for (rest = strtok(line->words, " \t"); rest && count < WORDS; rest = strtok(NULL, " \t"))
		word[count++] = rest;
	if (take_words(&new, word, count, why))
		return -1;
	if (find_calibrated(c, new.meter, new.kind))
		return because(why, "%s %s is already in an earlier line", new.meter,
			       calibration_kind_name(new.kind));
	return calibration_put(c, &new, why);
}

int calibration_read(struct calibration *c, const char *text, size_t size,
		     line_wrong wrong, void *to)
{
	const struct line_reader reader = { take_calibration_line, c, wrong, to };

	memset(c, 0, sizeof(*c));
	return lines_read(&reader, text, size);
}

void calibration_write(FILE *out, const struct calibration *c)
{
	const struct calibrated *line;

	fputs("# what resources can do: rcrcal --restore\n", out);
	fprintf(out, "family %s\n", c->family);
	for (line = c->line; line < c->line + c->count; line++) {
		fprintf(out, "%s %s maximum %s", line->meter, calibration_kind_name(line->kind),
			line->maximum);
		if (*line->contention)
			fprintf(out, " contention %s", line->contention);
		fputc('\n', out);
	}
}
