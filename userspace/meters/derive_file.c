// SPDX-License-Identifier: GPL-2.0-or-later
/* derive_file.c - reads a file of formulas, one "NAME = FORMULA" a line. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "derive_file.h"
#include "file.h"
#include "message.h"
#include "parse/lines.h"

static bool is_column_name(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '_' && name[i] != '.')
			return false;
	return len && !isdigit((unsigned char)*name) && *name != '.';
}

static bool is_column_of_ldms(const char *name, size_t len)
{
	static const char *const names[] = {
		"Time", "Time_usec", "ProducerName", "component_id", "job_id", "app_id",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == len && !memcmp(names[i], name, len))
			return true;
	return !strncmp(name, "Ctr", 3);
}

static int find_derive_line(const struct derive *d, const char *name)
{
	unsigned int i;

	for (i = 0; i < d->lines; i++)
		if (!strcmp(d->line[i].name, name))
			return i;
	return -1;
}

/* Parses "NAME = FORMULA". */
static int take_formula(void *to, const struct text_line *line, struct why *why)
{
	struct derive *d = to;
	struct derive_line *l = &d->line[d->lines];
	const char *equals = strchr(line->words, '='), *formula;
	size_t len = strcspn(line->words, " \t=");

	if (!equals || len + strspn(line->words + len, " \t") != (size_t)(equals - line->words))
		return because(why, "write NAME = FORMULA");
	if (!is_column_name(line->words, len))
		return because(why, "invalid name '%.*s': use letters, digits, _ and ., a letter first",
			       len > 40 ? 40 : (int)len, line->words);
	if (len >= sizeof(l->name))
		return because(why, "the name is longer than %zu characters", sizeof(l->name) - 1);
	if (is_column_of_ldms(line->words, len))
		return because(why, "LDMS has a column '%.*s': use another name", (int)len,
			       line->words);
	formula = equals + 1 + strspn(equals + 1, " \t");
	if (!*formula)
		return because(why, "a formula is missing after =");
	if (strlen(formula) >= sizeof(l->formula))
		return because(why, "the formula is longer than %zu characters",
			       sizeof(l->formula) - 1);
	if (d->lines == DERIVED_MOST)
		return because(why, "there are more than %d formulas", DERIVED_MOST);
	*l = (struct derive_line){ .number = line->number };
	snprintf(l->name, sizeof(l->name), "%.*s", (int)len, line->words);
	strcpy(l->formula, formula);
	if (find_derive_line(d, l->name) >= 0)
		return because(why, "line %u has a column '%s' already",
			       d->line[find_derive_line(d, l->name)].number, l->name);
	d->lines++;
	return 0;
}

static void note_formula(void *to, unsigned int number, const char *sentence)
{
	note_line(to, number, "%s", sentence);
}

/**
 * derive_read() - read a file of formulas
 * @d: filled in
 * @path: path of the file; NULL: no file, which has no formulas
 *
 * Returns 0, or EXIT_USAGE after reporting an error.
 */
int derive_read(struct derive *d, const char *path)
{
	struct line_reader reader = { take_formula, d, note_formula, (void *)path };
	struct why why;
	size_t size;
	char *text;
	int bad;

	*d = (struct derive){ .path = path };
	if (!path)
		return 0;
	text = file_read(path, &size, &why);
	if (!text)
		return wrong("%s", why.text);
	bad = lines_read(&reader, text, size);
	free(text);
	if (!bad && !d->lines)
		return wrong("%s: the file has no formula", path);
	return bad ? EXIT_USAGE : 0;
}
