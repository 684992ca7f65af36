// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_relations.c - rcrstat's reader of the file of relations between counters.
 */
#include <math.h>

#include "fuzz.h"
#include "message.h"
#include "problems/relations.h"

static int told;

/* In place of message.c: no message is read. */
int fail(const char *format, ...)
{
	FUZZ_HOLDS(strlen(format));
	told++;
	return EXIT_FAILURE;
}

void note_line(const char *file, unsigned int line, const char *format, ...)
{
	FUZZ_HOLDS(file && line && strlen(format));
	told++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct relations relations;
	unsigned int i, k;
	int got;

	told = 0;
	got = relations_read(&relations, fuzz_file(data, size));
	FUZZ_HOLDS(!got == !told && relations.count <= RELATIONS_MAX);
	for (i = 0; i < relations.count; i++) {
		const struct relation *r = &relations.relation[i];

		FUZZ_HOLDS(strlen(r->left) && r->terms <= RELATION_TERMS);
		FUZZ_HOLDS(r->constant >= 0);
		for (k = 0; k < r->terms; k++)
			FUZZ_HOLDS(strlen(r->term[k].word) && r->term[k].factor >= 0);
	}
	return 0;
}
