// SPDX-License-Identifier: GPL-2.0-or-later
/* formats.c - the list of formats. */
#include <string.h>

#include "format/format.h"

#define FORMAT_ADDRESS(id) &format_##id,

static const struct format *const formats[] = { FORMAT_LIST(FORMAT_ADDRESS) };

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

const struct format *format_find(const char *name)
{
	unsigned int i;

	/* Earlier versions called the table "rates". */
	if (!strcmp(name, "rates"))
		return &format_table;
	for (i = 0; i < FORMATS; i++)
		if (!strcmp(name, formats[i]->name))
			return formats[i];
	return NULL;
}

const char *format_names(char *text, size_t size)
{
	FILE *out = fmemopen(text, size, "w");
	unsigned int i;

	*text = '\0';
	if (!out)
		return text;
	for (i = 0; i < FORMATS; i++)
		fprintf(out, "%s%s", !i ? "" : i + 1 < FORMATS ? ", " : " or ", formats[i]->name);
	fclose(out);
	return text;
}
