// SPDX-License-Identifier: GPL-2.0-or-later
/* json_cpus.c - writes a list of CPUs as JSON. */
#include <stdlib.h>

#include "parse/cpulist.h"
#include "print/json.h"

void json_cpus(struct json *j, const char *key, const bool *cpu)
{
	char *list = NULL;
	size_t size;
	FILE *out = open_memstream(&list, &size);

	if (out) {
		cpulist_print(out, cpu);
		fclose(out);
	}
	json_text(j, key, list);
	free(list);
}
