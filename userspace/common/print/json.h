/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.h - writes JSON.
 */
#ifndef COMMON_JSON_H
#define COMMON_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct json - state of the output
 * @out: output stream
 * @in_line: all in one line
 * @further: an element precedes the next one at this level, so that it needs a comma
 */
struct json {
	FILE *out;
	bool in_line;
	bool further;
};

/* Opens an object ('{') or array ('['); @key is NULL in an array and at the top level. */
void json_open(struct json *j, const char *key, char bracket);
void json_close(struct json *j, char bracket);

/* Writes a string, or null if @text is NULL. */
void json_text(struct json *j, const char *key, const char *text);
void json_number(struct json *j, const char *key, uint64_t val);
/* Writes a number that is already formatted. */
void json_decimal(struct json *j, const char *key, const char *number);
/* Writes a number, formatted to at most 63 characters. */
void json_format(struct json *j, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void json_bool(struct json *j, const char *key, bool val);
/* Writes the list of the CPUs that are set in @cpu, of CPU_LIMIT entries, as a string. */
void json_cpus(struct json *j, const char *key, const bool *cpu);

#endif
