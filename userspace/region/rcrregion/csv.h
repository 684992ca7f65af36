/* SPDX-License-Identifier: GPL-2.0-or-later */
/* csv.h - prints texts as CSV. */
#ifndef RCRREGION_CSV_H
#define RCRREGION_CSV_H

#include <stdio.h>
#include <string.h>

/* Prints a text, quoted if necessary (RFC 4180). */
static inline void csv_text(FILE *out, const char *text)
{
	const char *at;

	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	putc('"', out);
	for (at = text; *at; at++) {
		if (*at == '"')
			putc('"', out);
		putc(*at, out);
	}
	putc('"', out);
}

#endif
