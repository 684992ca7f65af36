// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_name.c - encodes the id of a run, for names of files and for names of PCP instances, which
 * cannot contain spaces.
 *
 * Pure: no input, no output, no clock. Also compiled into the unit tests.
 */
#include <stdio.h>

#include "runs/runs.h"

/* Leaves room in the 255 bytes of a file's name for the time of the begin and the suffix. */
#define ENCODED_MAX 190

static bool is_plain_byte(unsigned char byte)
{
	return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= 'a' && byte <= 'z') || byte == '_' || byte == '-';
}

/* FNV-1a. */
static uint64_t hash_text(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325ull;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3ull;
	return hash;
}

/**
 * run_name() - encode the id of a run
 * @name: filled in
 * @run: with its id and number
 *
 * Bytes outside [0-9A-Za-z_-] become %XX. An id that is too long is cut, and "~" and a hash are
 * appended. The second, third ... run with the same id end in ".2", ".3" ...
 */
void run_name(char name[RUN_NAME_LEN], const struct run *run)
{
	const char *at;
	int len = 0;

	for (at = run->id; *at && len <= ENCODED_MAX - 3; at++)
		len += snprintf(name + len, RUN_NAME_LEN - len,
				is_plain_byte(*at) ? "%c" : "%%%02X", (unsigned char)*at);
	if (*at)
		len += snprintf(name + len, RUN_NAME_LEN - len, "~%016llx",
				(unsigned long long)hash_text(run->id));
	name[len] = 0;
	if (run->number > 1)
		snprintf(name + len, RUN_NAME_LEN - len, ".%u", run->number);
}
