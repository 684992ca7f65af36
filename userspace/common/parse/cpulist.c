// SPDX-License-Identifier: GPL-2.0-or-later
/* cpulist.c - lists of CPUs in the format of sysfs: 0-3,8. */
#include <stdlib.h>

#include "parse/cpulist.h"

static bool parse_cpu(const char **text, unsigned long *cpu)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	*cpu = strtoul(*text, &end, 10);
	*text = end;
	return *cpu < CPU_LIMIT;
}

/**
 * cpulist_parse() - parse a list of CPUs
 * @text: the list; an empty text is not a list
 * @cpu: CPU_LIMIT entries; those of CPUs in the list are set, others are not changed
 *
 * Returns whether @text is a valid list. If not, some entries may be set.
 */
bool cpulist_parse(const char *text, bool *cpu)
{
	unsigned long first, last;

	for (;;) {
		if (!parse_cpu(&text, &first))
			return false;
		last = first;
		if (*text == '-') {
			text++;
			if (!parse_cpu(&text, &last) || last < first)
				return false;
		}
		while (first <= last)
			cpu[first++] = true;
		if (!*text)
			return true;
		if (*text++ != ',')
			return false;
	}
}

/* Prints the CPUs set in @cpu, CPU_LIMIT entries, as ranges. */
void cpulist_print(FILE *out, const bool *cpu)
{
	const char *separator = "";
	unsigned int first, next;

	for (first = 0; first < CPU_LIMIT; first = next + 1) {
		for (next = first; next < CPU_LIMIT && cpu[next]; next++)
			;
		if (next == first)
			continue;
		fprintf(out, "%s%u", separator, first);
		if (next > first + 1)
			fprintf(out, "-%u", next - 1);
		separator = ",";
	}
}
