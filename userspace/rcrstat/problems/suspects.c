// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * suspects.c - explains in words which relations between counters are broken.
 *
 * Prints one sentence per line for each relation, with all CPUs or units that broke it.
 */
#include <inttypes.h>
#include <string.h>

#include "parse/cpulist.h"
#include "interval/interval.h"
#include "problems/lint.h"
#include "problems/suspects.h"
#include "interval/view.h"

static void print_why(FILE *out, const struct lint *l, unsigned int number)
{
	fputs(" is suspect: it violates '", out);
	lint_print(out, l, number);
	fputs("'\n", out);
}

static unsigned int print_cpus(FILE *out, const struct intervals *v, unsigned int number,
			       unsigned int counter)
{
	bool cpu[CPU_LIMIT] = { };
	unsigned int i, found = 0;

	for (i = 0; i < v->cpus; i++)
		if (v->cpu[i].cpu < CPU_LIMIT &&
		    cpu_suspect(&v->cpu[i], counter) == number)
			found = cpu[v->cpu[i].cpu] = true;
	if (!found)
		return 0;
	fprintf(out, "%s on CPU ", rcr_set_counter(v->set, counter)->name);
	cpulist_print(out, cpu);
	print_why(out, v->lint, number);
	return 1;
}

static unsigned int print_suspect_units(FILE *out, const struct intervals *v,
					const struct units *units, unsigned int number,
					unsigned int counter)
{
	unsigned int i, found = 0;

	for (i = 0; i < units->count; i++) {
		if (shared_suspect(v, &units->unit[i], counter) != number)
			continue;
		if (!found++)
			fprintf(out, "%s of ", rcr_set_counter(v->set, counter)->name);
		fprintf(out, "%s%s", found > 1 ? ", " : "", units->unit[i].name);
	}
	if (found)
		print_why(out, v->lint, number);
	return !!found;
}

unsigned int suspects_print(FILE *out, const struct intervals *v,
			    const struct view *view)
{
	unsigned int number, counter, scope, printed = 0;

	for (number = 1; v->lint && number <= v->lint->checks; number++) {
		counter = v->lint->check[number - 1].left;
		scope = counter_scope(v->set, counter);
		if (scope == RCR_SCOPE_CPU)
			printed += print_cpus(out, v, number, counter);
		else
			printed += print_suspect_units(out, v, &view->shares[scope], number,
						       counter);
	}
	return printed;
}
