// SPDX-License-Identifier: GPL-2.0-or-later
/* json.c - writes JSON (RFC 8259), with one line for each entry of an array, or all in one line. */
#include <inttypes.h>
#include <stdarg.h>

#include "json.h"
#include "parse/utf8.h"

/* Escapes each byte that is not valid UTF-8, so that the output is always valid JSON. */
static void put_string(FILE *out, const char *text)
{
	int length;

	fputc('"', out);
	for (; *text; text += length ? length : 1) {
		length = utf8_length(text);
		if (!length)
			fprintf(out, "\\u%04x", (unsigned char)*text);
		else if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else
			fwrite(text, length, 1, out);
	}
	fputc('"', out);
}

static void begin_element(struct json *j, const char *key)
{
	if (j->further)
		fputs(key || j->in_line ? ", " : ",\n", j->out);
	j->further = true;
	if (key) {
		put_string(j->out, key);
		fputs(": ", j->out);
	}
}

void json_open(struct json *j, const char *key, char bracket)
{
	begin_element(j, key);
	fputc(bracket, j->out);
	if (bracket == '[' && !j->in_line)
		fputc('\n', j->out);
	j->further = false;
}

void json_close(struct json *j, char bracket)
{
	if (bracket == ']' && !j->in_line)
		fputc('\n', j->out);
	fputc(bracket, j->out);
	j->further = true;
}

void json_text(struct json *j, const char *key, const char *text)
{
	begin_element(j, key);
	if (text)
		put_string(j->out, text);
	else
		fputs("null", j->out);
}

void json_number(struct json *j, const char *key, uint64_t val)
{
	begin_element(j, key);
	fprintf(j->out, "%" PRIu64, val);
}

void json_decimal(struct json *j, const char *key, const char *number)
{
	begin_element(j, key);
	fputs(number, j->out);
}

void json_format(struct json *j, const char *key, const char *format, ...)
{
	char text[64];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	json_decimal(j, key, text);
}

void json_bool(struct json *j, const char *key, bool val)
{
	begin_element(j, key);
	fputs(val ? "true" : "false", j->out);
}
