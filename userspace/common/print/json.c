// SPDX-License-Identifier: GPL-2.0-or-later
/* json.c - writes JSON (RFC 8259), with one line for each entry of an array, or all in one line. */
#include <inttypes.h>
#include <stdarg.h>

#include "json.h"

/* Bytes of the valid UTF-8 character of two or three bytes at @at; else 0, also for controls. */
static int utf8_length(const unsigned char *at)
{
	/* U+0080 to U+009F are control characters of terminals. */
	if (at[0] >= 0xc2 && at[0] < 0xe0)
		return (at[1] & 0xc0) == 0x80 && (at[0] > 0xc2 || at[1] > 0x9f) ? 2 : 0;
	if (at[0] < 0xe0 || at[0] > 0xef || (at[1] & 0xc0) != 0x80 || (at[2] & 0xc0) != 0x80)
		return 0;
	/* Neither longer than needed nor half of a surrogate pair. */
	return (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ? 0 : 3;
}

/* Other non-ASCII bytes are escaped one by one, so that the output is always valid JSON. */
static void put_string(FILE *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	int length;

	fputc('"', out);
	for (; *at; at++) {
		length = utf8_length(at);
		if (length) {
			fwrite(at, length, 1, out);
			at += length - 1;
			continue;
		}
		if (*at == '"' || *at == '\\')
			fprintf(out, "\\%c", *at);
		else if (*at < ' ' || *at > '~')
			fprintf(out, "\\u%04x", *at);
		else
			fputc(*at, out);
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
