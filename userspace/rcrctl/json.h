/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * json.h - writes JSON.
 */
#ifndef RCRCTL_JSON_H
#define RCRCTL_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct json - JSON that is being written
 * @out: where to
 * @further: something stands before what comes next, at this level
 */
struct json {
	FILE *out;
	bool further;
};

/* An object ('{') or an array ('['); @key is NULL in an array and at the top. */
void json_open(struct json *j, const char *key, char bracket);
void json_close(struct json *j, char bracket);

/* A text, or null for NULL. */
void json_text(struct json *j, const char *key, const char *text);
void json_number(struct json *j, const char *key, uint64_t val);
/* A number in decimal that was written already. */
void json_decimal(struct json *j, const char *key, const char *number);
void json_bool(struct json *j, const char *key, bool val);

#endif
